// The threads in a branch form a group of their own, which is the right way to what __activemask() is misused
// for.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__device__ int take_place(int* counter) {
  const cg::coalesced_group group = cg::coalesced_threads();
  int base = 0;
  if (group.thread_rank() == 0) base = atomicAdd(counter, static_cast<int>(group.size()));
  return group.shfl(base, 0) + static_cast<int>(group.thread_rank());
}

__global__ void keep_multiples(int* out, int* size, const int* x, int divisor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % divisor == 0) out[take_place(size)] = x[i];
}

int main() {
  const int n = 700;
  std::vector<int> x(n), out(n);
  for (int i = 0; i < n; ++i) x[i] = i + 1;
  int *d_x, *d_out, *d_size, size = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_size, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_size, 0, sizeof(int));
  keep_multiples<<<6, 128>>>(d_out, d_size, d_x, 7, n);
  cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(out.data(), d_out, size * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int k = 0; k < size; ++k) sum += out[k];
  std::printf("%d kept, sum %d\n", size, sum);
  cudaFree(d_x), cudaFree(d_out), cudaFree(d_size);
  return size != 100 || sum != 7 * 100 * 101 / 2;
}
