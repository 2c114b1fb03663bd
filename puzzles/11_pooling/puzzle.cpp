// Puzzle 11, Pooling: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>
#include <vector>

#include "given.h"

using namespace workbook;

const Bound N = "N", blocks = ceil(N / kBlockSize);

template <class T>
static void pool(const Dims&, HostTensors<T>& t) {
  const auto out = t["out"], a = t["a"];
  for (std::size_t i = 0; i < a.size(); ++i) {
    T sum = a[i], count = 1;
    if (i > 0) sum += a[i - 1], count += 1;
    if (i + 1 < a.size()) sum += a[i + 1], count += 1;
    out[i] = sum / count;
  }
}

/// The same from running sums: the sum of a window is the sum up to its end less that up to its beginning.
static void pool_by_running_sums(const Dims&, HostTensors<double>& t) {
  const auto out = t["out"], a = t["a"];
  const std::size_t size = a.size();
  std::vector<double> before(size + 1);  // before[i] = a[0] + ... + a[i - 1]
  for (std::size_t i = 0; i < size; ++i) before[i + 1] = before[i] + a[i];
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t first = i == 0 ? 0 : i - 1, end = std::min(i + 2, size);
    out[i] = (before[end] - before[first]) / static_cast<double>(end - first);
  }
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 11, .title = "Pooling", .part = "Part III: algorithms",
    .builds_on = {3, 8},
    .summary = "The mean of each element and its two neighbours, also where they belong to another block",
    .tasks = {{
        .tensors = {
            input("a", {"N"}, uniform(-4.0, 8.0)),
            output("out", {"N"},
                {0x1p-20, 0.0,
                 "2^-20: elements are at most 8, so two sums below 16 and 32 are rounded by up to 2^-21 and 2^-20, a "
                 "third of which is left after the division; rounding the quotient (2^-22), or multiplying by a rounded "
                 "1/3, adds less than the rest"})},
        .cases = cases({"N"}, {
            {"teaching", {600}},  // two full blocks and 88 elements
            {"one element", {1}}, {"two elements", {2}}, {"a lane short of a warp", {31}},
            {"a lane more than a warp", {33}}, {"one full block", {256}}, {"an element more than a block", {257}},
            {"many blocks", {1000}}}),
        .large = {{"N", 100'003}}, .bench = {{"N", 1 << 24}},
        .reference = pool<double>, .cross_check = pool_by_running_sums, .cpu = pool<float>}},
    .variants = {
        {.name = "global", .title = "GLOBAL (each thread reads its window)",
         .summary = "Every thread reads its window of three from global memory",
         .regions = {"window"}, .budget = {.global_reads = 3 * N - 2, .global_writes = N}},
        {.name = "shared", .title = "SHARED (a block reads its elements once)",
         .summary = "Each element is read once a block, the neighbours' two as well, and shared",
         .regions = {"load", "pool"},
         // Every element once, and two at each edge between two blocks.
         .budget = {.global_reads = N + 2 * (blocks - 1), .global_writes = N, .barriers = blocks}}}};
