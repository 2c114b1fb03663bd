// Cooperative groups: ranks, exchanges and collectives of tiles and coalesced threads, on whole and ragged
// warps.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/barrier>

#include <algorithm>

#include "device_test.h"

namespace cg = cooperative_groups;
using device_test::Buffer;
using device_test::expect_values;
using device_test::generate;

namespace {

__global__ void ranks(unsigned* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  const auto tile = cg::tiled_partition<8>(block);
  const auto quad = cg::tiled_partition<4>(tile);
  unsigned* mine = out + 8 * grid.thread_rank();
  mine[0] = block.thread_rank();
  mine[1] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size();
  mine[2] = quad.thread_rank() + 100 * quad.meta_group_rank() + 10000 * quad.meta_group_size();
  mine[3] = block.group_index().x + 10 * block.thread_index().y + 100 * block.dim_threads().y;
  mine[4] = static_cast<unsigned>(grid.size()) + static_cast<unsigned>(grid.num_blocks()) * 1000;
  mine[5] = static_cast<unsigned>(cg::group_size(tile)) + 10 * cg::thread_rank(quad);
  mine[6] = cg::this_thread().size() + cg::this_thread().thread_rank();
  mine[7] = block.num_threads();
}

template <unsigned kSize>
__global__ void exchanges(int* out) {
  const auto tile = cg::tiled_partition<kSize>(cg::this_thread_block());
  const int n = static_cast<int>(blockDim.x), i = static_cast<int>(threadIdx.x);
  out[i] = tile.shfl(i, 1 % kSize);
  out[n + i] = tile.shfl_up(i, 1);
  out[2 * n + i] = tile.shfl_down(i, 1);
  out[3 * n + i] = tile.shfl_xor(i, kSize / 2);
  out[4 * n + i] = static_cast<int>(tile.ballot(i % 2));
  out[5 * n + i] = tile.any(i == n - 1) + 2 * tile.all(i < n - 1);
  tile.sync();
}

template <unsigned kSize>
__global__ void collectives(int* out) {
  const auto tile = cg::tiled_partition<kSize>(cg::this_thread_block());
  const int n = static_cast<int>(blockDim.x), i = static_cast<int>(threadIdx.x);
  out[i] = cg::reduce(tile, i, cg::plus<int>());
  out[n + i] = cg::reduce(tile, i ^ 21, cg::less<int>());
  out[2 * n + i] = cg::reduce(tile, i ^ 21, cg::greater<int>());
  out[3 * n + i] = cg::reduce(tile, 1 << (i % 32), cg::bit_or<int>());
  out[4 * n + i] = cg::inclusive_scan(tile, i);
  out[5 * n + i] = cg::exclusive_scan(tile, i, cg::plus<int>());
  out[6 * n + i] =
      static_cast<int>(cg::reduce(tile, 1.5 * i, [](double a, double b) { return a > b ? a : b; }));
}

struct Pair {
  double weight;
  int index;
  float extra;
};

__global__ void largest_pair(Pair* out, const double* weights) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const Pair mine{weights[threadIdx.x], static_cast<int>(threadIdx.x), 0.5f};
  const Pair best =
      cg::reduce(warp, mine, [](const Pair& a, const Pair& b) { return a.weight < b.weight ? b : a; });
  const Pair first = warp.shfl(mine, 3);
  if (warp.thread_rank() == 0) {
    out[0] = best;
    out[1] = first;
  }
}

__global__ void partitions(unsigned* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned lane = warp.thread_rank();
  const cg::coalesced_group by_label = cg::labeled_partition(warp, static_cast<int>(lane % 3));
  out[lane] = by_label.size() + 100 * by_label.thread_rank() + 10000 * by_label.meta_group_size();
  const cg::coalesced_group by_bit = cg::binary_partition(warp, lane > 9);
  out[32 + lane] = by_bit.size() + 100 * by_bit.thread_rank();
  out[64 + lane] = cg::reduce(by_bit, lane, cg::plus<unsigned>());
}

// One atomic for all the threads that count, and each gets its own place.
__global__ void append_odd(int* list, int* count, const int* values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  if (values[i] % 2 != 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(count, static_cast<int>(active.size()));
    list[active.shfl(first, 0) + static_cast<int>(active.thread_rank())] = values[i];
  }
}

// The generic function of the tutorials: any group that can wait.
__device__ int sum_of_group(cg::thread_group group, int* scratch, int value) {
  const auto lane = group.thread_rank();
  for (auto i = group.size() / 2; i > 0; i /= 2) {
    scratch[lane] = value;
    group.sync();
    if (lane < i) value += scratch[lane + i];
    group.sync();
  }
  return value;
}

__global__ void sums_of_groups(int* out) {
  __shared__ int scratch[128];
  const cg::thread_block block = cg::this_thread_block();
  const int i = static_cast<int>(threadIdx.x);
  const int all = sum_of_group(block, scratch, i);
  const cg::thread_group tile = cg::tiled_partition(block, 16);
  const int part = sum_of_group(tile, scratch + i / 16 * 16, i);
  if (i == 0) out[0] = all;
  if (tile.thread_rank() == 0) out[1 + i / 16] = part;
}

__global__ void staged_copy(float* out, const float* in, int tiles) {
  constexpr int kTile = 96;
  __shared__ alignas(16) float stage[2][kTile];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, stage[0], in, sizeof(float) * kTile);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(block, stage[(t + 1) % 2], in + (t + 1) * kTile,
                       cuda::aligned_size_t<16>(sizeof(float) * kTile));
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    for (unsigned i = block.thread_rank(); i < kTile; i += block.size())
      out[t * kTile + static_cast<int>(i)] = 2.0f * stage[t % 2][kTile - 1 - i];
    block.sync();
  }
}

__global__ void copy_not_waited_for(float* out, const float* in) {
  __shared__ alignas(16) float stage[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, stage, in, sizeof stage);
  out[threadIdx.x] = stage[threadIdx.x];  // mark: copy_not_waited_for
  cg::wait(block);
}

__global__ void one_of_the_block(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::invoke_one(warp, [&] { atomicAdd(out, 1); });
  const int told = cg::invoke_one_broadcast(warp, [] { return 7; });
  if (told != 7) atomicAdd(out, 1000);
}

template <unsigned kSize>
void check_tile(int threads) {
  const int n = threads;
  const auto whole = [&](int i) { return i - i % static_cast<int>(kSize); };
  const auto end = [&](int i) { return std::min(whole(i) + static_cast<int>(kSize), n); };
  const std::string name = "tile of " + std::to_string(kSize) + ", block of " + std::to_string(n);
  if (n % kSize == 0) {  // a tile that lacks threads has undefined exchanges
    std::vector<int> want;
    for (int i = 0; i < n; ++i) want.push_back(whole(i) + 1 % static_cast<int>(kSize));
    for (int i = 0; i < n; ++i) want.push_back(i == whole(i) ? i : i - 1);
    for (int i = 0; i < n; ++i) want.push_back(i + 1 == end(i) ? i : i + 1);
    for (int i = 0; i < n; ++i) want.push_back(i ^ static_cast<int>(kSize / 2));
    for (int i = 0; i < n; ++i)
      want.push_back(kSize == 1
                         ? i % 2
                         : static_cast<int>(0xaaaaaaaau & (kSize == 32 ? ~0u : (1u << (kSize % 32)) - 1u)));
    for (int i = 0; i < n; ++i) want.push_back(end(i) == n ? 1 : 2);
    const Buffer<int> out(want.size());
    exchanges<kSize><<<1, n>>>(out.data());
    expect_values(out.values(), want, name + ", exchanges");
  }
  std::vector<int> want(static_cast<std::size_t>(7 * n));
  for (int i = 0; i < n; ++i) {
    int sum = 0, least = 1 << 30, most = 0, bits = 0;
    for (int j = whole(i); j < end(i); ++j) {
      sum += j;
      least = std::min(least, j ^ 21);
      most = std::max(most, j ^ 21);
      bits |= 1 << (j % 32);
    }
    const int before = (i * (i - 1) - whole(i) * (whole(i) - 1)) / 2;
    const int all[] = {sum, least, most, bits, before + i, before, static_cast<int>(1.5 * (end(i) - 1))};
    for (int k = 0; k < 7; ++k) want[static_cast<std::size_t>(k * n + i)] = all[k];
  }
  const Buffer<int> out(want.size());
  collectives<kSize><<<1, n>>>(out.data());
  expect_values(out.values(), want, name + ", collectives");
}

}  // namespace

DEVICE_TEST("groups know their ranks and sizes") {
  const Buffer<unsigned> out(8 * 48);
  ranks<<<2, dim3(12, 2)>>>(out.data());
  expect_values(out.values(),
                generate<unsigned>(8 * 48,
                                   [](std::size_t k) -> unsigned {
                                     const unsigned thread = static_cast<unsigned>(k / 8) % 24,
                                                    block = static_cast<unsigned>(k / 8) / 24;
                                     switch (k % 8) {
                                       case 0:
                                         return thread;
                                       case 1:
                                         return thread % 8 + 100 * (thread / 8) + 30000;
                                       case 2:
                                         return thread % 4 + 100 * (thread % 8 / 4) + 20000;
                                       case 3:
                                         return block + 10 * (thread / 12) + 200;
                                       case 4:
                                         return 2048;
                                       case 5:
                                         return 8 + 10 * (thread % 4);
                                       case 6:
                                         return 1;
                                       default:
                                         return 24;
                                     }
                                   }),
                "ranks");
}

DEVICE_TEST("tiles of every size exchange, reduce and scan") {
  for (const int threads : {32, 96}) {
    check_tile<1>(threads);
    check_tile<2>(threads);
    check_tile<4>(threads);
    check_tile<8>(threads);
    check_tile<16>(threads);
    check_tile<32>(threads);
  }
  check_tile<8>(40);
}

DEVICE_TEST("a tile reduces and exchanges structs") {
  const Buffer<double> weights(
      generate<double>(32, [](std::size_t i) { return static_cast<double>(i * 7 % 32); }));
  const Buffer<Pair> out(2);
  largest_pair<<<1, 32>>>(out.data(), weights.data());
  const std::vector<Pair> got = out.values();
  device_test::expect(got[0].weight == 31.0 && got[0].index == 9 && got[0].extra == 0.5f, "the largest");
  device_test::expect(got[1].weight == 21.0 && got[1].index == 3, "of rank 3");
}

DEVICE_TEST("groups are divided by label and by a predicate") {
  const Buffer<unsigned> out(96);
  partitions<<<1, 32>>>(out.data());
  expect_values(out.values(),
                generate<unsigned>(96,
                                   [](std::size_t k) -> unsigned {
                                     const unsigned lane = static_cast<unsigned>(k % 32);
                                     if (k < 32) return (lane % 3 == 2 ? 10 : 11) + 100 * (lane / 3) + 30000;
                                     if (k < 64) return lane > 9 ? 22 + 100 * (lane - 10) : 10 + 100 * lane;
                                     return lane > 9 ? 451 : 45;
                                   }),
                "partitions");
}

DEVICE_TEST("coalesced threads share one atomic") {
  const int n = 333;
  const Buffer<int> values(generate<int>(n, [](std::size_t i) { return static_cast<int>(i * i % 7 + i); }));
  const Buffer<int> list(n), count(std::vector<int>{0});
  append_odd<<<3, 128>>>(list.data(), count.data(), values.data(), n);
  std::vector<int> want;
  for (const int v : values.values())
    if (v % 2 != 0) want.push_back(v);
  expect_values(count.values(), std::vector<int>{static_cast<int>(want.size())}, "count");
  std::vector<int> got(want.size());
  cudaMemcpy(got.data(), list.data(), got.size() * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  expect_values(got, want, "list");
}

DEVICE_TEST("a function of any thread_group") {
  const Buffer<int> out(9);
  sums_of_groups<<<1, 128>>>(out.data());
  std::vector<int> want = {8128};
  for (int t = 0; t < 8; ++t) want.push_back(16 * 16 * t + 120);
  expect_values(out.values(), want, "sums");
  const Buffer<int> calls(std::vector<int>{0});
  one_of_the_block<<<2, 96>>>(calls.data());
  expect_values(calls.values(), std::vector<int>{6}, "invoke_one");
}

DEVICE_TEST("memcpy_async fills one stage while the other is used") {
  const auto value = [](std::size_t i) { return static_cast<float>(i); };
  const Buffer<float> in(generate<float>(5 * 96, value)), out(5 * 96);
  staged_copy<<<1, 64>>>(out.data(), in.data(), 5);
  expect_values(
      out.values(),
      generate<float>(5 * 96, [&](std::size_t i) { return 2.0f * value(i / 96 * 96 + 95 - i % 96); }),
      "staged");
}

DEVICE_TEST("a copy that nobody waited for is a race") {
  device_test::expect_finding("copy_not_waited", __FILE__, "copy_not_waited_for");
  const Buffer<float> in(std::vector<float>(64, 1.0f)), out(64);
  copy_not_waited_for<<<1, 64>>>(out.data(), in.data());
}
