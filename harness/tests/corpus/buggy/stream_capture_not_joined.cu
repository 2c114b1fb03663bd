// Wrong: a stream that a capture has forked is not joined again before the capture ends.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int* x, int value) { x[threadIdx.x] += value; }

int main() {
  int *x, *y, first = 0;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  cudaMemset(y, 0, 64 * sizeof(int));
  cudaStream_t s, side;
  cudaStreamCreate(&s);
  cudaStreamCreate(&side);
  cudaEvent_t fork;
  cudaEventCreate(&fork);
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(side, fork, 0);
  add<<<1, 64, 0, s>>>(x, 1);
  add<<<1, 64, 0, side>>>(y, 2);                              // expect: stream_race
  const cudaError_t error = cudaStreamEndCapture(s, &graph);  // expect-other: stream_race
  std::printf("%s\n", cudaGetErrorName(error));
  cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("first %d\n", first);
  cudaEventDestroy(fork);
  cudaStreamDestroy(s), cudaStreamDestroy(side);
  cudaFree(x), cudaFree(y);
}
