// Puzzle 20, Convolution in PyTorch: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>

#include "sizes.h"

namespace {

using workbook::Case;
using workbook::Dims;
using workbook::HostTensors;
using workbook::Tensor;
using workbook::Tolerance;

template <class T>
void rows_forward(const Dims& dims, HostTensors<T>& t) {
  const int size = dims["N"], taps = dims["K"];
  for (int b = 0; b < dims["B"]; ++b)
    for (int i = 0; i < size; ++i) {
      T sum = 0;
      for (int k = 0; k < std::min(taps, size - i); ++k) sum += t["filter"][k] * t["x"][b * size + i + k];
      t["out"][b * size + i] = sum;
    }
}

void conv_forward(const Dims& dims, HostTensors<double>& t) {
  const std::size_t size = dims["N"];
  for (int b = 0; b < dims["B"]; ++b)
    workbook::reference::conv1d(t["x"].subspan(b * size, size), t["filter"],
                                t["out"].subspan(b * size, size));
}

template <class T>
void grad_input(const Dims& dims, HostTensors<T>& t) {
  const int size = dims["N"], taps = dims["K"];
  for (int b = 0; b < dims["B"]; ++b)
    for (int j = 0; j < size; ++j) {
      T sum = 0;
      for (int k = 0; k < std::min(taps, j + 1); ++k) sum += t["filter"][k] * t["grad"][b * size + j - k];
      t["grad_x"][b * size + j] = sum;
    }
}

/// Seen from the result: element i of out hands its gradient on to the `taps` elements that it was made of.
void grad_input_scattered(const Dims& dims, HostTensors<double>& t) {
  const int size = dims["N"], taps = dims["K"];
  std::fill(t["grad_x"].begin(), t["grad_x"].end(), 0.0);
  for (int b = 0; b < dims["B"]; ++b)
    for (int i = 0; i < size; ++i)
      for (int k = 0; k < std::min(taps, size - i); ++k)
        t["grad_x"][b * size + i + k] += t["filter"][k] * t["grad"][b * size + i];
}

/// Each block's part of tap k: the positions of its tile of its row.
void grad_filter(const Dims& dims, HostTensors<double>& t) {
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
void grad_filter_whole(const Dims& dims, HostTensors<T>& t) {
  const int size = dims["N"], taps = dims["K"];
  std::fill(t["grad_filter"].begin(), t["grad_filter"].end(), T{0});
  for (int b = dims["B"] - 1; b >= 0; --b)
    for (int j = size - 1; j >= 0; --j)
      for (int k = 0; k < std::min(taps, j + 1); ++k)
        t["grad_filter"][k] += t["grad"][b * size + j - k] * t["x"][b * size + j];
}

Tensor input(std::string_view name, std::vector<std::string_view> shape, workbook::Fill fill) {
  return {.name = name, .role = workbook::Role::input, .shape = shape, .fill = fill};
}

Tolerance of_taps() {
  return {[](const Dims& dims) { return 0x1p-23 * dims["K"] * dims["K"]; }, 0.0,
          "2 K^2 2^-24: a float sum of K products, each at most 2 in size, is off by at most K half-ulps "
          "(2^-24) of all their sizes together, which are 2 K"};
}

double tiles(const Dims& dims) { return (dims["N"] + kBlockSize - 1) / kBlockSize; }
double depth(const Dims& dims) { return kBlockSize + dims["B"] * tiles(dims) / kBlockSize + 8.0; }

std::vector<Case> cases(bool reduction) {
  std::vector<Case> all = {
      {.name = "teaching", .dims = {{"B", 2}, {"N", 150}, {"K", 5}}},  // a full tile and 22 positions a row
      {.name = "one of each", .dims = {{"B", 1}, {"N", 1}, {"K", 1}}},
      {.name = "rows of one element", .dims = {{"B", 33}, {"N", 1}, {"K", 3}}},
      {.name = "a row short of a warp", .dims = {{"B", 5}, {"N", 31}, {"K", 2}}},
      {.name = "rows of a full tile", .dims = {{"B", 4}, {"N", 128}, {"K", 8}}},
      {.name = "one position in the last tile", .dims = {{"B", 2}, {"N", 129}, {"K", 33}}},
      {.name = "more taps than elements", .dims = {{"B", 3}, {"N", 10}, {"K", 37}}},
      {.name = "a filter of one whole piece", .dims = {{"B", 2}, {"N", 300}, {"K", 128}}},
      {.name = "one tap in the second piece", .dims = {{"B", 2}, {"N", 300}, {"K", 129}}},
      {.name = "a filter of several pieces", .dims = {{"B", 1}, {"N", 400}, {"K", 300}}},
  };
  if (reduction)
    all.push_back({.name = "more blocks than threads", .dims = {{"B", 150}, {"N", 20}, {"K", 4}}});
  return all;
}

double stores(const Dims& dims) { return 1.0 * dims["B"] * dims["N"]; }
/// Tile, halo and filter once a block; some of the halo lies outside the row.
double staged_reads(const Dims& dims) {
  double reads = 0.0;
  for (int piece = 0; piece < dims["K"]; piece += kPiece) {
    const int count = std::min(kPiece, dims["K"] - piece);
    reads += dims["B"] * tiles(dims) * (count + count - 1.0) + 1.0 * dims["B"] * dims["N"];
  }
  return reads;
}
/// For each piece of 128 taps 255 elements of x at most; grad once; then the partial sums.
double reduction_reads(const Dims& dims) {
  const double blocks = dims["B"] * tiles(dims), pieces = (dims["K"] + kPiece - 1) / kPiece;
  return 1.0 * dims["B"] * dims["N"] * (1 + pieces) + blocks * pieces * (kPiece - 1) + blocks * dims["K"];
}
double reduction_stores(const Dims& dims) { return (dims["B"] * tiles(dims) + 1) * dims["K"]; }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 20,
    .title = "Convolution in PyTorch",
    .part = "Part V: your kernel as an operator",
    .summary = "Write the gradients of a convolution, and register all three kernels as one operator of PyTorch",
    .tasks = {
        {.name = "forward",
         .tensors = {
             input("x", {"B", "N"}, uniform(-1.0, 2.0)),
             input("filter", {"K"}, uniform(-0.5, 1.0)),
             {.name = "out", .role = Role::output, .shape = {"B", "N"}, .tolerance = of_taps()},
         },
         .cases = cases(false),
         .large = {{"B", 7}, {"N", 3001}, {"K", 37}},
         .bench = {{"B", 16}, {"N", 1 << 15}, {"K", 64}},
         .reference = conv_forward,
         .cross_check = rows_forward<double>,
         .cpu = rows_forward<float>},
        {.name = "gradient of the input",
         .tensors = {
             input("grad", {"B", "N"}, uniform(-1.0, 2.0)),
             input("filter", {"K"}, uniform(-0.5, 1.0)),
             {.name = "grad_x", .role = Role::output, .shape = {"B", "N"}, .tolerance = of_taps()},
         },
         .cases = cases(false),
         .large = {{"B", 7}, {"N", 3001}, {"K", 37}},
         .bench = {{"B", 16}, {"N", 1 << 15}, {"K", 64}},
         .reference = grad_input<double>,
         .cross_check = grad_input_scattered,
         .cpu = grad_input<float>},
        {.name = "gradient of the filter",
         .tensors = {
             input("grad", {"B", "N"}, uniform(-1.0, 2.0)),
             input("x", {"B", "N"}, uniform(-1.0, 2.0)),
             {.name = "partial", .role = Role::intermediate, .shape = {"K", "B*ceil(N/128)"},
              .tolerance = Tolerance{[](const Dims&) { return 0x1p-24 * kBlockSize * kBlockSize * 2.0; }, 0.0,
                  "2 T^2 2^-24 with T = 128: a float sum of T products, which are together below 2 T in size, is off by at "
                  "most T half-ulps (2^-24) of that"}},
             {.name = "grad_filter", .role = Role::output, .shape = {"K"},
              .tolerance = Tolerance{[](const Dims& dims) { return 0x1p-23 * depth(dims) * dims["B"] * dims["N"]; }, 0.0,
                  "2 B N d 2^-24 with d = 128 + B ceil(N/128)/128 + 8, the additions that a product goes through: each is off by at most a "
                  "half-ulp (2^-24) of all B N products, which are together below 2 B N in size"}},
         },
         .cases = cases(true),
         .large = {{"B", 7}, {"N", 3001}, {"K", 37}},
         .bench = {{"B", 16}, {"N", 1 << 15}, {"K", 64}},
         .reference = grad_filter,
         .cross_check = grad_filter_whole<double>,
         .cpu = grad_filter_whole<float>},
    },
    .variants = {
        {.name = "forward",
         .title = "FORWARD",
         .summary = "The convolution of Puzzle 17, for a filter of any length",
         .task = "forward",
         .regions = {"forward"},
         .budget = {.global_reads = staged_reads, .global_writes = stores, .launches = 1}},
        {.name = "grad-input",
         .title = "GRADIENT OF THE INPUT",
         .summary = "A window that looks back: each element gathers what it has gone into",
         .task = "gradient of the input",
         .regions = {"grad_input"},
         .budget = {.global_reads = staged_reads, .global_writes = stores, .launches = 1}},
        {.name = "grad-filter",
         .title = "GRADIENT OF THE FILTER (two launches)",
         .summary = "A reduction over all positions of all rows, for each tap: partial sums, then their total",
         .task = "gradient of the filter",
         .regions = {"partial", "total"},
         .intermediates = {"partial"},
         .budget = {.global_reads = reduction_reads, .global_writes = reduction_stores, .launches = 2, .conflicts = 0}},
    },
};
// clang-format on
