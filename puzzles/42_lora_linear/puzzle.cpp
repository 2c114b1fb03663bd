// Puzzle 42, LoRA + Linear: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tile.h"

using namespace workbook;

const Bound B = "B", O = "O", H = "H", R = "R";

/// As it is written: the layer, and beside it the adapter. With the tensors that travel between launches.
static void lora_linear(const Dims& dims, HostTensors<double>& t) {
  const std::size_t rows = dims["B"], hidden = dims["H"], outputs = dims["O"], rank = dims["R"];
  const auto w = t["w"], base = t["base"], update = t["update"], merged = t["merged"], y = t["y"];
  reference::matmul(t["x"], w, base, rows, outputs, hidden);
  reference::matmul(t["x"], t["a"], t["low"], rows, rank, hidden);
  reference::matmul(t["low"], t["u"], update, rows, outputs, rank);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = base[i] + update[i];
  reference::matmul(t["a"], t["u"], merged, hidden, outputs, rank);
  for (std::size_t i = 0; i < merged.size(); ++i) merged[i] += w[i];
}

/// The adapter within the weights: each weight is made where it is used, and added up from the other end.
static void adapter_within(const Dims& dims, HostTensors<double>& t) {
  const std::size_t rows = dims["B"], hidden = dims["H"], outputs = dims["O"], rank = dims["R"];
  const auto x = t["x"], w = t["w"], a = t["a"], u = t["u"], y = t["y"];
  std::fill(y.begin(), y.end(), 0.0);
  std::vector<double> weights(outputs);
  for (std::size_t h = hidden; h-- > 0;) {
    for (std::size_t o = 0; o < outputs; ++o) weights[o] = w[h * outputs + o];
    for (std::size_t r = rank; r-- > 0;)
      for (std::size_t o = 0; o < outputs; ++o) weights[o] += a[h * rank + r] * u[r * outputs + o];
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t o = 0; o < outputs; ++o) y[row * outputs + o] += x[row * hidden + h] * weights[o];
  }
}

static void plain_cpu(const Dims& dims, HostTensors<float>& t) {
  const std::size_t rows = dims["B"], hidden = dims["H"], outputs = dims["O"], rank = dims["R"];
  const auto w = t["w"], a = t["a"], u = t["u"];
  std::vector<float> low(rank);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto x = t["x"].subspan(row * hidden, hidden);
    const auto y = t["y"].subspan(row * outputs, outputs);
    std::fill(low.begin(), low.end(), 0.0f);
    std::fill(y.begin(), y.end(), 0.0f);
    for (std::size_t h = 0; h < hidden; ++h) {
      for (std::size_t o = 0; o < outputs; ++o) y[o] += x[h] * w[h * outputs + o];
      for (std::size_t r = 0; r < rank; ++r) low[r] += x[h] * a[h * rank + r];
    }
    for (std::size_t r = 0; r < rank; ++r)
      for (std::size_t o = 0; o < outputs; ++o) y[o] += low[r] * u[r * outputs + o];
  }
}

const Bound elements = B * O;
static Bound tiles(const Bound& extent) { return ceil(extent / kTile); }
const Bound blocks = tiles(B) * tiles(O);
/// By the blocks of a product in tiles: the left matrix once for each tile of columns, the right one once for
/// each tile of rows. Two barriers a tile along the index that is summed.
static Bound product_reads(const Bound& rows, const Bound& inner, const Bound& columns) {
  return rows * inner * tiles(columns) + inner * columns * tiles(rows);
}
static Bound product_barriers(const Bound& rows, const Bound& inner, const Bound& columns) {
  return tiles(rows) * tiles(columns) * 2 * tiles(inner);
}
const Bound low_reads = product_reads(B, H, R);
const Bound low_barriers = product_barriers(B, H, R);
/// x w; then u once for each tile of rows, and all of a by every block.
const Bound one_launch_reads = product_reads(B, H, O) + R * O * tiles(B) + blocks * H * R;

/// Blocks of --tensor along the columns of y, and along its rows.
const Bound block_columns = ceil(O / kColumns);
const Bound block_rows = ceil(B / kFragment);

const std::vector<Refusal> kRankBeyondATile = {
    {R > kTile, "a block keeps a row of x a in one tile of " + std::to_string(kTile) +
                    " columns, so R may be " + std::to_string(kTile) +
                    " at most; --unfused, --two and --merged take any R"}};

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 42, .title = "LoRA + Linear", .part = "Part XIV: finding the fusion",
    .builds_on = {16, 22, 41},
    .summary = "A layer and its low-rank adapter as one product over joined matrices, in one launch",
    .tasks = {{
        .tensors = {
            input("x", Type::f16, {"B", "H"}, normal(0.5, 1.5)),
            input("w", Type::f16, {"H", "O"}, normal(0.0, 0.25)),
            input("a", Type::f16, {"H", "R"}, normal(0.0, 0.25)),
            input("u", Type::f16, {"R", "O"}, normal(0.0, 0.25)),
            intermediate("base", Type::f16, {"B", "O"}),
            intermediate("low", Type::f16, {"B", "R"}),
            intermediate("update", Type::f16, {"B", "O"}),
            intermediate("merged", Type::f16, {"H", "O"},
                {0x1p-25 + sqrt(R) * R * 0x1p-26, 0x1p-11,
                 "R^1.5 2^-26 + 2^-25 + 2^-11 |merged|: R additions in float to a sum that stays below R^0.5 / 4; then "
                 "one rounding to half"}),
            output("y", Type::f16, {"B", "O"},
                {sqrt(H) * (2 + sqrt(R)) * (0x1p-11 + (H + R) * 0x1p-25), 0x1p-11,
                 "H^0.5 (2 + R^0.5) (2^-11 + (H + R) 2^-25) + 2^-11 |y|: x w stays below 2 H^0.5 and (x a) u below (H "
                 "R)^0.5; each may be rounded to half before they are added (2^-11), after H + R additions in float; "
                 "parts of x a may be, which is as much; tensor cores cut in place of rounding, which is up to twice as "
                 "much, but once for 8 or 16 elements of h, which is less; then y is rounded"})},
        .cases = cases({"B", "H", "O", "R"}, {
            {"teaching", {4, 8, 16, 2}}, {"one of each", {1, 1, 1, 1}}, {"full tiles", {16, 64, 32, 16}},
            {"one short of two tiles", {31, 33, 31, 15}}, {"one more than two tiles", {33, 31, 33, 9}},
            {"many outputs", {3, 20, 1000, 5}}, {"long rows", {5, 1000, 17, 12}},
            {"many rows", {1000, 11, 5, 3}}, {"a row", {1, 257, 48, 16}}, {"rank 1", {9, 24, 21, 1}},
            {"rank 31", {7, 20, 18, 31}}, {"rank 33", {18, 31, 20, 33}}, {"rank 1000", {3, 5, 19, 1000}},
            // The adapter is nearly all of y.
            {"tiny w", {6, 40, 23, 7}, {{"w", normal(0.0, 1e-3)}}}}),
        .large = {{"B", 40}, {"H", 330}, {"O", 200}, {"R", 13}},
        .bench = {{"B", 16}, {"H", 256}, {"O", 4096}, {"R", 16}},
        .reference = lora_linear, .cross_check = adapter_within, .cpu = plain_cpu}},
    .variants = {
        {.name = "unfused", .title = "UNFUSED (three products and a sum)",
         .summary = "Four launches, and three tensors between them",
         .regions = {"add"}, .intermediates = {"base", "low", "update"},
         .budget = {.global_reads = product_reads(B, H, O) + low_reads + product_reads(B, R, O) + 2 * elements,
                    .global_writes = 3 * elements + B * R, .launches = 4}},
        {.name = "two", .title = "TWO (x a, then one product over joined matrices)",
         .summary = "Two launches: the sum of two products is one product, over x beside x a and w over u",
         .regions = {"joined"}, .intermediates = {"low"},
         .budget = {.global_reads = low_reads + product_reads(B, H + R, O),
                    .global_writes = elements + B * R,
                    .launches = 2,
                    // Tiles that end at the seam are as good.
                    .barriers = low_barriers + product_barriers(B, H, O) + product_barriers(B, R, O),
                    .conflicts = 0}},
        {.name = "fused", .title = "FUSED (x a in the same loop)",
         .summary = "One launch: x a grows beside x w in each block, and ends in the same sum",
         .regions = {"fused_loop", "fused_end"}, .refuses = kRankBeyondATile,
         .budget = {.global_reads = one_launch_reads, .global_writes = elements, .launches = 1,
                    .barriers = product_barriers(B, H, O) + blocks, .conflicts = 0}},
        {.name = "concat", .title = "CONCAT (two products on joined tiles)",
         .summary = "One launch: the joined product tile by tile, with a part of x a in each",
         .regions = {"concat"}, .refuses = kRankBeyondATile,
         .budget = {.global_reads = one_launch_reads, .global_writes = elements, .launches = 1,
                    .barriers = 1.5 * product_barriers(B, H, O), .conflicts = 0}},
        {.name = "merged", .title = "MERGED (the adapter added to the weights beforehand)",
         .summary = "w + a u is made once; then a call is one product, where nobody needs w without the adapter",
         .regions = {"merge"}, .intermediates = {"merged"}, .required = false,
         .budget = {.global_reads = H * O * (1 + 2 * R) + product_reads(B, H, O),
                    .global_writes = H * O + elements, .launches = 2}},
        {.name = "tensor", .title = "TENSOR (tensor cores, x times w and a side by side)",
         .summary = "One launch: fragments of x meet w and a, eight warps share the steps along h, and the part of x a of each meets u",
         .regions = {"tensor_step", "tensor_update", "tensor_result"}, .refuses = kRankBeyondATile, .required = false,
         // x once for each block along the columns, w and u once for each along the rows, a by every block; two barriers a block.
         .budget = {.global_reads = B * H * block_columns + (H + R) * O * block_rows + H * R * block_columns * block_rows,
                    .global_writes = elements, .launches = 1, .barriers = 2 * block_columns * block_rows,
                    .conflicts = 0}},
    },
    .tensor_program = "lora_linear",
};
