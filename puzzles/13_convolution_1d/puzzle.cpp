// Puzzle 13, Convolution 1D: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>

#include "given.cuh"

using namespace workbook;

const Bound N = "N", K = "K";

template <class T>
static void convolution(const Dims&, HostTensors<T>& t) {
  reference::conv1d<T>(t["a"], t["filter"], t["out"]);
}

/// Seen from the element instead of the result: a[j] goes with filter[k] into the result at j - k.
static void convolution_scattered(const Dims&, HostTensors<double>& t) {
  const auto a = t["a"], filter = t["filter"], out = t["out"];
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t j = 0; j < a.size(); ++j)
    for (std::size_t k = 0; k < filter.size() && k <= j; ++k) out[j - k] += a[j] * filter[k];
}

/// Each element once, the halo of each block but the last once more, and the filter once a block. Behind the
/// last block there is nothing to read.
static Bound reads(int results_of_a_block) {
  const Bound blocks = ceil(N / results_of_a_block);
  return N + (blocks - 1) * (K - 1) + blocks * K;
}

const Refusal kTooManyTaps = {K > kMaxTaps, "A block has room for a filter of 256 taps: K is at most 256."};

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 13, .title = "Convolution 1D", .part = "Part III: algorithms",
    .builds_on = {8, 11, 12},
    .summary = "Weigh each element and those behind it with a filter of many taps, across the edges of blocks",
    .tasks = {{
        .tensors = {
            input("a", {"N"}, uniform(-2.0, 4.0)),
            input("filter", {"K"}, uniform(-0.5, 1.0)),
            output("out", {"N"},
                {0x1p-22 * K * K, 0.0,
                 "4 K^2 2^-24: a float sum of K products, each at most 4 in size, is off by at most K half-ulps (2^-24) "
                 "of all their sizes together, which are 4 K"})},
        .cases = cases({"N", "K"}, {
            {"teaching", {300, 5}},  // two full blocks and 44 elements
            {"one element", {1, 4}}, {"one tap", {31, 1}}, {"two taps", {33, 2}},
            {"more taps than elements", {10, 33}}, {"one full block", {128, 8}},
            {"one element in the last block", {129, 3}}, {"many blocks", {1000, 7}},
            {"more taps than threads", {500, 200}}, {"the longest filter", {700, 256}}}),
        .large = {{"N", 100'003}, {"K", 37}}, .bench = {{"N", 1 << 24}, {"K", 64}},
        .reference = convolution<double>, .cross_check = convolution_scattered, .cpu = convolution<float>}},
    .variants = {
        {.name = "simple", .title = "SIMPLE",
         .summary = "Each thread reads its elements and the filter from global memory",
         .regions = {"simple"}},
        {.name = "block-boundary", .title = "BLOCK BOUNDARY (filter, elements and halo in shared memory)",
         .summary = "The block copies its elements, its halo and the filter to shared memory first",
         .regions = {"stage", "staged"}, .refuses = {kTooManyTaps},
         .budget = {.global_reads = reads(kBlockSize), .global_writes = N}},
        {.name = "sliding", .title = "SLIDING (five results a thread, their window in registers)",
         .summary = "Five neighbouring results a thread share each element and each weight they read",
         .regions = {"stage", "slide"}, .refuses = {kTooManyTaps}, .required = false,
         // Two requests a tap, and what moves elements and results: without a window it would be six a tap.
         .budget = {.global_reads = reads(kBlockSize * kPerThread), .global_writes = N, .conflicts = 0,
                    .shared_requests = ceil(N / (kBlockSize * kPerThread)) * (kBlockSize / 32) * (2.5 * K + 48)}}}};
