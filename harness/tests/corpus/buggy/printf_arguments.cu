// Wrong: arguments of printf() in a kernel that its format does not take.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>

__global__ void show(long long big, size_t n, const int* x, float f) {
  printf("%d of %d\n", big, 3);      // expect: bad_api_call
  printf("%f\n", x[0]);              // expect: bad_api_call
  printf("%d\n", f);                 // expect: bad_api_call
  printf("%lld, %d\n", x[0], x[0]);  // expect: bad_api_call
  printf("%d and %d\n", x[0]);       // expect: bad_api_call
  std::printf("%s\n", x[0]);         // expect: bad_api_call
  printf("%s\n", n > 3 ? "more" : "less");
  printf("%d\n", n);  // expect-warning: bad_api_call
}

int main() {
  int h[2] = {7, 8}, *x;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  show<<<1, 1>>>(5LL << 32, 100, x, 1.5f);
  cudaDeviceSynchronize();
  cudaFree(x);
}
