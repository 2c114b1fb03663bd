// Right: threads compute for long with so much of their own memory that the next page of their stacks is one
// that nobody has touched. They are looked at while they do.
#include <cuda_runtime.h>

#include <cstdio>

template <int kFloats>
__global__ void walk(float* sums, int rounds) {
  float own[kFloats];
  for (int i = 0; i < kFloats; ++i) own[i] = 1.0f;
  for (int round = 0; round < rounds; ++round)
    for (int i = 0; i < kFloats; ++i) own[i] = own[i] * 0.5f + 1.0f;
  float sum = 0.0f;
  for (int i = 0; i < kFloats; ++i) sum += own[i];
  sums[threadIdx.x] = sum;
}

template <int kFloats>
void run(float* sums) {
  walk<kFloats><<<1, 2>>>(sums, 12000);
  if constexpr (kFloats < 2048) run<kFloats + 256>(sums);
}

int main() {
  float *sums, got[2];
  cudaMalloc(&sums, sizeof got);
  run<512>(sums);
  cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", static_cast<double>(got[0]), static_cast<double>(got[1]));
  cudaFree(sums);
}
