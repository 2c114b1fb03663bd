// Puzzle 11, Pooling: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>
#include <vector>

#include "given.h"

namespace {

using workbook::Dims;
using workbook::HostTensors;

template <class T>
void pool(const Dims&, HostTensors<T>& t) {
  const auto out = t["out"], a = t["a"];
  for (std::size_t i = 0; i < a.size(); ++i) {
    T sum = a[i], count = 1;
    if (i > 0) sum += a[i - 1], count += 1;
    if (i + 1 < a.size()) sum += a[i + 1], count += 1;
    out[i] = sum / count;
  }
}

/// The same from running sums: the sum of a window is the sum up to its end less that up to its beginning.
void pool_by_running_sums(const Dims&, HostTensors<double>& t) {
  const auto out = t["out"], a = t["a"];
  const std::size_t size = a.size();
  std::vector<double> before(size + 1);  // before[i] = a[0] + ... + a[i - 1]
  for (std::size_t i = 0; i < size; ++i) before[i + 1] = before[i] + a[i];
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t first = i == 0 ? 0 : i - 1, end = std::min(i + 2, size);
    out[i] = (before[end] - before[first]) / static_cast<double>(end - first);
  }
}

double blocks(const Dims& dims) { return (dims["N"] + kBlockSize - 1) / kBlockSize; }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 11,
    .title = "Pooling",
    .part = "Part III: algorithms",
    .summary = "The mean of each element and its two neighbours, also where they belong to another block",
    .tensors = {
        {.name = "a", .role = Role::input, .shape = {"N"}, .fill = uniform(-4.0, 8.0)},
        {.name = "out", .role = Role::output, .shape = {"N"},
         .tolerance = Tolerance{0x1p-20, 0.0,
             "2^-20: elements are at most 8, so two sums below 16 and 32 are rounded by up to 2^-21 and 2^-20, a third of which is "
             "left after the division; rounding the quotient (2^-22), or multiplying by a rounded 1/3, adds less than the rest"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"N", 600}}},  // two full blocks and 88 elements
        {.name = "one element", .dims = {{"N", 1}}},
        {.name = "two elements", .dims = {{"N", 2}}},
        {.name = "a lane short of a warp", .dims = {{"N", 31}}},
        {.name = "a lane more than a warp", .dims = {{"N", 33}}},
        {.name = "one full block", .dims = {{"N", 256}}},
        {.name = "an element more than a block", .dims = {{"N", 257}}},
        {.name = "many blocks", .dims = {{"N", 1000}}},
    },
    .large = {{"N", 100'003}},
    .bench = {{"N", 1 << 24}},
    .reference = pool<double>,
    .cross_check = pool_by_running_sums,
    .cpu = pool<float>,
    .variants = {
        {.name = "global",
         .title = "GLOBAL (each thread reads its window)",
         .summary = "Every thread reads its window of three from global memory",
         .regions = {"window"},
         .budget = {.global_reads = [](const Dims& dims) { return 3.0 * dims["N"] - 2.0; },
                    .global_writes = [](const Dims& dims) { return 1.0 * dims["N"]; }}},
        {.name = "shared",
         .title = "SHARED (a block reads its elements once)",
         .summary = "Each element is read once a block, the neighbours' two as well, and shared",
         .regions = {"load", "pool"},
         // Every element once, and two at each edge between two blocks.
         .budget = {.global_reads = [](const Dims& dims) { return dims["N"] + 2.0 * (blocks(dims) - 1.0); },
                    .global_writes = [](const Dims& dims) { return 1.0 * dims["N"]; },
                    .barriers = blocks}},
    },
};
// clang-format on
