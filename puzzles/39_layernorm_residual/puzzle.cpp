// Puzzle 39, LayerNorm + residual: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace workbook;

void layernorm_residual(const Dims& dims, HostTensors<double>& t) {
  const auto rows = static_cast<std::size_t>(dims["B"]) * static_cast<std::size_t>(dims["S"]);
  const auto residual = t["residual"], out = t["out"];
  reference::layernorm(t["x"], t["gamma"], t["beta"], out, rows, static_cast<std::size_t>(dims["H"]), 1e-5);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += residual[i];
}
/// With the tensor that travels between the two launches of --unfused.
void layernorm_then_residual(const Dims& dims, HostTensors<double>& t) {
  layernorm_residual(dims, t);
  const auto residual = t["residual"], out = t["out"], normalized = t["normalized"];
  for (std::size_t i = 0; i < out.size(); ++i) normalized[i] = out[i] - residual[i];
}

/// The same by way of one pass over differences from the row's first element, a shifted
/// sum: mean = x[0] + E[d], variance = E[d^2] - E[d]^2. Added up from the other end.
void by_differences(const Dims& dims, HostTensors<double>& t) {
  const auto x = t["x"], residual = t["residual"], gamma = t["gamma"], beta = t["beta"], out = t["out"];
  const auto hidden = static_cast<std::size_t>(dims["H"]);
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

void plain_cpu(const Dims& dims, HostTensors<float>& t) {
  const auto gamma = t["gamma"], beta = t["beta"];
  const auto hidden = static_cast<std::size_t>(dims["H"]);
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
double roundings(const Dims& dims) { return dims["H"] / 128 + 24.0; }

Tolerance tolerance(Type type) {
  if (type == Type::f16)
    return {
        [](const Dims& dims) { return 16.0 * 0x1p-24 * roundings(dims) + 0x1p-25; }, 0x1p-11,
        "16 (H/128 + 24) 2^-24 + 2^-25 + 2^-11 |out|: the sums of a row in float, and one rounding to half at the end"};
  if (type == Type::bf16)
    return {
        [](const Dims& dims) { return 16.0 * 0x1p-24 * roundings(dims); }, 0x1p-8,
        "16 (H/128 + 24) 2^-24 + 2^-8 |out|: the sums of a row in float, and one rounding to bfloat16 at the end"};
  return {
      [](const Dims& dims) { return 16.0 * 0x1p-24 * roundings(dims); },
      [](const Dims& dims) { return 4.0 * 0x1p-24 * roundings(dims); },
      "(H/128 + 24) 2^-24 (16 + 4 |out|): so many roundings of half an ulp lie on the way of a sum; a normalised "
      "value times gamma is up to about 16, and where the mean is far from 0 the residual is as well, so that |out| "
      "measures what the mean is rounded by; gamma is below 4"};
}

/// Rows of one value each, a multiple of 1/4: variance 0, and a mean that every way of adding up gives
/// exactly.
void equal_rows(const Dims& dims, std::span<double> values, Random& random) {
  const auto hidden = static_cast<std::size_t>(dims["H"]);
  for (std::size_t first = 0; first < values.size(); first += hidden) {
    const double sign = random.uniform() < 0.5 ? -1.0 : 1.0;
    const double value = sign * 0.25 * static_cast<double>(random.integer(1, 2));
    for (std::size_t h = 0; h < hidden; ++h) values[first + h] = value;
  }
}

Task task(std::string_view name, Type type) {
  // A float rounds a mean near 1000 by up to 2^-15, which a deviation of 1 leaves in the result. In float the
  // residual is as large, see tolerance(). A result in half near 1000 would show nothing at all, so there it
  // is 100.
  const Fill far = type == Type::f32 ? normal(1000.0, 1.0) : normal(100.0, 1.0);
  const Fill residual_far = type == Type::f32 ? far : normal(-0.5, 2.0);
  // clang-format off
  Task made = {
      .name = name,
      .tensors = {
          {.name = "x", .type = type, .role = Role::input, .shape = {"B", "S", "H"}, .fill = normal(0.75, 1.5)},
          {.name = "residual", .type = type, .role = Role::input, .shape = {"B", "S", "H"}, .fill = normal(-0.5, 2.0)},
          {.name = "gamma", .type = type, .role = Role::input, .shape = {"H"}, .fill = normal(1.0, 0.5)},
          {.name = "beta", .type = type, .role = Role::input, .shape = {"H"}, .fill = uniform(-0.5, 1.0)},
          {.name = "out", .type = type, .role = Role::output, .shape = {"B", "S", "H"}, .tolerance = tolerance(type)},
      },
      .cases = {
          {.name = "teaching", .dims = {{"B", 1}, {"S", 2}, {"H", 128}}},  // a vector of four floats a lane of one warp
          {.name = "one element", .dims = {{"B", 1}, {"S", 1}, {"H", 1}}},  // variance 0
          {.name = "a lane short of a warp", .dims = {{"B", 2}, {"S", 3}, {"H", 31}}},
          {.name = "a lane more than a warp", .dims = {{"B", 1}, {"S", 5}, {"H", 33}}},
          {.name = "many rows", .dims = {{"B", 3}, {"S", 11}, {"H", 40}}},
          {.name = "a vector more than a warp's", .dims = {{"B", 1}, {"S", 3}, {"H", 264}}},
          {.name = "an element more than a block", .dims = {{"B", 2}, {"S", 1}, {"H", 257}}},
          {.name = "long rows", .dims = {{"B", 1}, {"S", 3}, {"H", 1000}}},
          {.name = "rows of the real length", .dims = {{"B", 1}, {"S", 2}, {"H", 2560}}},
          {.name = "equal values", .dims = {{"B", 2}, {"S", 2}, {"H", 72}}, .fills = {{"x", from(equal_rows)}}},
          // Variance 1e-6, a tenth of epsilon: shows where epsilon was added.
          {.name = "tiny variance", .dims = {{"B", 2}, {"S", 2}, {"H", 40}}, .fills = {{"x", normal(0.0, 1e-3)}}},
          // Squares of a million, in which a variance of 1 is the last of a float's bits.
          {.name = "large mean", .dims = {{"B", 2}, {"S", 2}, {"H", 1000}},
           .fills = {{"x", far}, {"residual", residual_far}}},
      },
      .large = {{"B", 3}, {"S", 37}, {"H", 1000}},
      .bench = {{"B", 1}, {"S", 2048}, {"H", 2560}},
      .reference = layernorm_residual,
      .cross_check = by_differences,
      .cpu = plain_cpu,
  };
  // clang-format on
  if (type == Type::f32) {
    made.tensors.push_back(
        {.name = "normalized",
         .role = Role::intermediate,
         .shape = {"B", "S", "H"},
         .tolerance = Tolerance{[](const Dims& dims) { return 4016.0 * 0x1p-24 * roundings(dims); }, 0.0,
                                "4016 (H/128 + 24) 2^-24: as for out, with a mean of 1000 deviations"}});
    made.reference = layernorm_then_residual;
  }
  return made;
}

std::string welford_refuses(const Dims& dims) {
  return dims["H"] > 4096
             ? "--welford keeps a row in the registers of 256 threads, 16 elements each: H is at most 4096."
             : "";
}
std::string vector_refuses(const Dims& dims) {
  return dims["H"] > 8192 ? "--vector keeps a row in the registers of one block: H is at most 8192." : "";
}

double elements(const Dims& dims) { return 1.0 * dims["B"] * dims["S"] * dims["H"]; }
double rows(const Dims& dims) { return 1.0 * dims["B"] * dims["S"]; }
/// x once, the residual once, gamma and beta once a row.
double once(const Dims& dims) { return 4.0 * elements(dims); }

Variant vector(std::string_view name, std::string_view task, std::string_view title, std::string_view summary,
               bool required = true) {
  return {
      .name = name,
      .title = title,
      .summary = summary,
      .task = task,
      .regions = {"vector_load", "vector_statistics", "vector_store"},
      .refuses = vector_refuses,
      .required = required,
      // `once`, and the first element of the row by each thread, of which there is one for eight elements.
      .budget = {
          .global_reads =
              [](const Dims& dims) { return once(dims) + rows(dims) * 32 * ((dims["H"] + 255) / 256); },
          .global_writes = elements,
          .launches = 1,
          .barriers = rows,
          .conflicts = 0}};
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 39,
    .title = "LayerNorm + residual",
    .part = "Part XIII: fusion in practice",
    .summary = "Normalise each row and add the residual: a row is read once, in wide loads, and lives in registers",
    .tasks = {task("float", Type::f32), task("half", Type::f16), task("bfloat16", Type::bf16)},
    .variants = {
        {.name = "unfused",
         .title = "UNFUSED (LayerNorm, then the addition)",
         .summary = "Two launches, and a tensor between them",
         .task = "float",
         .regions = {"two_pass", "unfused"},
         .intermediates = {"normalized"},
         // Three reads of x, gamma, beta; then two of the addition.
         .budget = {.global_reads = [](const Dims& dims) { return 7.0 * elements(dims); },
                    .global_writes = [](const Dims& dims) { return 2.0 * elements(dims); },
                    .launches = 2,
                    .barriers = [](const Dims& dims) { return 2.0 * rows(dims); }}},
        {.name = "fused",
         .title = "FUSED (one launch)",
         .summary = "One launch, a block a row; x is read three times",
         .task = "float",
         .regions = {"two_pass", "fused"},
         .budget = {.global_reads = [](const Dims& dims) { return 6.0 * elements(dims); },
                    .global_writes = elements,
                    .launches = 1,
                    .barriers = [](const Dims& dims) { return 2.0 * rows(dims); }}},
        {.name = "welford",
         .title = "WELFORD (one pass, the row in registers)",
         .summary = "x is read once: mean and variance in one pass, the row in registers",
         .task = "float",
         .regions = {"welford_add", "welford_merge", "welford_row"},
         .refuses = welford_refuses,
         .budget = {.global_reads = once,
                    .global_writes = elements,
                    .launches = 1,
                    .barriers = rows}},
        vector("vector", "float", "VECTOR (four floats a load)", "Loads of 16 bytes, all of them before the first sum"),
        vector("vector-f16", "half", "VECTOR in half (eight halfs a load)", "The same kernel with half: statistics in float"),
        vector("scalar-f16", "half", "SCALAR in half (a load for each half)", "The same kernel with a load for each half: nothing to write, to compare with", false),
        vector("vector-bf16", "bfloat16", "VECTOR in bfloat16 (eight a load)", "The same kernel with bfloat16", false),
    },
};
// clang-format on
