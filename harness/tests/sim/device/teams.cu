// Blocks that work together: cooperative grids, and clusters with each other's shared memory.
#include <cooperative_groups.h>

#include "device_test.h"

namespace cg = cooperative_groups;
using device_test::Buffer;
using device_test::expect_values;

namespace {

__global__ void __cluster_dims__(4, 1, 1) sums_of_cluster(int* out) {
  __shared__ int mine;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = static_cast<int>(blockIdx.x) + 1;
  cluster.sync();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
      sum += *cluster.map_shared_rank(&mine, static_cast<int>(rank));
    out[blockIdx.x] = sum + 1000 * static_cast<int>(cluster.block_rank());
  }
  cluster.sync();  // nobody leaves while another block reads
}

// Each block counts its part into its own bins; the bins of the cluster are spread over its blocks.
__global__ void histogram_of_cluster(int* bins, const int* values, int n, int bins_of_block) {
  __shared__ int mine[16];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = static_cast<int>(threadIdx.x); i < bins_of_block; i += static_cast<int>(blockDim.x))
    mine[i] = 0;
  cluster.sync();
  for (int i = static_cast<int>(cg::this_grid().thread_rank()); i < n;
       i += static_cast<int>(cg::this_grid().size())) {
    int* const theirs = cluster.map_shared_rank(mine, values[i] / bins_of_block);
    atomicAdd(theirs + values[i] % bins_of_block, 1);
  }
  cluster.sync();
  const int first = static_cast<int>(cluster.block_rank()) * bins_of_block;
  for (int i = static_cast<int>(threadIdx.x); i < bins_of_block; i += static_cast<int>(blockDim.x))
    atomicAdd(&bins[first + i], mine[i]);
}

// A sum over the grid in one launch: partial sums, a barrier of the grid, and everybody sees the total.
__global__ void normalise(float* data, float* partial, int n) {
  __shared__ float sums[64];
  const cg::grid_group grid = cg::this_grid();
  float sum = 0.0f;
  for (auto i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size()))
    sum += data[i];
  sums[threadIdx.x] = sum;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = grid.is_valid() ? sums[0] : -1.0f;
  grid.sync();
  float total = 0.0f;
  for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
  for (auto i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size()))
    data[i] /= total;
}

__global__ void no_barrier_of_the_grid(float* data) {
  if (threadIdx.x == 0) data[blockIdx.x] = 1.0f;
  __syncthreads();
  if (threadIdx.x == 0)
    data[gridDim.x + blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];  // mark: no_barrier_of_the_grid
}

}  // namespace

DEVICE_TEST("blocks of a cluster read each other's shared memory") {
  const Buffer<int> out(8);
  sums_of_cluster<<<8, 32>>>(out.data());
  expect_values(out.values(), std::vector<int>{10, 1010, 2010, 3010, 26, 1026, 2026, 3026}, "cluster");
}

DEVICE_TEST("a histogram over the shared memory of a cluster") {
  const int n = 1000, all_bins = 40;
  std::vector<int> values, want(all_bins, 0);
  for (int i = 0; i < n; ++i) {
    values.push_back(i * i % all_bins);
    ++want[static_cast<std::size_t>(values.back())];
  }
  const Buffer<int> in(values), bins(std::vector<int>(all_bins, 0));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 8;
  config.blockDim = 64;
  config.attrs = &attribute;
  config.numAttrs = 1;
  device_test::expect(cudaLaunchKernelEx(&config, histogram_of_cluster, bins.data(), in.data(), n,
                                         all_bins / 4) == cudaSuccess,
                      "launch");
  expect_values(bins.values(), want, "bins");
}

DEVICE_TEST("a barrier of the grid orders all blocks") {
  const int n = 5000;
  const Buffer<float> data(std::vector<float>(n, 2.0f)), partial(6);
  float* d = data.data();
  float* p = partial.data();
  int count = n;
  void* arguments[] = {&d, &p, &count};
  device_test::expect(
      cudaLaunchCooperativeKernel(normalise, dim3(6), dim3(64), arguments, 0, nullptr) == cudaSuccess,
      "launch");
  expect_values(data.values(), std::vector<float>(n, 2.0f / 10000.0f), "normalised", 1e-6);
}

DEVICE_TEST("without it there is a race between blocks") {
  device_test::expect_finding("race_global", __FILE__, "no_barrier_of_the_grid");
  const Buffer<float> data(std::vector<float>(16, 0.0f));
  no_barrier_of_the_grid<<<8, 32>>>(data.data());
}
