// Wrong: the size of an allocation is a product of ints that passes 2147483647.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char**) {
  const int rows = 24000 * argc, columns = 24000;
  float* matrix = nullptr;
  const int bytes = rows * columns * static_cast<int>(sizeof(float));
  cudaMalloc(&matrix, bytes);  // expect: bad_api_call; says: Compute sizes in size_t
  std::printf("%d\n", matrix != nullptr);
  cudaFree(matrix);
}
