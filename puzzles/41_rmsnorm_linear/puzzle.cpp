// Puzzle 41, RMSNorm + Linear: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tile.h"

using namespace workbook;

static_assert(kParts == 4, "the shapes of the parts' sums say so");

const Bound B = "B", O = "O", H = "H";

static void rmsnorm_linear(const Dims& dims, HostTensors<double>& t) {
  const std::size_t rows = dims["B"], hidden = dims["H"], outputs = dims["O"];
  const auto x = t["x"], g = t["g"], w = t["w"], products = t["products"], squares = t["squares"];
  reference::rmsnorm(x, g, t["normalized"], rows, hidden, 1e-5);
  reference::matmul(t["normalized"], w, t["y"], rows, outputs, hidden);
  std::fill(products.begin(), products.end(), 0.0);
  std::fill(squares.begin(), squares.end(), 0.0);
  const auto part_elements = static_cast<std::size_t>(part_size(static_cast<int>(hidden)));
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t h = 0; h < hidden; ++h) {
      const std::size_t at = h / part_elements * rows + row;
      const double value = x[row * hidden + h];
      squares[at] += value * value;
      for (std::size_t o = 0; o < outputs; ++o)
        products[at * outputs + o] += value * g[h] * w[h * outputs + o];
    }
}

/// The division behind the product, g with w in place of x, and added up from the other end.
static void divided_behind(const Dims& dims, HostTensors<double>& t) {
  const std::size_t rows = dims["B"], hidden = dims["H"], outputs = dims["O"];
  const auto x = t["x"], g = t["g"], w = t["w"], y = t["y"];
  for (std::size_t row = 0; row < rows; ++row) {
    const auto result = y.subspan(row * outputs, outputs);
    std::fill(result.begin(), result.end(), 0.0);
    double squares = 0.0;
    for (std::size_t h = hidden; h-- > 0;) {
      const double value = x[row * hidden + h];
      squares += value * value;
      for (std::size_t o = 0; o < outputs; ++o) result[o] += g[h] * w[h * outputs + o] * value;
    }
    const double rms = std::sqrt(squares / static_cast<double>(hidden) + 1e-5);
    for (double& value : result) value /= rms;
  }
}

static void plain_cpu(const Dims& dims, HostTensors<float>& t) {
  const std::size_t rows = dims["B"], hidden = dims["H"], outputs = dims["O"];
  const auto g = t["g"], w = t["w"], y = t["y"];
  std::vector<float> sums(outputs);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto x = t["x"].subspan(row * hidden, hidden);
    float squares = 0.0f;
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (std::size_t h = 0; h < hidden; ++h) {
      squares += x[h] * x[h];
      for (std::size_t o = 0; o < outputs; ++o) sums[o] += x[h] * g[h] * w[h * outputs + o];
    }
    const float scale = 1.0f / std::sqrt(squares / static_cast<float>(hidden) + 1e-5f);
    for (std::size_t o = 0; o < outputs; ++o) y[row * outputs + o] = sums[o] * scale;
  }
}

/// A row of zeros between rows that are not: epsilon alone is under the root.
static void with_a_row_of_zeros(const Dims& dims, std::span<double> values, Random& random) {
  const auto hidden = static_cast<std::size_t>(dims["H"]);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = i / hidden == 1 ? 0.0 : 0.5 + 1.5 * random.normal();
}

const Bound results = B * O;
const Bound tile_columns = ceil(O / kTile);
const Bound tile_rows = ceil(B / kTile);
/// By the blocks of a product in tiles: x once for each tile of columns, w once for each tile of rows.
const Bound x_reads = B * H * tile_columns;
const Bound w_reads = H * O * tile_rows;
/// Two a tile along h.
const Bound tile_barriers = tile_columns * tile_rows * 2 * ceil(H / kTile);
/// Blocks of --tensor, each with kTile rows and kWidth columns of y.
const Bound tensor_columns = ceil(O / kWidth);
const Bound tensor_blocks = tensor_columns * tile_rows;

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 41, .title = "RMSNorm + Linear", .part = "Part XIV: finding the fusion",
    .builds_on = {16, 22, 24, 39},
    .summary = "Normalise each row and multiply by a matrix in one launch: the division moves behind the sum",
    .tasks = {{
        .tensors = {
            input("x", Type::f16, {"B", "H"}, normal(0.5, 1.5)),
            input("g", Type::f16, {"H"}, normal(1.0, 0.5)),
            input("w", Type::f16, {"H", "O"}, normal(0.0, 0.25)),
            intermediate("normalized", Type::f16, {"B", "H"},
                {0x1p-25 + 4 * 0x1p-24 * (floor(H / 256) + 16), 0x1p-11,
                 "4 (H/256 + 16) 2^-24 + 2^-25 + 2^-11 |normalized|: a sum of H/256 squares a thread and its tree, in "
                 "float; then one rounding to half"}),
            intermediate("products", {"4", "B", "O"}),
            intermediate("squares", {"4", "B"}),
            output("y", Type::f16, {"B", "O"},
                {sqrt(H) * (0x1p-11 + H * 0x1p-24), 0x1p-11,
                 "H^0.5 2^-11 + H^1.5 2^-24 + 2^-11 |y|: the last is the rounding to half at the end; the first is that "
                 "of normalized where it is stored, or of x g in a fragment, H errors of 2^-11 at most times a gain and "
                 "a weight, which add up like a random walk; the second is H additions in float to a sum that stays "
                 "below H^0.5"})},
        .cases = cases({"B", "H", "O"}, {
            {"teaching", {4, 8, 16}}, {"one of each", {1, 1, 1}}, {"full tiles", {16, 64, 32}},
            {"one short of two tiles", {31, 33, 31}}, {"one more than two tiles", {33, 31, 33}},
            {"many outputs", {3, 20, 1000}}, {"long rows", {5, 1000, 17}}, {"many rows", {1000, 11, 5}},
            {"a row", {1, 257, 48}},
            // The mean of the squares is 1e-6, a tenth of epsilon: shows where epsilon was added.
            {"tiny x", {5, 40, 9}, {{"x", normal(0.0, 1e-3)}}},
            // Squares beyond 65504, where half ends.
            {"large x", {5, 72, 20}, {{"x", normal(0.0, 400.0)}}},
            {"a row of zeros", {3, 24, 17}, {{"x", from(with_a_row_of_zeros)}}}}),
        .large = {{"B", 40}, {"H", 330}, {"O", 200}}, .bench = {{"B", 16}, {"H", 4096}, {"O", 6144}},
        .reference = rmsnorm_linear, .cross_check = divided_behind, .cpu = plain_cpu}},
    .variants = {
        {.name = "unfused", .title = "UNFUSED (RMSNorm, then the product)",
         .summary = "Two launches, and the normalised rows between them",
         .regions = {"rmsnorm"}, .intermediates = {"normalized"},
         // x twice and g; then the product.
         .budget = {.global_reads = 3 * B * H + x_reads + w_reads, .global_writes = B * H + results, .launches = 2,
                    .barriers = B + tile_barriers}},
        {.name = "fused", .title = "FUSED (one thread an output)",
         .summary = "One launch, one loop, two sums: the division stands behind the product",
         .regions = {"fused"}, .budget = {.global_reads = 3 * results * H, .global_writes = results, .launches = 1}},
        {.name = "fused-tiled", .title = "FUSED (tiles; the squares on the way)",
         .summary = "The tiled product with the sum of squares taken from the tile on its way",
         .regions = {"tile_sums", "tiled_result"},
         .budget = {.global_reads = 2 * x_reads + w_reads, .global_writes = results, .launches = 1,
                    .barriers = tile_barriers, .conflicts = 0}},
        {.name = "split", .title = "SPLIT (four blocks a tile, then a launch that combines)",
         .summary = "Parts of both sums from four blocks, added up and divided by a second launch",
         .regions = {"tile_sums", "split_parts", "combine"}, .intermediates = {"products", "squares"},
         .required = false,
         .budget = {.global_reads = 2 * x_reads + w_reads + 2 * kParts * results,
                    .global_writes = (kParts + 1) * results + kParts * B, .launches = 2, .barriers = tile_barriers,
                    .conflicts = 0}},
        {.name = "tensor", .title = "TENSOR (fragments; a ring of copies a warp)",
         .summary = "One launch on tensor cores: the division stands behind the sums of all warps",
         .regions = {"tensor_squares", "tensor_multiply", "tensor_result"}, .required = false,
         // A block reads its rows of x, its columns of w, and g.
         .budget = {.global_reads = tensor_columns * B * H + tensor_blocks * H + w_reads, .global_writes = results,
                    .launches = 1, .barriers = tensor_blocks, .conflicts = 0}},
    },
    .tensor_program = "rmsnorm_linear",
};
