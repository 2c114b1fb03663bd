// Puzzle 39, LayerNorm + residual: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>

#include "sizes.h"

using namespace workbook;

const Bound H = "H", rows = "B*S", elements = "B*S*H";

static void layernorm_residual(const Dims& dims, HostTensors<double>& t) {
  const auto residual = t["residual"], out = t["out"];
  reference::layernorm(t["x"], t["gamma"], t["beta"], out, dims["B"] * dims["S"], dims["H"], 1e-5);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += residual[i];
}
/// With the tensor that travels between the two launches of --unfused.
static void layernorm_then_residual(const Dims& dims, HostTensors<double>& t) {
  layernorm_residual(dims, t);
  const auto residual = t["residual"], out = t["out"], normalized = t["normalized"];
  for (std::size_t i = 0; i < out.size(); ++i) normalized[i] = out[i] - residual[i];
}

/// The same by way of one pass over differences from the row's first element, a shifted
/// sum: mean = x[0] + E[d], variance = E[d^2] - E[d]^2. Added up from the other end.
static void by_differences(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], residual = t["residual"], gamma = t["gamma"], beta = t["beta"], out = t["out"];
  const std::size_t hidden = dims["H"];
  for (std::size_t first = 0; first < x.size(); first += hidden) {
    double sum = 0.0, squares = 0.0;
    for (std::size_t h = hidden; h-- > 1;) {
      const double difference = x[first + h] - x[first];
      sum += difference, squares += difference * difference;
    }
    const double mean = sum / static_cast<double>(hidden);
    const double variance = std::max(squares / static_cast<double>(hidden) - mean * mean, 0.0);
    for (std::size_t h = 0; h < hidden; ++h)
      out[first + h] = residual[first + h] + beta[h] +
                       gamma[h] * (x[first + h] - x[first] - mean) / std::sqrt(variance + 1e-5);
  }
}

static void plain_cpu(const Dims& dims, HostTensors<float>& t) {
  const auto gamma = t["gamma"], beta = t["beta"];
  const std::size_t hidden = dims["H"];
  for (std::size_t first = 0; first < t["x"].size(); first += hidden) {
    const auto x = t["x"].subspan(first, hidden), residual = t["residual"].subspan(first, hidden);
    const auto out = t["out"].subspan(first, hidden);
    const auto size = static_cast<float>(hidden);
    // Four sums side by side: one long sum of values far from 0 would round too often.
    float sums[4] = {}, squares = 0.0f;
    for (std::size_t h = 0; h < hidden; ++h) sums[h % 4] += x[h] - x[0];
    const float mean = x[0] + (sums[0] + sums[1] + sums[2] + sums[3]) / size;
    for (const float value : x) squares += (value - mean) * (value - mean);
    const float inv_std = 1.0f / std::sqrt(squares / size + 1e-5f);
    for (std::size_t h = 0; h < hidden; ++h)
      out[h] = (x[h] - mean) * inv_std * gamma[h] + beta[h] + residual[h];
  }
}

/// Roundings, of half an ulp each, on the way of a sum: a thread adds H/128 values at most, ten rounds of
/// shuffles follow, and a dozen operations to the result.
const Bound roundings = floor(H / 128) + 24;

static Tolerance tolerance(Type type) {
  if (type == Type::f16)
    return {
        16 * 0x1p-24 * roundings + 0x1p-25, 0x1p-11,
        "16 (H/128 + 24) 2^-24 + 2^-25 + 2^-11 |out|: the sums of a row in float, and one rounding to half at the end"};
  if (type == Type::bf16)
    return {
        16 * 0x1p-24 * roundings, 0x1p-8,
        "16 (H/128 + 24) 2^-24 + 2^-8 |out|: the sums of a row in float, and one rounding to bfloat16 at the end"};
  return {
      16 * 0x1p-24 * roundings, 4 * 0x1p-24 * roundings,
      "(H/128 + 24) 2^-24 (16 + 4 |out|): so many roundings of half an ulp lie on the way of a sum; a normalised "
      "value times gamma is up to about 16, and where the mean is far from 0 the residual is as well, so that |out| "
      "measures what the mean is rounded by; gamma is below 4"};
}

/// Rows of one value each, a multiple of 1/4: variance 0, and a mean that every way of adding up gives
/// exactly.
static void equal_rows(const Dims& dims, std::span<double> values, Random& random) {
  const std::size_t hidden = dims["H"];
  for (std::size_t first = 0; first < values.size(); first += hidden) {
    const double sign = random.uniform() < 0.5 ? -1.0 : 1.0;
    const double value = sign * 0.25 * static_cast<double>(random.integer(1, 2));
    for (std::size_t h = 0; h < hidden; ++h) values[first + h] = value;
  }
}

static Task task(std::string_view name, Type type) {
  // A float rounds a mean near 1000 by up to 2^-15, which a deviation of 1 leaves in the result. In float the
  // residual is as large, see tolerance(). A result in half near 1000 would show nothing at all, so there it
  // is 100.
  const Fill far = type == Type::f32 ? normal(1000.0, 1.0) : normal(100.0, 1.0);
  const Fill residual_far = type == Type::f32 ? far : normal(-0.5, 2.0);
  // clang-format off
  Task made = {
      .name = name,
      .tensors = {
          input("x", type, {"B", "S", "H"}, normal(0.75, 1.5)),
          input("residual", type, {"B", "S", "H"}, normal(-0.5, 2.0)),
          input("gamma", type, {"H"}, normal(1.0, 0.5)),
          input("beta", type, {"H"}, uniform(-0.5, 1.0)),
          output("out", type, {"B", "S", "H"}, tolerance(type))},
      .cases = cases({"B", "S", "H"}, {
          {"teaching", {1, 2, 128}},  // a vector of four floats a lane of one warp
          {"one element", {1, 1, 1}},  // variance 0
          {"a lane short of a warp", {2, 3, 31}}, {"a lane more than a warp", {1, 5, 33}},
          {"many rows", {3, 11, 40}}, {"a vector more than a warp's", {1, 3, 264}},
          {"an element more than a block", {2, 1, 257}}, {"long rows", {1, 3, 1000}},
          {"rows of the real length", {1, 2, 2560}},
          {"equal values", {2, 2, 72}, {{"x", from(equal_rows)}}},
          // Variance 1e-6, a tenth of epsilon: shows where epsilon was added.
          {"tiny variance", {2, 2, 40}, {{"x", normal(0.0, 1e-3)}}},
          // Squares of a million, in which a variance of 1 is the last of a float's bits.
          {"large mean", {2, 2, 1000}, {{"x", far}, {"residual", residual_far}}}}),
      .large = {{"B", 3}, {"S", 37}, {"H", 1000}}, .bench = {{"B", 1}, {"S", 2048}, {"H", 2560}},
      .reference = layernorm_residual, .cross_check = by_differences, .cpu = plain_cpu,
  };
  // clang-format on
  if (type == Type::f32) {
    made.tensors.push_back(
        intermediate("normalized", {"B", "S", "H"},
                     {4016 * 0x1p-24 * roundings, 0.0,
                      "4016 (H/128 + 24) 2^-24: as for out, with a mean of 1000 deviations"}));
    made.reference = layernorm_then_residual;
  }
  return made;
}

/// x once, the residual once, gamma and beta once a row.
const Budget kOnce = {
    .global_reads = 4 * elements, .global_writes = elements, .launches = 1, .barriers = rows};

/// x, residual, gamma, beta, the result and the row's first element, each a vector a lane: of 16 bytes where
/// they divide the row, else of one element. The first element once more where a block has two warps.
template <int kNeighbours>
static double vector_requests(const Dims& dims) {
  const int hidden = dims["H"], vectors = hidden % kNeighbours == 0 ? hidden / kNeighbours : hidden;
  return static_cast<double>(dims["B"]) * dims["S"] * (6 * ((vectors + kWarpSize - 1) / kWarpSize) + 1);
}

static Variant vector(std::string_view name, std::string_view task, std::string_view title,
                      std::string_view summary, bool required = true) {
  Budget budget = kOnce;
  // And the first element of the row by each thread, of which there is one for eight elements.
  budget.global_reads = *kOnce.global_reads + rows * kWarpSize * ceil(H / (8 * kWarpSize));
  budget.conflicts = 0;
  if (name != "scalar-f16")
    budget.global_requests = task == "float" ? Bound(vector_requests<4>) : Bound(vector_requests<8>);
  return {
      .name = name,
      .title = title,
      .summary = summary,
      .task = task,
      .regions = {"vector_load", "vector_statistics", "vector_store"},
      .refuses = {{H > kMaxHidden, "--vector keeps a row in the registers of one block: H is at most 8192."}},
      .required = required,
      .budget = budget};
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 39, .title = "LayerNorm + residual", .part = "Part XIII: fusion in practice",
    .builds_on = {22, 24},
    .summary = "Normalise each row and add the residual: a row is read once, in wide loads, and lives in registers",
    .tasks = {task("float", Type::f32), task("half", Type::f16), task("bfloat16", Type::bf16)},
    .variants = {
        {.name = "unfused", .title = "UNFUSED (LayerNorm, then the addition)",
         .summary = "Two launches, and a tensor between them",
         .task = "float", .regions = {"two_pass", "unfused"}, .intermediates = {"normalized"},
         // Three reads of x, gamma, beta; then two of the addition.
         .budget = {.global_reads = 7 * elements, .global_writes = 2 * elements, .launches = 2,
                    .barriers = 2 * rows}},
        {.name = "fused", .title = "FUSED (one launch)",
         .summary = "One launch, a block a row; x is read three times",
         .task = "float", .regions = {"two_pass", "fused"},
         .budget = {.global_reads = 6 * elements, .global_writes = elements, .launches = 1, .barriers = 2 * rows}},
        {.name = "welford", .title = "WELFORD (one pass, the row in registers)",
         .summary = "x is read once: mean and variance in one pass, the row in registers",
         .task = "float", .regions = {"welford_add", "welford_merge", "welford_row"},
         .refuses = {{H > kRowItems * kBlockSize,
                      "--welford keeps a row in the registers of 256 threads, 16 elements each: H is at most 4096."}},
         .budget = kOnce},
        vector("vector", "float", "VECTOR (four floats a load)", "Loads of 16 bytes, all of them before the first sum"),
        vector("vector-f16", "half", "VECTOR in half (eight halfs a load)", "The same kernel with half: statistics in float"),
        vector("scalar-f16", "half", "SCALAR in half (a load for each half)", "The same kernel with a load for each half: nothing to write, to compare with", false),
        vector("vector-bf16", "bfloat16", "VECTOR in bfloat16 (eight a load)", "The same kernel with bfloat16", false),
    },
};
