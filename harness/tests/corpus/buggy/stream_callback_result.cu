// Wrong: a function that the stream calls leaves its result in pinned memory, and nobody waits for it.
#include <cuda_runtime.h>
#include <cstdio>

static void CUDART_CB add_up(void* user) {
  int* x = static_cast<int*>(user);
  x[0] = x[1] + x[2];  // expect-other: stream_race
}

int main() {
  int *x, *d_x;
  cudaMallocHost(&x, 3 * sizeof(int));
  cudaMalloc(&d_x, 3 * sizeof(int));
  cudaMemset(d_x, 0, 3 * sizeof(int));
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMemcpyAsync(x, d_x, 3 * sizeof(int), cudaMemcpyDeviceToHost, s);  // expect-other: stream_race
  cudaLaunchHostFunc(s, add_up, x);
  cudaEvent_t copied;
  cudaEventCreate(&copied);
  std::printf("sum %d\n", x[0]);  // expect: stream_race
  cudaStreamSynchronize(s);
  cudaEventDestroy(copied);
  cudaStreamDestroy(s);
  cudaFreeHost(x);
  cudaFree(d_x);
}
