// Puzzle 44, attention with QK-Norm: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sizes.h"

namespace {

using namespace workbook;

struct Sizes {
  explicit Sizes(const Dims& dims)
      : heads(static_cast<std::size_t>(dims["N"])),
        queries(static_cast<std::size_t>(dims["S"])),
        keys(static_cast<std::size_t>(dims["T"])),
        features(static_cast<std::size_t>(dims["D"])) {}
  double scale() const { return 1.0 / std::sqrt(static_cast<double>(features)); }
  std::size_t heads, queries, keys, features;
};

/// What each part of the keys knows of each query: the largest score, and sums measured against it.
void parts_of(const Sizes& s, HostTensors<double>& t) {
  const auto scores = t["scores"], v = t["v"], maxima = t["maxima"], totals = t["totals"], sums = t["sums"];
  std::fill(maxima.begin(), maxima.end(), -std::numeric_limits<double>::infinity());
  std::fill(totals.begin(), totals.end(), 0.0);
  std::fill(sums.begin(), sums.end(), 0.0);
  const std::size_t rows = s.heads * s.queries;
  const auto part_keys = static_cast<std::size_t>(part_size(static_cast<int>(s.keys)));
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t j = 0; j < s.keys; ++j) {
      double& largest = maxima[j / part_keys * rows + row];
      largest = std::max(largest, scores[row * s.keys + j]);
    }
    for (std::size_t j = 0; j < s.keys; ++j) {
      const std::size_t at = j / part_keys * rows + row;
      const double weight = std::exp(scores[row * s.keys + j] - maxima[at]);
      totals[at] += weight;
      for (std::size_t c = 0; c < s.features; ++c)
        sums[at * s.features + c] += weight * v[(row / s.queries * s.keys + j) * s.features + c];
    }
  }
}

/// As it is written: normalise, then attention, head by head. With the tensors that travel between launches.
void qknorm_attention(const Dims& dims, HostTensors<double>& t) {
  const Sizes s(dims);
  const auto q_norm = t["q_norm"], k_norm = t["k_norm"], scores = t["scores"];
  reference::rmsnorm(t["q"], t["gq"], q_norm, s.heads * s.queries, s.features, 1e-5);
  reference::rmsnorm(t["k"], t["gk"], k_norm, s.heads * s.keys, s.features, 1e-5);
  const std::size_t of_q = s.queries * s.features, of_k = s.keys * s.features, of_scores = s.queries * s.keys;
  for (std::size_t head = 0; head < s.heads; ++head) {
    const auto q = q_norm.subspan(head * of_q, of_q), k = k_norm.subspan(head * of_k, of_k);
    reference::attention(q, k, t["v"].subspan(head * of_k, of_k), t["out"].subspan(head * of_q, of_q),
                         s.queries, s.keys, s.features, s.features, s.scale());
    reference::linear(q, k, {}, scores.subspan(head * of_scores, of_scores), s.queries, s.features, s.keys);
  }
  for (double& score : scores) score *= s.scale();
  reference::softmax(scores, t["weights"], s.heads * s.queries, s.keys);
  parts_of(s, t);
}

/// One pass over the keys, the last one first: raw rows are multiplied, and the product is divided by both
/// norms; what was added up is made smaller whenever a larger score comes.
template <class T>
void norms_behind(const Dims& dims, HostTensors<T>& t) {
  const Sizes s(dims);
  const auto q = t["q"], k = t["k"], v = t["v"], gq = t["gq"], gk = t["gk"], out = t["out"];
  const T count = static_cast<T>(s.features), epsilon = static_cast<T>(1e-5);
  std::vector<T> sums(s.features);
  for (std::size_t row = 0; row < s.heads * s.queries; ++row) {
    T largest = -std::numeric_limits<T>::infinity(), total = 0;
    std::fill(sums.begin(), sums.end(), T{0});
    for (std::size_t j = s.keys; j-- > 0;) {
      const std::size_t of_query = row * s.features, of_key = (row / s.queries * s.keys + j) * s.features;
      T product = 0, q_squares = 0, k_squares = 0;
      for (std::size_t f = 0; f < s.features; ++f) {
        product += q[of_query + f] * k[of_key + f] * gq[f] * gk[f];
        q_squares += q[of_query + f] * q[of_query + f];
        k_squares += k[of_key + f] * k[of_key + f];
      }
      const T norms = std::sqrt(q_squares / count + epsilon) * std::sqrt(k_squares / count + epsilon);
      const T score = product / norms / std::sqrt(count);
      const T larger = std::max(largest, score), keep = std::exp(largest - larger);
      const T weight = std::exp(score - larger);
      total = total * keep + weight;
      for (std::size_t c = 0; c < s.features; ++c) sums[c] = sums[c] * keep + weight * v[of_key + c];
      largest = larger;
    }
    for (std::size_t c = 0; c < s.features; ++c) out[row * s.features + c] = sums[c] / total;
  }
}

/// Rows of +a and -a, a different a in each: normalised they are +1 and -1, and a score is a sum of gains
/// with signs. In four features a tile of 32 keys has each pattern of signs twice.
void signs(const Dims& dims, std::span<double> values, Random& random) {
  const auto features = static_cast<std::size_t>(dims["D"]);
  double size = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / features, pattern = (row * 5 + 3) % 16;
    if (i % features == 0) size = 1.0 + 3.0 * random.uniform();
    values[i] = (pattern >> i % features % 4 & 1) != 0 ? -size : size;
  }
}

/// Below 0 for the first 40 rows of the first head, above it for all others.
void far_apart(const Dims&, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (i < 40 ? -1.0 : 1.0) * (1.0 + 3.0 * random.uniform());
}

/// Below 0 and above it in turn.
void in_turn(const Dims&, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (i % 2 == 0 ? -1.0 : 1.0) * (1.0 + 3.0 * random.uniform());
}

/// A row of zeros between rows that are not: epsilon alone is under the root.
void with_a_row_of_zeros(const Dims& dims, std::span<double> values, Random& random) {
  const auto features = static_cast<std::size_t>(dims["D"]);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = i / features == 1 ? 0.0 : 0.5 + 1.5 * random.normal();
}

std::string too_many_features(const Dims& dims) {
  return dims["D"] > kMaxFeatures
             ? "--flash, --split and --tensor keep rows in shared memory: D is at most 64."
             : "";
}

Tolerance of_norm() {
  return {
      [](const Dims& d) { return 0x1p-25 + 8.0 * 0x1p-24 * (d["D"] / 32.0 + 16.0); }, 0x1p-11,
      "8 (D/32 + 16) 2^-24 + 2^-25 + 2^-11 of the value: a sum of D/32 squares a lane and its five rounds, in "
      "float, of a value below 8; then one rounding to half"};
}

double tiles(double size, double side) { return std::ceil(size / side); }
double q_size(const Dims& d) { return 1.0 * d["N"] * d["S"] * d["D"]; }
double k_size(const Dims& d) { return 1.0 * d["N"] * d["T"] * d["D"]; }
double pairs(const Dims& d) { return 1.0 * d["N"] * d["S"] * d["T"]; }
/// By tiles of 16 x 16: each operand once for every tile of the other.
double score_reads(const Dims& d) {
  return q_size(d) * tiles(d["T"], kTile) + k_size(d) * tiles(d["S"], kTile);
}
/// Of softmax three times the scores; then the product with v.
double softmax_and_values_reads(const Dims& d) {
  return 3.0 * pairs(d) + pairs(d) * tiles(d["D"], kTile) + k_size(d) * tiles(d["S"], kTile);
}
/// Two a tile along the features, four of softmax, two a tile along the keys.
double score_barriers(const Dims& d) {
  return d["N"] * tiles(d["T"], kTile) * tiles(d["S"], kTile) * 2.0 * tiles(d["D"], kTile);
}
double softmax_and_values_barriers(const Dims& d) {
  return 4.0 * d["N"] * d["S"] +
         d["N"] * tiles(d["D"], kTile) * tiles(d["S"], kTile) * 2.0 * tiles(d["T"], kTile);
}
/// Of all queries of the blocks, existing or not: a row and both gains; of the keys all, once a block.
double query_reads(const Dims& d) { return 3.0 * d["N"] * tiles(d["S"], kQueries) * kQueries * d["D"]; }
double flash_reads(const Dims& d) { return query_reads(d) + 2.0 * k_size(d) * tiles(d["S"], kQueries); }
double flash_barriers(const Dims& d) {
  return d["N"] * tiles(d["S"], kQueries) * 2.0 * tiles(d["T"], kWarpSize);
}
/// The same for --tensor, whose tiles of kTensorKeys begin anew in each part.
double tensor_tiles(const Dims& d) {
  const int keys = static_cast<int>(d["T"]), part = part_size(keys);
  double count = 0.0;
  for (int begin = 0; begin < keys; begin += part) count += tiles(std::min(part, keys - begin), kTensorKeys);
  return count;
}
double tensor_query_blocks(const Dims& d) { return d["N"] * tiles(d["S"], kTensorQueries); }
/// A block of a part: its queries, and of both gains eight elements a lane; of the keys each once.
double tensor_reads(const Dims& d) {
  return kParts * (q_size(d) + tensor_query_blocks(d) * kTensorThreads * 16.0) +
         2.0 * k_size(d) * tiles(d["S"], kTensorQueries);
}
double tensor_barriers(const Dims& d) { return tensor_query_blocks(d) * tensor_tiles(d); }
double part_rows(const Dims& d) { return 1.0 * kParts * d["N"] * d["S"]; }

/// None, but at the end, where some lanes of a warp store two features of a row and others one.
double tensor_conflicts(const Dims& d) {
  return d["D"] % 4 != 0 && d["D"] > kWarpSize && d["D"] < 2.0 * kWarpSize ? part_rows(d) : 0.0;
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 44,
    .title = "Attention with QK-Norm",
    .part = "Part XIV: finding the fusion",
    .summary = "Attention whose queries and keys are normalised first, in one launch: the norms move behind the product, the scores stay on the chip",
    .tensors = {
        {.name = "q", .type = Type::f16, .role = Role::input, .shape = {"N", "S", "D"}, .fill = normal(0.3, 2.0)},
        {.name = "k", .type = Type::f16, .role = Role::input, .shape = {"N", "T", "D"}, .fill = normal(0.1, 0.6)},
        {.name = "v", .type = Type::f16, .role = Role::input, .shape = {"N", "T", "D"}, .fill = uniform(-1.0, 3.0)},
        {.name = "gq", .type = Type::f16, .role = Role::input, .shape = {"D"}, .fill = normal(1.1, 0.4)},
        {.name = "gk", .type = Type::f16, .role = Role::input, .shape = {"D"}, .fill = normal(0.9, 0.4)},
        {.name = "q_norm", .type = Type::f16, .role = Role::intermediate, .shape = {"N", "S", "D"}, .tolerance = of_norm()},
        {.name = "k_norm", .type = Type::f16, .role = Role::intermediate, .shape = {"N", "T", "D"}, .tolerance = of_norm()},
        {.name = "scores", .type = Type::f16, .role = Role::intermediate, .shape = {"N", "S", "T"}},
        {.name = "weights", .type = Type::f16, .role = Role::intermediate, .shape = {"N", "S", "T"}},
        {.name = "maxima", .role = Role::intermediate, .shape = {"16", "N", "S"}},
        {.name = "totals", .role = Role::intermediate, .shape = {"16", "N", "S"}},
        {.name = "sums", .role = Role::intermediate, .shape = {"16", "N", "S", "D"}},
        {.name = "out", .type = Type::f16, .role = Role::output, .shape = {"N", "S", "D"},
         .tolerance = Tolerance{0x1p-8, 0x1p-11,
                                "2^-8 + 2^-11 |out|: the last is the rounding to half at the end. Where scores are stored, one below 8 is off by 2^-9 for its own rounding and hardly more for those of its two factors, and its weight by as much of itself; out moves by that times the distance of a value from out, which is 1 on average. In --tensor one factor of a score is rounded, and a weight by 2^-11 of itself, which is less"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"N", 2}, {"S", 4}, {"T", 8}, {"D", 4}}},
        {.name = "one of each", .dims = {{"N", 1}, {"S", 1}, {"T", 1}, {"D", 1}}},
        {.name = "full tiles", .dims = {{"N", 1}, {"S", 16}, {"T", 64}, {"D", 32}}},
        {.name = "one short of two tiles", .dims = {{"N", 3}, {"S", 31}, {"T", 33}, {"D", 31}}},
        {.name = "one more than two tiles", .dims = {{"N", 1}, {"S", 33}, {"T", 31}, {"D", 33}}},
        // 66 tiles of 32 are 13 parts of 160, 20 more in the next, and none in the last two: of --tensor three tiles
        // of 64 a part, the third one cut.
        {.name = "many keys", .dims = {{"N", 1}, {"S", 3}, {"T", 2100}, {"D", 8}}},
        {.name = "many heads", .dims = {{"N", 9}, {"S", 2}, {"T", 5}, {"D", 3}}},
        {.name = "the widest rows of --flash", .dims = {{"N", 1}, {"S", 3}, {"T", 70}, {"D", 64}}},
        {.name = "wide rows", .dims = {{"N", 1}, {"S", 5}, {"T", 7}, {"D", 1000}}},
        // 299 keys are 10 tiles: 10 parts of one tile, the last of them cut, and 6 parts without keys.
        {.name = "no cut divides", .dims = {{"N", 1}, {"S", 19}, {"T", 299}, {"D", 13}}},
        {.name = "scores up to 40", .dims = {{"N", 2}, {"S", 17}, {"T", 45}, {"D", 4}},
         .fills = {{"q", from(signs)}, {"k", from(signs)}, {"gq", uniform(4.2, 4.7)}, {"gk", uniform(4.2, 4.7)}}},
        // Scores of -110 and +110: in head 0 the largest first for every second query and last for the others, in
        // head 1 all alike. exp(89) is beyond the largest float, exp(-104) is 0.
        {.name = "scores of 110", .dims = {{"N", 2}, {"S", 5}, {"T", 70}, {"D", 1}},
         .fills = {{"q", from(in_turn)}, {"k", from(far_apart)}, {"gq", uniform(10.3, 10.7)}, {"gk", uniform(10.3, 10.7)}}},
        // The mean of the squares is as large as epsilon: shows where epsilon was added.
        {.name = "tiny q and k", .dims = {{"N", 1}, {"S", 5}, {"T", 20}, {"D", 20}},
         .fills = {{"q", normal(0.0, 3e-3)}, {"k", normal(0.0, 3e-3)}}},
        // Squares beyond 65504, where half ends.
        {.name = "large q and k", .dims = {{"N", 1}, {"S", 5}, {"T", 20}, {"D", 24}},
         .fills = {{"q", normal(0.0, 400.0)}, {"k", normal(0.0, 400.0)}}},
        {.name = "a row of zeros", .dims = {{"N", 1}, {"S", 3}, {"T", 17}, {"D", 24}},
         .fills = {{"q", from(with_a_row_of_zeros)}, {"k", from(with_a_row_of_zeros)}}},
    },
    .large = {{"N", 1}, {"S", 1000}, {"T", 70}, {"D", 21}},
    .bench = {{"N", 2}, {"S", 256}, {"T", 4096}, {"D", 64}},
    .reference = qknorm_attention,
    .cross_check = norms_behind<double>,
    .cpu = norms_behind<float>,
    .variants = {
        {.name = "unfused",
         .title = "UNFUSED (two norms, then three operators)",
         .summary = "Five launches, and four tensors between them",
         .regions = {"norm_rows"},
         .intermediates = {"q_norm", "k_norm", "scores", "weights"},
         // Each norm: the row twice, and the gains once.
         .budget = {.global_reads = [](const Dims& d) { return 3.0 * (q_size(d) + k_size(d)) + score_reads(d) + softmax_and_values_reads(d); },
                    .global_writes = [](const Dims& d) { return 2.0 * q_size(d) + k_size(d) + 2.0 * pairs(d); },
                    .launches = 5,
                    .barriers = [](const Dims& d) { return score_barriers(d) + softmax_and_values_barriers(d); }}},
        {.name = "norms-inside",
         .title = "NORMS INSIDE (the scores divide by both)",
         .summary = "Three launches: the product takes q and k as they are, and divides each score by two norms",
         .regions = {"scaled_scores"},
         .intermediates = {"scores", "weights"},
         // With each element of a tile of q both gains.
         .budget = {.global_reads = [](const Dims& d) { return 2.0 * q_size(d) * tiles(d["T"], kTile) + score_reads(d) + softmax_and_values_reads(d); },
                    .global_writes = [](const Dims& d) { return q_size(d) + 2.0 * pairs(d); },
                    .launches = 3,
                    .barriers = [](const Dims& d) { return score_barriers(d) + softmax_and_values_barriers(d); }}},
        {.name = "flash",
         .title = "FLASH (one launch, the scores stay in registers)",
         .summary = "One launch: each tile of scores is used at once and forgotten",
         .regions = {"query_rows", "tile_scores", "update"},
         .refuses = too_many_features,
         .budget = {.global_reads = flash_reads,
                    .global_writes = q_size,
                    .launches = 1,
                    .barriers = flash_barriers}},
        {.name = "split",
         .title = "SPLIT (sixteen blocks share the keys, then a launch that combines)",
         .summary = "Parts of maximum and sums from sixteen blocks, brought to one maximum and added up by a second launch",
         .regions = {"query_rows", "tile_scores", "update", "split_parts", "combine"},
         .intermediates = {"maxima", "totals", "sums"},
         .refuses = too_many_features,
         // Each block of a part its queries again; then all parts, the maxima twice.
         .budget = {.global_reads = [](const Dims& d) { return kParts * query_reads(d) + 2.0 * k_size(d) * tiles(d["S"], kQueries) + 4.0 * kParts * q_size(d); },
                    .global_writes = [](const Dims& d) { return (kParts + 1.0) * q_size(d) + 2.0 * part_rows(d); },
                    .launches = 2,
                    .barriers = flash_barriers}},
        {.name = "tensor",
         .title = "TENSOR (the split, both products on tensor cores)",
         .summary = "A warp multiplies tiles of 16 x 16; the scores pass through its rows of shared memory",
         .regions = {"tensor_scores", "tensor_weights", "tensor_values", "combine"},
         .intermediates = {"maxima", "totals", "sums"},
         .refuses = too_many_features,
         .required = false,
         .budget = {.global_reads = [](const Dims& d) { return tensor_reads(d) + 4.0 * kParts * q_size(d); },
                    .global_writes = [](const Dims& d) { return (kParts + 1.0) * q_size(d) + 2.0 * part_rows(d); },
                    .launches = 2,
                    .barriers = tensor_barriers,
                    .conflicts = tensor_conflicts}},
    },
    .tensor_program = "qknorm_attention",
};
// clang-format on
