// Puzzle 44, attention with QK-Norm: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sizes.h"

using namespace workbook;

static_assert(kParts == 16, "the shapes of maxima, totals and sums say so");

const Bound N = "N", S = "S", D = "D", T = "T";

struct Sizes {
  explicit Sizes(const Dims& dims)
      : heads(dims["N"]), queries(dims["S"]), keys(dims["T"]), features(dims["D"]) {}
  double scale() const { return 1.0 / std::sqrt(static_cast<double>(features)); }
  std::size_t heads, queries, keys, features;
};

/// As it is written: normalise, then attention, head by head. With the tensors that travel between launches.
static void qknorm_attention(const Dims& dims, HostTensors<double>& t) {
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
  for (std::size_t row = 0; row < s.heads * s.queries; ++row)
    reference::attention_parts(scores.subspan(row * s.keys, s.keys),
                               t["v"].subspan(row / s.queries * of_k, of_k), part_size(dims["T"]), row,
                               s.heads * s.queries, t["maxima"], t["totals"], t["sums"]);
}

/// One pass over the keys, the last one first: raw rows are multiplied, and the product is divided by both
/// norms; what was added up is made smaller whenever a larger score comes.
template <class T>
static void norms_behind(const Dims& dims, HostTensors<T>& t) {
  const Sizes s(dims);
  const auto q = t["q"], k = t["k"], v = t["v"], gq = t["gq"], gk = t["gk"], out = t["out"];
  const T count = static_cast<T>(s.features), epsilon = static_cast<T>(1e-5);
  for (std::size_t row = 0; row < s.heads * s.queries; ++row) {
    reference::RunningAttention<T> running(s.features);
    for (std::size_t j = s.keys; j-- > 0;) {
      const std::size_t of_query = row * s.features, of_key = (row / s.queries * s.keys + j) * s.features;
      T product = 0, q_squares = 0, k_squares = 0;
      for (std::size_t f = 0; f < s.features; ++f) {
        product += q[of_query + f] * k[of_key + f] * gq[f] * gk[f];
        q_squares += q[of_query + f] * q[of_query + f];
        k_squares += k[of_key + f] * k[of_key + f];
      }
      const T norms = std::sqrt(q_squares / count + epsilon) * std::sqrt(k_squares / count + epsilon);
      running.add(product / norms / std::sqrt(count), v.subspan(of_key, s.features));
    }
    for (std::size_t c = 0; c < s.features; ++c) out[row * s.features + c] = running.mean(c);
  }
}

/// Rows of +a and -a, a different a in each: normalised they are +1 and -1, and a score is a sum of gains
/// with signs. In four features a tile of 32 keys has each pattern of signs twice.
static void signs(const Dims& dims, std::span<double> values, Random& random) {
  const auto features = static_cast<std::size_t>(dims["D"]);
  double size = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / features, pattern = (row * 5 + 3) % 16;
    if (i % features == 0) size = 1.0 + 3.0 * random.uniform();
    values[i] = (pattern >> i % features % 4 & 1) != 0 ? -size : size;
  }
}

/// Below 0 for the first 40 rows of the first head, above it for all others.
static void far_apart(const Dims&, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (i < 40 ? -1.0 : 1.0) * (1.0 + 3.0 * random.uniform());
}

/// Below 0 and above it in turn.
static void in_turn(const Dims&, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (i % 2 == 0 ? -1.0 : 1.0) * (1.0 + 3.0 * random.uniform());
}

/// A row of zeros between rows that are not: epsilon alone is under the root.
static void with_a_row_of_zeros(const Dims& dims, std::span<double> values, Random& random) {
  const auto features = static_cast<std::size_t>(dims["D"]);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = i / features == 1 ? 0.0 : 0.5 + 1.5 * random.normal();
}

const std::vector<Refusal> kTooManyFeatures = {
    {D > kMaxFeatures, "--flash, --split and --tensor keep rows in shared memory: D is at most 64."}};

const Tolerance kOfNorm = {
    0x1p-25 + 8 * 0x1p-24 * (D / 32 + 16), 0x1p-11,
    "8 (D/32 + 16) 2^-24 + 2^-25 + 2^-11 of the value: a sum of D/32 squares a lane and its five rounds, in "
    "float, of a value below 8; then one rounding to half"};

static Bound tiles(const Bound& size, int side) { return ceil(size / side); }
const Bound q_size = N * S * D;
const Bound k_size = N * T * D;
const Bound pairs = N * S * T;
/// By tiles of 16 x 16: each operand once for every tile of the other.
const Bound score_reads = q_size * tiles(T, kTile) + k_size * tiles(S, kTile);
/// Of softmax three times the scores; then the product with v.
const Bound softmax_and_values_reads = 3 * pairs + pairs * tiles(D, kTile) + k_size * tiles(S, kTile);
/// Two a tile along the features, four of softmax, two a tile along the keys.
const Bound score_barriers = N * tiles(T, kTile) * tiles(S, kTile) * 2 * tiles(D, kTile);
const Bound softmax_and_values_barriers =
    4 * N * S + N * tiles(D, kTile) * tiles(S, kTile) * 2 * tiles(T, kTile);
/// Of all queries of the blocks, existing or not: a row and both gains; of the keys all, once a block.
const Bound query_reads = 3 * N * tiles(S, kQueries) * kQueries * D;
const Bound flash_reads = query_reads + 2 * k_size * tiles(S, kQueries);
const Bound flash_barriers = N * tiles(S, kQueries) * 2 * tiles(T, kWarpSize);
/// The same for --tensor, whose tiles of kTensorKeys begin anew in each part.
static double tensor_tiles(const Dims& dims) {
  const int keys = dims["T"], part = part_size(keys);
  double count = 0.0;
  for (int begin = 0; begin < keys; begin += part)
    count += ceil_div(std::min(part, keys - begin), kTensorKeys);
  return count;
}
const Bound tensor_query_blocks = N * tiles(S, kTensorQueries);
/// A block of a part: its queries, and of both gains eight elements a lane; of the keys each once.
const Bound tensor_reads =
    kParts * (q_size + tensor_query_blocks * kTensorThreads * 16) + 2 * k_size * tiles(S, kTensorQueries);
const Bound tensor_barriers = tensor_query_blocks * Bound(tensor_tiles);
const Bound part_rows = kParts * N * S;

/// None, but at the end, where some lanes of a warp store two features of a row and others one.
static double tensor_conflicts(const Dims& dims) {
  const int features = dims["D"];
  return features % 4 != 0 && features > kWarpSize && features < 2 * kWarpSize ? part_rows(dims) : 0.0;
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 44, .title = "Attention with QK-Norm", .part = "Part XIV: finding the fusion",
    .builds_on = {19, 37, 41},
    .summary = "Attention whose queries and keys are normalised first, in one launch: the norms move behind the product, the scores stay on the chip",
    .tasks = {{
        .tensors = {
            input("q", Type::f16, {"N", "S", "D"}, normal(0.3, 2.0)),
            input("k", Type::f16, {"N", "T", "D"}, normal(0.1, 0.6)),
            input("v", Type::f16, {"N", "T", "D"}, uniform(-1.0, 3.0)),
            input("gq", Type::f16, {"D"}, normal(1.1, 0.4)),
            input("gk", Type::f16, {"D"}, normal(0.9, 0.4)),
            intermediate("q_norm", Type::f16, {"N", "S", "D"}, kOfNorm),
            intermediate("k_norm", Type::f16, {"N", "T", "D"}, kOfNorm),
            intermediate("scores", Type::f16, {"N", "S", "T"}),
            intermediate("weights", Type::f16, {"N", "S", "T"}),
            intermediate("maxima", {"16", "N", "S"}),
            intermediate("totals", {"16", "N", "S"}),
            intermediate("sums", {"16", "N", "S", "D"}),
            output("out", Type::f16, {"N", "S", "D"},
                {0x1p-8, 0x1p-11,
                 "2^-8 + 2^-11 |out|: the last is the rounding to half at the end. Where scores are stored, one below 8 "
                 "is off by 2^-9 for its own rounding and hardly more for those of its two factors, and its weight by "
                 "as much of itself; out moves by that times the distance of a value from out, which is 1 on average. "
                 "In --tensor one factor of a score is rounded, and a weight by 2^-11 of itself, which is less"})},
        .cases = cases({"N", "S", "T", "D"}, {
            {"teaching", {2, 4, 8, 4}}, {"one of each", {1, 1, 1, 1}}, {"full tiles", {1, 16, 64, 32}},
            {"one short of two tiles", {3, 31, 33, 31}}, {"one more than two tiles", {1, 33, 31, 33}},
            // 66 tiles of 32 are 13 parts of 160, 20 more in the next, and none in the last two: of --tensor three tiles
            // of 64 a part, the third one cut.
            {"many keys", {1, 3, 2100, 8}},
            {"many heads", {9, 2, 5, 3}}, {"the widest rows of --flash", {1, 3, 70, 64}},
            {"wide rows", {1, 5, 7, 1000}},
            // 299 keys are 10 tiles: 10 parts of one tile, the last of them cut, and 6 parts without keys.
            {"no cut divides", {1, 19, 299, 13}},
            {"scores up to 40", {2, 17, 45, 4},
             {{"q", from(signs)}, {"k", from(signs)}, {"gq", uniform(4.2, 4.7)}, {"gk", uniform(4.2, 4.7)}}},
            // Scores of -110 and +110: in head 0 the largest first for every second query and last for the others, in
            // head 1 all alike. exp(89) is beyond the largest float, exp(-104) is 0.
            {"scores of 110", {2, 5, 70, 1},
             {{"q", from(in_turn)}, {"k", from(far_apart)}, {"gq", uniform(10.3, 10.7)}, {"gk", uniform(10.3, 10.7)}}},
            // The mean of the squares is as large as epsilon: shows where epsilon was added.
            {"tiny q and k", {1, 5, 20, 20}, {{"q", normal(0.0, 3e-3)}, {"k", normal(0.0, 3e-3)}}},
            // Squares beyond 65504, where half ends.
            {"large q and k", {1, 5, 20, 24}, {{"q", normal(0.0, 400.0)}, {"k", normal(0.0, 400.0)}}},
            {"a row of zeros", {1, 3, 17, 24}, {{"q", from(with_a_row_of_zeros)}, {"k", from(with_a_row_of_zeros)}}}}),
        .large = {{"N", 1}, {"S", 1000}, {"T", 70}, {"D", 21}},
        .bench = {{"N", 2}, {"S", 256}, {"T", 4096}, {"D", 64}},
        .reference = qknorm_attention, .cross_check = norms_behind<double>, .cpu = norms_behind<float>}},
    .variants = {
        {.name = "unfused", .title = "UNFUSED (two norms, then three operators)",
         .summary = "Five launches, and four tensors between them",
         .regions = {"norm_rows"}, .intermediates = {"q_norm", "k_norm", "scores", "weights"},
         // Each norm: the row twice, and the gains once.
         .budget = {.global_reads = 3 * (q_size + k_size) + score_reads + softmax_and_values_reads,
                    .global_writes = 2 * q_size + k_size + 2 * pairs, .launches = 5,
                    .barriers = score_barriers + softmax_and_values_barriers}},
        {.name = "norms-inside", .title = "NORMS INSIDE (the scores divide by both)",
         .summary = "Three launches: the product takes q and k as they are, and divides each score by two norms",
         .regions = {"scaled_scores"}, .intermediates = {"scores", "weights"},
         // With each element of a tile of q both gains.
         .budget = {.global_reads = 2 * q_size * tiles(T, kTile) + score_reads + softmax_and_values_reads,
                    .global_writes = q_size + 2 * pairs, .launches = 3,
                    .barriers = score_barriers + softmax_and_values_barriers}},
        {.name = "flash", .title = "FLASH (one launch, the scores stay in registers)",
         .summary = "One launch: each tile of scores is used at once and forgotten",
         .regions = {"query_rows", "tile_scores", "update"}, .refuses = kTooManyFeatures,
         .budget = {.global_reads = flash_reads, .global_writes = q_size, .launches = 1,
                    .barriers = flash_barriers}},
        {.name = "split", .title = "SPLIT (sixteen blocks share the keys, then a launch that combines)",
         .summary = "Parts of maximum and sums from sixteen blocks, brought to one maximum and added up by a second launch",
         .regions = {"query_rows", "tile_scores", "update", "split_parts", "combine"},
         .intermediates = {"maxima", "totals", "sums"}, .refuses = kTooManyFeatures,
         // Each block of a part its queries again; then all parts, the maxima twice.
         .budget = {.global_reads = kParts * query_reads + 2 * k_size * tiles(S, kQueries) + 4 * kParts * q_size,
                    .global_writes = (kParts + 1) * q_size + 2 * part_rows, .launches = 2,
                    .barriers = flash_barriers}},
        {.name = "tensor", .title = "TENSOR (the split, both products on tensor cores)",
         .summary = "A warp multiplies tiles of 16 x 16; the scores pass through its rows of shared memory",
         .regions = {"tensor_scores", "tensor_weights", "tensor_values", "combine"},
         .intermediates = {"maxima", "totals", "sums"}, .refuses = kTooManyFeatures, .required = false,
         .budget = {.global_reads = tensor_reads + 4 * kParts * q_size,
                    .global_writes = (kParts + 1) * q_size + 2 * part_rows, .launches = 2,
                    .barriers = tensor_barriers, .conflicts = tensor_conflicts}},
    },
    .tensor_program = "qknorm_attention",
};
