// Wrong: whether the copy is done is asked once, and whatever the answer is, its result is read.
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
  count<<<8, 128, 0, stream>>>(total);
  cudaMemcpyAsync(host, total, sizeof(int), cudaMemcpyDeviceToHost, stream);  // expect-other: stream_race
  cudaEventRecord(copied, stream);
  if (cudaEventQuery(copied) == cudaErrorNotReady) std::printf("not yet\n");
  std::printf("%d\n", *host);  // expect: stream_race
  cudaStreamSynchronize(stream);
  count<<<8, 128, 0, stream>>>(total);
  cudaMemcpyAsync(host, total, sizeof(int), cudaMemcpyDeviceToHost, stream);  // expect-other: stream_race
  if (cudaStreamQuery(stream) == cudaErrorNotReady) std::printf("not yet\n");
  std::printf("%d\n", *host);  // expect: stream_race
  cudaStreamSynchronize(stream);
  cudaEventDestroy(copied);
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  cudaFree(total);
}
