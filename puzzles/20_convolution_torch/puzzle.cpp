// Puzzle 20, Convolution in PyTorch: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>

#include "sizes.h"

using namespace workbook;

static_assert(kBlockSize == 128, "the shape of partial says so");

const Bound N = "N", B = "B", K = "K";

template <class T>
static void rows_forward(const Dims& dims, HostTensors<T>& t) {
  const int size = dims["N"], taps = dims["K"];
  for (int b = 0; b < dims["B"]; ++b)
    for (int i = 0; i < size; ++i) {
      T sum = 0;
      for (int k = 0; k < std::min(taps, size - i); ++k) sum += t["filter"][k] * t["x"][b * size + i + k];
      t["out"][b * size + i] = sum;
    }
}

static void conv_forward(const Dims& dims, HostTensors<double>& t) {
  const std::size_t size = dims["N"];
  for (int b = 0; b < dims["B"]; ++b)
    reference::conv1d(t["x"].subspan(b * size, size), t["filter"], t["out"].subspan(b * size, size));
}

template <class T>
static void grad_input(const Dims& dims, HostTensors<T>& t) {
  const int size = dims["N"], taps = dims["K"];
  for (int b = 0; b < dims["B"]; ++b)
    for (int j = 0; j < size; ++j) {
      T sum = 0;
      for (int k = 0; k < std::min(taps, j + 1); ++k) sum += t["filter"][k] * t["grad"][b * size + j - k];
      t["grad_x"][b * size + j] = sum;
    }
}

/// Seen from the result: element i of out hands its gradient on to the `taps` elements that it was made of.
static void grad_input_scattered(const Dims& dims, HostTensors<double>& t) {
  const int size = dims["N"], taps = dims["K"];
  std::fill(t["grad_x"].begin(), t["grad_x"].end(), 0.0);
  for (int b = 0; b < dims["B"]; ++b)
    for (int i = 0; i < size; ++i)
      for (int k = 0; k < std::min(taps, size - i); ++k)
        t["grad_x"][b * size + i + k] += t["filter"][k] * t["grad"][b * size + i];
}

/// Each block's part of tap k: the positions of its tile of its row.
static void grad_filter(const Dims& dims, HostTensors<double>& t) {
  const int size = dims["N"], taps = dims["K"], tiles = (size + kBlockSize - 1) / kBlockSize;
  const int blocks = dims["B"] * tiles;
  for (int k = 0; k < taps; ++k) {
    double total = 0.0;
    for (int block = 0; block < blocks; ++block) {
      const int row = block / tiles, first = block % tiles * kBlockSize;
      double sum = 0.0;
      for (int i = first; i < std::min(first + kBlockSize, size - k); ++i)
        sum += t["grad"][row * size + i] * t["x"][row * size + i + k];
      t["partial"][static_cast<std::size_t>(k) * blocks + block] = sum;
      total += sum;
    }
    t["grad_filter"][k] = total;
  }
}

/// Without tiles, from the back.
template <class T>
static void grad_filter_whole(const Dims& dims, HostTensors<T>& t) {
  const int size = dims["N"], taps = dims["K"];
  std::fill(t["grad_filter"].begin(), t["grad_filter"].end(), T{0});
  for (int b = dims["B"] - 1; b >= 0; --b)
    for (int j = size - 1; j >= 0; --j)
      for (int k = 0; k < std::min(taps, j + 1); ++k)
        t["grad_filter"][k] += t["grad"][b * size + j - k] * t["x"][b * size + j];
}

const Tolerance kOfTaps = {
    0x1p-23 * K * K, 0.0,
    "2 K^2 2^-24: a float sum of K products, each at most 2 in size, is off by at most K half-ulps "
    "(2^-24) of all their sizes together, which are 2 K"};

const Bound blocks = B * ceil(N / kBlockSize), pieces = ceil(K / kPiece);
const Bound depth = kBlockSize + blocks / kBlockSize + 8;

static std::vector<Case> cases(bool reduction) {
  std::vector<Case> all =
      workbook::cases({"B", "N", "K"}, {{"teaching", {2, 150, 5}},  // a tile and 22 positions
                                        {"one of each", {1, 1, 1}},
                                        {"rows of one element", {33, 1, 3}},
                                        {"a row short of a warp", {5, 31, 2}},
                                        {"rows of a full tile", {4, 128, 8}},
                                        {"one position in the last tile", {2, 129, 33}},
                                        {"more taps than elements", {3, 10, 37}},
                                        {"a filter of one whole piece", {2, 300, 128}},
                                        {"one tap in the second piece", {2, 300, 129}},
                                        {"a filter of several pieces", {1, 400, 300}}});
  if (reduction)
    all.push_back({.name = "more blocks than threads", .dims = {{"B", 150}, {"N", 20}, {"K", 4}}});
  return all;
}

/// For each piece of the filter tile, halo and piece once a block; some of the halo lies outside the row.
const Budget kStaged = {
    .global_reads = pieces * B * N + blocks * (2 * K - pieces), .global_writes = B * N, .launches = 1};
/// For each piece of 128 taps 255 elements of x at most; grad once; then the partial sums.
const Bound reduction_reads = B * N * (1 + pieces) + blocks * pieces * (kPiece - 1) + blocks * K;

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 20, .title = "Convolution in PyTorch", .part = "Part V: layers as operators",
    .builds_on = {12, 17},
    .summary = "Write the gradients of a convolution, and register all three kernels as one operator of PyTorch",
    .tasks = {
        {.name = "forward",
         .tensors = {
             input("x", {"B", "N"}, uniform(-1.0, 2.0)),
             input("filter", {"K"}, uniform(-0.5, 1.0)),
             output("out", {"B", "N"}, kOfTaps)},
         .cases = ::cases(false),
         .large = {{"B", 7}, {"N", 3001}, {"K", 37}}, .bench = {{"B", 16}, {"N", 1 << 15}, {"K", 64}},
         .reference = conv_forward, .cross_check = rows_forward<double>, .cpu = rows_forward<float>},
        {.name = "gradient of the input",
         .tensors = {
             input("grad", {"B", "N"}, uniform(-1.0, 2.0)),
             input("filter", {"K"}, uniform(-0.5, 1.0)),
             output("grad_x", {"B", "N"}, kOfTaps)},
         .cases = ::cases(false),
         .large = {{"B", 7}, {"N", 3001}, {"K", 37}}, .bench = {{"B", 16}, {"N", 1 << 15}, {"K", 64}},
         .reference = grad_input<double>, .cross_check = grad_input_scattered, .cpu = grad_input<float>},
        {.name = "gradient of the filter",
         .tensors = {
             input("grad", {"B", "N"}, uniform(-1.0, 2.0)),
             input("x", {"B", "N"}, uniform(-1.0, 2.0)),
             intermediate("partial", {"K", "B*ceil(N/128)"},
                 {[](const Dims&) { return 0x1p-24 * kBlockSize * kBlockSize * 2.0; }, 0.0,
                  "2 T^2 2^-24 with T = 128: a float sum of T products, which are together below 2 T in size, is "
                  "off by at most T half-ulps (2^-24) of that"}),
             output("grad_filter", {"K"},
                 {0x1p-23 * depth * B * N, 0.0,
                  "2 B N d 2^-24 with d = 128 + B ceil(N/128)/128 + 8, the additions that a product goes through: "
                  "each is off by at most a half-ulp (2^-24) of all B N products, which are together below 2 B N in "
                  "size"})},
         .cases = ::cases(true),
         .large = {{"B", 7}, {"N", 3001}, {"K", 37}}, .bench = {{"B", 16}, {"N", 1 << 15}, {"K", 64}},
         .reference = grad_filter, .cross_check = grad_filter_whole<double>, .cpu = grad_filter_whole<float>}},
    .variants = {
        {.name = "forward", .title = "FORWARD", .summary = "The convolution of Puzzle 17, for a filter of any length",
         .task = "forward", .regions = {"forward"}, .budget = kStaged},
        {.name = "grad-input", .title = "GRADIENT OF THE INPUT",
         .summary = "A window that looks back: each element gathers what it has gone into",
         .task = "gradient of the input", .regions = {"grad_input"}, .budget = kStaged},
        {.name = "grad-filter", .title = "GRADIENT OF THE FILTER (two launches)",
         .summary = "A reduction over all positions of all rows, for each tap: partial sums, then their total",
         .task = "gradient of the filter", .regions = {"partial", "total"}, .intermediates = {"partial"},
         .budget = {.global_reads = reduction_reads, .global_writes = (blocks + 1) * K, .launches = 2,
                    .conflicts = 0,
                    // A block stages four warps of grad and eight a piece of x, and stores its taps; then a warp for
                    // each 32 partial sums.
                    .global_requests = blocks * (4 + 9 * pieces + ceil(K / 32)) + K * (ceil(blocks / 32) + 1)}}}};
