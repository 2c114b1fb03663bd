// Puzzle 45, multi-head latent attention: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sizes.h"

namespace {

using namespace workbook;

struct Sizes {
  explicit Sizes(const Dims& d) : a(d["A"]), t(d["T"]), c(d["C"]), r(d["R"]), d(d["D"]), e(d["E"]) {}
  std::size_t a, t, c, r, d, e;
};

/// What --tensor has of each part. A head that does not exist scores 0 everywhere.
void parts_of_fragments(const Sizes& s, HostTensors<double>& t) {
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
void latent_attention(const Dims& dims, HostTensors<double>& t) {
  const Sizes s(dims);
  const auto ckv = t["ckv"];
  const auto part_keys = static_cast<std::size_t>(kPart);
  std::fill(t["totals"].begin(), t["totals"].end(), 0.0);
  std::fill(t["sums"].begin(), t["sums"].end(), 0.0);
  std::fill(t["largest"].begin(), t["largest"].end(), -INFINITY);
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
    for (std::size_t i = 0; i < s.t; ++i) {
      double& largest = t["largest"][i / part_keys * s.a + a];
      largest = std::max(largest, scores[i]);
    }
    for (std::size_t i = 0; i < s.t; ++i) {
      const std::size_t at = i / part_keys * s.a + a;
      const double weight = std::exp(scores[i] - t["largest"][at]);
      t["totals"][at] += weight;
      for (std::size_t c = 0; c < s.c; ++c) t["sums"][at * s.c + c] += weight * ckv[i * s.c + c];
    }
  }
  parts_of_fragments(s, t);
}

/// Neither keys nor values: the query in the latent space, one pass from the last key to the first, in which
/// what was added up is made smaller whenever a larger score comes, and the values' matrix at the end.
template <class T>
void in_latent_space(const Dims& dims, HostTensors<T>& t) {
  const Sizes s(dims);
  std::vector<T> query(s.c), sums(s.c);
  for (std::size_t a = 0; a < s.a; ++a) {
    const auto wk = t["wk"].subspan(a * s.c * s.d, s.c * s.d), wv = t["wv"].subspan(a * s.c * s.e, s.c * s.e);
    std::fill(query.begin(), query.end(), T(0));
    for (std::size_t c = 0; c < s.c; ++c)
      for (std::size_t d = 0; d < s.d; ++d) query[c] += wk[c * s.d + d] * t["qn"][a * s.d + d];
    std::fill(sums.begin(), sums.end(), T(0));
    T largest = -INFINITY, total = 0;
    for (std::size_t i = s.t; i-- > 0;) {
      const auto row = t["ckv"].subspan(i * s.c, s.c);
      T score = 0;
      for (std::size_t c = 0; c < s.c; ++c) score += query[c] * row[c];
      for (std::size_t r = 0; r < s.r; ++r) score += t["qr"][a * s.r + r] * t["kr"][i * s.r + r];
      const T larger = std::max(largest, score), keep = std::exp(largest - larger);
      const T weight = std::exp(score - larger);
      total = total * keep + weight;
      for (std::size_t c = 0; c < s.c; ++c) sums[c] = sums[c] * keep + weight * row[c];
      largest = larger;
    }
    const auto y = t["y"].subspan(a * s.e, s.e);
    std::fill(y.begin(), y.end(), T(0));
    for (std::size_t c = 0; c < s.c; ++c)
      for (std::size_t e = 0; e < s.e; ++e) y[e] += sums[c] / total * wv[c * s.e + e];
  }
}

/// Normal, of a deviation that makes a sum over `size` of it about as large as one term: scores stay around
/// 2 in size, values around 1, whatever the sizes are.
void scaled(std::span<double> values, Random& random, double deviation, int size) {
  for (double& value : values) value = deviation / std::sqrt(size) * random.normal();
}
Fill for_nope() {
  return from([](const Dims& d, std::span<double> v, Random& r) { scaled(v, r, 1.5, d["D"]); });
}
Fill for_rope() {
  return from([](const Dims& d, std::span<double> v, Random& r) { scaled(v, r, 1.0, d["R"]); });
}
Fill for_latent() {
  return from([](const Dims& d, std::span<double> v, Random& r) { scaled(v, r, 1.0, d["C"]); });
}

/// For scores beyond what exp can hold: large parts of them in all heads but the first, where they stay
/// small, so that a mistake leaves numbers there.
void fill_heads(const Dims& dims, std::span<double> values, Random& random, double low, double high) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        (low + (high - low) * random.uniform()) * (i < static_cast<std::size_t>(dims["R"]) ? 0.04 : 1.0);
}
Fill for_large() {
  return from([](const Dims& d, std::span<double> v, Random& r) { fill_heads(d, v, r, 20, 22); });
}
Fill for_negative() {
  return from([](const Dims& d, std::span<double> v, Random& r) { fill_heads(d, v, r, -22, -20); });
}
Fill for_ordered() {
  return from([](const Dims& d, std::span<double> v, Random& r) { fill_heads(d, v, r, 0.75, 1); });
}

/// Rotary keys that rise from 0 to 900 along t: each score is larger than all before it.
void rising(const Dims& dims, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 900.0 * (static_cast<double>(i / dims["R"]) + random.uniform()) / dims["T"];
}
/// The first 20 keys are so much better than the others that exp of the difference is infinite.
void best_first(const Dims& dims, std::span<double> values, Random& random) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(random.integer(0, 2)) + (i / dims["R"] < 20 ? 150.0 : 0.0);
}

double tiles(double size, double side) { return std::ceil(size / side); }
/// Of one of the two given products: its latent rows, and its matrix.
double decompress_reads(const Dims& d, double width) {
  return 1.0 * d["A"] * d["T"] * d["C"] * tiles(width, kTile) +
         d["A"] * d["C"] * width * tiles(d["T"], kTile);
}
double pairs(const Dims& d) { return 1.0 * d["A"] * d["T"]; }
/// Both matrices by absorb and project, each element with one of a vector.
double matrix_reads(const Dims& d) { return 2.0 * d["A"] * d["C"] * (1.0 * d["D"] + d["E"]); }
/// qa, z and y.
double small_writes(const Dims& d) { return 2.0 * d["A"] * d["C"] + 1.0 * d["A"] * d["E"]; }
double parts(const Dims& d) { return tiles(d["T"], kPart); }
/// The latent and rotary rows once for each block of heads.
double row_reads(const Dims& d) { return tiles(d["A"], kWarps) * d["T"] * (1.0 * d["C"] + d["R"]); }
double query_reads(const Dims& d) { return d["A"] * (1.0 * d["C"] + d["R"]); }

std::string too_wide(const Dims& d) {
  return d["C"] > kMaxLatent || d["R"] > kMaxRope
             ? "A tile in shared memory has room for rows of 512 latent and 64 rotary elements: C is at most 512, R at most 64."
             : "";
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 45,
    .title = "Multi-head latent attention",
    .part = "Part XIV: finding the fusion",
    .summary = "Attention over compressed keys and values that are never decompressed: their matrices move to the query and behind the sum",
    .tensors = {
        {.name = "qn", .type = Type::f16, .role = Role::input, .shape = {"A", "D"}, .fill = for_nope()},
        {.name = "qr", .type = Type::f16, .role = Role::input, .shape = {"A", "R"}, .fill = for_rope()},
        {.name = "ckv", .type = Type::f16, .role = Role::input, .shape = {"T", "C"}, .fill = normal(0.5, 1.0)},
        {.name = "kr", .type = Type::f16, .role = Role::input, .shape = {"T", "R"}, .fill = normal(0.25, 1.0)},
        {.name = "wk", .type = Type::f16, .role = Role::input, .shape = {"A", "C", "D"}, .fill = for_latent()},
        {.name = "wv", .type = Type::f16, .role = Role::input, .shape = {"A", "C", "E"}, .fill = for_latent()},
        {.name = "k", .type = Type::f16, .role = Role::intermediate, .shape = {"A", "T", "D"}},
        {.name = "v", .type = Type::f16, .role = Role::intermediate, .shape = {"A", "T", "E"}},
        {.name = "qa", .role = Role::intermediate, .shape = {"A", "C"},
         .tolerance = Tolerance{[](const Dims& d) { return 4.0 * (d["D"] + 1.0) * 0x1p-24; }, 0.0,
                                "4 (D + 1) 2^-24: D products and their additions in float; an element is below 4 in size"}},
        {.name = "scores", .role = Role::intermediate, .shape = {"A", "T"},
         .tolerance = Tolerance{0x1p-7, 0x1p-11,
                                "2^-7 + 2^-11 |score|: the elements of stored keys, below 4 in size, are off by 2^-10 at most; D such errors, up and down, times a query of length 1.5, stay within 5 of them. The second part is that of the rotary products and of additions"}},
        {.name = "weights", .role = Role::intermediate, .shape = {"A", "T"}},
        {.name = "largest", .role = Role::intermediate, .shape = {"ceil(T/64)", "A"}},
        {.name = "totals", .role = Role::intermediate, .shape = {"ceil(T/64)", "A"}},
        {.name = "sums", .role = Role::intermediate, .shape = {"ceil(T/64)", "A", "C"}},
        {.name = "part_largest", .role = Role::intermediate, .shape = {"16*ceil(A/16)", "ceil(T/32)"},
         .tolerance = Tolerance{0x1p-7, 0x1p-11,
                                "2^-7 + 2^-11 |score|, as scores of stored keys: the absorbed query is rounded by 2^-11 of its size, which is less than those keys are off by"}},
        {.name = "part_totals", .role = Role::intermediate, .shape = {"16*ceil(A/16)", "ceil(T/32)"},
         .tolerance = Tolerance{0.0, 0x1p-6,
                                "2^-6 of it: a score is off by less than 2^-7, and so is the largest of its part; a weight, exp of the difference, by less than 2^-6 of its size"}},
        {.name = "part_sums", .role = Role::intermediate, .shape = {"ceil(T/32)", "16*ceil(A/16)", "16*ceil(C/16)"}},
        {.name = "z", .role = Role::intermediate, .shape = {"A", "C"}},
        {.name = "y", .type = Type::f16, .role = Role::output, .shape = {"A", "E"},
         .tolerance = Tolerance{0x1p-8, 0x1p-11,
                                "2^-8 + 2^-11 |y|: the last is the rounding to half at the end. Stored values, below 4 in size, are off by 2^-10 at most, and the errors of scores of stored keys move a mean of values by less than 3 times that. Without keys and values all but the last is next to nothing; only --tensor rounds the absorbed query and the weights, by 2^-11 of their size, which is less than that"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"A", 2}, {"T", 8}, {"C", 4}, {"R", 2}, {"D", 4}, {"E", 4}}},
        {.name = "one of each", .dims = {{"A", 1}, {"T", 1}, {"C", 1}, {"R", 1}, {"D", 1}, {"E", 1}}},
        {.name = "one short of a warp", .dims = {{"A", 3}, {"T", 31}, {"C", 33}, {"R", 1}, {"D", 31}, {"E", 33}}},
        {.name = "one more than a warp", .dims = {{"A", 2}, {"T", 33}, {"C", 31}, {"R", 33}, {"D", 33}, {"E", 31}}},
        // No tile, warp, part or block divides any of them.
        {.name = "no cut divides", .dims = {{"A", 9}, {"T", 77}, {"C", 37}, {"R", 5}, {"D", 19}, {"E", 23}}},
        {.name = "many keys", .dims = {{"A", 1}, {"T", 1000}, {"C", 5}, {"R", 3}, {"D", 3}, {"E", 2}}},
        {.name = "31 heads", .dims = {{"A", 31}, {"T", 20}, {"C", 3}, {"R", 31}, {"D", 1}, {"E", 5}}},
        {.name = "33 heads", .dims = {{"A", 33}, {"T", 5}, {"C", 1}, {"R", 3}, {"D", 5}, {"E", 1}}},
        {.name = "long queries and values", .dims = {{"A", 2}, {"T", 3}, {"C", 3}, {"R", 2}, {"D", 1000}, {"E", 1000}}},
        {.name = "long rows", .dims = {{"A", 1}, {"T", 3}, {"C", 1000}, {"R", 1000}, {"D", 2}, {"E", 2}}},
        {.name = "the longest rows of --flash", .dims = {{"A", 1}, {"T", 18}, {"C", 512}, {"R", 64}, {"D", 3}, {"E", 2}}},
        // The copies of --tensor, of 8 elements, and neither its heads, parts nor columns come out even.
        {.name = "rows in eighths", .dims = {{"A", 17}, {"T", 65}, {"C", 40}, {"R", 8}, {"D", 3}, {"E", 40}}},
        {.name = "large scores", .dims = {{"A", 3}, {"T", 40}, {"C", 6}, {"R", 4}, {"D", 3}, {"E", 5}},
         .fills = {{"qr", for_large()}, {"kr", integers(4, 5)}}},
        {.name = "large negative scores", .dims = {{"A", 3}, {"T", 40}, {"C", 6}, {"R", 4}, {"D", 3}, {"E", 5}},
         .fills = {{"qr", for_negative()}, {"kr", integers(4, 5)}}},
        {.name = "the best key last", .dims = {{"A", 3}, {"T", 80}, {"C", 7}, {"R", 1}, {"D", 2}, {"E", 4}},
         .fills = {{"qr", for_ordered()}, {"kr", from(rising)}}},
        {.name = "the best keys first", .dims = {{"A", 3}, {"T", 80}, {"C", 7}, {"R", 1}, {"D", 2}, {"E", 4}},
         .fills = {{"qr", for_ordered()}, {"kr", from(best_first)}}},
    },
    .large = {{"A", 1000}, {"T", 70}, {"C", 20}, {"R", 5}, {"D", 6}, {"E", 5}},
    .bench = {{"A", 16}, {"T", 4096}, {"C", 512}, {"R", 64}, {"D", 128}, {"E", 128}},
    .reference = latent_attention,
    .cross_check = in_latent_space<double>,
    .cpu = in_latent_space<float>,
    .variants = {
        {.name = "unfused",
         .title = "UNFUSED (keys and values first)",
         .summary = "Six launches; keys and values of every head are written and read",
         .regions = {"lane_dot", "dots", "weigh"},
         .intermediates = {"k", "v", "scores", "weights"},
         .budget = {.global_reads = [](const Dims& d) {
                        return decompress_reads(d, d["D"]) + decompress_reads(d, d["E"]) + pairs(d) * (2.0 * d["D"] + 2.0 * d["R"] + 2.0 * d["E"] + 4.0); },
                    .global_writes = [](const Dims& d) { return pairs(d) * (1.0 * d["D"] + d["E"] + 3.0) + 1.0 * d["A"] * d["E"]; },
                    .launches = 6}},
        {.name = "absorbed",
         .title = "ABSORBED (in the latent space)",
         .summary = "Five launches: wk goes to the query, wv behind the sum; no keys, no values",
         .regions = {"lane_dot", "dots", "weigh", "absorb", "latent_scores", "project"},
         .intermediates = {"qa", "scores", "weights", "z"},
         .budget = {.global_reads = [](const Dims& d) { return matrix_reads(d) + pairs(d) * (4.0 * d["C"] + 2.0 * d["R"] + 3.0); },
                    .global_writes = [](const Dims& d) { return small_writes(d) + 2.0 * pairs(d); },
                    .launches = 5}},
        {.name = "flash",
         .title = "FLASH (one pass over the latent rows)",
         .summary = "Three launches: each latent row is key and value at once, with a running maximum",
         .regions = {"lane_dot", "dots", "weigh", "absorb", "project", "take", "walk_keys", "flash_result"},
         .intermediates = {"qa", "z"},
         .refuses = too_wide,
         .budget = {.global_reads = [](const Dims& d) { return matrix_reads(d) + query_reads(d) + row_reads(d); },
                    .global_writes = small_writes,
                    .launches = 3,
                    .conflicts = 0}},
        {.name = "split",
         .title = "SPLIT (parts of the keys, then a launch that combines)",
         .summary = "The same pass by a block for each 64 keys and 8 heads; their sums are put on one maximum",
         .regions = {"lane_dot", "dots", "weigh", "absorb", "project", "take", "walk_keys", "split_part", "combine"},
         .intermediates = {"qa", "largest", "totals", "sums", "z"},
         .refuses = too_wide,
         .required = false,
         .budget = {.global_reads = [](const Dims& d) {
                        return matrix_reads(d) + parts(d) * query_reads(d) + row_reads(d) + 4.0 * parts(d) * d["A"] * d["C"]; },
                    .global_writes = [](const Dims& d) { return small_writes(d) + parts(d) * d["A"] * (d["C"] + 2.0); },
                    .launches = 4,
                    .conflicts = 0}},
        {.name = "tensor",
         .title = "TENSOR (parts of the keys on tensor cores)",
         .summary = "Three launches: 16 heads are the rows of a fragment, and 32 latent rows are keys and values",
         .regions = {"lane_dot", "dots", "absorb", "tensor_scores", "tensor_weights", "tensor_values"},
         .intermediates = {"qa", "part_largest", "part_totals", "part_sums"},
         .refuses = too_wide,
         .required = false,
         .budget = {.launches = 3,
                    .barriers = [](const Dims& d) {
                        return 4.0 * tiles(d["A"], kSide) * tiles(d["T"], kTensorKeys) +
                               d["A"] * tiles(d["E"], kOutColumns) * (3.0 + 2.0 * tiles(tiles(d["T"], kTensorKeys), kOutThreads)); },
                    .conflicts = 0}},
    },
    .tensor_program = "mla_decode",
};
// clang-format on
