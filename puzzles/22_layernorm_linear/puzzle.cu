// Puzzle 22, LayerNorm + Linear: what it is, how it is checked, and the launches of its three variants.
#include <workbook/puzzle.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Dims;
using workbook::HostTensors;
using workbook::Run;

/// The tensors as kernels see them: B*S rows of `hidden` floats in, of `outputs` floats out.
struct Sizes {
  int positions, hidden, outputs;
  explicit Sizes(const Dims& dims)
      : positions(dims["B"] * dims["S"]), hidden(dims["H"]), outputs(dims["O"]) {}
  explicit Sizes(const Run& run)
      : positions(run.dim("B") * run.dim("S")), hidden(run.dim("H")), outputs(run.dim("O")) {}
};

int ceil_div(int a, int b) { return (a + b - 1) / b; }

// ---- The answer, in double -------------------------------------------------------------------------

/// product [B,S,O] = normalized W^T and y = product + b; the weight transposed on the way.
void linear_reference(const Sizes& size, HostTensors<double>& t) {
  const auto normalized = t["normalized"], weight = t["weight"], bias = t["bias"];
  const auto product = t["product"], y = t["y"], transposed = t["weight_transposed"];
  for (int o = 0; o < size.outputs; ++o)
    for (int h = 0; h < size.hidden; ++h) transposed[h * size.outputs + o] = weight[o * size.hidden + h];
  for (int p = 0; p < size.positions; ++p)
    for (int o = 0; o < size.outputs; ++o) {
      double sum = 0.0;
      for (int h = 0; h < size.hidden; ++h)
        sum += normalized[p * size.hidden + h] * weight[o * size.hidden + h];
      product[p * size.outputs + o] = sum;
      y[p * size.outputs + o] = sum + bias[o];
    }
}

void layernorm_linear_reference(const Dims& dims, HostTensors<double>& t) {
  const Sizes size(dims);
  const auto x = t["x"], gamma = t["gamma"], beta = t["beta"], normalized = t["normalized"];
  for (int p = 0; p < size.positions; ++p) {
    const auto row = x.subspan(p * size.hidden, size.hidden);
    double mean = 0.0, variance = 0.0;
    for (const double value : row) mean += value / size.hidden;
    for (const double value : row) variance += (value - mean) * (value - mean) / size.hidden;
    const double inv_std = 1.0 / std::sqrt(variance + 1e-5);
    for (int h = 0; h < size.hidden; ++h)
      normalized[p * size.hidden + h] = (row[h] - mean) * inv_std * gamma[h] + beta[h];
  }
  linear_reference(size, t);
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

// ---- Plausible wrong answers, for the diagnosis ----------------------------------------------------

enum class Slip {
  no_gamma,
  no_beta,
  shift_before_scale,
  gamma_beta_swapped,
  mean_not_subtracted,
  variance_keeps_mean,
  sum_not_divided,
  squares_not_divided,
  sample_variance,
  epsilon_outside_root,
  no_epsilon,
  root_forgotten,
  multiplied_by_deviation,
  row_of_batch,
  first_warp_only,
  lanes_not_added,
  weight_transposed,
  no_bias,
  bias_at_every_step,
  total_not_reset,
  outputs_not_added,
};

/// The statistics of a row, or of the part of it that `lane` of a warp sees, with the slip made.
void slipped_statistics(Slip slip, std::span<double> row, int lane, double& mean, double& inv_std) {
  const int step = slip == Slip::lanes_not_added ? kWarpSize : 1;
  const double hidden = static_cast<double>(row.size());
  if (slip == Slip::first_warp_only) row = row.first(std::min<std::size_t>(row.size(), kWarpSize));
  double sum = 0.0, squares = 0.0, centred = 0.0;
  const std::size_t first = slip == Slip::lanes_not_added ? lane : 0;
  for (std::size_t h = first; h < row.size(); h += step) sum += row[h], squares += row[h] * row[h];
  mean = slip == Slip::sum_not_divided ? sum : sum / hidden;
  for (std::size_t h = first; h < row.size(); h += step) centred += (row[h] - mean) * (row[h] - mean);
  double variance = centred / hidden;
  if (slip == Slip::sum_not_divided || slip == Slip::first_warp_only)
    variance = squares / hidden - mean * mean;
  if (slip == Slip::squares_not_divided) variance = squares - mean * mean;
  if (slip == Slip::variance_keeps_mean) variance = squares / hidden;
  if (slip == Slip::sample_variance) variance = centred / (hidden - 1.0);
  inv_std = 1.0 / std::sqrt(variance + (slip == Slip::no_epsilon ? 0.0 : 1e-5));
  if (slip == Slip::epsilon_outside_root) inv_std = 1.0 / (std::sqrt(variance) + 1e-5);
  if (slip == Slip::root_forgotten) inv_std = inv_std * inv_std;
  if (slip == Slip::multiplied_by_deviation) inv_std = 1.0 / inv_std;
}

double slipped_normalized(Slip slip, double x, double mean, double inv_std, double gamma, double beta) {
  const double centred = (slip == Slip::mean_not_subtracted ? x : x - mean) * inv_std;
  if (slip == Slip::no_gamma) return centred + beta;
  if (slip == Slip::no_beta) return centred * gamma;
  if (slip == Slip::shift_before_scale) return (centred + beta) * gamma;
  if (slip == Slip::gamma_beta_swapped) return centred * beta + gamma;
  return centred * gamma + beta;
}

double slipped_output(Slip slip, const Sizes& size, HostTensors<double>& t, int p, int o) {
  const auto normalized = t["normalized"], weight = t["weight"];
  int first = 0, step = 1;
  if (slip == Slip::outputs_not_added) {  // what the lane that stores this output has by itself
    first = p % kRowsPerBlock * kOutputsPerWarp + o % kOutputsPerWarp;
    step = kWarpSize;
  }
  double sum = 0.0;
  for (int h = first; h < size.hidden; h += step)
    sum += normalized[p * size.hidden + h] *
           weight[slip == Slip::weight_transposed ? h * size.outputs + o : o * size.hidden + h];
  return sum;
}

/// What comes out when exactly one slip is made.
void layernorm_linear_slipped(Slip slip, const Dims& dims, HostTensors<double>& t) {
  const Sizes size(dims);
  const auto gamma = t["gamma"], beta = t["beta"], bias = t["bias"];
  layernorm_linear_reference(dims, t);  // the tensors that the slip does not touch
  for (int p = 0; p < size.positions; ++p) {
    const int of_row = slip == Slip::row_of_batch ? p / dims["S"] : p;
    const auto row = t["x"].subspan(of_row * size.hidden, size.hidden);
    double mean = 0.0, inv_std = 0.0;
    for (int h = 0; h < size.hidden; ++h) {
      if (h == 0 || slip == Slip::lanes_not_added)
        slipped_statistics(slip, row, h % kWarpSize, mean, inv_std);
      t["normalized"][p * size.hidden + h] =
          slipped_normalized(slip, row[h], mean, inv_std, gamma[h], beta[h]);
    }
    double sum = 0.0;
    for (int o = 0; o < size.outputs; ++o) {
      sum = slipped_output(slip, size, t, p, o) + (slip == Slip::total_not_reset ? sum : 0.0);
      const double times = slip == Slip::no_bias ? 0.0 : slip == Slip::bias_at_every_step ? size.hidden : 1.0;
      t["product"][p * size.outputs + o] = sum;
      t["y"][p * size.outputs + o] = sum + times * bias[o];
    }
  }
}

template <Slip slip>
void suspect(const Dims& dims, HostTensors<double>& t) {
  layernorm_linear_slipped(slip, dims, t);
}

// ---- The launches ----------------------------------------------------------------------------------

void run_unfused(Run& run) {
  const Sizes size(run);
  if (size.hidden > 1024)
    throw std::invalid_argument("--unfused gives each element of a row a thread: H is at most 1024");
  float* normalized = run.tensor("normalized");
  float* transposed = run.tensor("weight_transposed");
  float* product = run.tensor("product");
  const double elements = static_cast<double>(size.positions) * size.hidden;
  const double results = static_cast<double>(size.positions) * size.outputs;

  run.launch({.kernel = "layernorm_kernel", .flops = elements * (3.0 * size.hidden + 10.0)}, [&] {
    const dim3 grid(run.dim("B"), run.dim("S"));
    layernorm_kernel<<<grid, size.hidden, 0, run.stream()>>>(normalized, run.tensor("x"), run.tensor("gamma"),
                                                             run.tensor("beta"), size.positions, size.hidden);
  });
  run.launch({.kernel = "transpose_kernel"}, [&] {
    const dim3 grid(ceil_div(size.hidden, kTransposeTile), ceil_div(size.outputs, kTransposeTile));
    const dim3 block(kTransposeTile, kTransposeRows);
    transpose_kernel<<<grid, block, 0, run.stream()>>>(transposed, run.tensor("weight"), size.outputs,
                                                       size.hidden);
  });
  run.launch({.kernel = "matmul_tiled_kernel", .flops = 2.0 * results * size.hidden}, [&] {
    const dim3 grid(ceil_div(size.outputs, kMatmulTile), ceil_div(size.positions, kMatmulTile));
    const dim3 block(kMatmulTile, kMatmulTile);
    matmul_tiled_kernel<<<grid, block, 0, run.stream()>>>(product, normalized, transposed, size.positions,
                                                          size.outputs, size.hidden);
  });
  run.launch({.kernel = "add_bias_kernel", .flops = results}, [&] {
    const dim3 grid(size.positions, ceil_div(size.outputs, kBiasThreads));
    add_bias_kernel<<<grid, kBiasThreads, 0, run.stream()>>>(run.tensor("y"), product, run.tensor("bias"),
                                                             size.positions, size.outputs);
  });
}

void run_fused(Run& run) {
  const Sizes size(run);
  const double row_flops = 3.0 * size.hidden + 6.0;
  const double output_flops = 6.0 * size.hidden + 1.0;  // each element is normalised again for each output
  run.launch(
      {.kernel = "minimal_fused_kernel", .flops = size.positions * (row_flops + size.outputs * output_flops)},
      [&] {
        const dim3 grid(run.dim("B"), run.dim("S"));
        minimal_fused_kernel<<<grid, 1, 0, run.stream()>>>(
            run.tensor("y"), run.tensor("x"), run.tensor("gamma"), run.tensor("beta"), run.tensor("weight"),
            run.tensor("bias"), size.positions, size.hidden, size.outputs);
      });
}

void run_fused_block(Run& run) {
  const Sizes size(run);
  const std::size_t shared_bytes = sizeof(float) * kRowsPerBlock * size.hidden;
  if (shared_bytes > 48 * 1024)
    throw std::invalid_argument("--fused-block keeps its rows in 48 KiB of shared memory: H is at most " +
                                std::to_string(48 * 1024 / (sizeof(float) * kRowsPerBlock)));
  run.launch({.kernel = "fused_block_kernel",
              .flops = size.positions * (9.0 * size.hidden + size.outputs * (2.0 * size.hidden + 1.0))},
             [&] {
               const dim3 grid(ceil_div(size.positions, kRowsPerBlock));
               const dim3 block(kWarpsPerBlock * kWarpSize);
               fused_block_kernel<<<grid, block, shared_bytes, run.stream()>>>(
                   run.tensor("y"), run.tensor("x"), run.tensor("gamma"), run.tensor("beta"),
                   run.tensor("weight"), run.tensor("bias"), size.positions, size.hidden, size.outputs);
             });
}

// ---- How close is close enough ---------------------------------------------------------------------

double sum_tolerance(const Dims& dims) { return 16.0 * std::ldexp(1.0, -24) * dims["H"]; }
double no_tolerance(const Dims&) { return 0.0; }

constexpr auto kSumTolerance =
    "16 H 2^-24: a float sum of H terms is off by up to H half-ulps (2^-24) of their size; mean, mean of "
    "squares and dot product are three such sums, and a normalised value is up to about 5 in size";

}  // namespace

// One entry a line reads as the table that it is.
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
         .tolerance = sum_tolerance, .tolerance_source = kSumTolerance},
        {.name = "weight_transposed", .role = Role::intermediate, .shape = {"H", "O"},
         .tolerance = no_tolerance, .tolerance_source = "0: a transpose moves floats and rounds none"},
        {.name = "product", .role = Role::intermediate, .shape = {"B", "S", "O"},
         .tolerance = sum_tolerance, .tolerance_source = kSumTolerance},
        {.name = "y", .role = Role::output, .shape = {"B", "S", "O"},
         .tolerance = sum_tolerance, .tolerance_source = kSumTolerance},
    },
    .cases = {
        {.name = "teaching", .dims = {{"B", 4}, {"S", 4}, {"H", 8}, {"O", 16}}},
        {.name = "one of each", .dims = {{"B", 1}, {"S", 1}, {"H", 1}, {"O", 1}}},  // variance 0
        {.name = "a lane short of a warp", .dims = {{"B", 2}, {"S", 3}, {"H", 31}, {"O", 7}}},
        {.name = "a lane more than a warp", .dims = {{"B", 1}, {"S", 5}, {"H", 33}, {"O", 33}}},
        {.name = "many rows", .dims = {{"B", 3}, {"S", 11}, {"H", 10}, {"O", 70}}},
        {.name = "many outputs", .dims = {{"B", 1}, {"S", 2}, {"H", 12}, {"O", 1030}}},
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
    .suspects = {
        {"gamma was never applied: multiply the normalised value by gamma[h] before adding beta[h]",
         suspect<Slip::no_gamma>},
        {"beta was never added: after the multiplication by gamma[h] comes + beta[h]",
         suspect<Slip::no_beta>},
        {"beta was added before the multiplication by gamma: scale first, then shift",
         suspect<Slip::shift_before_scale>},
        {"gamma and beta changed places: gamma[h] multiplies, beta[h] is added",
         suspect<Slip::gamma_beta_swapped>},
        {"the mean was never subtracted: what is scaled is (x - mean), not x",
         suspect<Slip::mean_not_subtracted>},
        {"the variance still contains the mean: it is the mean of the squares minus mean * mean",
         suspect<Slip::variance_keeps_mean>},
        {"the sum was never divided: the mean is the sum over the row divided by H",
         suspect<Slip::sum_not_divided>},
        {"the sum of squares was never divided: divide it by H before subtracting mean * mean",
         suspect<Slip::squares_not_divided>},
        {"the variance was divided by H - 1: LayerNorm divides by H", suspect<Slip::sample_variance>},
        {"epsilon was added outside the square root: it belongs to the variance, 1 / sqrt(variance + eps)",
         suspect<Slip::epsilon_outside_root>},
        {"epsilon is missing: 1 / sqrt(variance + eps), or a row of equal values divides by 0",
         suspect<Slip::no_epsilon>},
        {"the square root is missing: divide by sqrt(variance + eps), not by the variance",
         suspect<Slip::root_forgotten>},
        {"the deviation multiplies where it should divide: inv_std is 1 / sqrt(variance + eps)",
         suspect<Slip::multiplied_by_deviation>},
        {"the row of another position was read: position b * S + s starts at (b * S + s) * H",
         suspect<Slip::row_of_batch>},
        {"the statistics stop at the 32nd element: the sums go over the whole row",
         suspect<Slip::first_warp_only>},
        {"each lane used the sum of its own elements only: add up the partial sums of the warp before "
         "dividing by H",
         suspect<Slip::lanes_not_added>},
        {"the weight was read with its indices the other way round: W is [O,H], so output o starts at o * H",
         suspect<Slip::weight_transposed>},
        {"the bias was never added: y is the dot product + bias[o]", suspect<Slip::no_bias>},
        {"the bias was added at every step of the dot product: add it once, outside the loop over H",
         suspect<Slip::bias_at_every_step>},
        {"the total of one output went on into the next: start it anew for every output",
         suspect<Slip::total_not_reset>},
        {"each lane stored the dot product of its own elements only: add the partial products of the warp "
         "together first",
         suspect<Slip::outputs_not_added>},
    },
    .variants = {
        {.name = "unfused",
         .title = "UNFUSED",
         .summary = "Four launches and three tensors between them",
         .regions = {"layernorm"},
         .intermediates = {"normalized", "weight_transposed", "product"},
         .run = run_unfused},
        {.name = "fused",
         .title = "FUSED",
         .summary = "One launch, one thread a position: nothing in between, and nobody else at work",
         .regions = {"fused_statistics", "fused_outputs"},
         .run = run_fused},
        {.name = "fused-block",
         .title = "FUSED (a block of 256 threads for eight positions)",
         .summary = "One launch, rows in shared memory, warps that share the work: the first that wins",
         .regions = {"fused_block_rows", "fused_block_outputs"},
         .run = run_fused_block,
         .required = false},
    },
};
// clang-format on
