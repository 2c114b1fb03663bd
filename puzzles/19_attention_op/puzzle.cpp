// Puzzle 19, Attention op: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <cmath>
#include <vector>

#include "sizes.h"

using namespace workbook;

const Bound D = "D", K = "K", V = "V", Q = "Q";

static int queries(const Dims& dims) { return dims.has("Q") ? dims["Q"] : 1; }

static void attention_reference(const Dims& dims, HostTensors<double>& t) {
  reference::attention(t["q"], t["k"], t["v"], t["out"], queries(dims), dims["K"], dims["D"], dims["V"],
                       1.0 / std::sqrt(dims["D"]));
}

static void attention_in_steps(const Dims& dims, HostTensors<double>& t) {
  attention_reference(dims, t);
  reference::linear(t["q"], t["k"], {}, t["scores"], queries(dims), dims["D"], dims["K"]);
  for (double& score : t["scores"]) score /= std::sqrt(dims["D"]);
  reference::softmax(t["scores"], t["weights"], queries(dims), dims["K"]);
}

/// Without a maximum and without a row of weights: one pass over the keys, in which what was added up is made
/// smaller whenever a larger score comes.
static void attention_in_one_pass(const Dims& dims, HostTensors<double>& t) {
  const int keys = dims["K"], features = dims["D"], values = dims["V"];
  for (int i = 0; i < queries(dims); ++i) {
    reference::RunningAttention<double> running(values);
    for (int j = 0; j < keys; ++j) {
      double score = 0.0;
      for (int f = 0; f < features; ++f) score += t["q"][i * features + f] * t["k"][j * features + f];
      running.add(score / std::sqrt(features), t["v"].subspan(j * values, values));
    }
    for (int c = 0; c < values; ++c) t["out"][i * values + c] = running.mean(c);
  }
}

static void attention_cpu(const Dims& dims, HostTensors<float>& t) {
  const int keys = dims["K"], features = dims["D"], values = dims["V"];
  const float scale = 1.0f / std::sqrt(static_cast<float>(features));
  std::vector<float> weights(keys);
  for (int i = 0; i < queries(dims); ++i) {
    float largest = -INFINITY, total = 0.0f;
    for (int j = 0; j < keys; ++j) {
      float score = 0.0f;
      for (int f = 0; f < features; ++f) score += t["q"][i * features + f] * t["k"][j * features + f];
      weights[j] = scale * score;
      largest = std::max(largest, weights[j]);
    }
    for (float& weight : weights) total += weight = std::exp(weight - largest);
    for (int c = 0; c < values; ++c) {
      float sum = 0.0f;
      for (int j = 0; j < keys; ++j) sum += weights[j] * t["v"][j * values + c];
      t["out"][i * values + c] = sum / total;
    }
  }
}

const Bound score_error = 5 * (D + 3) * 0x1p-24;
/// K roundings, each up or down by at most 2^-24: together hardly ever more than 4 sqrt(K) of them.
const Bound sum_error = 4 * sqrt(K) * 0x1p-24;
const Bound weight_error = 2 * score_error + sum_error + 8 * 0x1p-24;

const Tolerance kOutTolerance = {
    4 * (weight_error + sum_error), 0.0,
    "4 (10 (D + 3) + 8 K^0.5 + 8) 2^-24: a score below 5 is off by a half-ulp (2^-24) of that for each of D "
    "additions, a weight by twice as much of its size; the total and the mean are sums of K terms, whose roundings "
    "go up and down and stay within 4 K^0.5 half-ulps; values are below 4"};

static Bound tiles(const Bound& size, int side) { return ceil(size / side); }
/// Of the products each operand once for every tile of the other; of softmax the scores three times.
const Bound unfused_reads = Q * D * tiles(K, kTile) + K * D * tiles(Q, kTile) + 3 * Q * K +
                            Q * K * tiles(V, kTile) + K * V * tiles(Q, kTile);
constexpr int kQueries = kOwn * kThreads / kWarpSize;  // of a block of --fused

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 19, .title = "Attention op", .part = "Part IV: your kernel as an operator",
    .builds_on = {16, 18},
    .summary = "Weigh values by how well their keys suit a query: three operators in a row, and then one without the matrix between",
    .tasks = {
        {.name = "many queries",
         .tensors = {
             input("q", {"Q", "D"}, normal(0.0, 1.0)),
             input("k", {"K", "D"}, normal(0.0, 1.0)),
             input("v", {"K", "V"}, uniform(-1.0, 3.0)),
             intermediate("scores", {"Q", "K"},
                 {score_error, 0.0,
                  "5 (D + 3) 2^-24: a score is below 5 in size, and off by a half-ulp (2^-24) of that for each of D "
                  "additions"}),
             intermediate("weights", {"Q", "K"},
                 {weight_error, 0.0,
                  "(10 (D + 3) + 4 K^0.5 + 8) 2^-24: twice what the score is off by, and what K roundings of the "
                  "total make that go up and down; a weight is at most 1"}),
             output("out", {"Q", "V"}, kOutTolerance)},
         .cases = cases({"Q", "K", "D", "V"}, {
             {"teaching", {10, 40, 8, 6}}, {"one of each", {1, 1, 1, 1}}, {"one query", {1, 33, 5, 31}},
             {"one key", {31, 1, 33, 3}}, {"full tiles", {32, 64, 16, 48}},
             {"one more than a tile", {17, 33, 17, 33}}, {"the widest rows of --fused", {9, 50, 64, 64}},
             {"more keys than threads", {5, 300, 20, 12}}, {"wide rows", {6, 20, 100, 130}},
             {"large scores", {11, 40, 4, 7}, {{"q", integers(20, 22)}, {"k", integers(4, 5)}}},
             {"large negative scores", {11, 40, 4, 7}, {{"q", integers(-22, -20)}, {"k", integers(4, 5)}}},
             // The second tile of keys has scores so much smaller that exp of the difference is infinite.
             {"the best keys first", {9, 70, 1, 5},
              {{"q", integers(1, 2)}, {"k", from([](const Dims&, std::span<double> values, Random& random) { for (std::size_t i = 0; i < values.size(); ++i) values[i] = random.integer(0, 4) + (i < 32 ? 190 : 0); })}}},
             // Sorted keys and positive queries: the largest score comes last, in the last tile.
             {"the best key last", {9, 100, 1, 5},
              {{"q", uniform(0.5, 1.0)}, {"k", from([](const Dims&, std::span<double> values, Random& random) { for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i + random.uniform()) * 5.0 / values.size(); })}}}}),
         .large = {{"Q", 150}, {"K", 333}, {"D", 40}, {"V", 50}},
         .bench = {{"Q", 16384}, {"K", 1024}, {"D", 64}, {"V", 64}},
         .reference = attention_in_steps, .cross_check = attention_in_one_pass, .cpu = attention_cpu},
        {.name = "one query",
         .tensors = {
             input("q", {"D"}, normal(0.0, 1.0)),
             input("k", {"K", "D"}, normal(0.0, 1.0)),
             input("v", {"K", "V"}, uniform(-1.0, 3.0)),
             output("out", {"V"}, kOutTolerance)},
         .cases = cases({"K", "D", "V"}, {
             {"teaching", {12, 8, 6}}, {"one of each", {1, 1, 1}}, {"one key", {1, 31, 33}},
             {"one feature", {33, 1, 31}}, {"more features than lanes", {31, 70, 5}},
             {"more values than threads", {9, 4, 300}}, {"more keys than threads", {1000, 16, 20}},
             // Integers, so that scores are exact: about 190 in size, where exp is infinite, or 0.
             {"large scores", {40, 4, 7}, {{"q", integers(20, 22)}, {"k", integers(4, 5)}}},
             {"large negative scores", {40, 4, 7}, {{"q", integers(-22, -20)}, {"k", integers(4, 5)}}}}),
         .large = {{"K", 3001}, {"D", 70}, {"V", 90}}, .bench = {{"K", 4096}, {"D", 64}, {"V", 64}},
         .reference = attention_reference, .cross_check = attention_in_one_pass, .cpu = attention_cpu}},
    .variants = {
        {.name = "vector", .title = "VECTOR (one query, one block)",
         .summary = "One query: scores, weights and the weighted mean by one block",
         .task = "one query", .regions = {"vector_scores", "vector_weights", "vector_mean"},
         .refuses = {{K > kMaxKeys, "--vector keeps the weights in shared memory: K is at most 8192."}},
         // A row of 32 lanes takes four sectors, and one more where it begins within one; for a key a score, and once
         // a warp its weight.
         .budget = {.global_reads = 2 * K * D + K * V, .global_writes = V,
                    .sectors_asked = K * (2 * (D * 5 / 32 + 2) + V * 5 / 32 + 2) + V / 4 + 2,
                    .global_requests = 2 * K * ceil(D / 32) + (K + 1) * ceil(V / 32),
                    .shared_requests = K * (1 + ceil(V / 32)) + 4 * ceil(K / 32) + 200}},
        {.name = "unfused", .title = "UNFUSED (three operators and two matrices between them)",
         .summary = "Scores, softmax and product, each with a launch, the matrices between them in memory",
         .task = "many queries", .regions = {"scores", "unfused"}, .intermediates = {"scores", "weights"},
         .budget = {.global_reads = unfused_reads, .global_writes = 2 * Q * K + Q * V, .launches = 3}},
        {.name = "fused", .title = "FUSED (a warp a query, tile after tile of keys)",
         .summary = "One launch: each tile of scores is used at once and forgotten",
         .task = "many queries", .regions = {"fused_score", "fused_update"},
         .refuses = {{D > kMaxFeatures || V > kMaxFeatures,
                      "--fused keeps tiles of keys and values in shared memory: D and V are at most 64."}},
         .required = false,
         .budget = {.global_reads = Q * D + tiles(Q, kQueries) * K * (D + V), .global_writes = Q * V, .launches = 1}}}};
