// Wrong: copies to and from memory of the host that was given back: a vector has grown, an object is gone.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void fill(int* x) { x[threadIdx.x] = static_cast<int>(threadIdx.x); }

int main() {
  constexpr std::size_t kBytes = 32 * sizeof(int);
  int* x;
  cudaMalloc(&x, kBytes);
  fill<<<1, 32>>>(x);
  std::vector<int> all(32);
  int* const first = all.data();
  all.resize(64);
  cudaMemcpy(first, x, kBytes, cudaMemcpyDeviceToHost);  // expect: use_after_free; says: given back
  int* const list = static_cast<int*>(std::calloc(32, sizeof(int)));
  std::free(list);
  cudaMemcpy(x, list, kBytes, cudaMemcpyHostToDevice);  // expect: use_after_free; says: given back at line 20
  std::printf("%d\n", all[5]);
  cudaFree(x);
}
