// Puzzle 12, Dot product: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>

#include "given.h"

using namespace workbook;

const Bound N = "N", grid = "blocks", grid_of_each = ceil(N / kBlockSize);

/// The partial sums as well: block k has every element whose thread, counted through the grid, is one of its
/// own.
static void dot_reference(const Dims& dims, HostTensors<double>& t) {
  const auto a = t["a"], b = t["b"], partial = t["partial"];
  std::fill(partial.begin(), partial.end(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    partial[i / kBlockSize % static_cast<std::size_t>(dims["blocks"])] += a[i] * b[i];
  double sum = 0.0;
  for (const double one : partial) sum += one;
  t["out"][0] = sum;
}

/// Without a single product of an a and a b: |a + b|^2 - |a - b|^2 is 4 times their dot product.
static void dot_by_lengths(const Dims&, HostTensors<double>& t) {
  const auto a = t["a"], b = t["b"];
  double of_sum = 0.0, of_difference = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    of_sum += (a[i] + b[i]) * (a[i] + b[i]);
    of_difference += (a[i] - b[i]) * (a[i] - b[i]);
  }
  t["out"][0] = (of_sum - of_difference) / 4.0;
}

static void dot_cpu(const Dims&, HostTensors<float>& t) {
  const auto a = t["a"], b = t["b"];
  float sum = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  t["out"][0] = sum;
}

/// The most additions that a product passes through, on the way of either variant: its thread's, the tree's
/// 8, and those of all blocks' sums one after another.
const Bound additions = grid_of_each + 8 + grid;

/// What all |a * b| come to at most: a fifth of N on average, for every fill here.
const Bound magnitude = N / 4 + 1;

/// A barrier a round of the tree, and one before it or after it; 8 rounds halve 256 to 1.
constexpr double kBarriers = 9.0;

/// A tree takes 45 of a block, one whose lanes lie apart some 150, a thread alone 256 and more.
constexpr double kSharedRequests = 200.0;

static Budget budget_of_atomic(const Bound& blocks) {
  return {.global_reads = 2 * N,
          .global_writes = blocks,
          .launches = 1,
          .barriers = kBarriers * blocks,
          .conflicts = 0,
          .shared_requests = kSharedRequests * blocks};
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 12, .title = "Dot product", .part = "Part III: algorithms",
    .builds_on = {6, 8, 10},
    .summary = "Many products, one sum: a tree in each block, and two ways to add up what the blocks have",
    .tasks = {{
        .tensors = {
            input("a", {"N"}, uniform(-0.5, 1.0)),
            input("b", {"N"}, uniform(-0.5, 1.0)),
            intermediate("partial", {"blocks"},
                {additions * 0x1p-24 * magnitude, 0.0, "as for out, of which each is a part"}),
            output("out", {"1"},
                {additions * 0x1p-24 * magnitude, 0.0,
                 "(ceil(N/256) + 8 + blocks) (N/4 + 1) 2^-24: each addition is off by at most 2^-24 of its result, a "
                 "product passes through at most so many additions in whatever order the blocks come, and the products' "
                 "magnitudes add up to less than N/4 + 1"})},
        .cases = cases({"N", "blocks"}, {
            {"teaching", {600, 2}},  // 512 threads: 88 of them have two products
            {"one element", {1, 1}}, {"a lane short of a warp", {31, 1}},
            {"a lane more than a warp", {33, 1}}, {"one full block", {256, 1}},
            {"one block for all", {1000, 1}}, {"many blocks", {1000, 4}}, {"blocks without work", {300, 5}},
            {"more blocks than threads in one", {70'000, 300}},
            // Positive and negative products nearly cancel: the error stays that of their magnitudes.
            {"cancelling", {1000, 3}, {{"b", uniform(-1.0, 1.0)}}}}),
        .large = {{"N", 100'003}, {"blocks", 66}}, .bench = {{"N", 1 << 24}, {"blocks", 1024}},
        .reference = dot_reference, .cross_check = dot_by_lengths, .cpu = dot_cpu}},
    .variants = {
        {.name = "atomic", .title = "ATOMIC (one atomicAdd a block)",
         .summary = "A tree in each block, then one atomicAdd a block",
         .regions = {"products", "tree", "atomic"}, .budget = budget_of_atomic(grid)},
        {.name = "two-stage", .title = "TWO STAGES (a launch for the partial sums)",
         .summary = "A tree in each block, then a second launch of one block for their sums",
         .regions = {"products", "tree", "partial", "second_stage"}, .intermediates = {"partial"},
         .budget = {.global_reads = 2 * N + grid, .global_writes = grid + 1, .launches = 2,
                    .barriers = kBarriers * (grid + 1), .conflicts = 0,
                    .shared_requests = kSharedRequests * (grid + 1)}},
        {.name = "each", .title = "EACH (a thread for every product)",
         .summary = "The kernel of --atomic with as many threads as products, to compare with",
         .regions = {"products", "tree", "atomic"}, .required = false, .budget = budget_of_atomic(grid_of_each)}}};
