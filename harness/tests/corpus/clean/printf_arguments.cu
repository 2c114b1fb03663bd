// Formats of printf() in kernels that fit their arguments.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>

enum class Colour { red, green };

__host__ __device__ int shown(int n) { return ::printf("%d, %5.2f%%\n", n, 0.5f * n); }

__global__ void show(long long big, size_t n, const int* x, float f) {
  printf("%lld of %zu, %ld, %llu\n", big, n, static_cast<long>(n), static_cast<unsigned long long>(big));
  printf("%d %u %x %o %c %i\n", x[0], x[0], x[0], x[0], 'c', Colour::green);
  printf("%f %g %e %.3f %*d %-*.*f\n", f, f, 1.0, f, 6, x[0], 8, 2, f);
  printf("%s %p %p %lx %%\n", n > 3 ? "more" : "less", x, nullptr, reinterpret_cast<std::uintptr_t>(x));
  printf("%hhd %hd %hu\n", static_cast<char>(x[0]), static_cast<short>(x[0]), static_cast<unsigned short>(7));
  printf("nothing\n");
  if (std::printf("%d\n", true) > 0) shown(x[0]);
}

int main() {
  int h[2] = {7, 8}, *x;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  show<<<1, 1>>>(5LL << 32, 100, x, 1.5f);
  cudaDeviceSynchronize();
  shown(h[0]);
  cudaFree(x);
}
