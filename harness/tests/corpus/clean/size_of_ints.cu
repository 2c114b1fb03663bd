// The size of an allocation is computed in size_t, and one that fails is looked at.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char**) {
  const int rows = 24000 * argc, columns = 24000;
  float *matrix = nullptr, *larger = nullptr;
  const std::size_t bytes = static_cast<std::size_t>(rows) * columns * sizeof(float);
  if (cudaMalloc(&matrix, bytes) != cudaSuccess) std::printf("no room\n");
  const cudaError_t none = cudaMalloc(&larger, std::size_t{1} << 60);
  std::printf("%s\n", cudaGetErrorString(none));
  cudaFree(matrix);
}
