// Right: each block of the host's is given back once; what lies where one lay before is another one.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

struct Column {
  std::shared_ptr<float[]> values{new float[32]};
};

__global__ void fill(float* x) { x[threadIdx.x] = 2.0f; }

float first_of(Column column, const float* x) {
  cudaMemcpy(column.values.get(), x, 32 * sizeof(float), cudaMemcpyDeviceToHost);
  return column.values[0];
}

int main() {
  float* x;
  cudaMalloc(&x, 32 * sizeof(float));
  fill<<<1, 32>>>(x);
  Column column;
  std::printf("%g\n", first_of(column, x));
  for (int turn = 0; turn < 1000; ++turn) {
    void* part = std::malloc(100);
    std::vector<int> more(turn % 40 + 1);
    std::free(part);
    part = nullptr;
    std::free(part);
  }
  cudaFree(x);
}
