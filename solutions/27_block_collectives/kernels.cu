// Puzzle 27, Block collectives: what all threads of a block find out together, written by hand and with CUB.
//   --sum, --sum-cub                    out[r], the sum of row r of x [rows, columns]
//   --normalise, --normalise-cub        out[r][c] = x[r][c] divided by the mean of row r
//   --group, --group-cub                each tile of kThreads values in the order of their bins, and how many
//                                       there are of each bin
//   --count, --count-cub, --count-packed   how many values of each tile of kTile belong to each bin
// rows, columns and n are any numbers. A collective is called by all threads of a block, those without a
// value too.
// kThreads = 256, kWarpSize = 32, kBins = 8, kItems = 8, kTile = 2048.
#include <cuda_runtime.h>

#include <cub/block/block_histogram.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "given.cuh"

// ---- sums: two functions that do the same, a type each so that kernels can be given one of them

// The sum of the values of all threads of the block, for thread 0; what the others get is not said.
struct SumByHand {
  __device__ static float sum(float value) {
    __shared__ float slots[kThreads];
    const int thread = threadIdx.x;
    // FILL ME IN: tree (roughly 6 lines)
    slots[thread] = value;
    __syncthreads();
    for (int left = kThreads / 2; left > 0; left /= 2) {
      if (thread < left) slots[thread] += slots[thread + left];
      __syncthreads();  // by all threads, in every round
    }
    value = slots[0];
    // END: tree
    return value;
  }
};

struct SumByCub {
  __device__ static float sum(float value) {
    using Reduce = cub::BlockReduce<float, kThreads>;
    __shared__ typename Reduce::TempStorage storage;
    // FILL ME IN: reduce (roughly 1 line)
    value = Reduce(storage).Sum(value);
    // END: reduce
    return value;
  }
};

// What a thread has of row blockIdx.x: elements thread, thread + kThreads, and so on, added up.
__device__ inline float own_sum(const float* x, int columns) {
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x[blockIdx.x * columns + c];
  return sum;
}

// --sum and --sum-cub: a block a row.
template <class Sum>
__global__ void row_sums_kernel(float* out, const float* x, int columns) {
  const float sum = Sum::sum(own_sum(x, columns));
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// --normalise and --normalise-cub: a block a row. Thread 0 alone has the sum, and all need it.
template <class Sum>
__global__ void normalise_kernel(float* out, const float* x, int columns) {
  __shared__ float mean;
  // FILL ME IN: normalise (roughly 5 lines)
  const float sum = Sum::sum(own_sum(x, columns));
  if (threadIdx.x == 0) mean = sum / columns;
  __syncthreads();  // the broadcast: from here on all read what thread 0 has written
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out[blockIdx.x * columns + c] = x[blockIdx.x * columns + c] / mean;
  // END: normalise
}

// ---- scans

// What a thread gets of a scan: the sum of the values of the threads before it, and that of all threads.
struct Scanned {
  int before, all;
};

struct ScanByHand {
  __device__ static Scanned scan(int value) {
    __shared__ int slots[kThreads];
    const int thread = threadIdx.x;
    Scanned scanned{};
    // FILL ME IN: scan (roughly 8 lines)
    slots[thread] = value;
    __syncthreads();
    for (int distance = 1; distance < kThreads; distance *= 2) {
      const int earlier = thread >= distance ? slots[thread - distance] : 0;
      __syncthreads();  // all have read before anybody stores
      slots[thread] += earlier;
      __syncthreads();
    }
    scanned = {slots[thread] - value, slots[kThreads - 1]};
    // END: scan
    return scanned;
  }
};

struct ScanByCub {
  __device__ static Scanned scan(int value) {
    using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage storage;
    Scanned scanned{};
    // FILL ME IN: block_scan (roughly 1 line)
    Scan(storage).ExclusiveSum(value, scanned.before, scanned.all);
    // END: block_scan
    return scanned;
  }
};

// --group and --group-cub: block b has values b * kThreads to b * kThreads + kThreads - 1 of x, as far as
// there are, one a thread. It writes them to the same places of `grouped`, those of bin 0 first and those of
// a bin in the order in which they were; and to row b of counts [tiles, kBins] how many each bin has.
template <class Scan>
__global__ void group_kernel(float* grouped, int* counts, const float* x, int n) {
  const int first = blockIdx.x * kThreads, i = first + threadIdx.x;
  // FILL ME IN: group (roughly 9 lines)
  const int bin = i < n ? bin_of(x[i]) : kBins;  // a thread without a value is in none of the bins
  int place = first;
  for (int b = 0; b < kBins; ++b) {
    const Scanned scanned = Scan::scan(bin == b ? 1 : 0);
    if (bin == b) grouped[place + scanned.before] = x[i];
    if (threadIdx.x == 0) counts[blockIdx.x * kBins + b] = scanned.all;
    place += scanned.all;  // the next bin's begin behind this one's
    __syncthreads();       // the next scan uses the same shared memory
  }
  // END: group
}

// ---- counts: block b has the kTile values from b * kTile on, and writes row b of counts [tiles, kBins]

// --count
__global__ void count_kernel(int* counts, const float* x, int n) {
  __shared__ int bins[kBins];
  const int thread = threadIdx.x;
  // FILL ME IN: count (roughly 8 lines)
  if (thread < kBins) bins[thread] = 0;
  __syncthreads();
  for (int item = 0; item < kItems; ++item) {
    const int i = blockIdx.x * kTile + item * kThreads + thread;
    if (i < n) atomicAdd(&bins[bin_of(x[i])], 1);
  }
  __syncthreads();
  if (thread < kBins) counts[blockIdx.x * kBins + thread] = bins[thread];
  // END: count
}

// --count-cub: the last bin, kBins, is for items without a value.
__global__ void count_cub_kernel(int* counts, const float* x, int n) {
  using Histogram = cub::BlockHistogram<unsigned char, kThreads, kItems, kBins + 1, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ int bins[kBins + 1];
  const int thread = threadIdx.x;
  unsigned char items[kItems];  // the bins of the thread's values
  // FILL ME IN: histogram (roughly 7 lines)
  for (int item = 0; item < kItems; ++item) {
    const int i = blockIdx.x * kTile + item * kThreads + thread;
    items[item] = i < n ? bin_of(x[i]) : kBins;
  }
  Histogram(storage).Histogram(items, bins);
  __syncthreads();  // the counts are whole when all threads have added theirs
  if (thread < kBins) counts[blockIdx.x * kBins + thread] = bins[thread];
  // END: histogram
}

// --count-packed: without atomics. A word of 64 bits is four counters of 16 bits, that of bin b at bit
// 16 * (b % 4): bins 0 to 3 are in `low`, 4 to 7 in `high`. Words are added up as numbers are, and no counter
// of a tile reaches 2^16.
__global__ void count_packed_kernel(int* counts, const float* x, int n) {
  using Word = unsigned long long;
  using Reduce = cub::BlockReduce<Word, kThreads>;
  __shared__ typename Reduce::TempStorage storage[2];  // one for each of the two sums
  const int thread = threadIdx.x;
  Word low = 0, high = 0;
  // FILL ME IN: packed (roughly 12 lines)
  for (int item = 0; item < kItems; ++item) {
    const int i = blockIdx.x * kTile + item * kThreads + thread;
    if (i >= n) break;
    const int bin = bin_of(x[i]);
    const Word one = Word{1} << 16 * (bin % 4);
    if (bin < 4)
      low += one;
    else
      high += one;
  }
  low = Reduce(storage[0]).Sum(low);
  high = Reduce(storage[1]).Sum(high);
  for (int b = 0; thread == 0 && b < kBins; ++b)
    counts[blockIdx.x * kBins + b] = (b < 4 ? low : high) >> 16 * (b % 4) & 0xffff;
  // END: packed
}
