// Streams and events are asked until they are ready, or asked and then waited for; what is done is ready at
// once.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void count(int* total) { atomicAdd(total, 1); }

int main() {
  int *total, *host;
  cudaStream_t stream;
  cudaEvent_t copied;
  cudaStreamCreate(&stream);
  cudaEventCreate(&copied);
  cudaMalloc(&total, sizeof(int));
  cudaMallocHost(&host, sizeof(int));
  cudaMemsetAsync(total, 0, sizeof(int), stream);
  int rounds = 0;
  for (int turn = 0; turn < 3; ++turn) {
    count<<<8, 128, 0, stream>>>(total);
    cudaMemcpyAsync(host, total, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(copied, stream);
    if (turn == 0)
      while (cudaEventQuery(copied) == cudaErrorNotReady) ++rounds;
    if (turn == 1)
      while (cudaStreamQuery(stream) != cudaSuccess) ++rounds;
    if (turn == 2 && cudaStreamQuery(stream) == cudaErrorNotReady) cudaEventSynchronize(copied);
    if (*host != 1024 * (turn + 1)) return 2;
    if (cudaGetLastError() != cudaSuccess) return 3;
  }
  cudaStreamSynchronize(stream);
  if (cudaStreamQuery(stream) != cudaSuccess || cudaEventQuery(copied) != cudaSuccess) return 4;
  cudaEventDestroy(copied);
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  cudaFree(total);
}
