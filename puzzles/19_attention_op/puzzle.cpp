// Puzzle 19, Attention op: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <cmath>
#include <vector>

#include "sizes.h"

namespace {

using workbook::Dims;
using workbook::HostTensors;
using workbook::Tensor;
namespace reference = workbook::reference;

int queries(const Dims& dims) { return dims.has("Q") ? dims["Q"] : 1; }

void attention_reference(const Dims& dims, HostTensors<double>& t) {
  reference::attention(t["q"], t["k"], t["v"], t["out"], queries(dims), dims["K"], dims["D"], dims["V"],
                       1.0 / std::sqrt(dims["D"]));
}

void attention_in_steps(const Dims& dims, HostTensors<double>& t) {
  attention_reference(dims, t);
  reference::linear(t["q"], t["k"], {}, t["scores"], queries(dims), dims["D"], dims["K"]);
  for (double& score : t["scores"]) score /= std::sqrt(dims["D"]);
  reference::softmax(t["scores"], t["weights"], queries(dims), dims["K"]);
}

/// Without a maximum and without a row of weights: one pass over the keys, in which what was added up is made
/// smaller whenever a larger score comes.
void attention_in_one_pass(const Dims& dims, HostTensors<double>& t) {
  const int keys = dims["K"], features = dims["D"], values = dims["V"];
  std::vector<double> sums(values);
  for (int i = 0; i < queries(dims); ++i) {
    double largest = -INFINITY, total = 0.0;
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int j = 0; j < keys; ++j) {
      double score = 0.0;
      for (int f = 0; f < features; ++f) score += t["q"][i * features + f] * t["k"][j * features + f];
      score /= std::sqrt(features);
      const double larger = std::max(largest, score), keep = std::exp(largest - larger);
      const double weight = std::exp(score - larger);
      total = total * keep + weight;
      for (int c = 0; c < values; ++c) sums[c] = sums[c] * keep + weight * t["v"][j * values + c];
      largest = larger;
    }
    for (int c = 0; c < values; ++c) t["out"][i * values + c] = sums[c] / total;
  }
}

void attention_cpu(const Dims& dims, HostTensors<float>& t) {
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

double score_error(const Dims& dims) { return 5.0 * (dims["D"] + 3) * 0x1p-24; }
/// K roundings, each up or down by at most 2^-24: together hardly ever more than 4 sqrt(K) of them.
double sum_error(const Dims& dims) { return 4.0 * std::sqrt(dims["K"]) * 0x1p-24; }
double weight_error(const Dims& dims) { return 2.0 * score_error(dims) + sum_error(dims) + 8 * 0x1p-24; }
double out_error(const Dims& dims) { return 4.0 * (weight_error(dims) + sum_error(dims)); }

workbook::Tolerance out_tolerance() {
  return {
      out_error, 0.0,
      "4 (10 (D + 3) + 8 K^0.5 + 8) 2^-24: a score below 5 is off by a half-ulp (2^-24) of that for each of D "
      "additions, a weight by twice as much of its size; the total and the mean are sums of K terms, whose roundings "
      "go up and down and stay within 4 K^0.5 half-ulps; values are below 4"};
}

Tensor input(std::string_view name, std::vector<std::string_view> shape, workbook::Fill fill) {
  return {.name = name, .role = workbook::Role::input, .shape = shape, .fill = fill};
}

std::string too_many_keys(const Dims& dims) {
  return dims["K"] > kMaxKeys ? "--vector keeps the weights in shared memory: K is at most 8192." : "";
}
std::string too_many_features(const Dims& dims) {
  return dims["D"] > kMaxFeatures || dims["V"] > kMaxFeatures
             ? "--fused keeps tiles of keys and values in shared memory: D and V are at most 64."
             : "";
}

double vector_reads(const Dims& dims) { return 2.0 * dims["K"] * dims["D"] + 1.0 * dims["K"] * dims["V"]; }
double vector_stores(const Dims& dims) { return dims["V"]; }
double tiles(double size, double side) { return std::ceil(size / side); }
/// Of the products each operand once for every tile of the other; of softmax the scores three times.
double unfused_reads(const Dims& dims) {
  const double q = dims["Q"], k = dims["K"], d = dims["D"], v = dims["V"];
  return q * d * tiles(k, kTile) + k * d * tiles(q, kTile) + 3 * q * k + q * k * tiles(v, kTile) +
         k * v * tiles(q, kTile);
}
double unfused_stores(const Dims& dims) { return 2.0 * dims["Q"] * dims["K"] + 1.0 * dims["Q"] * dims["V"]; }
double fused_reads(const Dims& dims) {
  return 1.0 * dims["Q"] * dims["D"] +
         tiles(dims["Q"], kOwn * kThreads / kWarpSize) * dims["K"] * (1.0 * dims["D"] + dims["V"]);
}
double fused_stores(const Dims& dims) { return 1.0 * dims["Q"] * dims["V"]; }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 19,
    .title = "Attention op",
    .part = "Part IV: your kernel as an operator",
    .summary = "Weigh values by how well their keys suit a query: three operators in a row, and then one without the matrix between",
    .tasks = {
        {.name = "many queries",
         .tensors = {
             input("q", {"Q", "D"}, normal(0.0, 1.0)),
             input("k", {"K", "D"}, normal(0.0, 1.0)),
             input("v", {"K", "V"}, uniform(-1.0, 3.0)),
             {.name = "scores", .role = Role::intermediate, .shape = {"Q", "K"},
              .tolerance = Tolerance{score_error, 0.0,
                  "5 (D + 3) 2^-24: a score is below 5 in size, and off by a half-ulp (2^-24) of that for each of D "
                  "additions"}},
             {.name = "weights", .role = Role::intermediate, .shape = {"Q", "K"},
              .tolerance = Tolerance{weight_error, 0.0,
                  "(10 (D + 3) + 4 K^0.5 + 8) 2^-24: twice what the score is off by, and what K roundings of the total "
                  "make that go up and down; a weight is at most 1"}},
             {.name = "out", .role = Role::output, .shape = {"Q", "V"}, .tolerance = out_tolerance()},
         },
         .cases = {
             {.name = "teaching", .dims = {{"Q", 10}, {"K", 40}, {"D", 8}, {"V", 6}}},
             {.name = "one of each", .dims = {{"Q", 1}, {"K", 1}, {"D", 1}, {"V", 1}}},
             {.name = "one query", .dims = {{"Q", 1}, {"K", 33}, {"D", 5}, {"V", 31}}},
             {.name = "one key", .dims = {{"Q", 31}, {"K", 1}, {"D", 33}, {"V", 3}}},
             {.name = "full tiles", .dims = {{"Q", 32}, {"K", 64}, {"D", 16}, {"V", 48}}},
             {.name = "one more than a tile", .dims = {{"Q", 17}, {"K", 33}, {"D", 17}, {"V", 33}}},
             {.name = "the widest rows of --fused", .dims = {{"Q", 9}, {"K", 50}, {"D", 64}, {"V", 64}}},
             {.name = "more keys than threads", .dims = {{"Q", 5}, {"K", 300}, {"D", 20}, {"V", 12}}},
             {.name = "wide rows", .dims = {{"Q", 6}, {"K", 20}, {"D", 100}, {"V", 130}}},
             {.name = "large scores", .dims = {{"Q", 11}, {"K", 40}, {"D", 4}, {"V", 7}},
              .fills = {{"q", integers(20, 22)}, {"k", integers(4, 5)}}},
             {.name = "large negative scores", .dims = {{"Q", 11}, {"K", 40}, {"D", 4}, {"V", 7}},
              .fills = {{"q", integers(-22, -20)}, {"k", integers(4, 5)}}},
             // The second tile of keys has scores so much smaller that exp of the difference is infinite.
             {.name = "the best keys first", .dims = {{"Q", 9}, {"K", 70}, {"D", 1}, {"V", 5}},
              .fills = {{"q", integers(1, 2)}, {"k", from([](const Dims&, std::span<double> values, Random& random) {
                  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random.integer(0, 4) + (i < 32 ? 190 : 0);
              })}}},
             // Sorted keys and positive queries: the largest score comes last, in the last tile.
             {.name = "the best key last", .dims = {{"Q", 9}, {"K", 100}, {"D", 1}, {"V", 5}},
              .fills = {{"q", uniform(0.5, 1.0)}, {"k", from([](const Dims&, std::span<double> values, Random& random) {
                  for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i + random.uniform()) * 5.0 / values.size();
              })}}},
         },
         .large = {{"Q", 150}, {"K", 333}, {"D", 40}, {"V", 50}},
         .bench = {{"Q", 16384}, {"K", 1024}, {"D", 64}, {"V", 64}},
         .reference = attention_in_steps,
         .cross_check = attention_in_one_pass,
         .cpu = attention_cpu},
        {.name = "one query",
         .tensors = {
             input("q", {"D"}, normal(0.0, 1.0)),
             input("k", {"K", "D"}, normal(0.0, 1.0)),
             input("v", {"K", "V"}, uniform(-1.0, 3.0)),
             {.name = "out", .role = Role::output, .shape = {"V"}, .tolerance = out_tolerance()},
         },
         .cases = {
             {.name = "teaching", .dims = {{"K", 12}, {"D", 8}, {"V", 6}}},
             {.name = "one of each", .dims = {{"K", 1}, {"D", 1}, {"V", 1}}},
             {.name = "one key", .dims = {{"K", 1}, {"D", 31}, {"V", 33}}},
             {.name = "one feature", .dims = {{"K", 33}, {"D", 1}, {"V", 31}}},
             {.name = "more features than lanes", .dims = {{"K", 31}, {"D", 70}, {"V", 5}}},
             {.name = "more values than threads", .dims = {{"K", 9}, {"D", 4}, {"V", 300}}},
             {.name = "more keys than threads", .dims = {{"K", 1000}, {"D", 16}, {"V", 20}}},
             // Integers, so that scores are exact: about 190 in size, where exp is infinite, or 0.
             {.name = "large scores", .dims = {{"K", 40}, {"D", 4}, {"V", 7}},
              .fills = {{"q", integers(20, 22)}, {"k", integers(4, 5)}}},
             {.name = "large negative scores", .dims = {{"K", 40}, {"D", 4}, {"V", 7}},
              .fills = {{"q", integers(-22, -20)}, {"k", integers(4, 5)}}},
         },
         .large = {{"K", 3001}, {"D", 70}, {"V", 90}},
         .bench = {{"K", 4096}, {"D", 64}, {"V", 64}},
         .reference = attention_reference,
         .cross_check = attention_in_one_pass,
         .cpu = attention_cpu},
    },
    .variants = {
        {.name = "vector",
         .title = "VECTOR (one query, one block)",
         .summary = "One query: scores, weights and the weighted mean by one block",
         .task = "one query",
         .regions = {"vector_scores", "vector_weights", "vector_mean"},
         .refuses = too_many_keys,
         .budget = {.global_reads = vector_reads, .global_writes = vector_stores}},
        {.name = "unfused",
         .title = "UNFUSED (three operators and two matrices between them)",
         .summary = "Scores, softmax and product, each with a launch, the matrices between them in memory",
         .task = "many queries",
         .regions = {"scores", "unfused"},
         .intermediates = {"scores", "weights"},
         .budget = {.global_reads = unfused_reads, .global_writes = unfused_stores, .launches = 3}},
        {.name = "fused",
         .title = "FUSED (a warp a query, tile after tile of keys)",
         .summary = "One launch: each tile of scores is used at once and forgotten",
         .task = "many queries",
         .regions = {"fused_score", "fused_update"},
         .refuses = too_many_features,
         .required = false,
         .budget = {.global_reads = fused_reads, .global_writes = fused_stores, .launches = 1}},
    },
};
// clang-format on
