// Wrong: two streams call a function that counts, each its own way, and nothing keeps the two apart.
#include <cuda_runtime.h>
#include <cstdio>

static void CUDART_CB count(void* user) {
  int& counter = *static_cast<int*>(user);
  counter = counter + 1;  // expect: stream_race  // expect-other: stream_race
}

int main() {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  int counter = 0;
  cudaLaunchHostFunc(a, count, &counter);
  cudaLaunchHostFunc(b, count, &counter);
  cudaDeviceSynchronize();
  std::printf("%d\n", counter);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
