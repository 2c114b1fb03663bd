// Wrong: a sum by comparing and swapping that keeps comparing with what it has read first. It ends only for
// those whom nobody comes before.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void sum(double* total) {
  auto* bits = reinterpret_cast<unsigned long long*>(total);
  const unsigned long long seen = *bits, wanted = __double_as_longlong(1.0 + __longlong_as_double(seen));
  while (atomicCAS(bits, seen, wanted) != seen) {  // expect: infinite_loop
  }
}

int main() {
  double *d_total, total = 0;
  cudaMalloc(&d_total, sizeof total);
  cudaMemset(d_total, 0, sizeof total);
  sum<<<2, 64>>>(d_total);
  cudaMemcpy(&total, d_total, sizeof total, cudaMemcpyDeviceToHost);
  std::printf("%g\n", total);
  cudaFree(d_total);
}
