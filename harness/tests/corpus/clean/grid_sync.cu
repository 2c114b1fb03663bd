// A cooperative launch: all blocks meet between the two phases, so that the second may read what any block
// wrote.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void jacobi(float* x, float* next, int n, int steps) {
  const cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      const float left = i > 0 ? x[i - 1] : 0.0f, right = i < n - 1 ? x[i + 1] : 1.0f;
      next[i] = 0.5f * (left + right);
    }
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) x[i] = next[i];
    grid.sync();
  }
}

int main() {
  int n = 100, steps = 30;
  std::vector<float> x(n, 0.0f), expected(n, 0.0f);
  for (int s = 0; s < steps; ++s) {
    const std::vector<float> old = expected;
    for (int i = 0; i < n; ++i) {
      const float left = i > 0 ? old[i - 1] : 0.0f, right = i < n - 1 ? old[i + 1] : 1.0f;
      expected[i] = 0.5f * (left + right);
    }
  }
  float *d_x, *d_next;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_next, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  void* arguments[] = {&d_x, &d_next, &n, &steps};
  const cudaError_t error =
      cudaLaunchCooperativeKernel(reinterpret_cast<void*>(jacobi), dim3(3), dim3(32), arguments);
  cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = error != cudaSuccess;
  for (int i = 0; i < n; ++i) wrong += x[i] != expected[i];
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  cudaFree(d_next);
  return wrong != 0;
}
