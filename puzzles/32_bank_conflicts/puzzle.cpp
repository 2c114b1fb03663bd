// Puzzle 32, Bank conflicts: what it is and how it is checked. Three tasks, one for each way of meeting
// banks.
#include <workbook/puzzle.h>

#include "sizes.h"

using namespace workbook;

const Bound R = "R", C = "C", M = "M";
const Bound tiles = ceil(R / kTile) * ceil(C / kTile), groups = ceil(M / kFeatures);

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
    out[r] =
        ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
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
static void linear(const Dims&, HostTensors<T>& t) {
  const auto x = t["x"], w = t["w"], out = t["out"];
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t row = i / kFeatures * kFeatures, output = i % kFeatures * kFeatures;
    T sum = 0;
    for (std::size_t k = 0; k < kFeatures; ++k) sum += x[row + k] * w[output + k];
    out[i] = sum;
  }
}

/// 2ab = (a + b)^2 - a^2 - b^2, added up from the other end.
static void linear_by_squares(const Dims&, HostTensors<double>& t) {
  const auto x = t["x"], w = t["w"], out = t["out"];
  const auto square = [](double value) { return value * value; };
  for (std::size_t o = 0; o < kFeatures; ++o)
    for (std::size_t row = 0; row < x.size(); row += kFeatures) {
      double twice = 0.0;
      for (std::size_t k = kFeatures; k-- > 0;) {
        const double a = x[row + k], b = w[o * kFeatures + k];
        twice += square(a + b) - square(a) - square(b);
      }
      out[row + o] = twice / 2;
    }
}

/// Elements once each way, by whole rows of the tile: a warp's half of a row is 64 bytes, which touch three
/// sectors at most, read and written.
const Budget kThroughTile = {
    .global_reads = R * C, .global_writes = R * C, .barriers = tiles, .sectors = tiles * kTile * 2 * 3 * 2};

/// x for each output, w once a block. A warp reads `wide` vectors of w, and may read those of x from shared
/// memory as well.
static Budget linear_budget(int wide) {
  return {.global_reads = kFeatures * kFeatures * (M + groups),
          .global_writes = kFeatures * M,
          .barriers = groups,
          .shared_requests = groups * kFeatures * 2 * (wide + 1)};
}

static Budget without_conflicts(Budget budget) {
  budget.conflicts = 0;
  return budget;
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 32, .title = "Bank conflicts", .part = "Part X: performance",
    .builds_on = {4, 12, 16},
    .summary = "A transpose, a tree and a linear layer, bound by the banks of shared memory until nobody waits for a bank",
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
        {.name = "linear",
         .tensors = {
             input("x", {"M", "32"}, uniform(-2.0, 2.0)), input("w", {"32", "32"}, uniform(-2.0, 2.0)),
             output("out", {"M", "32"},
                 {32 * 128 * 0x1p-24, 0.0,
                  "32 * 128 * 2^-24: each of 32 products and additions rounds by half an ulp of a sum of at most 128"})},
         .cases = cases({"M"}, {
             {"teaching", {40}},  // a block and eight rows
             {"one row", {1}}, {"a row short of a block", {31}}, {"one block", {32}},
             {"a row more than a block", {33}}, {"several blocks", {100}}}),
         .large = {{"M", 3001}}, .bench = {{"M", 1 << 17}},
         .reference = linear<double>, .cross_check = linear_by_squares, .cpu = linear<float>}},
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
         .summary = "16 lanes at a time, all in the same two banks", .task = "linear",
         .regions = {"linear"}, .required = false, .budget = linear_budget(16)},
        {.name = "conflicts128", .title = "CONFLICTS128 (16 bytes, rows of 32 words)",
         .summary = "8 lanes at a time, all in the same four banks", .task = "linear",
         .regions = {"linear"}, .required = false, .budget = linear_budget(8)},
        {.name = "wide64", .title = "WIDE64 (8 bytes, rows a vector longer)",
         .summary = "16 lanes at a time, two banks each", .task = "linear",
         .regions = {"linear", "wide_row"}, .budget = without_conflicts(linear_budget(16))},
        {.name = "wide128", .title = "WIDE128 (16 bytes, rows a vector longer)",
         .summary = "8 lanes at a time, four banks each", .task = "linear",
         .regions = {"linear", "wide_row"}, .budget = without_conflicts(linear_budget(8))}}};
