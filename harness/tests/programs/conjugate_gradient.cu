// Conjugate gradients in one cooperative launch: the grid meets at every dot product.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

// The Poisson matrix in one dimension, times p.
__device__ void multiply(const float* p, float* ap, int n, const cg::grid_group& grid) {
  for (int i = grid.thread_rank(); i < n; i += grid.size())
    ap[i] = 2.0f * p[i] - (i > 0 ? p[i - 1] : 0.0f) - (i < n - 1 ? p[i + 1] : 0.0f);
}

__device__ void dot(const float* a, const float* b, double* result, int n, const cg::thread_block& block,
                    const cg::grid_group& grid) {
  extern __shared__ double partial[];
  double sum = 0.0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += static_cast<double>(a[i]) * b[i];
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  for (int offset = 16; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    double total = 0.0;
    for (unsigned int w = 0; w < tile.meta_group_size(); ++w) total += partial[w];
    atomicAdd(result, total);
  }
  block.sync();
}

// scalars: r.r of this step, p.Ap, r.r of the next step.
__global__ void solve(float* x, float* r, float* p, float* ap, double* scalars, int* steps, int n, int most) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  dot(r, r, &scalars[0], n, block, grid);
  grid.sync();
  int step = 0;
  for (; step < most && scalars[0] > 1e-10; ++step) {
    multiply(p, ap, n, grid);
    grid.sync();
    dot(p, ap, &scalars[1], n, block, grid);
    grid.sync();
    const float alpha = static_cast<float>(scalars[0] / scalars[1]);
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
    grid.sync();
    dot(r, r, &scalars[2], n, block, grid);
    grid.sync();
    const float beta = static_cast<float>(scalars[2] / scalars[0]);
    for (int i = grid.thread_rank(); i < n; i += grid.size()) p[i] = r[i] + beta * p[i];
    grid.sync();
    if (grid.thread_rank() == 0) scalars[0] = scalars[2], scalars[1] = scalars[2] = 0.0;
    grid.sync();
  }
  if (grid.thread_rank() == 0) *steps = step;
}

int main() {
  int n = 64, most = 200, steps = 0;
  std::vector<float> b(n, 1.0f), x(n);
  float *d_x, *d_r, *d_p, *d_ap;
  double* d_scalars;
  int* d_steps;
  for (float** vector : {&d_x, &d_r, &d_p, &d_ap}) cudaMalloc(vector, n * sizeof(float));
  cudaMalloc(&d_scalars, 3 * sizeof(double));
  cudaMalloc(&d_steps, sizeof(int));
  cudaMemset(d_x, 0, n * sizeof(float));
  cudaMemset(d_scalars, 0, 3 * sizeof(double));
  cudaMemcpy(d_r, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_p, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  const int threads = 32;
  int per_processor = 0, cooperative = 0;
  cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, solve, threads, sizeof(double));
  if (!cooperative || per_processor < 1) return 2;
  void* arguments[] = {&d_x, &d_r, &d_p, &d_ap, &d_scalars, &d_steps, &n, &most};
  const cudaError_t error = cudaLaunchCooperativeKernel(reinterpret_cast<void*>(solve), dim3(2),
                                                        dim3(threads), arguments, sizeof(double), nullptr);
  cudaMemcpy(&steps, d_steps, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  double worst = 0.0;
  for (int i = 0; i < n; ++i) worst = std::fmax(worst, std::fabs(x[i] - 0.5 * (i + 1.0) * (n - i)));
  std::printf("%s, %d steps, largest error %.2g\n", cudaGetErrorString(error), steps, worst);
  for (float* vector : {d_x, d_r, d_p, d_ap}) cudaFree(vector);
  cudaFree(d_scalars), cudaFree(d_steps);
  return error == cudaSuccess && steps < most && worst < 0.5 ? 0 : 1;
}
