// Wrong: lane 0 of the warp leads a group that it may not be in, and the place stays unset.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;

__global__ void keep_large(const int* in, int n, int limit, int* out, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > limit) {
    auto group = cg::coalesced_threads();
    int base;
    if (threadIdx.x % 32 == 0) base = atomicAdd(count, (int)group.size());
    base = group.shfl(base, 0);
    out[base + group.thread_rank()] = in[i];  // expect: oob_global; says: base, declared at line
  }
}

int main() {
  const int n = 256;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 37) % 100;
  int *in, *out, *count, got;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, n * 4);
  cudaMalloc(&count, 4);
  cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemset(count, 0, 4);
  cudaMemset(out, 0, n * 4);
  keep_large<<<2, 128>>>(in, n, 60, out, count);
  cudaMemcpy(&got, count, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got);
  cudaFree(in);
  cudaFree(out);
  cudaFree(count);
}
