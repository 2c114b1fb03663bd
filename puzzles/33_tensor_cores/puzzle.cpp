// Puzzle 33, Tensor cores: what it is and how it is checked. Three tasks, one for each type of the factors.
#include <workbook/puzzle.h>

#include "sizes.h"

using namespace workbook;

const Bound M = "M", N = "N", K = "K";

template <class T>
static void multiply(const Dims& dims, HostTensors<T>& t) {
  const auto a = t["a"], b = t["b"], c = t["c"];
  const std::size_t columns = dims["N"], inner = dims["K"];
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::size_t row = i / columns * inner, column = i % columns * inner;
    T sum = 0;
    for (std::size_t k = 0; k < inner; ++k) sum += a[row + k] * b[column + k];
    c[i] = sum;
  }
}

/// C as a sum of K matrices, each an outer product, the last first.
static void outer_products(const Dims& dims, HostTensors<double>& t) {
  const auto a = t["a"], b = t["b"], c = t["c"];
  const std::size_t rows = dims["M"], columns = dims["N"], inner = dims["K"];
  for (double& value : c) value = 0.0;
  for (std::size_t k = inner; k-- > 0;)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) c[i * columns + j] += a[i * inner + k] * b[j * inner + k];
}

/// Of sums in float. Tensor cores cut where a float rounds, which is twice as much, but for 8 or 16 terms at
/// a time.
const Tolerance kInFloat = {
    4.0 / 3.0 * K * sqrt(K) * 0x1p-24, K * 0x1p-24,
    "4/3 K^1.5 2^-24 + K 2^-24 |c|: products of factors of 11 bits are exact in float; each of K additions rounds the sum so far, which stays "
    "below 4/3 K^0.5 where signs differ, and below |c| where they do not. Tensor cores cut in place of rounding, which is "
    "twice as much, but once for 8 or 16 terms"};

const Tolerance kInTf32 = {
    1.5 * sqrt(K) * 0x1p-11 + 4.0 / 3.0 * K * sqrt(K) * 0x1p-24, K * 0x1p-24,
    "1.5 K^0.5 2^-11 + 4/3 K^1.5 2^-24 + K 2^-24 |c|: each factor is rounded to 11 bits, which moves a product by 0.18 2^-11 (one deviation); "
    "the errors of K products go either way and add up like a random walk, and 8 deviations of it are allowed; then the sums in float"};

static std::vector<Tensor> tensors(Type type, const Tolerance& tolerance) {
  return {input("a", type, {"M", "K"}, uniform(-1.0, 1.0)), input("b", type, {"N", "K"}, uniform(-1.0, 1.0)),
          output("c", {"M", "N"}, tolerance)};
}

static std::vector<Case> sizes() {
  return cases({"M", "N", "K"},
               {{"teaching", {kMmaRows, kMmaColumns, 16}},  // one instruction
                {"one element", {1, 1, 1}},
                {"one row", {1, 70, 33}},
                {"one column", {37, 1, 20}},
                {"one block", {kBlockRows, kBlockColumns, 64}},
                {"one less each way", {kBlockRows - 1, kBlockColumns - 1, 63}},
                {"one more each way", {kBlockRows + 1, kBlockColumns + 1, 65}},
                {"a ragged tile", {70, 100, 88}},
                {"several blocks", {150, 300, 200}},
                {"long sums", {70, 90, 520}},
                {"all positive", {20, 24, 264}, {{"a", uniform(0.0, 1.0)}, {"b", uniform(0.0, 1.0)}}}});
}

static Task task(std::string_view name, Type type, const Tolerance& tolerance) {
  return {.name = name,
          .tensors = tensors(type, tolerance),
          .cases = sizes(),
          .large = {{"M", 300}, {"N", 517}, {"K", 264}},
          .bench = {{"M", 4096}, {"N", 4096}, {"K", 4096}},
          .reference = multiply<double>,
          .cross_check = outer_products,
          .cpu = multiply<float>};
}

const Bound blocks = ceil(M / kBlockRows) * ceil(N / kBlockColumns);

/// `barriers` a step, of which each takes `step` elements of a row.
static Budget budget(int barriers, int step = kStep<std::uint16_t>) {
  return {.global_reads = blocks * K * (kBlockRows + kBlockColumns),
          .global_writes = M * N,
          .barriers = blocks * barriers * ceil(K / step),
          .conflicts = 0};
}

/// A warp's `requests` to shared memory in a step, on top of those that fill a stage: 16 bytes a lane, or an
/// element where rows do not begin at multiples of 16 bytes. Where the last step is not full, some lanes
/// store zeros.
static Budget loading(Budget budget, int requests, int step = kStep<std::uint16_t>) {
  constexpr int kWarps = kThreads / kWarpSize, kElements = kBlockRows + kBlockColumns;
  const int in_piece = step / kPieces, pieces = kElements * kPieces / kWarpSize;
  const Bound ragged = ceil(K % in_piece / in_piece), filling = pieces * (1 + ragged * (in_piece - 1));
  budget.shared_requests =
      blocks * (ceil(K / step) * (kWarps * requests + filling) + ceil(K % step / step) * pieces);
  return budget;
}

constexpr int kAcross = kWarpRows / kMmaRows, kDown = kWarpColumns / kMmaColumns;
/// Requests of a warp in a step: words one by one, or four at once.
constexpr int kByWord = kSlices * (kAcross * 4 + kDown * 2);

/// A ring has one barrier a step and one ahead of the first, and loads a slice beyond the last step. A warp
/// waits for its first step, and then for the part of each that nothing hides.
static Budget running_ahead(int step = kStep<std::uint16_t>) {
  const Bound ragged = ceil(K % (step / kPieces) / step), warps = blocks * (kThreads / kWarpSize);
  Budget ring = loading(budget(1, step), kByWord / 4, step);
  ring.barriers = *ring.barriers + blocks;
  ring.shared_requests = *ring.shared_requests + warps * (kByWord / 4 / kSlices);
  ring.memory_waits = warps * (ceil(K / step) / (kMostStages - 1) + 1) * (1 + ragged * 100);
  return ring;
}

/// A fragment of 16 x 16 sums goes through shared memory: two sums a lane and request, in and out.
static Budget storing_fragments(Budget budget) {
  *budget.shared_requests =
      *budget.shared_requests + blocks * (kBlockRows * kBlockColumns * 2 / (2 * kWarpSize));
  return budget;
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 33, .title = "Tensor cores", .part = "Part XI: tensor cores and clusters",
    .builds_on = {16, 24, 32},
    .summary = "A matrix product on the units that multiply whole tiles: by fragments, by the instruction itself, and fed so that they do not wait",
    .tasks = {task("half", Type::f16, kInFloat), task("bfloat16", Type::bf16, kInFloat), task("tf32", Type::f32, kInTf32)},
    .variants = {
        {.name = "tiled", .title = "TILED (the loop of Puzzle 16)",
         .summary = "One element a thread, a multiply-add at a time", .task = "half", .regions = {"loop"},
         .budget = {.global_reads = K * (M * ceil(N / kTile) + N * ceil(M / kTile)), .global_writes = M * N}},
        {.name = "wmma", .title = "WMMA (fragments)",
         .summary = "Tensor cores by CUDA's own fragments, whose lanes nobody knows", .task = "half",
         .regions = {"wmma_step"}, .budget = storing_fragments(loading(budget(2), kByWord))},
        {.name = "mma", .title = "MMA (the instruction, registers by hand)",
         .summary = "Each lane loads the words that the instruction wants of it, one by one", .task = "half",
         .regions = {"a_by_hand", "b_by_hand", "factors", "products", "result"}, .budget = loading(budget(2), kByWord)},
        {.name = "ldmatrix", .title = "LDMATRIX (four registers at once)",
         .summary = "The same registers, by one instruction in place of four loads", .task = "half",
         .regions = {"ldmatrix_a", "ldmatrix_b", "factors", "products", "result"}, .budget = loading(budget(2), kByWord / 4)},
        {.name = "pipelined", .title = "PIPELINED (a ring of three stages)",
         .summary = "Copies run two steps ahead of the products and loads one slice, from rows without padding", .task = "half",
         .regions = {"ldmatrix_a", "ldmatrix_b", "factors", "products", "result", "swizzle", "ring"},
         .budget = running_ahead()},
        {.name = "bf16", .title = "BF16 (the same for bfloat16)",
         .summary = "The range of a float in 16 bits, at the same speed", .task = "bfloat16",
         .regions = {"ldmatrix_a", "ldmatrix_b", "factors", "products", "result", "swizzle", "ring"}, .required = false,
         .budget = running_ahead()},
        {.name = "tf32", .title = "TF32 (the same for float)",
         .summary = "Floats rounded to 19 bits: twice the bytes, half the speed", .task = "tf32",
         .regions = {"ldmatrix_a", "ldmatrix_b", "factors", "products", "result", "swizzle", "ring", "tf32"}, .required = false,
         .budget = running_ahead(kStep<float>)}}};
