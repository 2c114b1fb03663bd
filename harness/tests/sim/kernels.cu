// Small kernels, each right or wrong in exactly one way. A `// mark:` comment names the line a test expects.
#include "kernels.h"

#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cuda/pipeline>
#include <fstream>
#include <map>
#include <stdexcept>

#include "given.cuh"

namespace {

__global__ void saxpy(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * y[i] + 1.0f;
}

__global__ void no_guard(float* y, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 1.0f;  // mark: no_guard
}

__global__ void null_store(float*, int) {
  float* nowhere = nullptr;
  asm volatile("" : "+r"(nowhere));
  *nowhere = 1.0f;  // mark: null_store
}

__global__ void same_element(float* y, int) {
  y[0] = static_cast<float>(threadIdx.x);  // mark: same_element
}

__global__ void blocks_collide(float* y, int) {
  if (threadIdx.x == 0) y[0] = static_cast<float>(blockIdx.x);  // mark: blocks_collide
}

__global__ void reads_fresh_memory(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] + 1.0f;  // mark: reads_fresh_memory
}

__global__ void reverse(float* y, int n) {
  __shared__ float tile[kernels::kBlock];
  const int i = threadIdx.x;
  tile[i] = y[i];
  __syncthreads();
  if (i < n) y[i] = tile[blockDim.x - 1 - i];
}

__global__ void reverse_without_barrier(float* y, int n) {
  __shared__ float tile[kernels::kBlock];
  const int i = threadIdx.x;
  tile[i] = y[i];                              // mark: unordered_store
  if (i < n) y[i] = tile[blockDim.x - 1 - i];  // mark: unordered_load
}

/// The last thread of the block stores what threads of all warps have just read.
__global__ void broadcast_overwritten(float* y, int) {
  __shared__ float first;
  if (threadIdx.x == 0) first = y[0];
  __syncthreads();
  const float was = first;
  if (threadIdx.x + 1 == blockDim.x) first = was + 1.0f;  // mark: broadcast_overwritten
  y[threadIdx.x] = was;
}

__global__ void shared_not_filled(float* y, int) {
  __shared__ float tile[kernels::kBlock];
  if (threadIdx.x != 3) tile[threadIdx.x] = 1.0f;
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];  // mark: shared_not_filled
}

__global__ void barrier_in_branch(float* y, int) {
  if (threadIdx.x < 16) {
    __syncthreads();  // mark: barrier_in_branch
    y[threadIdx.x] = 1.0f;
  }
  y[32 + threadIdx.x % 32] += 1.0f;
}

__global__ void two_barriers(float*, int) {
  if (threadIdx.x < 32) {
    __syncthreads();  // mark: first_barrier
  } else {
    __syncthreads();  // mark: second_barrier
  }
}

__global__ void early_return(float* y, int n) {
  __shared__ float tile[kernels::kBlock];
  const int i = threadIdx.x;
  if (i >= n) return;
  tile[i] = y[i];
  __syncthreads();  // mark: early_return
  y[i] = tile[i] + 1.0f;
}

__global__ void barrier_in_uneven_loop(float* y, int n) {
  __shared__ float tile[kernels::kBlock];
  const int i = threadIdx.x;
  if (i >= n) return;
  tile[i] = y[i];
  float sum = 0.0f;
  for (int k = 0; k + i < n; ++k) {
    __syncthreads();  // mark: barrier_in_uneven_loop
    sum += tile[i];
  }
  y[i] = sum;
}

__global__ void barrier_in_last_branch(float* y, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    y[i] += 1.0f;
    __syncthreads();  // mark: barrier_in_last_branch
  }
}

__global__ void dynamic_overrun(float* y, int) {
  extern __shared__ float rows[];
  rows[threadIdx.x] = y[threadIdx.x];  // mark: dynamic_overrun
  __syncthreads();
  y[threadIdx.x] = rows[threadIdx.x];
}

__global__ void warp_sum(float* y, int) {
  float value = y[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) y[threadIdx.x] = value;
}

__global__ void shuffle_in_branch(float* y, int) {
  float value = y[threadIdx.x];
  if (threadIdx.x < 16)  // mark: shuffle_branch
    value = given_neighbour(value);
  y[threadIdx.x] = value;
}

__global__ void shuffle_after_return(float* y, int n) {
  if (threadIdx.x >= n) return;
  y[threadIdx.x] = __shfl_xor_sync(0xffffffffu, y[threadIdx.x], 16);  // mark: shuffle_after_return
}

__global__ void wrong_stride(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i * 3] = 1.0f;  // mark: wrong_stride
}

__global__ void guarded_one_too_far(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n) return;  // mark: one_too_far_guard
  y[i] += 1.0f;       // mark: one_too_far
}

__global__ void adds_to_fresh_memory(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += 1.0f;
}

__global__ void tree_one_barrier(float* y, int) {
  __shared__ float sums[kernels::kBlock];
  const int t = threadIdx.x;
  sums[t] = y[t];
  __syncthreads();
  for (int half = kernels::kBlock / 2; half > 0; half /= 2)  // mark: tree_one_barrier_loop
    if (t < half) sums[t] += sums[t + half];
  if (t == 0) y[0] = sums[0];
}

__global__ void four_each(float* y, int) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < first + 4; ++i) y[i] = 1.0f;
}

__global__ void next_pass(float* y, int n) {
  __shared__ float tile[kernels::kBlock];
  float sum = 0.0f;
  for (int first = 0; first < n; first += kernels::kBlock) {  // mark: next_pass_loop
    tile[threadIdx.x] = y[first + threadIdx.x];               // mark: next_pass_store
    __syncthreads();
    sum += tile[kernels::kBlock - 1 - threadIdx.x];  // mark: next_pass_load
  }
  y[threadIdx.x] = sum;
}

// Threads of one warp store two halves of a word each, at one place; then one stores its own at another.
__global__ void stores_halves(float* y, int) {
  auto* halves = reinterpret_cast<unsigned short*>(y);
  halves[threadIdx.x] = 1;  // mark: stores_halves
  __syncthreads();
  if (threadIdx.x == 4) halves[4] = 2;
}

__global__ void half_a_mask(float* y, int) {
  if (threadIdx.x < 16) y[threadIdx.x] = __shfl_xor_sync(0x0000ffffu, y[threadIdx.x], 1);
}

__global__ void mask_names_absent_lanes(float* y, int) {
  if (threadIdx.x < 16) {
    const float other = __shfl_down_sync(0xffffffffu, y[threadIdx.x], 16);  // mark: mask_names_absent_lanes
    y[threadIdx.x] = other;
  } else {
    __syncthreads();  // mark: mask_absent_lanes_wait
  }
}

__global__ void pipeline_never_released(float* y, int) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  for (int round = 0; round < 2; ++round) {
    pipe.producer_acquire();  // mark: pipeline_never_released
    pipe.producer_commit();
    pipe.consumer_wait();
  }
  y[threadIdx.x] = 0.0f;
}

__global__ void warp_exchange(float* y, int) {
  __shared__ float tile[32];
  tile[threadIdx.x] = y[threadIdx.x];
  __syncwarp();
  y[threadIdx.x] = tile[31 - threadIdx.x];
}

__global__ void atomic_sum(float* y, int) { atomicAdd(&y[0], 1.0f); }

__global__ void atomic_and_plain(float* y, int) {
  atomicAdd(&y[0], 1.0f);
  if (threadIdx.x == 1) y[0] = 0.0f;  // mark: atomic_and_plain
}

// y[0 .. blocks): a partial sum each; y[blocks]: how many are done; y[blocks + 1]: the total.
__global__ void last_block_reduces(float* y, int blocks) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    y[blockIdx.x] = 1.0f;
    __threadfence();
    last = atomicAdd(&y[blocks], 1.0f) == static_cast<float>(blocks - 1);
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    float total = 0.0f;
    for (int b = 0; b < blocks; ++b) total += y[b];
    y[blocks + 1] = total;
  }
}

/// Each block waits for the one before it, by atomics alone.
__global__ void chain(float* y, int) {
  if (threadIdx.x != 0) return;
  float before = 0.0f;
  while (blockIdx.x > 0 && (before = atomicAdd(&y[blockIdx.x - 1], 0.0f)) == 0.0f) {
  }
  atomicExch(&y[blockIdx.x], before + 1.0f);
}

__global__ void waits_for_nobody(float* y, int) {
  if (threadIdx.x != 0) return;
  while (atomicAdd(&y[gridDim.x], 0.0f) == 0.0f) {  // mark: waits_for_nobody
  }
  y[blockIdx.x] = 1.0f;
}

__global__ void counts_for_ever(float* y, int) {
  if (threadIdx.x != 0) return;
  for (unsigned int i = 1; y[1] == 0.0f; ++i) {  // mark: counts_for_ever
    y[0] = static_cast<float>(i % 1000u);
  }
}

__global__ void strided(float* y, int n) {
  const int i = static_cast<int>(threadIdx.x) * 8;
  if (i < n) y[i] = 1.0f;  // mark: strided
}

__global__ void vectorised(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i >= n) return;
  float4 v = reinterpret_cast<float4*>(y)[i];  // mark: vector_load
  v.x += 1.0f;
  reinterpret_cast<float4*>(y)[i] = v;
}

__global__ void calls_given(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  given_store(y + i, 1.0f);  // mark: calls_given
  if (i == n) y[0] = 2.0f;
}

__global__ void column_of_a_tile(float* y, int) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = y[threadIdx.x];  // mark: column_of_a_tile
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x][0];
}

/// 33 columns over 32 lanes: lane 0 makes a turn more than the others in each row.
__global__ void ragged_rows(float* y, int) {
  __shared__ float tile[8 * 33];
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned c = threadIdx.x; c < 33; c += blockDim.x) tile[row * 33 + c] = y[c];  // mark: ragged_rows
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];
}

/// Lanes take either branch, and come together behind it.
__global__ void branch_in_loop(float* y, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x % 2 == static_cast<unsigned>(i) % 2)
      sum += y[i];
    else
      sum -= y[i + 1];
    sum += static_cast<volatile float*>(y)[32 + threadIdx.x];  // mark: branch_in_loop
  }
  y[64 + threadIdx.x] = sum;
}

/// The other blocks each do as much as the first one then has to wait for.
__global__ void waits_for_all(float* y, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (atomicAdd(&y[0], 0.0f) < static_cast<float>(gridDim.x - 1)) {
    }
    y[1] = 1.0f;
    return;
  }
  for (int i = 0; i < n; ++i) y[1 + blockIdx.x] += 1.0f;
  atomicAdd(&y[0], 1.0f);
}

__global__ void wild_load(float* y, int n) {
  const long long far = threadIdx.x % 2 == 0 ? 0 : static_cast<long long>(n) << 26;
  y[threadIdx.x] = y[far];  // mark: wild_load
}

__global__ void one_value_by_all(float* y, int) {
  y[0] = 3.0f;  // mark: one_value_by_all
}

// Rounds of 32 elements by one warp. A load cannot pass the store of the round before.
__global__ void store_each_round(float* y, int n) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += 32) y[i] = y[i] + 1.0f;
}

__global__ void store_each_round_after_parting(float* y, int n) {
  __shared__ float first;
  if (threadIdx.x == 0) first = 1.0f;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += 32) y[i] = y[i] + 1.0f;
}

__global__ void add_rounds(float* y, int n) {
  float sum = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += 32) sum += y[i];
  if (sum < 0.0f) y[0] = sum;
}

__device__ void link_by(int* next, int n, int distance) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += 32) next[i] = (i + distance) % n;
  __syncthreads();
}

// Eight loads of which each says where the next one is.
__global__ void follow_links(float* y, int n) {
  int* const next = reinterpret_cast<int*>(y);
  link_by(next, n, 32);
  int i = static_cast<int>(threadIdx.x);
  for (int round = 0; round < 8; ++round) i = next[i];
  if (i < 0) y[0] = 0.0f;
}

// Eight lists, a step in each for every 256 elements: the compiler knows no number of rounds.
__global__ void follow_eight(float* y, int n) {
  int* const next = reinterpret_cast<int*>(y);
  link_by(next, n, n / 2);
  int at[8];
  for (int k = 0; k < 8; ++k) at[k] = static_cast<int>(threadIdx.x) + 32 * k;
  for (int round = 0; round < n / 256; ++round)
    for (int k = 0; k < 8; ++k) at[k] = next[at[k]];
  for (int k = 0; k < 8; ++k)
    if (at[k] < 0) y[0] = 0.0f;
}

__global__ void add_pairs(float* y, int n) {
  float sum = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < n / 2; i += 32) sum += y[i] * y[n / 2 + i];
  if (sum < 0.0f) y[0] = sum;
}

// All warps read the same elements.
__global__ void read_alike(float* y, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) sum += y[i];
  if (sum < 0.0f) y[0] = sum;
}

__global__ void sum_of_shared(float* y, int) {
  __shared__ float tile[32];
  tile[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < 32; ++i) sum += tile[i];
  y[threadIdx.x] = sum;
}

// Each warp reads two words of the other block of its cluster, one after the other, and stores one there.
__global__ void __cluster_dims__(2, 1, 1) read_other_block(float* y, int) {
  __shared__ float tile[32], theirs;
  const auto cluster = cooperative_groups::this_cluster();
  const unsigned other = cluster.block_rank() ^ 1u;
  tile[threadIdx.x] = y[blockIdx.x * 32 + threadIdx.x];
  cluster.sync();
  const float* of_other = cluster.map_shared_rank(tile, other);
  const float sum = of_other[threadIdx.x] + of_other[31 - threadIdx.x];
  if (threadIdx.x == 0) *cluster.map_shared_rank(&theirs, other) = sum;
  cluster.sync();
  y[blockIdx.x * 32 + threadIdx.x] = sum + theirs;
}

// The copy of a round is on its way while the one before is used.
__global__ void copy_ahead(float* y, int n) {
  __shared__ float tile[2][32];
  const int lane = static_cast<int>(threadIdx.x), rounds = n / 32;
  float sum = 0.0f;
  __pipeline_memcpy_async(&tile[0][lane], &y[lane], 4);
  __pipeline_commit();
  for (int r = 0; r < rounds; ++r) {
    if (r + 1 < rounds) __pipeline_memcpy_async(&tile[(r + 1) % 2][lane], &y[32 * (r + 1) + lane], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    sum += tile[r % 2][lane];
  }
  if (sum < 0.0f) y[0] = sum;
}

// The copy of each round is waited for behind a hundred loads from shared memory, or before them.
template <bool kBehind>
__global__ void copy_and_work(float* y, int n) {
  __shared__ float tile[32], used[32];
  const int lane = static_cast<int>(threadIdx.x), rounds = n / 32;
  used[lane] = 0.0f;
  __syncwarp();
  float sum = 0.0f;
  for (int r = 0; r < rounds; ++r) {
    __pipeline_memcpy_async(&tile[lane], &y[32 * r + lane], 4);
    __pipeline_commit();
    if (!kBehind) __pipeline_wait_prior(0);
    for (int i = 0; i < 100; ++i) sum += used[(lane + i) % 32];
    if (kBehind) __pipeline_wait_prior(0);
    sum += tile[lane];
  }
  if (sum < 0.0f) y[0] = sum;
}

__global__ void index_in_3d(float* y, int n) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned i = block * blockDim.x * blockDim.y * blockDim.z + thread;
  if (i < static_cast<unsigned>(n)) y[i] = static_cast<float>(i);
}

// Every fifth thread takes part in so many barriers only.
__global__ void ends_between_barriers(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int rounds;
  for (int round = 0; round < 5; ++round) {
    if (threadIdx.x == blockDim.x - 1) rounds = round;
    __syncthreads();
    if (i < n) y[i] = static_cast<float>(rounds);
    if (static_cast<int>(threadIdx.x % 5) == round && threadIdx.x != blockDim.x - 1) return;
    __syncthreads();
  }
}

__global__ void waits_by_volatile(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float* const flag = &y[n - 1 - static_cast<int>(blockIdx.x)];
  if (threadIdx.x == 1)
    while (*flag != -1.0f) {
    }
  if (threadIdx.x == blockDim.x - 1) *flag = -1.0f;
  if (i < n / 2) y[i] = static_cast<float>(i) + 1.0f;
}

using Kernel = void (*)(float*, int);

const std::map<std::string, Kernel>& all() {
  static const std::map<std::string, Kernel> kernels = {
      {"saxpy", saxpy},
      {"no_guard", no_guard},
      {"null_store", null_store},
      {"same_element", same_element},
      {"blocks_collide", blocks_collide},
      {"reads_fresh_memory", reads_fresh_memory},
      {"adds_to_fresh_memory", adds_to_fresh_memory},
      {"guarded_one_too_far", guarded_one_too_far},
      {"tree_one_barrier", tree_one_barrier},
      {"reverse", reverse},
      {"reverse_without_barrier", reverse_without_barrier},
      {"broadcast_overwritten", broadcast_overwritten},
      {"shared_not_filled", shared_not_filled},
      {"barrier_in_branch", barrier_in_branch},
      {"two_barriers", two_barriers},
      {"early_return", early_return},
      {"barrier_in_uneven_loop", barrier_in_uneven_loop},
      {"barrier_in_last_branch", barrier_in_last_branch},
      {"dynamic_overrun", dynamic_overrun},
      {"warp_sum", warp_sum},
      {"half_a_mask", half_a_mask},
      {"shuffle_in_branch", shuffle_in_branch},
      {"shuffle_after_return", shuffle_after_return},
      {"wrong_stride", wrong_stride},
      {"four_each", four_each},
      {"next_pass", next_pass},
      {"stores_halves", stores_halves},
      {"mask_names_absent_lanes", mask_names_absent_lanes},
      {"pipeline_never_released", pipeline_never_released},
      {"warp_exchange", warp_exchange},
      {"atomic_sum", atomic_sum},
      {"atomic_and_plain", atomic_and_plain},
      {"last_block_reduces", last_block_reduces},
      {"chain", chain},
      {"waits_for_nobody", waits_for_nobody},
      {"counts_for_ever", counts_for_ever},
      {"strided", strided},
      {"vectorised", vectorised},
      {"calls_given", calls_given},
      {"column_of_a_tile", column_of_a_tile},
      {"ragged_rows", ragged_rows},
      {"branch_in_loop", branch_in_loop},
      {"waits_for_all", waits_for_all},
      {"wild_load", wild_load},
      {"one_value_by_all", one_value_by_all},
      {"store_each_round", store_each_round},
      {"store_each_round_after_parting", store_each_round_after_parting},
      {"add_rounds", add_rounds},
      {"follow_links", follow_links},
      {"follow_eight", follow_eight},
      {"add_pairs", add_pairs},
      {"read_alike", read_alike},
      {"sum_of_shared", sum_of_shared},
      {"copy_ahead", copy_ahead},
      {"copy_behind_work", copy_and_work<true>},
      {"copy_before_work", copy_and_work<false>},
      {"ends_between_barriers", ends_between_barriers},
      {"waits_by_volatile", waits_by_volatile},
      {"index_in_3d", index_in_3d}};
  return kernels;
}

}  // namespace

namespace kernels {

void launch(const std::string& name, unsigned grid, unsigned block, std::size_t shared_bytes, float* data,
            int n) {
  if (name == "index_in_3d") {
    // Grid and block of three dimensions with the totals asked for: (grid, 2, 2) and (block, 2, 2).
    index_in_3d<<<dim3(grid, 2, 2), dim3(block, 2, 2)>>>(data, n);
    return;
  }
  if (name == "waits_by_name") {  // which may be inlined into the loop over the threads of a row
    waits_by_volatile<<<grid, block>>>(data, n);
    return;
  }
  if (name == "read_other_block") {
    read_other_block<<<grid, block>>>(data, n);
    return;
  }
  Kernel kernel = all().at(name);
  kernel<<<grid, block, shared_bytes>>>(data, n);
}

int line_of(const std::string& mark) {
  std::ifstream file(__FILE__);
  std::string text;
  for (int line = 1; std::getline(file, text); ++line)
    if (text.find("// mark: " + mark) != std::string::npos &&
        text.find("// mark: " + mark) + 9 + mark.size() == text.size())
      return line;
  throw std::runtime_error("no line of kernels.cu is marked " + mark);
}

}  // namespace kernels
