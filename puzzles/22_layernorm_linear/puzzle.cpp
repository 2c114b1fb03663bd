// Puzzle 22, LayerNorm + Linear: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using workbook::Dims;
using workbook::HostTensors;
namespace reference = workbook::reference;

/// B*S rows of `hidden` numbers in, of `outputs` numbers out.
struct Sizes {
  int positions, hidden, outputs;
  explicit Sizes(const Dims& dims)
      : positions(dims["B"] * dims["S"]), hidden(dims["H"]), outputs(dims["O"]) {}
};

void layernorm_linear_reference(const Dims& dims, HostTensors<double>& t) {
  const Sizes s(dims);
  reference::layernorm(t["x"], t["gamma"], t["beta"], t["normalized"], s.positions, s.hidden, 1e-5);
  reference::transpose(t["weight"], t["weight_transposed"], s.outputs, s.hidden);
  reference::matmul(t["normalized"], t["weight_transposed"], t["product"], s.positions, s.outputs, s.hidden);
  reference::linear(t["normalized"], t["weight"], t["bias"], t["y"], s.positions, s.hidden, s.outputs);
}

/// The same y without ever normalising a row: the statistics move behind the matrix product,
/// y = inv_std * (W (gamma * x)) - inv_std * mean * (W gamma) + W beta + b.
void layernorm_linear_algebraic(const Dims& dims, HostTensors<double>& t) {
  const Sizes size(dims);
  const auto x = t["x"], gamma = t["gamma"], beta = t["beta"], weight = t["weight"], y = t["y"];
  for (int p = 0; p < size.positions; ++p) {
    const auto row = x.subspan(p * size.hidden, size.hidden);
    double sum = 0.0, squares = 0.0;
    for (const double value : row) sum += value, squares += value * value;
    const double mean = sum / size.hidden;
    // In double the one-pass form loses (mean / sigma)^2 * 2^-53, which is nothing here. Never below 0.
    const double inv_std = 1.0 / std::sqrt(std::max(squares / size.hidden - mean * mean, 0.0) + 1e-5);
    for (int o = 0; o < size.outputs; ++o) {
      double scaled = 0.0, scale = 0.0, shift = 0.0;
      for (int h = 0; h < size.hidden; ++h) {
        const double w = weight[o * size.hidden + h];
        scaled += w * gamma[h] * row[h];
        scale += w * gamma[h];
        shift += w * beta[h];
      }
      y[p * size.outputs + o] = inv_std * scaled - inv_std * mean * scale + shift + t["bias"][o];
    }
  }
}

void layernorm_linear_cpu(const Dims& dims, HostTensors<float>& t) {
  const Sizes size(dims);
  const auto gamma = t["gamma"], beta = t["beta"], weight = t["weight"], bias = t["bias"], y = t["y"];
  const float hidden = static_cast<float>(size.hidden);
  std::vector<float> normalized(size.hidden);
  for (int p = 0; p < size.positions; ++p) {
    const auto row = t["x"].subspan(p * size.hidden, size.hidden);
    float sum = 0.0f, squares = 0.0f;
    for (const float value : row) sum += value;
    const float mean = sum / hidden;
    for (const float value : row) squares += (value - mean) * (value - mean);
    const float inv_std = 1.0f / std::sqrt(squares / hidden + 1e-5f);
    for (int h = 0; h < size.hidden; ++h) normalized[h] = (row[h] - mean) * inv_std * gamma[h] + beta[h];
    for (int o = 0; o < size.outputs; ++o) {
      float total = 0.0f;
      for (int h = 0; h < size.hidden; ++h) total += normalized[h] * weight[o * size.hidden + h];
      y[p * size.outputs + o] = total + bias[o];
    }
  }
}

workbook::Tolerance sum_tolerance() {
  return {
      [](const Dims& dims) { return 16.0 * 0x1p-24 * dims["H"]; }, 0.0,
      "16 H 2^-24: a float sum of H terms is off by up to H half-ulps (2^-24) of their size; mean, mean of "
      "squares and dot product are three such sums, and a normalised value is up to about 5 in size"};
}

std::string unfused_refuses(const Dims& dims) {
  return dims["H"] > 1024 ? "--unfused gives each element of a row a thread: H is at most 1024." : "";
}

std::string fused_block_refuses(const Dims& dims) {
  return dims["H"] > 1536 ? "--fused-block keeps eight rows in 48 KiB of shared memory: H is at most 1536."
                          : "";
}

/// --fused-tiled: tiles of 128 x 128 outputs, eight elements of H at a time; given.cuh has the constants.
double blocks(const Dims& dims) {
  return std::ceil(dims["B"] * dims["S"] / 128.0) * std::ceil(dims["O"] / 128.0);
}
/// Rows of x and weight once a block; gamma and beta by each of the 128 pairs of threads; shift and bias.
double tiled_reads(const Dims& dims) { return blocks(dims) * (4.0 * 128 * dims["H"] + 256 + 128); }
double results(const Dims& dims) { return 1.0 * dims["B"] * dims["S"] * dims["O"]; }
/// One before the loop, one a round, one after the statistics.
double tiled_barriers(const Dims& dims) { return blocks(dims) * (std::ceil(dims["H"] / 8.0) + 2); }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 22,
    .title = "LayerNorm + Linear",
    .part = "Part V: your kernel as an operator",
    .summary = "Normalise each row, then multiply by a weight matrix: in four launches, then in one",
    .tensors = {
        {.name = "x", .role = Role::input, .shape = {"B", "S", "H"}, .fill = normal(0.75, 1.5)},
        {.name = "gamma", .role = Role::input, .shape = {"H"}, .fill = normal(1.0, 0.5)},
        {.name = "beta", .role = Role::input, .shape = {"H"}, .fill = uniform(-0.5, 1.0)},
        {.name = "weight", .role = Role::input, .shape = {"O", "H"}, .fill = normal(0.0, 0.25)},
        {.name = "bias", .role = Role::input, .shape = {"O"}, .fill = uniform(-1.0, 1.0)},
        {.name = "normalized", .role = Role::intermediate, .shape = {"B", "S", "H"},
         .tolerance = sum_tolerance()},
        {.name = "weight_transposed", .role = Role::intermediate, .shape = {"H", "O"},
         .tolerance = exact("a transpose moves floats and rounds none")},
        {.name = "product", .role = Role::intermediate, .shape = {"B", "S", "O"},
         .tolerance = sum_tolerance()},
        {.name = "y", .role = Role::output, .shape = {"B", "S", "O"},
         .tolerance = sum_tolerance()},
    },
    .cases = {
        {.name = "teaching", .dims = {{"B", 4}, {"S", 4}, {"H", 8}, {"O", 16}}},
        {.name = "one of each", .dims = {{"B", 1}, {"S", 1}, {"H", 1}, {"O", 1}}},  // variance 0
        {.name = "a lane short of a warp", .dims = {{"B", 2}, {"S", 3}, {"H", 31}, {"O", 7}}},
        {.name = "a lane more than a warp", .dims = {{"B", 1}, {"S", 5}, {"H", 33}, {"O", 33}}},
        {.name = "many rows", .dims = {{"B", 3}, {"S", 11}, {"H", 10}, {"O", 70}}},
        {.name = "many outputs", .dims = {{"B", 1}, {"S", 2}, {"H", 12}, {"O", 1030}}},
        {.name = "several tiles", .dims = {{"B", 2}, {"S", 70}, {"H", 20}, {"O", 150}}},
        {.name = "long rows", .dims = {{"B", 1}, {"S", 2}, {"H", 1000}, {"O", 5}}},
        // Variance 1e-6, a tenth of epsilon: shows where epsilon was added.
        {.name = "tiny variance", .dims = {{"B", 2}, {"S", 2}, {"H", 40}, {"O", 9}},
         .fills = {{"x", normal(0.0, 1e-3)}}},
        // The mean is 4 sigma: E[x^2] - mean^2 subtracts 16 from 17 and loses 4 of the 24 bits of a float,
        // which the tolerance still allows. At 1000 sigma it would lose 20 and one pass would be wrong.
        {.name = "large mean", .dims = {{"B", 2}, {"S", 2}, {"H", 64}, {"O", 17}},
         .fills = {{"x", normal(4.0, 1.0)}}},
    },
    .large = {{"B", 2}, {"S", 33}, {"H", 200}, {"O", 300}},
    .bench = {{"B", 8}, {"S", 512}, {"H", 768}, {"O", 3072}},
    .reference = layernorm_linear_reference,
    .cross_check = layernorm_linear_algebraic,
    .cpu = layernorm_linear_cpu,
    .variants = {
        {.name = "unfused",
         .title = "UNFUSED",
         .summary = "Four launches and three tensors between them",
         .regions = {"layernorm"},
         .intermediates = {"normalized", "weight_transposed", "product"},
         .refuses = unfused_refuses},
        {.name = "fused",
         .title = "FUSED",
         .summary = "One launch, one thread a position: nothing stored in between",
         .regions = {"fused_statistics", "fused_outputs"}},
        {.name = "fused-block",
         .title = "FUSED (a block of 256 threads for eight positions)",
         .summary = "One launch, rows in shared memory, and warps that share the work",
         .regions = {"fused_block_rows", "fused_block_outputs"},
         .refuses = fused_block_refuses,
         .required = false},
        {.name = "fused-tiled",
         .title = "FUSED (tiles of 128 positions x 128 outputs)",
         .summary = "One launch, 8 x 8 results a thread, and the norm applied to the finished sums",
         .regions = {"tiled_store", "tiled_product", "tiled_loop", "tiled_statistics", "tiled_outputs"},
         .required = false,
         .budget = {.global_reads = tiled_reads, .global_writes = results, .launches = 1.0,
                    .barriers = tiled_barriers, .conflicts = 0.0}},
    },
};
// clang-format on
