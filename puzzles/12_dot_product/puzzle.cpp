// Puzzle 12, Dot product: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>

#include "given.h"

namespace {

using workbook::Budget;
using workbook::Dims;
using workbook::HostTensors;

/// The partial sums as well: block k has every element whose thread, counted through the grid, is one of its
/// own.
void dot_reference(const Dims& dims, HostTensors<double>& t) {
  const auto a = t["a"], b = t["b"], partial = t["partial"];
  std::fill(partial.begin(), partial.end(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    partial[i / kBlockSize % static_cast<std::size_t>(dims["blocks"])] += a[i] * b[i];
  double sum = 0.0;
  for (const double one : partial) sum += one;
  t["out"][0] = sum;
}

/// Without a single product of an a and a b: |a + b|^2 - |a - b|^2 is 4 times their dot product.
void dot_by_lengths(const Dims&, HostTensors<double>& t) {
  const auto a = t["a"], b = t["b"];
  double of_sum = 0.0, of_difference = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    of_sum += (a[i] + b[i]) * (a[i] + b[i]);
    of_difference += (a[i] - b[i]) * (a[i] - b[i]);
  }
  t["out"][0] = (of_sum - of_difference) / 4.0;
}

void dot_cpu(const Dims&, HostTensors<float>& t) {
  const auto a = t["a"], b = t["b"];
  float sum = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  t["out"][0] = sum;
}

double grid(const Dims& dims) { return dims["blocks"]; }
double grid_of_each(const Dims& dims) { return (dims["N"] + kBlockSize - 1) / kBlockSize; }

/// The most additions that a product passes through, on the way of either variant: its thread's, the tree's
/// 8, and those of all blocks' sums one after another.
double additions(const Dims& dims) { return grid_of_each(dims) + 8.0 + grid(dims); }

/// What all |a * b| come to at most: a fifth of N on average, for every fill here.
double magnitude(const Dims& dims) { return dims["N"] / 4.0 + 1.0; }

/// A barrier a round of the tree, and one before it or after it; 8 rounds halve 256 to 1.
constexpr double kBarriers = 9.0;

/// A tree takes 45 of a block, one whose lanes lie apart some 150, a thread alone 256 and more.
constexpr double kSharedRequests = 200.0;

Budget budget_of_atomic(double (*blocks)(const Dims&), double (*barriers)(const Dims&),
                        double (*shared_requests)(const Dims&)) {
  return {.global_reads = [](const Dims& dims) { return 2.0 * dims["N"]; },
          .global_writes = blocks,
          .launches = 1,
          .barriers = barriers,
          .conflicts = 0,
          .shared_requests = shared_requests};
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 12,
    .title = "Dot product",
    .part = "Part III: algorithms",
    .summary = "Many products, one sum: a tree in each block, and two ways to add up what the blocks have",
    .tensors = {
        {.name = "a", .role = Role::input, .shape = {"N"}, .fill = uniform(-0.5, 1.0)},
        {.name = "b", .role = Role::input, .shape = {"N"}, .fill = uniform(-0.5, 1.0)},
        {.name = "partial", .role = Role::intermediate, .shape = {"blocks"},
         .tolerance = Tolerance{[](const Dims& dims) { return additions(dims) * 0x1p-24 * magnitude(dims); }, 0.0,
             "as for out, of which each is a part"}},
        {.name = "out", .role = Role::output, .shape = {"1"},
         .tolerance = Tolerance{[](const Dims& dims) { return additions(dims) * 0x1p-24 * magnitude(dims); }, 0.0,
             "(ceil(N/256) + 8 + blocks) (N/4 + 1) 2^-24: each addition is off by at most 2^-24 of its result, a product passes through "
             "at most so many additions in whatever order the blocks come, and the products' magnitudes add up to less than N/4 + 1"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"N", 600}, {"blocks", 2}}},  // 512 threads: 88 of them have two products
        {.name = "one element", .dims = {{"N", 1}, {"blocks", 1}}},
        {.name = "a lane short of a warp", .dims = {{"N", 31}, {"blocks", 1}}},
        {.name = "a lane more than a warp", .dims = {{"N", 33}, {"blocks", 1}}},
        {.name = "one full block", .dims = {{"N", 256}, {"blocks", 1}}},
        {.name = "one block for all", .dims = {{"N", 1000}, {"blocks", 1}}},
        {.name = "many blocks", .dims = {{"N", 1000}, {"blocks", 4}}},
        {.name = "blocks without work", .dims = {{"N", 300}, {"blocks", 5}}},
        {.name = "more blocks than threads in one", .dims = {{"N", 70'000}, {"blocks", 300}}},
        // Positive and negative products nearly cancel: the error stays that of their magnitudes.
        {.name = "cancelling", .dims = {{"N", 1000}, {"blocks", 3}}, .fills = {{"b", uniform(-1.0, 1.0)}}},
    },
    .large = {{"N", 100'003}, {"blocks", 66}},
    .bench = {{"N", 1 << 24}, {"blocks", 1024}},
    .reference = dot_reference,
    .cross_check = dot_by_lengths,
    .cpu = dot_cpu,
    .variants = {
        {.name = "atomic",
         .title = "ATOMIC (one atomicAdd a block)",
         .summary = "A tree in each block, then one atomicAdd a block",
         .regions = {"products", "tree", "atomic"},
         .budget = budget_of_atomic(grid, [](const Dims& dims) { return kBarriers * grid(dims); },
                                    [](const Dims& dims) { return kSharedRequests * grid(dims); })},
        {.name = "two-stage",
         .title = "TWO STAGES (a launch for the partial sums)",
         .summary = "A tree in each block, then a second launch of one block for their sums",
         .regions = {"products", "tree", "partial", "second_stage"},
         .intermediates = {"partial"},
         .budget = {.global_reads = [](const Dims& dims) { return 2.0 * dims["N"] + grid(dims); },
                    .global_writes = [](const Dims& dims) { return grid(dims) + 1.0; },
                    .launches = 2,
                    .barriers = [](const Dims& dims) { return kBarriers * (grid(dims) + 1.0); },
                    .conflicts = 0,
                    .shared_requests = [](const Dims& dims) { return kSharedRequests * (grid(dims) + 1.0); }}},
        {.name = "each",
         .title = "EACH (a thread for every product)",
         .summary = "The kernel of --atomic with as many threads as products, to compare with",
         .regions = {"products", "tree", "atomic"},
         .required = false,
         .budget = budget_of_atomic(grid_of_each, [](const Dims& dims) { return kBarriers * grid_of_each(dims); },
                                    [](const Dims& dims) { return kSharedRequests * grid_of_each(dims); })},
    },
};
// clang-format on
