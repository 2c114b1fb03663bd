// Puzzle 22, LayerNorm + Linear: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sizes.h"

using namespace workbook;

const Bound P = "B*S", H = "H", O = "O";

static_assert(kRowsPerShare == 16, "the shapes of gamma_parts and beta_parts say so");

static void layernorm_linear_reference(const Dims& dims, HostTensors<double>& t) {
  const int positions = dims["B"] * dims["S"], hidden = dims["H"], outputs = dims["O"];
  reference::layernorm(t["x"], t["gamma"], t["beta"], t["normalized"], positions, hidden, 1e-5);
  reference::transpose(t["weight"], t["weight_transposed"], outputs, hidden);
  reference::matmul(t["normalized"], t["weight_transposed"], t["product"], positions, outputs, hidden);
  reference::linear(t["normalized"], t["weight"], t["bias"], t["y"], positions, hidden, outputs);
}

/// The same y without ever normalising a row: the statistics move behind the matrix product,
/// y = inv_std * (W (gamma * x)) - inv_std * mean * (W gamma) + W beta + b.
static void layernorm_linear_algebraic(const Dims& dims, HostTensors<double>& t) {
  const int positions = dims["B"] * dims["S"], hidden = dims["H"], outputs = dims["O"];
  const auto x = t["x"], gamma = t["gamma"], beta = t["beta"], weight = t["weight"], y = t["y"];
  for (int p = 0; p < positions; ++p) {
    const auto row = x.subspan(p * hidden, hidden);
    double sum = 0.0, squares = 0.0;
    for (const double value : row) sum += value, squares += value * value;
    const double mean = sum / hidden;
    // In double the one-pass form loses (mean / sigma)^2 * 2^-53, which is nothing here. Never below 0.
    const double inv_std = 1.0 / std::sqrt(std::max(squares / hidden - mean * mean, 0.0) + 1e-5);
    for (int o = 0; o < outputs; ++o) {
      double scaled = 0.0, scale = 0.0, shift = 0.0;
      for (int h = 0; h < hidden; ++h) {
        const double w = weight[o * hidden + h];
        scaled += w * gamma[h] * row[h];
        scale += w * gamma[h];
        shift += w * beta[h];
      }
      y[p * outputs + o] = inv_std * scaled - inv_std * mean * scale + shift + t["bias"][o];
    }
  }
}

static void layernorm_linear_cpu(const Dims& dims, HostTensors<float>& t) {
  const int positions = dims["B"] * dims["S"], hidden = dims["H"];
  reference::layernorm<float>(t["x"], t["gamma"], t["beta"], t["normalized"], positions, hidden, 1e-5);
  reference::linear<float>(t["normalized"], t["weight"], t["bias"], t["y"], positions, hidden, dims["O"]);
}

const Tolerance kSumTolerance = {
    16.0 * 0x1p-24 * H, 0.0,
    "16 H 2^-24: a float sum of H terms is off by up to H half-ulps (2^-24) of their size; mean, mean of "
    "squares and dot product are three such sums, and a normalised value is up to about 5 in size"};

using Row = reference::RowStatistics<double>;

/// In double the reference, in float the CPU's version.
template <class T>
static void gradients(const Dims& dims, HostTensors<T>& t) {
  const int positions = dims["B"] * dims["S"], hidden = dims["H"], outputs = dims["O"];
  const auto x = t["x"], gamma = t["gamma"], dy = t["dy"], dn = t["dn"], normalized = t["normalized"];
  const auto dx = t["dx"], dweight = t["dweight"], dbias = t["dbias"], dgamma = t["dgamma"];
  const auto dbeta = t["dbeta"], gamma_parts = t["gamma_parts"], beta_parts = t["beta_parts"];
  const auto size = static_cast<T>(hidden);
  reference::matmul<T>(dy, t["weight"], dn, positions, hidden, outputs);
  reference::layernorm<T>(x, gamma, t["beta"], normalized, positions, hidden, 1e-5);
  for (const char* sum : {"dweight", "dbias", "dgamma", "dbeta", "gamma_parts", "beta_parts"})
    std::fill(t[sum].begin(), t[sum].end(), T{0});
  for (int p = 0; p < positions; ++p) {
    const auto row = x.subspan(p * hidden, hidden);
    const reference::RowStatistics<T> norm(row, 1e-5);
    t["mean"][p] = norm.mean, t["inv_std"][p] = norm.inv_std;
    T g_mean = 0, gx_mean = 0;
    for (int h = 0; h < hidden; ++h) {
      const T gradient = dn[p * hidden + h], xhat = (row[h] - norm.mean) * norm.inv_std;
      g_mean += gradient * gamma[h] / size, gx_mean += gradient * gamma[h] * xhat / size;
      dgamma[h] += gradient * xhat, dbeta[h] += gradient;
      gamma_parts[p / kRowsPerShare * hidden + h] += gradient * xhat;
      beta_parts[p / kRowsPerShare * hidden + h] += gradient;
    }
    for (int h = 0; h < hidden; ++h) {
      const T xhat = (row[h] - norm.mean) * norm.inv_std;
      dx[p * hidden + h] = norm.inv_std * (dn[p * hidden + h] * gamma[h] - g_mean - xhat * gx_mean);
    }
    for (int o = 0; o < outputs; ++o) {
      const T gradient = dy[p * outputs + o];
      dbias[o] += gradient;
      for (int h = 0; h < hidden; ++h) dweight[o * hidden + h] += gradient * normalized[p * hidden + h];
    }
  }
}

/// The same another way. dx by differences: how much the sum of dn * n over a row changes when one x moves,
/// to the fourth order. All others from two sums over the positions, of dy and of dy * xhat: dW is gamma
/// times the one plus beta times the other, and what dgamma and dbeta add up over positions, they add up over
/// outputs.
static void gradients_by_differences(const Dims& dims, HostTensors<double>& t) {
  const int positions = dims["B"] * dims["S"], hidden = dims["H"], outputs = dims["O"];
  const auto gamma = t["gamma"], beta = t["beta"], weight = t["weight"], dy = t["dy"];
  const auto dx = t["dx"], dgamma = t["dgamma"], dbeta = t["dbeta"], dweight = t["dweight"],
             dbias = t["dbias"];
  std::vector<double> moved(hidden), gradient(hidden), sums(outputs * hidden);
  std::fill(dbias.begin(), dbias.end(), 0.0);
  for (int p = 0; p < positions; ++p) {
    const auto row = t["x"].subspan(p * hidden, hidden);
    const Row norm(row, 1e-5);
    for (int h = 0; h < hidden; ++h) {
      gradient[h] = 0.0;
      for (int o = 0; o < outputs; ++o) gradient[h] += dy[p * outputs + o] * weight[o * hidden + h];
    }
    // Without beta, whose part does not move.
    const auto loss = [&](int h, double by) {
      std::copy(row.begin(), row.end(), moved.begin());
      moved[h] += by;
      const Row now(moved, 1e-5);
      double sum = 0.0;
      for (int k = 0; k < hidden; ++k) sum += gradient[k] * gamma[k] * (moved[k] - now.mean) * now.inv_std;
      return sum;
    };
    const double step = 1e-3 / norm.inv_std;
    for (int h = 0; h < hidden; ++h)
      dx[p * hidden + h] =
          (8.0 * (loss(h, step) - loss(h, -step)) - (loss(h, 2.0 * step) - loss(h, -2.0 * step))) /
          (12.0 * step);
    for (int o = 0; o < outputs; ++o) {
      dbias[o] += dy[p * outputs + o];
      for (int h = 0; h < hidden; ++h)
        sums[o * hidden + h] += dy[p * outputs + o] * (row[h] - norm.mean) * norm.inv_std;
    }
  }
  for (int h = 0; h < hidden; ++h) {
    dgamma[h] = dbeta[h] = 0.0;
    for (int o = 0; o < outputs; ++o) {
      const int i = o * hidden + h;
      dgamma[h] += weight[i] * sums[i], dbeta[h] += weight[i] * dbias[o];
      dweight[i] = gamma[h] * sums[i] + beta[h] * dbias[o];
    }
  }
}

/// The sums of the gradients. A sum of K values of deviation s stays below 4 s K^0.5, and each of its K
/// additions rounds it by up to 2^-24 of that.
const Tolerance kDnTolerance = {
    pow(O, 1.5) * 0x1p-24, 0.0,
    "O^1.5 2^-24: each of O additions rounds the sum so far by up to 2^-24 of its size, and a sum of O products of "
    "deviation 1/4 stays below O^0.5"};
const Tolerance kDweightTolerance = {
    8 * (P + 2 * H) * sqrt(P) * 0x1p-24, 0.0,
    "8 (P + 2 H) P^0.5 2^-24 with P = B S positions: as for dn, with P products of deviation up to 2, and P errors of a "
    "normalised value, 16 H 2^-24 each, which add up like a random walk"};
const Tolerance kDbiasTolerance = {
    4 * pow(P, 1.5) * 0x1p-24, 0.0,
    "4 P^1.5 2^-24 with P = B S positions: as for dn, with P values of deviation 1"};
const Tolerance kParameterTolerance = {
    (P + 4 * O + 4 * H) * sqrt(P * O) * 0x1p-24, 0.0,
    "(P + 4 O + 4 H) (P O)^0.5 2^-24 with P = B S positions: the additions of P values of deviation O^0.5 / 4, P errors "
    "of dn times a normalised value below 4, and P errors of a normalised value times dn, which add up like a random walk"};
const Tolerance kDxTolerance = {
    16 * (O + H) * sqrt(O) * 0x1p-24, 0.0,
    "16 (O + H) O^0.5 2^-24: the error of dn and of two means over H of values below O^0.5, times gamma, 1 / sigma and "
    "the normalised value, together up to about 16"};

const std::vector<Refusal> kBackwardRefuses = {
    {H % 4 || O % 4, "The products of the gradients load four floats at a time: H and O are multiples of 4."},
    {H > 6000,
     "The gradients keep two sums for each of H columns in 48 KiB of shared memory: H is at most 6000."}};

const Bound blocks_of_rows = ceil(P / kRowsPerBlock);
const Bound tiled_blocks = ceil(P / kTilePositions) * ceil(O / kTileColumns);

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 22, .title = "LayerNorm + Linear", .part = "Part V: layers as operators",
    .builds_on = {12, 15, 16},
    .summary = "Normalise each row, then multiply by a weight matrix: in four launches, then in one",
    .tasks = {
        {.name = "forward",
         .tensors = {
             input("x", {"B", "S", "H"}, normal(0.75, 1.5)),
             input("gamma", {"H"}, normal(1.0, 0.5)),
             input("beta", {"H"}, uniform(-0.5, 1.0)),
             input("weight", {"O", "H"}, normal(0.0, 0.25)),
             input("bias", {"O"}, uniform(-1.0, 1.0)),
             intermediate("normalized", {"B", "S", "H"}, kSumTolerance),
             intermediate("weight_transposed", {"H", "O"}, exact("a transpose moves floats and rounds none")),
             intermediate("product", {"B", "S", "O"}, kSumTolerance),
             output("y", {"B", "S", "O"}, kSumTolerance)},
         .cases = cases({"B", "S", "H", "O"}, {
             {"teaching", {4, 4, 8, 16}},
             // Variance 1e-6, a tenth of epsilon: shows where epsilon was added.
             {"tiny variance", {2, 2, 40, 9}, {{"x", normal(0.0, 1e-3)}}},
             {"one of each", {1, 1, 1, 1}},  // variance 0
             {"a lane short of a warp", {2, 3, 31, 7}}, {"a lane more than a warp", {1, 5, 33, 33}},
             {"many rows", {3, 11, 10, 70}}, {"many outputs", {1, 2, 12, 1030}},
             {"several tiles", {2, 70, 20, 270}}, {"long rows", {1, 2, 1000, 5}},
             // The mean is 4 sigma: E[x^2] - mean^2 subtracts 16 from 17 and loses 4 of the 24 bits of a float,
             // which the tolerance still allows. At 1000 sigma it would lose 20 and one pass would be wrong.
             {"large mean", {2, 2, 64, 17}, {{"x", normal(4.0, 1.0)}}}}),
         .large = {{"B", 2}, {"S", 33}, {"H", 200}, {"O", 300}},
         .bench = {{"B", 8}, {"S", 512}, {"H", 768}, {"O", 3072}},
         .reference = layernorm_linear_reference, .cross_check = layernorm_linear_algebraic,
         .cpu = layernorm_linear_cpu},
        {.name = "backward",
         .tensors = {
             input("x", {"B", "S", "H"}, normal(0.75, 1.5)),
             input("gamma", {"H"}, normal(1.0, 0.5)),
             input("beta", {"H"}, uniform(-0.5, 1.0)),
             input("weight", {"O", "H"}, normal(0.0, 0.25)),
             input("dy", {"B", "S", "O"}, normal(0.0, 1.0)),
             intermediate("normalized", {"B", "S", "H"}, kSumTolerance),
             intermediate("mean", {"B", "S"}, kSumTolerance),
             intermediate("inv_std", {"B", "S"},
                 {0.0, 16 * 0x1p-24 * H, "16 H 2^-24 of its size: the variance is a sum of H squares"}),
             intermediate("dn", {"B", "S", "H"}, kDnTolerance),
             intermediate("gamma_parts", {"ceil((B*S)/16)", "H"}, kParameterTolerance),
             intermediate("beta_parts", {"ceil((B*S)/16)", "H"}, kParameterTolerance),
             output("dx", {"B", "S", "H"}, kDxTolerance),
             output("dgamma", {"H"}, kParameterTolerance),
             output("dbeta", {"H"}, kParameterTolerance),
             output("dweight", {"O", "H"}, kDweightTolerance),
             output("dbias", {"O"}, kDbiasTolerance)},
         .cases = cases({"B", "S", "H", "O"}, {
             {"teaching", {4, 4, 8, 16}}, {"one position", {1, 1, 4, 4}}, {"short of a warp", {1, 31, 28, 8}},
             {"more than a warp", {3, 11, 36, 36}}, {"many rows", {3, 27, 12, 20}},
             {"full blocks", {2, 32, 64, 32}}, {"several tiles", {2, 70, 20, 268}},
             {"long rows", {1, 2, 1000, 4}},
             // Variance 1e-4, ten epsilons: shows where epsilon was added. 1 / sigma is 100, so dy is a 128th.
             {"small variance", {2, 2, 40, 12}, {{"x", normal(0.0, 0.01)}, {"dy", normal(0.0, 0x1p-7)}}},
             {"large mean", {2, 2, 64, 20}, {{"x", normal(4.0, 1.0)}}}}),
         .large = {{"B", 2}, {"S", 33}, {"H", 200}, {"O", 300}},
         .bench = {{"B", 8}, {"S", 512}, {"H", 768}, {"O", 3072}},
         .reference = gradients<double>, .cross_check = gradients_by_differences, .cpu = gradients<float>}},
    .variants = {
        {.name = "unfused", .title = "UNFUSED", .summary = "Four launches and three tensors between them",
         .task = "forward", .regions = {"layernorm"}, .intermediates = {"normalized", "weight_transposed", "product"},
         .refuses = {{H > 1024, "--unfused gives each element of a row a thread: H is at most 1024."}}},
        {.name = "fused", .title = "FUSED", .summary = "One launch, one thread a position: nothing stored in between",
         .task = "forward", .regions = {"fused_statistics", "fused_outputs"},
         .budget = {.global_writes = P * O, .launches = 1}},
        {.name = "fused-block", .title = "FUSED (a block of 256 threads for eight positions)",
         .summary = "One launch, rows in shared memory, and warps that share the work",
         .task = "forward", .regions = {"fused_block_rows", "fused_block_outputs"},
         .refuses = {{H > 1536, "--fused-block keeps eight rows in 48 KiB of shared memory: H is at most 1536."}},
         .required = false,
         // By each block its rows once, gamma and beta for each of them, and all of the weight and of the bias.
         .budget = {.global_reads = P * H + 2 * kRowsPerBlock * blocks_of_rows * H +
                                    blocks_of_rows * kRowsPerBlock * (ceil(O / 4) * 4) + blocks_of_rows * O * H,
                    .global_writes = P * O, .launches = 1, .barriers = blocks_of_rows}},
        {.name = "fused-tiled", .title = "FUSED (tiles of 126 positions x 128 outputs)",
         .summary = "One launch, 8 x 16 results a thread, and the norm applied to the finished sums",
         .task = "forward",
         .regions = {"tiled_store", "tiled_product", "tiled_loop", "tiled_statistics", "tiled_outputs"},
         .required = false,
         // By each block kTileRows rows of x, gamma and beta, as many of the weight, gamma with each of these, and the
         // bias; by two threads for each position its shift. A barrier before the loop, one a round, one after the
         // statistics.
         .budget = {.global_reads = tiled_blocks * (3 * kTileRows * H + 2 * kTilePositions + kTileColumns),
                    .global_writes = P * O, .launches = 1, .barriers = tiled_blocks * (ceil(H / kTileDepth) + 2),
                    .conflicts = 0}},
        {.name = "backward-unfused", .title = "BACKWARD, UNFUSED",
         .summary = "The gradients of x, gamma, beta, W and b, a launch each or nearly",
         .task = "backward", .regions = {"backward_columns", "backward_dx"},
         .intermediates = {"normalized", "mean", "inv_std", "dn"}, .refuses = kBackwardRefuses,
         .required = false},
        {.name = "backward-fused", .title = "BACKWARD, FUSED (atomics)",
         .summary = "Three launches: what all rows give to a column is added by atomics",
         .task = "backward", .regions = {"backward_means", "backward_elements", "backward_atomics"},
         .intermediates = {"mean", "inv_std", "dn"}, .refuses = kBackwardRefuses,
         .required = false},
        {.name = "backward-two-stage", .title = "BACKWARD, FUSED (two stages)",
         .summary = "The same without atomics: each block stores its sums, and a second launch adds them up",
         .task = "backward", .regions = {"backward_means", "backward_elements", "backward_parts"},
         .intermediates = {"mean", "inv_std", "dn", "gamma_parts", "beta_parts"}, .refuses = kBackwardRefuses,
         .required = false}}};
