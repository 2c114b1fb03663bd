// Puzzle 42, LoRA + Linear: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tile.h"

namespace {

using namespace workbook;

struct Sizes {
  explicit Sizes(const Dims& dims)
      : rows(static_cast<std::size_t>(dims["B"])),
        hidden(static_cast<std::size_t>(dims["H"])),
        outputs(static_cast<std::size_t>(dims["O"])),
        rank(static_cast<std::size_t>(dims["R"])) {}
  std::size_t rows, hidden, outputs, rank;
};

/// As it is written: the layer, and beside it the adapter. With the tensors that travel between launches.
void lora_linear(const Dims& dims, HostTensors<double>& t) {
  const Sizes s(dims);
  const auto w = t["w"], base = t["base"], update = t["update"], merged = t["merged"], y = t["y"];
  reference::matmul(t["x"], w, base, s.rows, s.outputs, s.hidden);
  reference::matmul(t["x"], t["a"], t["low"], s.rows, s.rank, s.hidden);
  reference::matmul(t["low"], t["u"], update, s.rows, s.outputs, s.rank);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = base[i] + update[i];
  reference::matmul(t["a"], t["u"], merged, s.hidden, s.outputs, s.rank);
  for (std::size_t i = 0; i < merged.size(); ++i) merged[i] += w[i];
}

/// The adapter within the weights: each weight is made where it is used, and added up from the other end.
void adapter_within(const Dims& dims, HostTensors<double>& t) {
  const Sizes s(dims);
  const auto x = t["x"], w = t["w"], a = t["a"], u = t["u"], y = t["y"];
  std::fill(y.begin(), y.end(), 0.0);
  std::vector<double> weights(s.outputs);
  for (std::size_t h = s.hidden; h-- > 0;) {
    for (std::size_t o = 0; o < s.outputs; ++o) weights[o] = w[h * s.outputs + o];
    for (std::size_t r = s.rank; r-- > 0;)
      for (std::size_t o = 0; o < s.outputs; ++o) weights[o] += a[h * s.rank + r] * u[r * s.outputs + o];
    for (std::size_t row = 0; row < s.rows; ++row)
      for (std::size_t o = 0; o < s.outputs; ++o)
        y[row * s.outputs + o] += x[row * s.hidden + h] * weights[o];
  }
}

void plain_cpu(const Dims& dims, HostTensors<float>& t) {
  const Sizes s(dims);
  const auto w = t["w"], a = t["a"], u = t["u"];
  std::vector<float> low(s.rank);
  for (std::size_t row = 0; row < s.rows; ++row) {
    const auto x = t["x"].subspan(row * s.hidden, s.hidden);
    const auto y = t["y"].subspan(row * s.outputs, s.outputs);
    std::fill(low.begin(), low.end(), 0.0f);
    std::fill(y.begin(), y.end(), 0.0f);
    for (std::size_t h = 0; h < s.hidden; ++h) {
      for (std::size_t o = 0; o < s.outputs; ++o) y[o] += x[h] * w[h * s.outputs + o];
      for (std::size_t r = 0; r < s.rank; ++r) low[r] += x[h] * a[h * s.rank + r];
    }
    for (std::size_t r = 0; r < s.rank; ++r)
      for (std::size_t o = 0; o < s.outputs; ++o) y[o] += low[r] * u[r * s.outputs + o];
  }
}

double elements(const Dims& d) { return 1.0 * d["B"] * d["O"]; }
double tiles(double extent) { return std::ceil(extent / kTile); }
double blocks(const Dims& d) { return tiles(d["B"]) * tiles(d["O"]); }
/// By the blocks of a product in tiles: the left matrix once for each tile of columns, the right one once for
/// each tile of rows. Two barriers a tile along the index that is summed.
double product_reads(double rows, double inner, double columns) {
  return rows * inner * tiles(columns) + inner * columns * tiles(rows);
}
double product_barriers(double rows, double inner, double columns) {
  return tiles(rows) * tiles(columns) * 2.0 * tiles(inner);
}
double low_reads(const Dims& d) { return product_reads(d["B"], d["H"], d["R"]); }
double low_barriers(const Dims& d) { return product_barriers(d["B"], d["H"], d["R"]); }
/// x w; then u once for each tile of rows, and all of a by every block.
double one_launch_reads(const Dims& d) {
  return product_reads(d["B"], d["H"], d["O"]) + d["R"] * d["O"] * tiles(d["B"]) +
         blocks(d) * d["H"] * d["R"];
}

/// Blocks of --tensor along the columns of y, and along its rows.
double block_columns(const Dims& d) { return std::ceil(1.0 * d["O"] / kColumns); }
double block_rows(const Dims& d) { return std::ceil(1.0 * d["B"] / kFragment); }

std::string rank_beyond_a_tile(const Dims& d) {
  if (d["R"] <= kTile) return "";
  return "a block keeps a row of x a in one tile of " + std::to_string(kTile) + " columns, so R may be " +
         std::to_string(kTile) + " at most; --unfused, --two and --merged take any R";
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 42,
    .title = "LoRA + Linear",
    .part = "Part XIV: finding the fusion",
    .summary = "A layer and its low-rank adapter as one product over joined matrices, in one launch",
    .tensors = {
        {.name = "x", .type = Type::f16, .role = Role::input, .shape = {"B", "H"}, .fill = normal(0.5, 1.5)},
        {.name = "w", .type = Type::f16, .role = Role::input, .shape = {"H", "O"}, .fill = normal(0.0, 0.25)},
        {.name = "a", .type = Type::f16, .role = Role::input, .shape = {"H", "R"}, .fill = normal(0.0, 0.25)},
        {.name = "u", .type = Type::f16, .role = Role::input, .shape = {"R", "O"}, .fill = normal(0.0, 0.25)},
        {.name = "base", .type = Type::f16, .role = Role::intermediate, .shape = {"B", "O"}},
        {.name = "low", .type = Type::f16, .role = Role::intermediate, .shape = {"B", "R"}},
        {.name = "update", .type = Type::f16, .role = Role::intermediate, .shape = {"B", "O"}},
        {.name = "merged", .type = Type::f16, .role = Role::intermediate, .shape = {"H", "O"},
         .tolerance = Tolerance{[](const Dims& d) { return 0x1p-25 + std::sqrt(d["R"]) * d["R"] * 0x1p-26; }, 0x1p-11,
                                "R^1.5 2^-26 + 2^-25 + 2^-11 |merged|: R additions in float to a sum that stays below R^0.5 / 4; then one rounding to half"}},
        {.name = "y", .type = Type::f16, .role = Role::output, .shape = {"B", "O"},
         .tolerance = Tolerance{[](const Dims& d) { return std::sqrt(d["H"]) * (2.0 + std::sqrt(d["R"])) * (0x1p-11 + (d["H"] + d["R"]) * 0x1p-25); }, 0x1p-11,
                                "H^0.5 (2 + R^0.5) (2^-11 + (H + R) 2^-25) + 2^-11 |y|: x w stays below 2 H^0.5 and (x a) u below (H R)^0.5; each may be rounded to half before they are added (2^-11), after H + R additions in float; parts of x a may be, which is as much; tensor cores cut in place of rounding, which is up to twice as much, but once for 8 or 16 elements of h, which is less; then y is rounded"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"B", 4}, {"H", 8}, {"O", 16}, {"R", 2}}},
        {.name = "one of each", .dims = {{"B", 1}, {"H", 1}, {"O", 1}, {"R", 1}}},
        {.name = "full tiles", .dims = {{"B", 16}, {"H", 64}, {"O", 32}, {"R", 16}}},
        {.name = "one short of two tiles", .dims = {{"B", 31}, {"H", 33}, {"O", 31}, {"R", 15}}},
        {.name = "one more than two tiles", .dims = {{"B", 33}, {"H", 31}, {"O", 33}, {"R", 9}}},
        {.name = "many outputs", .dims = {{"B", 3}, {"H", 20}, {"O", 1000}, {"R", 5}}},
        {.name = "long rows", .dims = {{"B", 5}, {"H", 1000}, {"O", 17}, {"R", 12}}},
        {.name = "many rows", .dims = {{"B", 1000}, {"H", 11}, {"O", 5}, {"R", 3}}},
        {.name = "a row", .dims = {{"B", 1}, {"H", 257}, {"O", 48}, {"R", 16}}},
        {.name = "rank 1", .dims = {{"B", 9}, {"H", 24}, {"O", 21}, {"R", 1}}},
        {.name = "rank 31", .dims = {{"B", 7}, {"H", 20}, {"O", 18}, {"R", 31}}},
        {.name = "rank 33", .dims = {{"B", 18}, {"H", 31}, {"O", 20}, {"R", 33}}},
        {.name = "rank 1000", .dims = {{"B", 3}, {"H", 5}, {"O", 19}, {"R", 1000}}},
        // The adapter is nearly all of y.
        {.name = "tiny w", .dims = {{"B", 6}, {"H", 40}, {"O", 23}, {"R", 7}}, .fills = {{"w", normal(0.0, 1e-3)}}},
    },
    .large = {{"B", 40}, {"H", 330}, {"O", 200}, {"R", 13}},
    .bench = {{"B", 16}, {"H", 256}, {"O", 4096}, {"R", 16}},
    .reference = lora_linear,
    .cross_check = adapter_within,
    .cpu = plain_cpu,
    .variants = {
        {.name = "unfused",
         .title = "UNFUSED (three products and a sum)",
         .summary = "Four launches, and three tensors between them",
         .regions = {"add"},
         .intermediates = {"base", "low", "update"},
         .budget = {.global_reads = [](const Dims& d) { return product_reads(d["B"], d["H"], d["O"]) + low_reads(d) + product_reads(d["B"], d["R"], d["O"]) + 2.0 * elements(d); },
                    .global_writes = [](const Dims& d) { return 3.0 * elements(d) + 1.0 * d["B"] * d["R"]; },
                    .launches = 4}},
        {.name = "two",
         .title = "TWO (x a, then one product over joined matrices)",
         .summary = "Two launches: the sum of two products is one product, over x beside x a and w over u",
         .regions = {"joined"},
         .intermediates = {"low"},
         .budget = {.global_reads = [](const Dims& d) { return low_reads(d) + product_reads(d["B"], d["H"] + d["R"], d["O"]); },
                    .global_writes = [](const Dims& d) { return elements(d) + 1.0 * d["B"] * d["R"]; },
                    .launches = 2,
                    // Tiles that end at the seam are as good.
                    .barriers = [](const Dims& d) { return low_barriers(d) + product_barriers(d["B"], d["H"], d["O"]) + product_barriers(d["B"], d["R"], d["O"]); },
                    .conflicts = 0}},
        {.name = "fused",
         .title = "FUSED (x a in the same loop)",
         .summary = "One launch: x a grows beside x w in each block, and ends in the same sum",
         .regions = {"fused_loop", "fused_end"},
         .refuses = rank_beyond_a_tile,
         .budget = {.global_reads = one_launch_reads,
                    .global_writes = elements,
                    .launches = 1,
                    .barriers = [](const Dims& d) { return product_barriers(d["B"], d["H"], d["O"]) + blocks(d); },
                    .conflicts = 0}},
        {.name = "concat",
         .title = "CONCAT (two products on joined tiles)",
         .summary = "One launch: the joined product tile by tile, with a part of x a in each",
         .regions = {"concat"},
         .refuses = rank_beyond_a_tile,
         .budget = {.global_reads = one_launch_reads,
                    .global_writes = elements,
                    .launches = 1,
                    .barriers = [](const Dims& d) { return 1.5 * product_barriers(d["B"], d["H"], d["O"]); },
                    .conflicts = 0}},
        {.name = "merged",
         .title = "MERGED (the adapter added to the weights beforehand)",
         .summary = "w + a u is made once; then a call is one product, where nobody needs w without the adapter",
         .regions = {"merge"},
         .intermediates = {"merged"},
         .required = false,
         .budget = {.global_reads = [](const Dims& d) { return 1.0 * d["H"] * d["O"] * (1.0 + 2.0 * d["R"]) + product_reads(d["B"], d["H"], d["O"]); },
                    .global_writes = [](const Dims& d) { return 1.0 * d["H"] * d["O"] + elements(d); },
                    .launches = 2}},
        {.name = "tensor",
         .title = "TENSOR (tensor cores, x times w and a side by side)",
         .summary = "One launch: fragments of x meet w and a, eight warps share the steps along h, and the part of x a of each meets u",
         .regions = {"tensor_step", "tensor_update", "tensor_result"},
         .refuses = rank_beyond_a_tile,
         .required = false,
         // x once for each block along the columns, w and u once for each along the rows, a by every block; two barriers a block.
         .budget = {.global_reads = [](const Dims& d) { return 1.0 * d["B"] * d["H"] * block_columns(d) + (d["H"] + d["R"]) * d["O"] * block_rows(d) + 1.0 * d["H"] * d["R"] * block_columns(d) * block_rows(d); },
                    .global_writes = elements,
                    .launches = 1,
                    .barriers = [](const Dims& d) { return 2.0 * block_columns(d) * block_rows(d); },
                    .conflicts = 0}},
    },
    .tensor_program = "lora_linear",
};
// clang-format on
