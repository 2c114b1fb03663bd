// Puzzle 17, Convolution op: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>

#include "sizes.h"

using namespace workbook;

const Bound N = "N", B = "B", K = "K";

template <class T>
static void convolution(const Dims& dims, HostTensors<T>& t) {
  const std::size_t size = dims["N"];
  for (int b = 0; b < dims["B"]; ++b)
    reference::conv1d<T>(t["x"].subspan(b * size, size), t["filter"], t["out"].subspan(b * size, size));
}

/// Seen from the element instead of the result: x[b][j] goes with filter[k] into the result at j - k.
static void convolution_scattered(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], filter = t["filter"], out = t["out"];
  const int size = dims["N"], taps = dims["K"];
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t at = 0; at < x.size(); ++at) {
    const int j = static_cast<int>(at % size);
    for (int k = 0; k < taps && k <= j; ++k) out[at - k] += x[at] * filter[k];
  }
}

/// The elements that a row's blocks read when each stages `taps` taps, from tap `from` on: a tile and its
/// halo, as far as they exist.
static double staged_elements(int size, int from, int taps) {
  double elements = 0.0;
  for (int first = 0; first < size; first += kBlockSize)
    elements += std::clamp(size - first - from, 0, kBlockSize + taps - 1);
  return elements;
}

/// Tile and halo once a block.
static double tiles_and_halos(const Dims& dims) { return staged_elements(dims["N"], 0, dims["K"]); }

/// For each piece of the filter its part of tile and halo.
static double pieces_of_them(const Dims& dims) {
  double elements = 0.0;
  for (int piece = 0; piece < dims["K"]; piece += kPiece)
    elements += staged_elements(dims["N"], piece, std::min(kPiece, dims["K"] - piece));
  return elements;
}

/// Of each row, and the filter once a block.
static Budget reads_of(const Bound& elements) {
  return {.global_reads = B * (elements + ceil(N / kBlockSize) * K), .global_writes = B * N, .launches = 1};
}

const Refusal kTooManyTaps = {
    K > kMaxTaps, "A block has room for a filter of 256 taps: K is at most 256; --pieces takes any."};

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 17, .title = "Convolution op", .part = "Part IV: your kernel as an operator",
    .builds_on = {4, 13},
    .summary = "Convolve each row of a batch with one filter, for whatever sizes a caller has, from Python too",
    .tasks = {{
        .tensors = {
            input("x", {"B", "N"}, uniform(-1.0, 2.0)),
            input("filter", {"K"}, uniform(-0.5, 1.0)),
            output("out", {"B", "N"},
                {0x1p-23 * K * K, 0.0,
                 "2 K^2 2^-24: a float sum of K products, each at most 2 in size, is off by at most K half-ulps (2^-24) "
                 "of all their sizes together, which are 2 K"})},
        .cases = cases({"B", "N", "K"}, {
            {"teaching", {5, 150, 5}},  // a row: one full tile and 22 results
            {"one of each", {1, 1, 1}}, {"one row", {1, 1000, 7}}, {"rows of one element", {33, 1, 3}},
            {"a row short of a warp", {5, 31, 2}}, {"rows of a full tile", {4, 128, 8}},
            {"one result in the last tile", {2, 129, 3}}, {"more taps than elements", {6, 10, 33}},
            {"the longest filter of a block", {2, 150, 256}}, {"a filter of one whole piece", {2, 200, 128}},
            {"one tap in the second piece", {2, 200, 129}},
            {"a filter of several pieces", {2, 140, 300}},  // and longer than a row
            {"many rows of many tiles", {19, 700, 37}}}),
        .large = {{"B", 65'600}, {"N", 3}, {"K", 2}},  // more rows than a grid has room for along y
        .bench = {{"B", 16}, {"N", 1 << 15}, {"K", 64}},
        .reference = convolution<double>, .cross_check = convolution_scattered, .cpu = convolution<float>}},
    .variants = {
        {.name = "row-by-row", .title = "ROW BY ROW", .summary = "The kernel for one row, launched once for each",
         .regions = {"row_by_row"},
         .refuses = {{B > 10'000, "--row-by-row launches a kernel a row: B is at most 10000; --batch takes any."},
                     kTooManyTaps},
         .budget = {.launches = B}},
        {.name = "batch", .title = "BATCH (one launch, whose blocks belong to all rows)",
         .summary = "One launch: a block finds its row and its tile of it by its number",
         .regions = {"batch_kernel", "batch_launch"}, .refuses = {kTooManyTaps}, .budget = reads_of(tiles_and_halos)},
        {.name = "pieces", .title = "PIECES (a filter of any length, 128 taps at a time)",
         .summary = "One launch, and the filter passes through shared memory in pieces: any number of taps",
         .regions = {"piece"}, .budget = reads_of(pieces_of_them)}}};
