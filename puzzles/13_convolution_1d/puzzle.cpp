// Puzzle 13, Convolution 1D: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>

#include "given.cuh"

namespace {

using workbook::Dims;
using workbook::HostTensors;

void convolution_reference(const Dims&, HostTensors<double>& t) {
  workbook::reference::conv1d(t["a"], t["filter"], t["out"]);
}

/// Seen from the element instead of the result: a[j] goes with filter[k] into the result at j - k.
void convolution_scattered(const Dims&, HostTensors<double>& t) {
  const auto a = t["a"], filter = t["filter"], out = t["out"];
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t j = 0; j < a.size(); ++j)
    for (std::size_t k = 0; k < filter.size() && k <= j; ++k) out[j - k] += a[j] * filter[k];
}

void convolution_cpu(const Dims& dims, HostTensors<float>& t) {
  const auto a = t["a"], filter = t["filter"], out = t["out"];
  const int size = dims["N"], taps = dims["K"];
  for (int i = 0; i < size; ++i) {
    float sum = 0.0f;
    for (int k = 0; k < std::min(taps, size - i); ++k) sum += filter[k] * a[i + k];
    out[i] = sum;
  }
}

/// Each element once, the halo of each block but the last once more, and the filter once a block. Behind the
/// last block there is nothing to read.
double reads(const Dims& dims, int results_of_a_block) {
  const double blocks = (dims["N"] + results_of_a_block - 1) / results_of_a_block, taps = dims["K"];
  return dims["N"] + (blocks - 1) * (taps - 1) + blocks * taps;
}
double staged_reads(const Dims& dims) { return reads(dims, kBlockSize); }
double sliding_reads(const Dims& dims) { return reads(dims, kBlockSize * kPerThread); }
double stores(const Dims& dims) { return dims["N"]; }

std::string too_many_taps(const Dims& dims) {
  return dims["K"] > kMaxTaps ? "A block has room for a filter of 256 taps: K is at most 256." : "";
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 13,
    .title = "Convolution 1D",
    .part = "Part III: algorithms",
    .summary = "Weigh each element and those behind it with a filter of many taps, across the edges of blocks",
    .tensors = {
        {.name = "a", .role = Role::input, .shape = {"N"}, .fill = uniform(-2.0, 4.0)},
        {.name = "filter", .role = Role::input, .shape = {"K"}, .fill = uniform(-0.5, 1.0)},
        {.name = "out", .role = Role::output, .shape = {"N"},
         .tolerance = Tolerance{[](const Dims& dims) { return 0x1p-22 * dims["K"] * dims["K"]; }, 0.0,
             "4 K^2 2^-24: a float sum of K products, each at most 4 in size, is off by at most K half-ulps "
             "(2^-24) of all their sizes together, which are 4 K"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"N", 300}, {"K", 5}}},  // two full blocks and 44 elements
        {.name = "one element", .dims = {{"N", 1}, {"K", 4}}},
        {.name = "one tap", .dims = {{"N", 31}, {"K", 1}}},
        {.name = "two taps", .dims = {{"N", 33}, {"K", 2}}},
        {.name = "more taps than elements", .dims = {{"N", 10}, {"K", 33}}},
        {.name = "one full block", .dims = {{"N", 128}, {"K", 8}}},
        {.name = "one element in the last block", .dims = {{"N", 129}, {"K", 3}}},
        {.name = "many blocks", .dims = {{"N", 1000}, {"K", 7}}},
        {.name = "more taps than threads", .dims = {{"N", 500}, {"K", 200}}},
        {.name = "the longest filter", .dims = {{"N", 700}, {"K", 256}}},
    },
    .large = {{"N", 100'003}, {"K", 37}},
    .bench = {{"N", 1 << 24}, {"K", 64}},
    .reference = convolution_reference,
    .cross_check = convolution_scattered,
    .cpu = convolution_cpu,
    .variants = {
        {.name = "simple",
         .title = "SIMPLE",
         .summary = "Each thread reads its elements and the filter from global memory",
         .regions = {"simple"}},
        {.name = "block-boundary",
         .title = "BLOCK BOUNDARY (filter, elements and halo in shared memory)",
         .summary = "The block copies its elements, its halo and the filter to shared memory first",
         .regions = {"stage", "staged"},
         .refuses = too_many_taps,
         .budget = {.global_reads = staged_reads, .global_writes = stores}},
        {.name = "sliding",
         .title = "SLIDING (five results a thread, their window in registers)",
         .summary = "Five neighbouring results a thread share each element and each weight they read",
         .regions = {"stage", "slide"},
         .refuses = too_many_taps,
         .required = false,
         .budget = {.global_reads = sliding_reads, .global_writes = stores, .conflicts = 0}},
    },
};
// clang-format on
