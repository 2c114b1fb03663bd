// Puzzle 45, multi-head latent attention: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sizes.h"

using namespace workbook;

static_assert(kPart == 64 && kSide == 16 && kTensorKeys == 32,
              "the shapes of what lies between steps say so");

const Bound A = "A", T = "T", C = "C", D = "D", E = "E", R = "R";

struct Sizes {
  explicit Sizes(const Dims& d) : a(d["A"]), t(d["T"]), c(d["C"]), r(d["R"]), d(d["D"]), e(d["E"]) {}
  std::size_t a, t, c, r, d, e;
};

/// What --tensor has of each part. A head that does not exist scores 0 everywhere.
static void parts_of_fragments(const Sizes& s, HostTensors<double>& t) {
  const auto round_up = [](std::size_t n) { return (n + kSide - 1) / kSide * kSide; };
  const std::size_t heads = round_up(s.a), wide = round_up(s.c),
                    parts = (s.t + kTensorKeys - 1) / kTensorKeys;
  const auto ckv = t["ckv"];
  std::fill(t["part_totals"].begin(), t["part_totals"].end(), 0.0);
  std::fill(t["part_sums"].begin(), t["part_sums"].end(), 0.0);
  std::fill(t["part_largest"].begin(), t["part_largest"].end(), -INFINITY);
  for (std::size_t a = 0; a < heads; ++a) {
    const auto score = [&](std::size_t i) { return a < s.a ? t["scores"][a * s.t + i] : 0.0; };
    for (std::size_t i = 0; i < s.t; ++i) {
      double& largest = t["part_largest"][a * parts + i / kTensorKeys];
      largest = std::max(largest, score(i));
    }
    for (std::size_t i = 0; i < s.t; ++i) {
      const std::size_t part = i / kTensorKeys;
      const double weight = std::exp(score(i) - t["part_largest"][a * parts + part]);
      t["part_totals"][a * parts + part] += weight;
      for (std::size_t c = 0; c < s.c; ++c)
        t["part_sums"][(part * heads + a) * wide + c] += weight * ckv[i * s.c + c];
    }
  }
}

/// As it is written: keys and values of every head first. With all that travels between launches.
static void latent_attention(const Dims& dims, HostTensors<double>& t) {
  const Sizes s(dims);
  const auto ckv = t["ckv"];
  for (std::size_t a = 0; a < s.a; ++a) {
    const auto wk = t["wk"].subspan(a * s.c * s.d, s.c * s.d), wv = t["wv"].subspan(a * s.c * s.e, s.c * s.e);
    const auto k = t["k"].subspan(a * s.t * s.d, s.t * s.d), v = t["v"].subspan(a * s.t * s.e, s.t * s.e);
    const auto qn = t["qn"].subspan(a * s.d, s.d), qr = t["qr"].subspan(a * s.r, s.r);
    const auto scores = t["scores"].subspan(a * s.t, s.t), weights = t["weights"].subspan(a * s.t, s.t);
    reference::matmul(ckv, wk, k, s.t, s.d, s.c);
    reference::matmul(ckv, wv, v, s.t, s.e, s.c);
    reference::matmul(k, qn, scores, s.t, 1, s.d);
    for (std::size_t i = 0; i < s.t; ++i)
      for (std::size_t r = 0; r < s.r; ++r) scores[i] += qr[r] * t["kr"][i * s.r + r];
    reference::softmax(scores, weights, 1, s.t);
    reference::matmul(weights, v, t["y"].subspan(a * s.e, s.e), 1, s.e, s.t);
    reference::matmul(weights, ckv, t["z"].subspan(a * s.c, s.c), 1, s.c, s.t);
    reference::matmul(wk, qn, t["qa"].subspan(a * s.c, s.c), s.c, 1, s.d);
    reference::attention_parts(scores, ckv, kPart, a, s.a, t["largest"], t["totals"], t["sums"]);
  }
  parts_of_fragments(s, t);
}

/// Neither keys nor values: the query in the latent space, one pass from the last key to the first, in which
/// what was added up is made smaller whenever a larger score comes, and the values' matrix at the end.
template <class T>
static void in_latent_space(const Dims& dims, HostTensors<T>& t) {
  const Sizes s(dims);
  std::vector<T> query(s.c);
  for (std::size_t a = 0; a < s.a; ++a) {
    const auto wk = t["wk"].subspan(a * s.c * s.d, s.c * s.d), wv = t["wv"].subspan(a * s.c * s.e, s.c * s.e);
    std::fill(query.begin(), query.end(), T(0));
    for (std::size_t c = 0; c < s.c; ++c)
      for (std::size_t d = 0; d < s.d; ++d) query[c] += wk[c * s.d + d] * t["qn"][a * s.d + d];
    reference::RunningAttention<T> running(s.c);
    for (std::size_t i = s.t; i-- > 0;) {
      const auto row = t["ckv"].subspan(i * s.c, s.c);
      T score = 0;
      for (std::size_t c = 0; c < s.c; ++c) score += query[c] * row[c];
      for (std::size_t r = 0; r < s.r; ++r) score += t["qr"][a * s.r + r] * t["kr"][i * s.r + r];
      running.add(score, row);
    }
    const auto y = t["y"].subspan(a * s.e, s.e);
    std::fill(y.begin(), y.end(), T(0));
    for (std::size_t c = 0; c < s.c; ++c)
      for (std::size_t e = 0; e < s.e; ++e) y[e] += running.mean(c) * wv[c * s.e + e];
  }
}

/// Normal, of a deviation that makes a sum over `size` of it about as large as one term: scores stay around
/// 2 in size, values around 1, whatever the sizes are.
static Fill scaled(double deviation, const char* size) {
  return from([=](const Dims& dims, std::span<double> values, Random& random) {
    for (double& value : values) value = deviation / std::sqrt(dims[size]) * random.normal();
  });
}

/// For scores beyond what exp can hold: large parts of them in all heads but the first, where they stay
/// small, so that a mistake leaves numbers there.
static Fill large_but_in_the_first_head(double low, double high) {
  return from([=](const Dims& dims, std::span<double> values, Random& random) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] =
          (low + (high - low) * random.uniform()) * (i < static_cast<std::size_t>(dims["R"]) ? 0.04 : 1.0);
  });
}
const Fill kLarge = large_but_in_the_first_head(20, 22), kNegative = large_but_in_the_first_head(-22, -20),
           kOrdered = large_but_in_the_first_head(0.75, 1);

/// Rotary keys that rise from 0 to 900 along t: each score is larger than all before it.
static void rising(const Dims& dims, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 900.0 * (static_cast<double>(i / dims["R"]) + random.uniform()) / dims["T"];
}
/// The first 20 keys are so much better than the others that exp of the difference is infinite.
static void best_first(const Dims& dims, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(random.integer(0, 2)) + (i / dims["R"] < 20 ? 150.0 : 0.0);
}

static Bound tiles(const Bound& size, int side) { return ceil(size / side); }
/// Of one of the two given products: its latent rows, and its matrix.
static Bound decompress_reads(const Bound& width) {
  return A * T * C * tiles(width, kTile) + A * C * width * tiles(T, kTile);
}
const Bound pairs = A * T;
/// Both matrices by absorb and project, each element with one of a vector.
const Bound matrix_reads = 2 * A * C * (D + E);
/// qa, z and y.
const Bound small_writes = 2 * A * C + A * E;
const Bound parts = tiles(T, kPart), tensor_parts = tiles(T, kTensorKeys);
/// The latent and rotary rows once for each block of heads.
const Bound row_reads = tiles(A, kWarps) * T * (C + R);
const Bound query_reads = A * (C + R);

const std::vector<Refusal> kTooWide = {
    {C > kMaxLatent || R > kMaxRope,
     "A tile in shared memory has room for rows of 512 latent and 64 rotary elements: C is at most 512, R at most 64."}};

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 45, .title = "Multi-head latent attention", .part = "Part XIV: finding the fusion",
    .builds_on = {19, 37, 40, 41},
    .summary = "Attention over compressed keys and values that are never decompressed: their matrices move to the query and behind the sum",
    .tasks = {{
        .tensors = {
            input("qn", Type::f16, {"A", "D"}, scaled(1.5, "D")),
            input("qr", Type::f16, {"A", "R"}, scaled(1.0, "R")),
            input("ckv", Type::f16, {"T", "C"}, normal(0.5, 1.0)),
            input("kr", Type::f16, {"T", "R"}, normal(0.25, 1.0)),
            input("wk", Type::f16, {"A", "C", "D"}, scaled(1.0, "C")),
            input("wv", Type::f16, {"A", "C", "E"}, scaled(1.0, "C")),
            intermediate("k", Type::f16, {"A", "T", "D"}),
            intermediate("v", Type::f16, {"A", "T", "E"}),
            intermediate("qa", {"A", "C"},
                {4 * (D + 1) * 0x1p-24, 0.0,
                 "4 (D + 1) 2^-24: D products and their additions in float; an element is below 4 in size"}),
            intermediate("scores", {"A", "T"},
                {0x1p-7, 0x1p-11,
                 "2^-7 + 2^-11 |score|: the elements of stored keys, below 4 in size, are off by 2^-10 at most; D such "
                 "errors, up and down, times a query of length 1.5, stay within 5 of them. The second part is that of "
                 "the rotary products and of additions"}),
            intermediate("weights", {"A", "T"}),
            intermediate("largest", {"ceil(T/64)", "A"}),
            intermediate("totals", {"ceil(T/64)", "A"}),
            intermediate("sums", {"ceil(T/64)", "A", "C"}),
            intermediate("part_largest", {"16*ceil(A/16)", "ceil(T/32)"},
                {0x1p-7, 0x1p-11,
                 "2^-7 + 2^-11 |score|, as scores of stored keys: the absorbed query is rounded by 2^-11 of its size, "
                 "which is less than those keys are off by"}),
            intermediate("part_totals", {"16*ceil(A/16)", "ceil(T/32)"},
                {0.0, 0x1p-6,
                 "2^-6 of it: a score is off by less than 2^-7, and so is the largest of its part; a weight, exp of the "
                 "difference, by less than 2^-6 of its size"}),
            intermediate("part_sums", {"ceil(T/32)", "16*ceil(A/16)", "16*ceil(C/16)"}),
            intermediate("z", {"A", "C"}),
            output("y", Type::f16, {"A", "E"},
                {0x1p-8, 0x1p-11,
                 "2^-8 + 2^-11 |y|: the last is the rounding to half at the end. Stored values, below 4 in size, are "
                 "off by 2^-10 at most, and the errors of scores of stored keys move a mean of values by less than 3 "
                 "times that. Without keys and values all but the last is next to nothing; only --tensor rounds the "
                 "absorbed query and the weights, by 2^-11 of their size, which is less than that"})},
        .cases = cases({"A", "T", "C", "R", "D", "E"}, {
            {"teaching", {2, 8, 4, 2, 4, 4}}, {"one of each", {1, 1, 1, 1, 1, 1}},
            {"one short of a warp", {3, 31, 33, 1, 31, 33}},
            {"one more than a warp", {2, 33, 31, 33, 33, 31}},
            // No tile, warp, part or block divides any of them.
            {"no cut divides", {9, 77, 37, 5, 19, 23}},
            {"many keys", {1, 1000, 5, 3, 3, 2}}, {"31 heads", {31, 20, 3, 31, 1, 5}},
            {"33 heads", {33, 5, 1, 3, 5, 1}}, {"long queries and values", {2, 3, 3, 2, 1000, 1000}},
            {"long rows", {1, 3, 1000, 1000, 2, 2}}, {"the longest rows of --flash", {1, 18, 512, 64, 3, 2}},
            // The copies of --tensor, of 8 elements, and neither its heads, parts nor columns come out even.
            {"rows in eighths", {17, 65, 40, 8, 3, 40}},
            {"large scores", {3, 40, 6, 4, 3, 5}, {{"qr", kLarge}, {"kr", integers(4, 5)}}},
            {"large negative scores", {3, 40, 6, 4, 3, 5}, {{"qr", kNegative}, {"kr", integers(4, 5)}}},
            {"the best key last", {3, 80, 7, 1, 2, 4}, {{"qr", kOrdered}, {"kr", from(rising)}}},
            {"the best keys first", {3, 80, 7, 1, 2, 4}, {{"qr", kOrdered}, {"kr", from(best_first)}}}}),
        .large = {{"A", 1000}, {"T", 70}, {"C", 20}, {"R", 5}, {"D", 6}, {"E", 5}},
        .bench = {{"A", 16}, {"T", 4096}, {"C", 512}, {"R", 64}, {"D", 128}, {"E", 128}},
        .reference = latent_attention, .cross_check = in_latent_space<double>, .cpu = in_latent_space<float>}},
    .variants = {
        {.name = "unfused", .title = "UNFUSED (keys and values first)",
         .summary = "Six launches; keys and values of every head are written and read",
         .regions = {"lane_dot", "dots", "weigh"}, .intermediates = {"k", "v", "scores", "weights"},
         .budget = {.global_reads = decompress_reads(D) + decompress_reads(E) + pairs * (2 * D + 2 * R + 2 * E + 4),
                    .global_writes = pairs * (D + E + 3) + A * E, .launches = 6}},
        {.name = "absorbed", .title = "ABSORBED (in the latent space)",
         .summary = "Five launches: wk goes to the query, wv behind the sum; no keys, no values",
         .regions = {"lane_dot", "dots", "weigh", "absorb", "latent_scores", "project"},
         .intermediates = {"qa", "scores", "weights", "z"},
         .budget = {.global_reads = matrix_reads + pairs * (4 * C + 2 * R + 3),
                    .global_writes = small_writes + 2 * pairs, .launches = 5}},
        {.name = "flash", .title = "FLASH (one pass over the latent rows)",
         .summary = "Three launches: each latent row is key and value at once, with a running maximum",
         .regions = {"lane_dot", "dots", "weigh", "absorb", "project", "take", "walk_keys", "flash_result"},
         .intermediates = {"qa", "z"}, .refuses = kTooWide,
         .budget = {.global_reads = matrix_reads + query_reads + row_reads, .global_writes = small_writes,
                    .launches = 3, .conflicts = 0}},
        {.name = "split", .title = "SPLIT (parts of the keys, then a launch that combines)",
         .summary = "The same pass by a block for each 64 keys and 8 heads; their sums are put on one maximum",
         .regions = {"lane_dot", "dots", "weigh", "absorb", "project", "take", "walk_keys", "split_part", "combine"},
         .intermediates = {"qa", "largest", "totals", "sums", "z"}, .refuses = kTooWide, .required = false,
         .budget = {.global_reads = matrix_reads + parts * query_reads + row_reads + 4 * parts * A * C,
                    .global_writes = small_writes + parts * A * (C + 2), .launches = 4, .conflicts = 0}},
        {.name = "tensor", .title = "TENSOR (parts of the keys on tensor cores)",
         .summary = "Three launches: 16 heads are the rows of a fragment, and 32 latent rows are keys and values",
         .regions = {"lane_dot", "dots", "absorb", "tensor_scores", "tensor_weights", "tensor_values"},
         .intermediates = {"qa", "part_largest", "part_totals", "part_sums"}, .refuses = kTooWide, .required = false,
         .budget = {.launches = 3,
                    .barriers = 4 * tiles(A, kSide) * tensor_parts +
                                A * tiles(E, kOutColumns) * (3 + 2 * tiles(tensor_parts, kOutThreads)),
                    .conflicts = 0}},
    },
    .tensor_program = "mla_decode",
};
