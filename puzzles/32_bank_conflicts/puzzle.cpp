// Puzzle 32, Bank conflicts: what it is and how it is checked. Three tasks, one for each way of meeting banks.
#include <workbook/puzzle.h>

#include "sizes.h"

using namespace workbook;

const Bound R = "R", C = "C", M = "M";
const Bound tiles = ceil(R / kTile) * ceil(C / kTile), groups = ceil(M / kGroup);

template <class T>
static void transpose(const Dims& dims, HostTensors<T>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t rows = dims["R"], columns = dims["C"];
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) out[c * rows + r] = x[r * columns + c];
}

/// From the place of an element in out back to its row and column.
static void transpose_by_place(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t rows = dims["R"], columns = dims["C"];
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = x[i % rows * columns + i / rows];
}

template <class T>
static void row_sums(const Dims& dims, HostTensors<T>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t columns = dims["C"];
  for (std::size_t r = 0; r < out.size(); ++r) {
    T parts[8] = {};  // one long sum of floats would round too often
    for (std::size_t c = 0; c < columns; ++c) parts[c % 8] += x[r * columns + c];
    out[r] = ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
  }
}

/// By way of sums that run over all of x: a row's is the difference of two.
static void row_sums_by_differences(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t columns = dims["C"];
  double before = 0.0, all = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    all += x[i];
    if ((i + 1) % columns != 0) continue;
    out[i / columns] = all - before;
    before = all;
  }
}

template <class T>
static void dots(const Dims&, HostTensors<T>& t) {
  const auto x = t["x"], out = t["out"];
  const std::size_t rows = x.size() / kGroup;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < kGroup; ++j) {
      const std::size_t other = i / kGroup * kGroup + j;
      T sum = 0;
      for (std::size_t k = 0; other < rows && k < kGroup; ++k) sum += x[i * kGroup + k] * x[other * kGroup + k];
      out[i * kGroup + j] = sum;
    }
}

/// 2ab = (a + b)^2 - a^2 - b^2, added up from the other end.
static void dots_by_squares(const Dims&, HostTensors<double>& t) {
  const auto x = t["x"], out = t["out"];
  const auto square = [](double value) { return value * value; };
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t row = i / kGroup * kGroup;
    const std::size_t other = (row / (kGroup * kGroup) * kGroup + i % kGroup) * kGroup;
    double twice = 0.0;
    for (std::size_t k = kGroup; other < x.size() && k-- > 0;)
      twice += square(x[row + k] + x[other + k]) - square(x[row + k]) - square(x[other + k]);
    out[i] = twice / 2;
  }
}

/// Elements once each way, by whole rows of the tile: a warp's half of a row is 64 bytes, which touch three
/// sectors at most, read and written.
const Budget kThroughTile = {.global_reads = R * C,
                             .global_writes = R * C,
                             .barriers = tiles,
                             .sectors = tiles * kTile * 2 * 3 * 2};

/// The requests of a block: `wide` vectors of a row for each warp, twice, and the store of each row.
static Budget dots_budget(int wide) {
  return {.global_reads = kGroup * M,
          .global_writes = kGroup * M,
          .barriers = groups,
          .shared_requests = groups * kGroup * (2 * wide + 1)};
}

static Budget without_conflicts(Budget budget) {
  budget.conflicts = 0;
  return budget;
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 32, .title = "Bank conflicts", .part = "Part X: performance",
    .summary = "A transpose, a tree and products of rows, bound by the banks of shared memory until nobody waits for a bank",
    .tasks = {
        {.name = "transpose",
         .tensors = {
             input("x", Type::f16, {"R", "C"}, uniform(-8.0, 8.0)),
             output("out", Type::f16, {"C", "R"}, exact("exact: elements are moved, and none is computed"))},
         .cases = cases({"R", "C"}, {
             {"teaching", {64, 96}},  // a whole tile and half a one
             {"one element", {1, 1}}, {"one row", {1, 100}}, {"one column", {100, 1}},
             {"an element short of a tile", {63, 63}}, {"one tile", {64, 64}}, {"one more each way", {65, 65}},
             {"wide", {33, 200}}, {"tall", {200, 31}}, {"many tiles", {131, 197}}}),
         .large = {{"R", 517}, {"C", 301}}, .bench = {{"R", 8192}, {"C", 4096}},
         .reference = transpose<double>, .cross_check = transpose_by_place, .cpu = transpose<float>},
        {.name = "sums",
         .tensors = {
             input("x", Type::f16, {"R", "C"}, uniform(-2.0, 6.0)),
             output("out", {"R"},
                 {6 * C * (ceil(C / kSlots) + 10) * 0x1p-24, 0.0,
                  "6 C (ceil(C/1024) + 10) 2^-24: a slot adds up ceil(C/1024) elements of at most 6, ten rounds of a "
                  "tree follow, and each rounds by half an ulp of a sum that is no larger than 6 C"})},
         .cases = cases({"R", "C"}, {
             {"teaching", {3, 1024}},  // a value a slot
             {"one element", {1, 1}}, {"a lane short of a warp", {2, 31}}, {"a lane more than a warp", {9, 33}},
             {"short rows", {20, 500}}, {"a value more than slots", {3, 1025}}, {"long rows", {5, 3000}},
             {"a warp more than a block", {9, 1000}},
             {"around zero", {4, 1024}, {{"x", uniform(-1.0, 1.0)}}}}),
         .large = {{"R", 301}, {"C", 1021}}, .bench = {{"R", 1 << 15}, {"C", 1024}},
         .reference = row_sums<double>, .cross_check = row_sums_by_differences, .cpu = row_sums<float>},
        {.name = "dots",
         .tensors = {
             input("x", {"M", "32"}, uniform(-2.0, 2.0)),
             output("out", {"M", "32"},
                 {32 * 128 * 0x1p-24, 0.0,
                  "32 * 128 * 2^-24: each of 32 products and additions rounds by half an ulp of a sum of at most 128"})},
         .cases = cases({"M"}, {
             {"teaching", {32}}, {"one row", {1}}, {"a row short of a group", {31}},
             {"a row more than a group", {33}}, {"several groups", {100}}}),
         .large = {{"M", 3001}}, .bench = {{"M", 1 << 17}},
         .reference = dots<double>, .cross_check = dots_by_squares, .cpu = dots<float>}},
    .variants = {
        {.name = "conflicts", .title = "CONFLICTS (a tile of 64 x 64)",
         .summary = "Columns of the tile lie in one bank: 32 passes a request", .task = "transpose",
         .regions = {"transpose"}, .budget = kThroughTile},
        {.name = "padded", .title = "PADDED (rows a word longer)",
         .summary = "Each row of the tile begins one bank further", .task = "transpose",
         .regions = {"transpose", "padding"}, .budget = without_conflicts(kThroughTile)},
        {.name = "swizzled", .title = "SWIZZLED (each row in an order of its own)",
         .summary = "The same tile without padding: the words of a row change places by xor", .task = "transpose",
         .regions = {"swizzle"}, .budget = without_conflicts(kThroughTile)},
        {.name = "interleaved", .title = "INTERLEAVED (a tree of neighbours, given)",
         .summary = "The lanes of a round are 2, 4, 8 and more words apart", .task = "sums",
         .regions = {"slots"}, .required = false},
        {.name = "sequential", .title = "SEQUENTIAL (the upper half onto the lower)",
         .summary = "The lanes of a round read and store neighbouring words", .task = "sums",
         .regions = {"slots", "sequential"},
         // A round of n additions takes 3 ceil(n/32) requests: 108 of them, beside 32 stores and one load.
         .budget = {.global_reads = R * C, .global_writes = R, .conflicts = 0, .shared_requests = 150 * R}},
        {.name = "conflicts64", .title = "CONFLICTS64 (8 bytes, rows of 32 words)",
         .summary = "16 lanes at a time, all in the same two banks", .task = "dots",
         .regions = {"dots"}, .required = false, .budget = dots_budget(16)},
        {.name = "conflicts128", .title = "CONFLICTS128 (16 bytes, rows of 32 words)",
         .summary = "8 lanes at a time, all in the same four banks", .task = "dots",
         .regions = {"dots"}, .required = false, .budget = dots_budget(8)},
        {.name = "wide64", .title = "WIDE64 (8 bytes, rows a vector longer)",
         .summary = "16 lanes at a time, two banks each", .task = "dots",
         .regions = {"dots", "wide_row"}, .budget = without_conflicts(dots_budget(16))},
        {.name = "wide128", .title = "WIDE128 (16 bytes, rows a vector longer)",
         .summary = "8 lanes at a time, four banks each", .task = "dots",
         .regions = {"dots", "wide_row"}, .budget = without_conflicts(dots_budget(8))}}};
