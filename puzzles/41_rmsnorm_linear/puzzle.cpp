// Puzzle 41, RMSNorm + Linear: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tile.h"

namespace {

using namespace workbook;

struct Sizes {
  explicit Sizes(const Dims& dims)
      : rows(static_cast<std::size_t>(dims["B"])),
        hidden(static_cast<std::size_t>(dims["H"])),
        outputs(static_cast<std::size_t>(dims["O"])) {}
  std::size_t rows, hidden, outputs;
};

/// As it is written: normalise, then multiply. With the tensors that travel between launches.
void rmsnorm_linear(const Dims& dims, HostTensors<double>& t) {
  const Sizes s(dims);
  const auto x = t["x"], g = t["g"], w = t["w"], products = t["products"], squares = t["squares"];
  reference::rmsnorm(x, g, t["normalized"], s.rows, s.hidden, 1e-5);
  reference::matmul(t["normalized"], w, t["y"], s.rows, s.outputs, s.hidden);
  std::fill(products.begin(), products.end(), 0.0);
  std::fill(squares.begin(), squares.end(), 0.0);
  const auto part_elements = static_cast<std::size_t>(part_size(static_cast<int>(s.hidden)));
  for (std::size_t row = 0; row < s.rows; ++row)
    for (std::size_t h = 0; h < s.hidden; ++h) {
      const std::size_t at = h / part_elements * s.rows + row;
      const double value = x[row * s.hidden + h];
      squares[at] += value * value;
      for (std::size_t o = 0; o < s.outputs; ++o)
        products[at * s.outputs + o] += value * g[h] * w[h * s.outputs + o];
    }
}

/// The division behind the product, g with w in place of x, and added up from the other end.
void divided_behind(const Dims& dims, HostTensors<double>& t) {
  const Sizes s(dims);
  const auto x = t["x"], g = t["g"], w = t["w"], y = t["y"];
  for (std::size_t row = 0; row < s.rows; ++row) {
    const auto result = y.subspan(row * s.outputs, s.outputs);
    std::fill(result.begin(), result.end(), 0.0);
    double squares = 0.0;
    for (std::size_t h = s.hidden; h-- > 0;) {
      const double value = x[row * s.hidden + h];
      squares += value * value;
      for (std::size_t o = 0; o < s.outputs; ++o) result[o] += g[h] * w[h * s.outputs + o] * value;
    }
    const double rms = std::sqrt(squares / static_cast<double>(s.hidden) + 1e-5);
    for (double& value : result) value /= rms;
  }
}

void plain_cpu(const Dims& dims, HostTensors<float>& t) {
  const Sizes s(dims);
  const auto g = t["g"], w = t["w"], y = t["y"];
  std::vector<float> sums(s.outputs);
  for (std::size_t row = 0; row < s.rows; ++row) {
    const auto x = t["x"].subspan(row * s.hidden, s.hidden);
    float squares = 0.0f;
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (std::size_t h = 0; h < s.hidden; ++h) {
      squares += x[h] * x[h];
      for (std::size_t o = 0; o < s.outputs; ++o) sums[o] += x[h] * g[h] * w[h * s.outputs + o];
    }
    const float scale = 1.0f / std::sqrt(squares / static_cast<float>(s.hidden) + 1e-5f);
    for (std::size_t o = 0; o < s.outputs; ++o) y[row * s.outputs + o] = sums[o] * scale;
  }
}

/// A row of zeros between rows that are not: epsilon alone is under the root.
void with_a_row_of_zeros(const Dims& dims, std::span<double> values, Random& random) {
  const auto hidden = static_cast<std::size_t>(dims["H"]);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = i / hidden == 1 ? 0.0 : 0.5 + 1.5 * random.normal();
}

double results(const Dims& d) { return 1.0 * d["B"] * d["O"]; }
double tile_columns(const Dims& d) { return std::ceil(1.0 * d["O"] / kTile); }
double tile_rows(const Dims& d) { return std::ceil(1.0 * d["B"] / kTile); }
/// By the blocks of a product in tiles: x once for each tile of columns, w once for each tile of rows.
double x_reads(const Dims& d) { return 1.0 * d["B"] * d["H"] * tile_columns(d); }
double w_reads(const Dims& d) { return 1.0 * d["H"] * d["O"] * tile_rows(d); }
/// Two a tile along h.
double tile_barriers(const Dims& d) {
  return tile_columns(d) * tile_rows(d) * 2.0 * std::ceil(1.0 * d["H"] / kTile);
}
/// Blocks of --tensor, each with kTile rows and kWidth columns of y.
double tensor_columns(const Dims& d) { return std::ceil(1.0 * d["O"] / kWidth); }
double tensor_blocks(const Dims& d) { return tensor_columns(d) * tile_rows(d); }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 41,
    .title = "RMSNorm + Linear",
    .part = "Part XIV: finding the fusion",
    .summary = "Normalise each row and multiply by a matrix in one launch: the division moves behind the sum",
    .tensors = {
        {.name = "x", .type = Type::f16, .role = Role::input, .shape = {"B", "H"}, .fill = normal(0.5, 1.5)},
        {.name = "g", .type = Type::f16, .role = Role::input, .shape = {"H"}, .fill = normal(1.0, 0.5)},
        {.name = "w", .type = Type::f16, .role = Role::input, .shape = {"H", "O"}, .fill = normal(0.0, 0.25)},
        {.name = "normalized", .type = Type::f16, .role = Role::intermediate, .shape = {"B", "H"},
         .tolerance = Tolerance{[](const Dims& d) { return 0x1p-25 + 4.0 * 0x1p-24 * (d["H"] / 256 + 16.0); }, 0x1p-11,
                                "4 (H/256 + 16) 2^-24 + 2^-25 + 2^-11 |normalized|: a sum of H/256 squares a thread and its tree, in float; then one rounding to half"}},
        {.name = "products", .role = Role::intermediate, .shape = {"4", "B", "O"}},
        {.name = "squares", .role = Role::intermediate, .shape = {"4", "B"}},
        {.name = "y", .type = Type::f16, .role = Role::output, .shape = {"B", "O"},
         .tolerance = Tolerance{[](const Dims& d) { return std::sqrt(d["H"]) * (0x1p-11 + d["H"] * 0x1p-24); }, 0x1p-11,
                                "H^0.5 2^-11 + H^1.5 2^-24 + 2^-11 |y|: the last is the rounding to half at the end; the first is that of normalized where it is stored, or of x g in a fragment, H errors of 2^-11 at most times a gain and a weight, which add up like a random walk; the second is H additions in float to a sum that stays below H^0.5"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"B", 4}, {"H", 8}, {"O", 16}}},
        {.name = "one of each", .dims = {{"B", 1}, {"H", 1}, {"O", 1}}},
        {.name = "full tiles", .dims = {{"B", 16}, {"H", 64}, {"O", 32}}},
        {.name = "one short of two tiles", .dims = {{"B", 31}, {"H", 33}, {"O", 31}}},
        {.name = "one more than two tiles", .dims = {{"B", 33}, {"H", 31}, {"O", 33}}},
        {.name = "many outputs", .dims = {{"B", 3}, {"H", 20}, {"O", 1000}}},
        {.name = "long rows", .dims = {{"B", 5}, {"H", 1000}, {"O", 17}}},
        {.name = "many rows", .dims = {{"B", 1000}, {"H", 11}, {"O", 5}}},
        {.name = "a row", .dims = {{"B", 1}, {"H", 257}, {"O", 48}}},
        // The mean of the squares is 1e-6, a tenth of epsilon: shows where epsilon was added.
        {.name = "tiny x", .dims = {{"B", 5}, {"H", 40}, {"O", 9}}, .fills = {{"x", normal(0.0, 1e-3)}}},
        // Squares beyond 65504, where half ends.
        {.name = "large x", .dims = {{"B", 5}, {"H", 72}, {"O", 20}}, .fills = {{"x", normal(0.0, 400.0)}}},
        {.name = "a row of zeros", .dims = {{"B", 3}, {"H", 24}, {"O", 17}}, .fills = {{"x", from(with_a_row_of_zeros)}}},
    },
    .large = {{"B", 40}, {"H", 330}, {"O", 200}},
    .bench = {{"B", 16}, {"H", 4096}, {"O", 6144}},
    .reference = rmsnorm_linear,
    .cross_check = divided_behind,
    .cpu = plain_cpu,
    .variants = {
        {.name = "unfused",
         .title = "UNFUSED (RMSNorm, then the product)",
         .summary = "Two launches, and the normalised rows between them",
         .regions = {"rmsnorm"},
         .intermediates = {"normalized"},
         // x twice and g; then the product.
         .budget = {.global_reads = [](const Dims& d) { return 3.0 * d["B"] * d["H"] + x_reads(d) + w_reads(d); },
                    .global_writes = [](const Dims& d) { return 1.0 * d["B"] * d["H"] + results(d); },
                    .launches = 2,
                    .barriers = [](const Dims& d) { return d["B"] + tile_barriers(d); }}},
        {.name = "fused",
         .title = "FUSED (one thread an output)",
         .summary = "One launch, one loop, two sums: the division stands behind the product",
         .regions = {"fused"},
         .budget = {.global_reads = [](const Dims& d) { return 3.0 * results(d) * d["H"]; },
                    .global_writes = results,
                    .launches = 1}},
        {.name = "fused-tiled",
         .title = "FUSED (tiles; the squares on the way)",
         .summary = "The tiled product with the sum of squares taken from the tile on its way",
         .regions = {"tile_sums", "tiled_result"},
         .budget = {.global_reads = [](const Dims& d) { return 2.0 * x_reads(d) + w_reads(d); },
                    .global_writes = results,
                    .launches = 1,
                    .barriers = tile_barriers,
                    .conflicts = 0}},
        {.name = "split",
         .title = "SPLIT (four blocks a tile, then a launch that combines)",
         .summary = "Parts of both sums from four blocks, added up and divided by a second launch",
         .regions = {"tile_sums", "split_parts", "combine"},
         .intermediates = {"products", "squares"},
         .required = false,
         .budget = {.global_reads = [](const Dims& d) { return 2.0 * x_reads(d) + w_reads(d) + 2.0 * kParts * results(d); },
                    .global_writes = [](const Dims& d) { return (kParts + 1.0) * results(d) + 1.0 * kParts * d["B"]; },
                    .launches = 2,
                    .barriers = tile_barriers,
                    .conflicts = 0}},
        {.name = "tensor",
         .title = "TENSOR (fragments; a ring of copies a warp)",
         .summary = "One launch on tensor cores: the division stands behind the sums of all warps",
         .regions = {"tensor_squares", "tensor_multiply", "tensor_result"},
         .required = false,
         // A block reads its rows of x, its columns of w, and g.
         .budget = {.global_reads = [](const Dims& d) { return tensor_columns(d) * d["B"] * d["H"] + tensor_blocks(d) * d["H"] + w_reads(d); },
                    .global_writes = results,
                    .launches = 1,
                    .barriers = tensor_blocks,
                    .conflicts = 0}},
    },
    .tensor_program = "rmsnorm_linear",
};
// clang-format on
