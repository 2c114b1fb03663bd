// Wrong: the host's memory is given back twice: by the loop over all and by itself, and by an object and its
// copy.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Column {
  float* values = new float[32];
  ~Column() { delete[] values; }  // expect: double_free; says: memory again
};

__global__ void fill(float* x) { x[threadIdx.x] = 2.0f; }

float first_of(Column column, const float* x) {
  cudaMemcpy(column.values, x, 32 * sizeof(float), cudaMemcpyDeviceToHost);
  return column.values[0];
}

int main() {
  float* x;
  cudaMalloc(&x, 32 * sizeof(float));
  fill<<<1, 32>>>(x);
  Column column;
  std::printf("%g\n", first_of(column, x));
  void* parts[2] = {std::malloc(100), std::malloc(100)};
  for (void* part : parts) std::free(part);  // expect-other: double_free
  std::free(parts[1]);                       // expect: double_free; says: the host gives free() memory again
  cudaFree(x);
}
