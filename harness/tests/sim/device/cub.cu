// CUB: warp, block and device collectives against sums on the host, and storage that is used again too early.
#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>

#include "device_test.h"

using device_test::Buffer;
using device_test::expect_values;
using device_test::generate;

namespace {

struct Plus {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct Larger {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct Unequal {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a != b;
  }
};

// ---- warps

__global__ void warp_collectives(int* out) {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int>;
  using Quad = cub::WarpReduce<int, 8>;
  __shared__ Reduce::TempStorage reduce_storage[2];
  __shared__ Scan::TempStorage scan_storage[2];
  __shared__ Quad::TempStorage quad_storage[8];
  const int i = static_cast<int>(threadIdx.x), warp = i / 32, lane = i % 32, n = static_cast<int>(blockDim.x);
  const int sum = Reduce(reduce_storage[warp]).Sum(i);
  out[i] = lane == 0 ? sum : -1;
  const int most = Reduce(reduce_storage[warp]).Reduce(i ^ 5, Larger(), 10);
  out[n + i] = lane == 0 ? most : -1;
  const int quad = Quad(quad_storage[i / 8]).Sum(i);
  out[2 * n + i] = i % 8 == 0 ? quad : -1;
  const int head = Reduce(reduce_storage[warp]).HeadSegmentedSum(1, lane % 5 == 0);
  out[3 * n + i] = lane % 5 == 0 ? head : -1;
  int inclusive, exclusive, total;
  Scan(scan_storage[warp]).InclusiveSum(i, inclusive, total);
  out[4 * n + i] = inclusive;
  out[5 * n + i] = total;
  Scan(scan_storage[warp]).ExclusiveSum(i, exclusive);
  out[6 * n + i] = exclusive;
}

// ---- blocks

template <int kX, int kY, cub::BlockReduceAlgorithm kAlgorithm>
__global__ void block_sums(float* out, const float* in, int valid) {
  using Reduce = cub::BlockReduce<float, kX, kAlgorithm, kY>;
  __shared__ typename Reduce::TempStorage storage;
  const int i = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  const float sum = Reduce(storage).Sum(in[i]);
  __syncthreads();
  const float some = Reduce(storage).Sum(in[i], valid);
  __syncthreads();
  float pair[2] = {in[i], 2.0f * in[i]};
  const float most = Reduce(storage).Reduce(pair, Larger());
  if (i == 0) {
    out[0] = sum;
    out[1] = some;
    out[2] = most;
  }
}

__global__ void storage_used_again(float* out, const float* in) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ Reduce::TempStorage storage;
  const float first = Reduce(storage).Sum(in[threadIdx.x]);  // mark: storage_used_again
  const float second = Reduce(storage).Sum(2.0f * in[threadIdx.x]);
  if (threadIdx.x == 0) *out = first + second;
}

struct Running {
  int total;
  __device__ int operator()(int aggregate) {
    const int before = total;
    total += aggregate;
    return before;
  }
};

__global__ void block_scans(int* out, const int* in, int n) {
  constexpr int kThreads = 96, kItems = 3;
  using Scan = cub::BlockScan<int, kThreads>;
  __shared__ Scan::TempStorage storage;
  const int i = static_cast<int>(threadIdx.x);
  int scanned, total;
  Scan(storage).InclusiveSum(in[i], scanned);
  out[i] = scanned;
  __syncthreads();
  Scan(storage).ExclusiveSum(in[i], scanned, total);
  out[n + i] = scanned + 1000000 * (total == 0);
  __syncthreads();
  Scan(storage).ExclusiveScan(in[i], scanned, 5, Larger());
  out[2 * n + i] = scanned;
  __syncthreads();
  int items[kItems], sums[kItems];
  for (int k = 0; k < kItems; ++k) items[k] = in[i * kItems + k];
  Scan(storage).InclusiveSum(items, sums);
  for (int k = 0; k < kItems; ++k) out[3 * n + i * kItems + k] = sums[k];
  __syncthreads();
  Scan(storage).ExclusiveSum(items, sums);
  for (int k = 0; k < kItems; ++k) out[4 * n + i * kItems + k] = sums[k];
  // Tile after tile, with what came before in the callback.
  Running running{0};
  for (int tile = 0; tile < n; tile += kThreads) {
    __syncthreads();
    Scan(storage).ExclusiveSum(in[tile + i], scanned, running);
    out[5 * n + tile + i] = scanned;
  }
}

template <cub::BlockLoadAlgorithm kLoad, cub::BlockStoreAlgorithm kStore>
__global__ void load_and_store(int* out, const int* in, int valid) {
  using Load = cub::BlockLoad<int, 64, 4, kLoad>;
  using Store = cub::BlockStore<int, 64, 4, kStore>;
  __shared__ typename Load::TempStorage load_storage;
  __shared__ typename Store::TempStorage store_storage;
  int items[4];
  Load(load_storage).Load(in, items);
  for (int& item : items) item *= 2;
  Store(store_storage).Store(out, items);
  __syncthreads();
  Load(load_storage).Load(in, items, valid, -1);
  Store(store_storage).Store(out + 256, items, valid);
}

__global__ void block_sort(unsigned* keys, float* floats, int* places) {
  using Sort = cub::BlockRadixSort<unsigned, 32, 4>;
  using SortPairs = cub::BlockRadixSort<float, 32, 4, int>;
  __shared__ Sort::TempStorage storage;
  __shared__ SortPairs::TempStorage pair_storage;
  unsigned mine[4];
  float numbers[4];
  int from[4];
  for (int k = 0; k < 4; ++k) {
    mine[k] = keys[threadIdx.x * 4 + k];
    numbers[k] = floats[threadIdx.x * 4 + k];
    from[k] = static_cast<int>(threadIdx.x) * 4 + k;
  }
  Sort(storage).Sort(mine);
  SortPairs(pair_storage).SortDescending(numbers, from);
  for (int k = 0; k < 4; ++k) {
    keys[threadIdx.x * 4 + k] = mine[k];
    floats[threadIdx.x * 4 + k] = numbers[k];
    places[threadIdx.x * 4 + k] = from[k];
  }
}

__global__ void histogram_and_heads(unsigned* counts, int* heads, const unsigned char* in) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 4, 16, cub::BLOCK_HISTO_ATOMIC>;
  using Heads = cub::BlockDiscontinuity<int, 64>;
  __shared__ Histogram::TempStorage storage;
  __shared__ Heads::TempStorage head_storage;
  __shared__ unsigned bins[16];
  unsigned char items[4];
  int values[4], flags[4];
  for (int k = 0; k < 4; ++k) {
    items[k] = in[threadIdx.x * 4 + k];
    values[k] = items[k];
  }
  Histogram(storage).Histogram(items, bins);
  Heads(head_storage).FlagHeads(flags, values, Unequal());
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x] = bins[threadIdx.x];
  for (int k = 0; k < 4; ++k) heads[threadIdx.x * 4 + k] = flags[k];
}

template <cub::BlockLoadAlgorithm kLoad, cub::BlockStoreAlgorithm kStore>
void check_load_and_store(const std::string& name) {
  const Buffer<int> in(generate<int>(256, [](std::size_t i) { return static_cast<int>(i); }));
  const Buffer<int> out(std::vector<int>(512, 7));
  load_and_store<kLoad, kStore><<<1, 64>>>(out.data(), in.data(), 203);
  expect_values(out.values(),
                generate<int>(512,
                              [](std::size_t i) {
                                if (i < 256) return static_cast<int>(2 * i);
                                return i - 256 < 203 ? static_cast<int>(i - 256) : 7;
                              }),
                name);
}

void check_device(int n) {
  const std::vector<int> values = generate<int>(
      static_cast<std::size_t>(n), [](std::size_t i) { return static_cast<int>(i * 7919 % 1009) - 300; });
  const Buffer<int> in(values), sum(4), scanned(static_cast<std::size_t>(n) + 1),
      exclusive(static_cast<std::size_t>(n) + 1);
  const Buffer<cub::KeyValuePair<int, int>> best(1);
  const auto twice = [](auto call) {
    std::size_t bytes = 0;
    call(nullptr, bytes);
    const Buffer<char> storage(bytes);
    call(storage.data(), bytes);
    return cudaDeviceSynchronize();
  };
  twice([&](void* storage, std::size_t& bytes) {
    cub::DeviceReduce::Sum(storage, bytes, in.data(), sum.data(), n);
  });
  twice([&](void* storage, std::size_t& bytes) {
    cub::DeviceReduce::Max(storage, bytes, in.data(), sum.data() + 1, n);
  });
  twice([&](void* storage, std::size_t& bytes) {
    cub::DeviceReduce::Min(storage, bytes, in.data(), sum.data() + 2, n);
  });
  twice([&](void* storage, std::size_t& bytes) {
    cub::DeviceReduce::Reduce(storage, bytes, in.data(), sum.data() + 3, n, Larger(), 100000);
  });
  twice([&](void* storage, std::size_t& bytes) {
    cub::DeviceScan::InclusiveSum(storage, bytes, in.data(), scanned.data(), n);
  });
  twice([&](void* storage, std::size_t& bytes) {
    cub::DeviceScan::ExclusiveSum(storage, bytes, in.data(), exclusive.data(), n);
  });
  const std::string name = std::to_string(n) + " items";
  expect_values(sum.values(),
                std::vector<int>{std::accumulate(values.begin(), values.end(), 0),
                                 *std::max_element(values.begin(), values.end()),
                                 *std::min_element(values.begin(), values.end()), 100000},
                name);
  std::vector<int> want(values.size());
  std::partial_sum(values.begin(), values.end(), want.begin());
  const auto first = [&](const Buffer<int>& buffer) {
    std::vector<int> got(values.size());
    cudaMemcpy(got.data(), buffer.data(), got.size() * sizeof(int), cudaMemcpyDeviceToHost);
    return got;
  };
  expect_values(first(scanned), want, name + ", inclusive");
  for (std::size_t i = 0; i < want.size(); ++i) want[i] -= values[i];
  expect_values(first(exclusive), want, name + ", exclusive");
}

}  // namespace

DEVICE_TEST("WarpReduce and WarpScan") {
  const int n = 64;
  const Buffer<int> out(7 * n);
  warp_collectives<<<1, n>>>(out.data());
  std::vector<int> want;
  const auto sum = [](int from, int to) { return (to - from) * (from + to - 1) / 2; };
  for (int i = 0; i < n; ++i) want.push_back(i % 32 == 0 ? sum(i, i + 32) : -1);
  for (int i = 0; i < n; ++i) {
    int most = -1;
    for (int k = 0; i % 32 == 0 && k < 10; ++k) most = std::max(most, (i + k) ^ 5);
    want.push_back(most);
  }
  for (int i = 0; i < n; ++i) want.push_back(i % 8 == 0 ? sum(i, i + 8) : -1);
  for (int i = 0; i < n; ++i) want.push_back(i % 32 % 5 == 0 ? std::min(5, 32 - i % 32) : -1);
  for (int i = 0; i < n; ++i) want.push_back(sum(i / 32 * 32, i + 1));
  for (int i = 0; i < n; ++i) want.push_back(sum(i / 32 * 32, i / 32 * 32 + 32));
  for (int i = 0; i < n; ++i) want.push_back(sum(i / 32 * 32, i));
  expect_values(out.values(), want, "warps");
}

DEVICE_TEST("BlockReduce in every algorithm and shape") {
  const Buffer<float> in(generate<float>(128, [](std::size_t i) { return static_cast<float>(i % 50); })),
      out(3);
  const std::vector<float> values = in.values();
  const auto want = [&](std::ptrdiff_t threads, std::ptrdiff_t valid) {
    return std::vector<float>{std::accumulate(values.begin(), values.begin() + threads, 0.0f),
                              std::accumulate(values.begin(), values.begin() + valid, 0.0f), 98.0f};
  };
  block_sums<128, 1, cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, 128>>>(out.data(), in.data(), 77);
  expect_values(out.values(), want(128, 77), "warp reductions");
  block_sums<128, 1, cub::BLOCK_REDUCE_RAKING><<<1, 128>>>(out.data(), in.data(), 32);
  expect_values(out.values(), want(128, 32), "raking");
  block_sums<12, 9, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY><<<1, dim3(12, 9)>>>(out.data(), in.data(), 5);
  expect_values(out.values(), want(108, 5), "two dimensions, a ragged warp");
}

DEVICE_TEST("temporary storage used again without a barrier is a race") {
  device_test::expect_finding("race_shared", __FILE__, "storage_used_again");
  const Buffer<float> in(std::vector<float>(128, 1.0f)), out(1);
  storage_used_again<<<1, 128>>>(out.data(), in.data());
}

DEVICE_TEST("BlockScan with items, aggregates and a running prefix") {
  const int n = 288;
  const std::vector<int> values =
      generate<int>(n, [](std::size_t i) { return static_cast<int>(i * 37 % 23); });
  const Buffer<int> in(values), out(std::vector<int>(static_cast<std::size_t>(6 * n), 0));
  block_scans<<<1, 96>>>(out.data(), in.data(), n);
  std::vector<int> want(static_cast<std::size_t>(6 * n), 0);
  const auto at = [&](int row, int i) -> int& { return want[static_cast<std::size_t>(row * n + i)]; };
  int sum = 0, most = 5;
  for (int i = 0; i < n; ++i) {
    const int value = values[static_cast<std::size_t>(i)];
    if (i < 96) {
      at(1, i) = sum;
      at(2, i) = most;
    }
    at(4, i) = at(5, i) = sum;
    sum += value;
    most = std::max(most, value);
    if (i < 96) at(0, i) = sum;
    at(3, i) = sum;
  }
  expect_values(out.values(), want, "scans");
}

DEVICE_TEST("BlockLoad and BlockStore in every algorithm") {
  check_load_and_store<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>("direct");
  check_load_and_store<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>("vectorize");
  check_load_and_store<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>("transpose");
  check_load_and_store<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>("warp transpose");
  check_load_and_store<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>("striped");
}

DEVICE_TEST("BlockRadixSort, BlockHistogram and BlockDiscontinuity") {
  const std::vector<unsigned> keys =
      generate<unsigned>(128, [](std::size_t i) { return static_cast<unsigned>(i * 2654435761u); });
  const std::vector<float> floats =
      generate<float>(128, [](std::size_t i) { return static_cast<float>(i * 37 % 41) - 20.0f; });
  const Buffer<unsigned> dk(keys);
  const Buffer<float> df(floats);
  const Buffer<int> places(128);
  block_sort<<<1, 32>>>(dk.data(), df.data(), places.data());
  std::vector<unsigned> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  expect_values(dk.values(), sorted, "keys");
  std::vector<int> order(128);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return floats[static_cast<std::size_t>(a)] > floats[static_cast<std::size_t>(b)];
  });
  expect_values(places.values(), order, "places of floats, descending");

  const std::vector<unsigned char> bytes =
      generate<unsigned char>(256, [](std::size_t i) { return static_cast<unsigned char>(i / 3 * 5 % 16); });
  const Buffer<unsigned char> in(bytes);
  const Buffer<unsigned> counts(16);
  const Buffer<int> heads(256);
  histogram_and_heads<<<1, 64>>>(counts.data(), heads.data(), in.data());
  std::vector<unsigned> want(16, 0);
  for (const unsigned char b : bytes) ++want[b];
  expect_values(counts.values(), want, "histogram");
  expect_values(heads.values(),
                generate<int>(256, [&](std::size_t i) { return i == 0 || bytes[i] != bytes[i - 1] ? 1 : 0; }),
                "heads");
}

DEVICE_TEST("DeviceReduce and DeviceScan, by the two-call idiom") {
  for (const int n : {1, 255, 256, 257, 5000, 70001}) check_device(n);
}
