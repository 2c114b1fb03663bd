// Puzzle 27, Block collectives: what it is and how it is checked. Four tasks, each computed by hand and with
// CUB.
#include <workbook/puzzle.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "sizes.h"

using namespace workbook;

const Bound R = "R", C = "C", N = "N";
const Bound groups = ceil(N / kThreads), tiles = ceil(N / kTile);

/// Values from 0 to below 1, more of them small ones: the bins are filled unequally.
static const Fill kUnequal = from([](const Dims&, std::span<double> values, Random& random) {
  for (double& value : values) {
    const double u = random.uniform();
    value = std::min(u * u, 0.9999);
  }
});

static std::size_t bin_of(double value) { return static_cast<std::size_t>(value * kBins); }

template <class T>
static std::vector<T> row_sums(const Dims& dims, std::span<T> x) {
  const std::size_t columns = dims["C"];
  std::vector<T> sums;
  for (std::size_t first = 0; first < x.size(); first += columns) {
    T parts[8] = {};  // one long sum of floats would round too often
    for (std::size_t c = 0; c < columns; ++c) parts[c % 8] += x[first + c];
    sums.push_back(std::accumulate(parts, parts + 8, T{0}));
  }
  return sums;
}

template <class T>
static void sum(const Dims& dims, HostTensors<T>& t) {
  std::ranges::copy(row_sums(dims, t["x"]), t["out"].begin());
}

/// By way of sums that run over all of x: a row's is the difference of two.
static void sum_by_differences(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t columns = dims["C"];
  std::vector<double> before(x.size() + 1, 0.0);
  std::partial_sum(x.begin(), x.end(), before.begin() + 1);
  for (std::size_t r = 0; r < out.size(); ++r) out[r] = before[(r + 1) * columns] - before[r * columns];
}

template <class T>
static void normalise(const Dims& dims, HostTensors<T>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t columns = dims["C"];
  const std::vector<T> sums = row_sums(dims, x);
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[i] / (sums[i / columns] / static_cast<T>(columns));
}

/// A mean that is brought up to date with each element, and a product with what one part of it is.
static void normalise_by_updates(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t columns = dims["C"];
  for (std::size_t first = 0; first < x.size(); first += columns) {
    double mean = 0.0;
    for (std::size_t c = 0; c < columns; ++c) mean += (x[first + c] - mean) / static_cast<double>(c + 1);
    for (std::size_t c = 0; c < columns; ++c) out[first + c] = x[first + c] * (1.0 / mean);
  }
}

/// How many values of each tile belong to each bin.
template <class T>
static void count_tiles(std::span<T> x, std::span<T> counts, std::size_t tile) {
  std::ranges::fill(counts, T{0});
  for (std::size_t i = 0; i < x.size(); ++i) counts[i / tile * kBins + bin_of(x[i])] += T{1};
}

template <class T>
static void count(const Dims&, HostTensors<T>& t) {
  count_tiles(t["x"], t["counts"], kTile);
}

/// From a sorted tile: where the first value of the next bin stands.
static void count_sorted(std::span<double> x, std::span<double> counts, std::size_t tile) {
  for (std::size_t first = 0; first < x.size(); first += tile) {
    std::vector<double> sorted(x.begin() + first, x.begin() + std::min(first + tile, x.size()));
    std::ranges::sort(sorted);
    for (std::size_t b = 0; b < kBins; ++b) {
      const auto upper = [&](std::size_t bins) {
        return std::ranges::lower_bound(sorted, static_cast<double>(bins) / kBins);
      };
      counts[first / tile * kBins + b] = static_cast<double>(upper(b + 1) - upper(b));
    }
  }
}

static void count_by_sorting(const Dims&, HostTensors<double>& t) {
  count_sorted(t["x"], t["counts"], kTile);
}

template <class T>
static void group(const Dims&, HostTensors<T>& t) {
  const auto x = t["x"], grouped = t["grouped"];
  count_tiles(x, t["counts"], kThreads);
  std::size_t place = 0;
  for (std::size_t first = 0; first < x.size(); first += kThreads)
    for (std::size_t b = 0; b < kBins; ++b)
      for (std::size_t i = first; i < std::min(first + kThreads, x.size()); ++i)
        if (bin_of(x[i]) == b) grouped[place++] = x[i];
}

static void group_by_sorting(const Dims&, HostTensors<double>& t) {
  const auto x = t["x"], grouped = t["grouped"];
  std::ranges::copy(x, grouped.begin());
  for (std::size_t first = 0; first < x.size(); first += kThreads)
    std::stable_sort(grouped.begin() + first, grouped.begin() + std::min(first + kThreads, x.size()),
                     [](double a, double b) { return bin_of(a) < bin_of(b); });
  count_sorted(x, t["counts"], kThreads);
}

static const std::vector<Case> kRows = cases({"R", "C"}, {{"teaching", {3, 600}},
                                                          {"one element", {1, 1}},
                                                          {"a lane short of a warp", {2, 31}},
                                                          {"a lane more than a warp", {5, 33}},
                                                          {"a row of one block", {4, 256}},
                                                          {"one element more", {4, 257}},
                                                          {"short rows", {40, 7}},
                                                          {"long rows", {2, 5000}}});

/// A tree over kThreads values: 8 warps store them, rounds of 128, 64, 32 and fewer slots take 4, 2, 1 and
/// five times 1 warp two loads and a store, and 8 warps read the sum. A barrier comes before each round and
/// one behind the last.
const Budget kTree = {.barriers = R * 9, .shared_requests = R * (8 + 3 * 12 + 8)};
/// Thread 0 finds the sum behind one barrier.
const Budget kReduce = {.barriers = R};

/// A scan over kThreads values: 8 warps store them and read two slots in the end. In each of 8 rounds all of
/// them change their slot, a load and a store, and those that have an earlier slot read it: 7, 6 and 4 warps
/// in the last three.
constexpr int kScanRequests = 8 + 16 + 8 * 16 + 5 * 8 + 7 + 6 + 4;

static Budget once(Budget budget, bool broadcast) {
  budget.global_reads = broadcast ? 2 * (R * C) : R * C;
  budget.global_writes = broadcast ? R * C : R;
  if (!broadcast) return budget;
  budget.barriers = *budget.barriers + R;
  // The mean is stored once and read by each warp for each of its elements.
  if (budget.shared_requests)
    *budget.shared_requests = *budget.shared_requests + R * (1 + 8 * ceil(C / kThreads));
  return budget;
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 27, .title = "Block collectives", .part = "Part VIII: blocks",
    .builds_on = {12, 14, 24},
    .summary = "Sums, scans, histograms and broadcasts of a block, by hand and with CUB",
    .tasks = {
        {.name = "sum",
         .tensors = {
             input("x", {"R", "C"}, uniform(-1.0, 3.0)),
             output("out", {"R"},
                 {3 * C * (ceil(C / kThreads) + 8) * 0x1p-24, 0.0,
                  "3 C (ceil(C/256) + 8) 2^-24: a thread adds up ceil(C/256) elements of at most 3, eight rounds of a tree "
                  "follow, and each rounds by half an ulp of a sum that is no larger than 3 C"})},
         .cases = kRows, .large = {{"R", 70}, {"C", 2001}}, .bench = {{"R", 1 << 18}, {"C", 256}},
         .reference = sum<double>, .cross_check = sum_by_differences, .cpu = sum<float>},
        {.name = "normalise",
         .tensors = {
             input("x", {"R", "C"}, uniform(0.5, 4.0)),
             output("out", {"R", "C"},
                 {0.0, (ceil(C / kThreads) + 12) * 0x1p-24,
                  "(ceil(C/256) + 12) 2^-24 of the value: the sum of positive numbers is off by half an ulp of itself an "
                  "addition, ceil(C/256) and eight of them, and two divisions round by half an ulp or one"})},
         .cases = kRows, .large = {{"R", 70}, {"C", 2001}}, .bench = {{"R", 1 << 17}, {"C", 256}},
         .reference = normalise<double>, .cross_check = normalise_by_updates, .cpu = normalise<float>},
        {.name = "group",
         .tensors = {
             input("x", {"N"}, kUnequal),
             output("grouped", {"N"}, exact("exact: values are moved, and none is computed")),
             output("counts", Type::i32, {"ceil(N/256)", "8"}, exact("exact: whole numbers"))},
         .cases = cases({"N"}, {
             {"teaching", {700}}, {"one element", {1}}, {"a lane short of a warp", {31}}, {"a lane more than a warp", {33}},
             {"one tile", {256}}, {"one more than a tile", {257}}, {"even bins", {1000}, {{"x", uniform(0.0, 0.999)}}}}),
         .large = {{"N", 20'003}}, .bench = {{"N", 1 << 23}},
         .reference = group<double>, .cross_check = group_by_sorting, .cpu = group<float>},
        {.name = "count",
         .tensors = {
             input("x", {"N"}, kUnequal),
             output("counts", Type::i32, {"ceil(N/2048)", "8"}, exact("exact: whole numbers"))},
         .cases = cases({"N"}, {
             {"teaching", {5000}}, {"one element", {1}}, {"a lane short of a warp", {31}}, {"a lane more than a warp", {33}},
             {"one tile", {2048}}, {"one more than a tile", {2049}}, {"even bins", {3000}, {{"x", uniform(0.0, 0.999)}}}}),
         .large = {{"N", 100'003}}, .bench = {{"N", 1 << 25}},
         .reference = count<double>, .cross_check = count_by_sorting, .cpu = count<float>}},
    .variants = {
        {.name = "sum", .title = "ROW SUMS BY HAND", .summary = "A tree in shared memory, a block a row",
         .task = "sum", .regions = {"tree"}, .budget = once(kTree, false)},
        {.name = "sum-cub", .title = "ROW SUMS WITH CUB", .summary = "cub::BlockReduce, a block a row",
         .task = "sum", .regions = {"reduce"}, .budget = once(kReduce, false)},
        {.name = "normalise", .title = "NORMALISED ROWS BY HAND", .summary = "A tree, and its sum for all threads",
         .task = "normalise", .regions = {"tree", "normalise"}, .budget = once(kTree, true)},
        {.name = "normalise-cub", .title = "NORMALISED ROWS WITH CUB", .summary = "cub::BlockReduce, and its sum for all threads",
         .task = "normalise", .regions = {"reduce", "normalise"}, .budget = once(kReduce, true)},
        {.name = "group", .title = "GROUPED BY BIN, BY HAND", .summary = "A scan in shared memory for each bin",
         .task = "group", .regions = {"scan", "group"},
         .budget = {.global_reads = 2 * N, .global_writes = N + kBins * groups, .barriers = groups * kBins * 18,
                    .shared_requests = groups * kBins * kScanRequests}},
        {.name = "group-cub", .title = "GROUPED BY BIN, WITH CUB", .summary = "cub::BlockScan for each bin",
         .task = "group", .regions = {"block_scan", "group"},
         .budget = {.global_reads = 2 * N, .global_writes = N + kBins * groups, .barriers = groups * kBins * 2}},
        {.name = "count", .title = "COUNTED BY HAND", .summary = "Atomics on a histogram in shared memory",
         .task = "count", .regions = {"count"},
         .budget = {.global_reads = N, .global_writes = kBins * tiles, .barriers = 2 * tiles}},
        {.name = "count-cub", .title = "COUNTED WITH CUB", .summary = "cub::BlockHistogram",
         .task = "count", .regions = {"histogram"},
         .budget = {.global_reads = N, .global_writes = kBins * tiles, .barriers = 2 * tiles}},
        {.name = "count-packed", .title = "COUNTED IN REGISTERS", .summary = "Counters packed in two words, and cub::BlockReduce of each",
         .task = "count", .regions = {"packed"},
         .budget = {.global_reads = N, .global_writes = kBins * tiles, .barriers = 2 * tiles}}}};
