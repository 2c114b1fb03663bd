// Puzzle 17, Convolution op: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>

#include "sizes.h"

namespace {

using workbook::Dims;
using workbook::HostTensors;

void convolution_reference(const Dims& dims, HostTensors<double>& t) {
  const std::size_t size = dims["N"];
  for (int b = 0; b < dims["B"]; ++b)
    workbook::reference::conv1d(t["x"].subspan(b * size, size), t["filter"],
                                t["out"].subspan(b * size, size));
}

/// Seen from the element instead of the result: x[b][j] goes with filter[k] into the result at j - k.
void convolution_scattered(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], filter = t["filter"], out = t["out"];
  const int size = dims["N"], taps = dims["K"];
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t at = 0; at < x.size(); ++at) {
    const int j = static_cast<int>(at % size);
    for (int k = 0; k < taps && k <= j; ++k) out[at - k] += x[at] * filter[k];
  }
}

void convolution_cpu(const Dims& dims, HostTensors<float>& t) {
  const auto x = t["x"], filter = t["filter"], out = t["out"];
  const int size = dims["N"], taps = dims["K"];
  for (int b = 0; b < dims["B"]; ++b)
    for (int i = 0; i < size; ++i) {
      float sum = 0.0f;
      for (int k = 0; k < std::min(taps, size - i); ++k) sum += filter[k] * x[b * size + i + k];
      out[b * size + i] = sum;
    }
}

/// The elements that a row's blocks read when each stages `taps` taps, from tap `from` on: a tile and its
/// halo, as far as they exist.
double staged_elements(int size, int from, int taps) {
  double elements = 0.0;
  for (int first = 0; first < size; first += kBlockSize)
    elements += std::clamp(size - first - from, 0, kBlockSize + taps - 1);
  return elements;
}

double tiles(const Dims& dims) { return (dims["N"] + kBlockSize - 1) / kBlockSize; }

/// Tile and halo once a block, and the filter once a block.
double staged_reads(const Dims& dims) {
  return dims["B"] * (staged_elements(dims["N"], 0, dims["K"]) + tiles(dims) * dims["K"]);
}

/// For each piece of the filter its part of tile and halo; the filter once a block.
double pieces_reads(const Dims& dims) {
  double elements = 0.0;
  for (int piece = 0; piece < dims["K"]; piece += kPiece)
    elements += staged_elements(dims["N"], piece, std::min(kPiece, dims["K"] - piece));
  return dims["B"] * (elements + tiles(dims) * dims["K"]);
}

double stores(const Dims& dims) { return 1.0 * dims["B"] * dims["N"]; }
double a_launch_a_row(const Dims& dims) { return dims["B"]; }

std::string too_many_taps(const Dims& dims) {
  return dims["K"] > kMaxTaps
             ? "A block has room for a filter of 256 taps: K is at most 256; --pieces takes any."
             : "";
}

std::string row_by_row_refuses(const Dims& dims) {
  if (dims["B"] > 10'000)
    return "--row-by-row launches a kernel a row: B is at most 10000; --batch takes any.";
  return too_many_taps(dims);
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 17,
    .title = "Convolution op",
    .part = "Part IV: your kernel as an operator",
    .summary = "Convolve each row of a batch with one filter, for whatever sizes a caller has, from Python too",
    .tensors = {
        {.name = "x", .role = Role::input, .shape = {"B", "N"}, .fill = uniform(-1.0, 2.0)},
        {.name = "filter", .role = Role::input, .shape = {"K"}, .fill = uniform(-0.5, 1.0)},
        {.name = "out", .role = Role::output, .shape = {"B", "N"},
         .tolerance = Tolerance{[](const Dims& dims) { return 0x1p-23 * dims["K"] * dims["K"]; }, 0.0,
             "2 K^2 2^-24: a float sum of K products, each at most 2 in size, is off by at most K half-ulps "
             "(2^-24) of all their sizes together, which are 2 K"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"B", 5}, {"N", 150}, {"K", 5}}},  // a row: one full tile and 22 results
        {.name = "one of each", .dims = {{"B", 1}, {"N", 1}, {"K", 1}}},
        {.name = "one row", .dims = {{"B", 1}, {"N", 1000}, {"K", 7}}},
        {.name = "rows of one element", .dims = {{"B", 33}, {"N", 1}, {"K", 3}}},
        {.name = "a row short of a warp", .dims = {{"B", 5}, {"N", 31}, {"K", 2}}},
        {.name = "rows of a full tile", .dims = {{"B", 4}, {"N", 128}, {"K", 8}}},
        {.name = "one result in the last tile", .dims = {{"B", 2}, {"N", 129}, {"K", 3}}},
        {.name = "more taps than elements", .dims = {{"B", 6}, {"N", 10}, {"K", 33}}},
        {.name = "the longest filter of a block", .dims = {{"B", 2}, {"N", 150}, {"K", 256}}},
        {.name = "a filter of one whole piece", .dims = {{"B", 2}, {"N", 200}, {"K", 128}}},
        {.name = "one tap in the second piece", .dims = {{"B", 2}, {"N", 200}, {"K", 129}}},
        {.name = "a filter of several pieces", .dims = {{"B", 2}, {"N", 140}, {"K", 300}}},  // and longer than a row
        {.name = "many rows of many tiles", .dims = {{"B", 19}, {"N", 700}, {"K", 37}}},
    },
    .large = {{"B", 65'600}, {"N", 3}, {"K", 2}},  // more rows than a grid has room for along y
    .bench = {{"B", 16}, {"N", 1 << 15}, {"K", 64}},
    .reference = convolution_reference,
    .cross_check = convolution_scattered,
    .cpu = convolution_cpu,
    .variants = {
        {.name = "row-by-row",
         .title = "ROW BY ROW",
         .summary = "The kernel for one row, launched once for each",
         .regions = {"row_by_row"},
         .refuses = row_by_row_refuses,
         .budget = {.launches = a_launch_a_row}},
        {.name = "batch",
         .title = "BATCH (one launch, whose blocks belong to all rows)",
         .summary = "One launch: a block finds its row and its tile of it by its number",
         .regions = {"batch_kernel", "batch_launch"},
         .refuses = too_many_taps,
         .budget = {.global_reads = staged_reads, .global_writes = stores, .launches = 1}},
        {.name = "pieces",
         .title = "PIECES (a filter of any length, 128 taps at a time)",
         .summary = "One launch, and the filter passes through shared memory in pieces: any number of taps",
         .regions = {"piece"},
         .budget = {.global_reads = pieces_reads, .global_writes = stores, .launches = 1}},
    },
};
// clang-format on
