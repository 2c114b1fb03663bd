// Puzzle 43, gated MLP: what it is and how it is checked. The interleaved matrix, uw, is an input beside u
// and w.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "tile.h"

using namespace workbook;

static_assert(kParts == 4, "the shapes of the parts' sums say so");

const Bound B = "B", O = "O", H = "H";

/// As it is written, with the tensors that travel between launches.
static void gated_mlp(const Dims& dims, HostTensors<double>& t) {
  const std::size_t rows = dims["B"], hidden = dims["H"], outputs = dims["O"];
  const auto x = t["x"], u = t["u"], w = t["w"], gate = t["gate"], up = t["up"], activated = t["activated"],
             y = t["y"], gates = t["gates"], ups = t["ups"];
  reference::matmul(x, u, gate, rows, outputs, hidden);
  reference::matmul(x, w, up, rows, outputs, hidden);
  reference::silu(gate, activated);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = activated[i] * up[i];
  std::fill(gates.begin(), gates.end(), 0.0);
  std::fill(ups.begin(), ups.end(), 0.0);
  const auto part_elements = static_cast<std::size_t>(part_size(static_cast<int>(hidden)));
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t h = 0; h < hidden; ++h) {
      const std::size_t first = (h / part_elements * rows + row) * outputs;
      for (std::size_t o = 0; o < outputs; ++o) {
        gates[first + o] += x[row * hidden + h] * u[h * outputs + o];
        ups[first + o] += x[row * hidden + h] * w[h * outputs + o];
      }
    }
}

/// From uw, output by output, both sums at once from the other end, and silu(a) = a / 2 (1 + tanh(a / 2)).
static void one_output_at_a_time(const Dims& dims, HostTensors<double>& t) {
  const std::size_t rows = dims["B"], hidden = dims["H"], outputs = dims["O"];
  const auto x = t["x"], uw = t["uw"], y = t["y"];
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t o = 0; o < outputs; ++o) {
      double gate = 0.0, up = 0.0;
      for (std::size_t h = hidden; h-- > 0;) {
        const std::size_t pair = 2 * (h * outputs + o);
        gate += x[row * hidden + h] * uw[pair];
        up += x[row * hidden + h] * uw[pair + 1];
      }
      y[row * outputs + o] = 0.5 * gate * (1.0 + std::tanh(0.5 * gate)) * up;
    }
}

static void plain_cpu(const Dims& dims, HostTensors<float>& t) {
  const std::size_t rows = dims["B"], hidden = dims["H"], outputs = dims["O"];
  const auto u = t["u"], w = t["w"], y = t["y"];
  std::vector<float> gate(outputs), up(outputs);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto x = t["x"].subspan(row * hidden, hidden);
    std::fill(gate.begin(), gate.end(), 0.0f);
    std::fill(up.begin(), up.end(), 0.0f);
    for (std::size_t h = 0; h < hidden; ++h)
      for (std::size_t o = 0; o < outputs; ++o) {
        gate[o] += x[h] * u[h * outputs + o];
        up[o] += x[h] * w[h * outputs + o];
      }
    for (std::size_t o = 0; o < outputs; ++o)
      y[row * outputs + o] = gate[o] / (1.0f + std::exp(-gate[o])) * up[o];
  }
}

constexpr double kWeight = 0.25;  // deviation of u and w
constexpr double kSteep = 16.0;   // of u, where gates pass 89 on either side

/// An element of u or of w, from a generator with a seed of its own, so that uw can hold the same. Large
/// matrices are only timed: there uniform numbers of the same deviation do, which are made faster.
static double element(Random& random, double deviation, std::size_t count) {
  const bool timed = count > (1u << 20);
  return deviation * (timed ? std::numbers::sqrt3 * (2.0 * random.uniform() - 1.0) : random.normal());
}
static Fill matrix(std::uint64_t seed, double deviation) {
  return from([=](const Dims&, std::span<double> values, Random&) {
    Random random(seed);
    for (double& value : values) value = element(random, deviation, values.size());
  });
}
static Fill u(double deviation = kWeight) { return matrix(43, deviation); }
static Fill uw(double deviation_of_u = kWeight) {
  return from([=](const Dims&, std::span<double> values, Random&) {
    Random u(43), w(44);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] =
          i % 2 == 0 ? element(u, deviation_of_u, values.size() / 2) : element(w, kWeight, values.size() / 2);
  });
}

const Bound results = B * O;
const Bound tile_rows = ceil(B / kTile);
const Bound tile_columns = ceil(O / kTile);
/// By the blocks of a product in tiles: x once for each tile of columns, a matrix once for each tile of rows.
const Bound x_reads = B * H * tile_columns;
const Bound matrix_reads = H * O * tile_rows;
/// Two a tile along h.
const Bound tile_barriers = tile_columns * tile_rows * 2 * ceil(H / kTile);
/// Of --interleaved: tiles over 2 O columns.
const Bound wide_columns = ceil(2 * O / kTile);

/// Blocks of --tensor along the columns of y, and along its rows.
const Bound block_columns = ceil(O / kColumns);
const Bound block_rows = ceil(B / kFragment);

const Tolerance kTolerance = {
    sqrt(H) * (0x1p-12 + 2 * H * 0x1p-24), 5 * 0x1p-11,
    "H^0.5 2^-12 + 2 H^1.5 2^-24 + 5 2^-11 |y|: up to four roundings to half, of which that of the gate counts 1.3 times where the gate is "
    "positive; where it is negative, half an ulp at most moves SiLU by a quarter of 2^-11, times the other sum, which stays below H^0.5; "
    "the roundings of each sum in float add up like a random walk, to H 2^-24, again times the other sum; tensor cores cut in place of rounding, "
    "which is up to twice as much, but once for 8 or 16 elements of h, which is less"};

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 43, .title = "Gated MLP", .part = "Part XIV: finding the fusion",
    .builds_on = {16, 22, 24, 41},
    .summary = "Two products of the same rows, SiLU and a product of the two, in one loop with two sums",
    .tasks = {{
        .tensors = {
            input("x", Type::f16, {"B", "H"}, normal(0.2, 1.0)),
            input("u", Type::f16, {"H", "O"}, u()),
            input("w", Type::f16, {"H", "O"}, matrix(44, kWeight)),
            input("uw", Type::f16, {"H", "2*O"}, uw()),
            intermediate("gate", Type::f16, {"B", "O"}),
            intermediate("up", Type::f16, {"B", "O"}),
            intermediate("activated", Type::f16, {"B", "O"},
                {0x1p-12 + 2 * H * 0x1p-24, 3 * 0x1p-11,
                 "2^-12 + 2 H 2^-24 + 3 2^-11 |activated|: the gate rounded to half, which counts 1.3 times where it is "
                 "positive, then SiLU of it rounded; the sum in float before"}),
            intermediate("gates", {"4", "B", "O"}),
            intermediate("ups", {"4", "B", "O"}),
            output("y", Type::f16, {"B", "O"}, kTolerance)},
        .cases = cases({"B", "H", "O"}, {
            {"teaching", {4, 8, 16}}, {"one of each", {1, 1, 1}}, {"full tiles", {16, 64, 32}},
            {"one short of two tiles", {31, 33, 31}}, {"one more than two tiles", {33, 31, 33}},
            {"many outputs", {3, 20, 1000}}, {"long rows", {5, 1000, 17}}, {"many rows", {1000, 11, 5}},
            {"a row", {1, 257, 48}},
            // A deviation of 100: on one side exp(gate) is infinite, on the other exp(-gate).
            {"steep gates", {7, 40, 20}, {{"u", u(kSteep)}, {"uw", uw(kSteep)}}}}),
        .large = {{"B", 40}, {"H", 330}, {"O", 200}}, .bench = {{"B", 8}, {"H", 4096}, {"O", 4096}},
        .reference = gated_mlp, .cross_check = one_output_at_a_time, .cpu = plain_cpu}},
    .variants = {
        {.name = "unfused", .title = "UNFUSED (two products, SiLU, a product)",
         .summary = "Four launches, and three tensors between them",
         .regions = {"silu", "activate", "multiply"}, .intermediates = {"gate", "up", "activated"},
         // The products; then one element for SiLU, and two to multiply.
         .budget = {.global_reads = 2 * x_reads + 2 * matrix_reads + 3 * results, .global_writes = 4 * results,
                    .launches = 4, .barriers = 2 * tile_barriers}},
        {.name = "epilogue", .title = "EPILOGUE (SiLU and product at the end of the second product)",
         .summary = "Two launches, and the gate between them",
         .regions = {"silu", "epilogue"}, .intermediates = {"gate"},
         .budget = {.global_reads = 2 * x_reads + 2 * matrix_reads + results, .global_writes = 2 * results,
                    .launches = 2, .barriers = 2 * tile_barriers}},
        {.name = "fused", .title = "FUSED (one loop, two sums)",
         .summary = "One launch: a tile of x meets a tile of each matrix",
         .regions = {"silu", "two_sums", "fused_result"},
         .budget = {.global_reads = x_reads + 2 * matrix_reads, .global_writes = results, .launches = 1,
                    .barriers = tile_barriers, .conflicts = 0}},
        {.name = "interleaved", .title = "INTERLEAVED (columns of u and w side by side)",
         .summary = "One launch of a plain product, whose neighbours exchange their sums at the end",
         .regions = {"silu", "interleaved_result"},
         .budget = {.global_reads = B * H * wide_columns + 2 * matrix_reads, .global_writes = results,
                    .launches = 1, .barriers = wide_columns * tile_rows * 2 * ceil(H / kTile), .conflicts = 0}},
        {.name = "split", .title = "SPLIT (four blocks a tile, then a launch that combines)",
         .summary = "Parts of both sums from four blocks; SiLU waits until they are added up",
         .regions = {"silu", "two_sums", "split_parts", "combine"}, .intermediates = {"gates", "ups"},
         .required = false,
         .budget = {.global_reads = x_reads + 2 * matrix_reads + 2 * kParts * results,
                    .global_writes = (2 * kParts + 1) * results, .launches = 2, .barriers = tile_barriers,
                    .conflicts = 0}},
        {.name = "tensor", .title = "TENSOR (tensor cores, a ring of stages a warp)",
         .summary = "One launch: a fragment of x meets a fragment of each matrix, eight warps share the steps along h",
         .regions = {"silu", "fragments", "ring", "tensor_result"}, .required = false,
         // x once for each block along the columns, u and w once for each along the rows; one barrier a block.
         .budget = {.global_reads = B * H * block_columns + 2 * H * O * block_rows, .global_writes = results,
                    .launches = 1, .barriers = block_columns * block_rows, .conflicts = 0}},
    },
    .tensor_program = "gated_mlp",
};
