// Wrong: one variable for all functions that the stream is to call: it may hold the next number when the
// first looks.
#include <cuda_runtime.h>
#include <cstdio>

static void CUDART_CB say(void* user) {
  std::printf("part %d\n", *static_cast<const int*>(user));  // expect-other: stream_race
}

__global__ void work(int* x, int part) { x[threadIdx.x] = part; }

int main() {
  int* d_x;
  cudaMalloc(&d_x, 32 * sizeof(int));
  cudaStream_t s;
  cudaStreamCreate(&s);
  int part = 0;
  for (int i = 0; i < 3; ++i) {
    part = i;  // expect: stream_race
    work<<<1, 32, 0, s>>>(d_x, i);
    cudaLaunchHostFunc(s, say, &part);
  }
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  cudaFree(d_x);
}
