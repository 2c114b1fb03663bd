// Puzzle 43, gated MLP: what it is and how it is checked. The interleaved matrix, uw, is an input beside u
// and w.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "tile.h"

namespace {

using namespace workbook;

struct Sizes {
  explicit Sizes(const Dims& dims)
      : rows(static_cast<std::size_t>(dims["B"])),
        hidden(static_cast<std::size_t>(dims["H"])),
        outputs(static_cast<std::size_t>(dims["O"])) {}
  std::size_t rows, hidden, outputs;
};

/// As it is written, with the tensors that travel between launches.
void gated_mlp(const Dims& dims, HostTensors<double>& t) {
  const Sizes s(dims);
  const auto x = t["x"], u = t["u"], w = t["w"], gate = t["gate"], up = t["up"], activated = t["activated"],
             y = t["y"], gates = t["gates"], ups = t["ups"];
  reference::matmul(x, u, gate, s.rows, s.outputs, s.hidden);
  reference::matmul(x, w, up, s.rows, s.outputs, s.hidden);
  reference::silu(gate, activated);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = activated[i] * up[i];
  std::fill(gates.begin(), gates.end(), 0.0);
  std::fill(ups.begin(), ups.end(), 0.0);
  const auto part_elements = static_cast<std::size_t>(part_size(static_cast<int>(s.hidden)));
  for (std::size_t row = 0; row < s.rows; ++row)
    for (std::size_t h = 0; h < s.hidden; ++h) {
      const std::size_t first = (h / part_elements * s.rows + row) * s.outputs;
      for (std::size_t o = 0; o < s.outputs; ++o) {
        gates[first + o] += x[row * s.hidden + h] * u[h * s.outputs + o];
        ups[first + o] += x[row * s.hidden + h] * w[h * s.outputs + o];
      }
    }
}

/// From uw, output by output, both sums at once from the other end, and silu(a) = a / 2 (1 + tanh(a / 2)).
void one_output_at_a_time(const Dims& dims, HostTensors<double>& t) {
  const Sizes s(dims);
  const auto x = t["x"], uw = t["uw"], y = t["y"];
  for (std::size_t row = 0; row < s.rows; ++row)
    for (std::size_t o = 0; o < s.outputs; ++o) {
      double gate = 0.0, up = 0.0;
      for (std::size_t h = s.hidden; h-- > 0;) {
        const std::size_t pair = 2 * (h * s.outputs + o);
        gate += x[row * s.hidden + h] * uw[pair];
        up += x[row * s.hidden + h] * uw[pair + 1];
      }
      y[row * s.outputs + o] = 0.5 * gate * (1.0 + std::tanh(0.5 * gate)) * up;
    }
}

void plain_cpu(const Dims& dims, HostTensors<float>& t) {
  const Sizes s(dims);
  const auto u = t["u"], w = t["w"], y = t["y"];
  std::vector<float> gate(s.outputs), up(s.outputs);
  for (std::size_t row = 0; row < s.rows; ++row) {
    const auto x = t["x"].subspan(row * s.hidden, s.hidden);
    std::fill(gate.begin(), gate.end(), 0.0f);
    std::fill(up.begin(), up.end(), 0.0f);
    for (std::size_t h = 0; h < s.hidden; ++h)
      for (std::size_t o = 0; o < s.outputs; ++o) {
        gate[o] += x[h] * u[h * s.outputs + o];
        up[o] += x[h] * w[h * s.outputs + o];
      }
    for (std::size_t o = 0; o < s.outputs; ++o)
      y[row * s.outputs + o] = gate[o] / (1.0f + std::exp(-gate[o])) * up[o];
  }
}

/// The elements of u or of w, one after another: from a seed of their own, so that uw can hold the same.
/// Large ones are only timed: there uniform numbers of the same deviation do, which are made faster.
class Elements {
 public:
  Elements(std::uint64_t seed, double deviation, std::size_t count)
      : random_(seed), deviation_(deviation), timed_(count > (1u << 20)) {}
  double next() {
    return deviation_ * (timed_ ? std::numbers::sqrt3 * (2.0 * random_.uniform() - 1.0) : random_.normal());
  }

 private:
  Random random_;
  double deviation_;
  bool timed_;
};
constexpr double kWeight = 0.25;  // deviation of u and w
constexpr double kSteep = 16.0;   // of u, where gates pass 89 on either side
Elements elements_of_u(std::size_t count, bool steep) { return {43, steep ? kSteep : kWeight, count}; }
Elements elements_of_w(std::size_t count) { return {44, kWeight, count}; }

template <bool kIsSteep>
void fill_u(const Dims&, std::span<double> values, Random&) {
  Elements u = elements_of_u(values.size(), kIsSteep);
  for (double& value : values) value = u.next();
}
void fill_w(const Dims&, std::span<double> values, Random&) {
  Elements w = elements_of_w(values.size());
  for (double& value : values) value = w.next();
}
template <bool kIsSteep>
void fill_uw(const Dims&, std::span<double> values, Random&) {
  Elements u = elements_of_u(values.size() / 2, kIsSteep), w = elements_of_w(values.size() / 2);
  for (std::size_t i = 0; i < values.size(); i += 2) {
    values[i] = u.next();
    values[i + 1] = w.next();
  }
}

double results(const Dims& d) { return 1.0 * d["B"] * d["O"]; }
double tile_rows(const Dims& d) { return std::ceil(1.0 * d["B"] / kTile); }
double tile_columns(const Dims& d) { return std::ceil(1.0 * d["O"] / kTile); }
/// By the blocks of a product in tiles: x once for each tile of columns, a matrix once for each tile of rows.
double x_reads(const Dims& d) { return 1.0 * d["B"] * d["H"] * tile_columns(d); }
double matrix_reads(const Dims& d) { return 1.0 * d["H"] * d["O"] * tile_rows(d); }
/// Two a tile along h.
double tile_barriers(const Dims& d) {
  return tile_columns(d) * tile_rows(d) * 2.0 * std::ceil(1.0 * d["H"] / kTile);
}
/// Of --interleaved: tiles over 2 O columns.
double wide_columns(const Dims& d) { return std::ceil(2.0 * d["O"] / kTile); }

/// Blocks of --tensor along the columns of y, and along its rows.
double block_columns(const Dims& d) { return std::ceil(1.0 * d["O"] / kColumns); }
double block_rows(const Dims& d) { return std::ceil(1.0 * d["B"] / kFragment); }

const Tolerance kTolerance = {
    [](const Dims& d) { return std::sqrt(d["H"]) * (0x1p-12 + 2.0 * d["H"] * 0x1p-24); }, 5 * 0x1p-11,
    "H^0.5 2^-12 + 2 H^1.5 2^-24 + 5 2^-11 |y|: up to four roundings to half, of which that of the gate counts 1.3 times where the gate is "
    "positive; where it is negative, half an ulp at most moves SiLU by a quarter of 2^-11, times the other sum, which stays below H^0.5; "
    "the roundings of each sum in float add up like a random walk, to H 2^-24, again times the other sum; tensor cores cut in place of rounding, "
    "which is up to twice as much, but once for 8 or 16 elements of h, which is less"};

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 43,
    .title = "Gated MLP",
    .part = "Part XIV: finding the fusion",
    .summary = "Two products of the same rows, SiLU and a product of the two, in one loop with two sums",
    .tensors = {
        {.name = "x", .type = Type::f16, .role = Role::input, .shape = {"B", "H"}, .fill = normal(0.2, 1.0)},
        {.name = "u", .type = Type::f16, .role = Role::input, .shape = {"H", "O"}, .fill = from(fill_u<false>)},
        {.name = "w", .type = Type::f16, .role = Role::input, .shape = {"H", "O"}, .fill = from(fill_w)},
        {.name = "uw", .type = Type::f16, .role = Role::input, .shape = {"H", "2*O"}, .fill = from(fill_uw<false>)},
        {.name = "gate", .type = Type::f16, .role = Role::intermediate, .shape = {"B", "O"}},
        {.name = "up", .type = Type::f16, .role = Role::intermediate, .shape = {"B", "O"}},
        {.name = "activated", .type = Type::f16, .role = Role::intermediate, .shape = {"B", "O"},
         .tolerance = Tolerance{[](const Dims& d) { return 0x1p-12 + 2.0 * d["H"] * 0x1p-24; }, 3 * 0x1p-11,
                                "2^-12 + 2 H 2^-24 + 3 2^-11 |activated|: the gate rounded to half, which counts 1.3 times where it is positive, then "
                                "SiLU of it rounded; the sum in float before"}},
        {.name = "gates", .role = Role::intermediate, .shape = {"4", "B", "O"}},
        {.name = "ups", .role = Role::intermediate, .shape = {"4", "B", "O"}},
        {.name = "y", .type = Type::f16, .role = Role::output, .shape = {"B", "O"}, .tolerance = kTolerance},
    },
    .cases = {
        {.name = "teaching", .dims = {{"B", 4}, {"H", 8}, {"O", 16}}},
        {.name = "one of each", .dims = {{"B", 1}, {"H", 1}, {"O", 1}}},
        {.name = "full tiles", .dims = {{"B", 16}, {"H", 64}, {"O", 32}}},
        {.name = "one short of two tiles", .dims = {{"B", 31}, {"H", 33}, {"O", 31}}},
        {.name = "one more than two tiles", .dims = {{"B", 33}, {"H", 31}, {"O", 33}}},
        {.name = "many outputs", .dims = {{"B", 3}, {"H", 20}, {"O", 1000}}},
        {.name = "long rows", .dims = {{"B", 5}, {"H", 1000}, {"O", 17}}},
        {.name = "many rows", .dims = {{"B", 1000}, {"H", 11}, {"O", 5}}},
        {.name = "a row", .dims = {{"B", 1}, {"H", 257}, {"O", 48}}},
        // A deviation of 100: on one side exp(gate) is infinite, on the other exp(-gate).
        {.name = "steep gates", .dims = {{"B", 7}, {"H", 40}, {"O", 20}}, .fills = {{"u", from(fill_u<true>)}, {"uw", from(fill_uw<true>)}}},
    },
    .large = {{"B", 40}, {"H", 330}, {"O", 200}},
    .bench = {{"B", 8}, {"H", 4096}, {"O", 4096}},
    .reference = gated_mlp,
    .cross_check = one_output_at_a_time,
    .cpu = plain_cpu,
    .variants = {
        {.name = "unfused",
         .title = "UNFUSED (two products, SiLU, a product)",
         .summary = "Four launches, and three tensors between them",
         .regions = {"silu", "activate", "multiply"},
         .intermediates = {"gate", "up", "activated"},
         // The products; then one element for SiLU, and two to multiply.
         .budget = {.global_reads = [](const Dims& d) { return 2.0 * x_reads(d) + 2.0 * matrix_reads(d) + 3.0 * results(d); },
                    .global_writes = [](const Dims& d) { return 4.0 * results(d); },
                    .launches = 4,
                    .barriers = [](const Dims& d) { return 2.0 * tile_barriers(d); }}},
        {.name = "epilogue",
         .title = "EPILOGUE (SiLU and product at the end of the second product)",
         .summary = "Two launches, and the gate between them",
         .regions = {"silu", "epilogue"},
         .intermediates = {"gate"},
         .budget = {.global_reads = [](const Dims& d) { return 2.0 * x_reads(d) + 2.0 * matrix_reads(d) + results(d); },
                    .global_writes = [](const Dims& d) { return 2.0 * results(d); },
                    .launches = 2,
                    .barriers = [](const Dims& d) { return 2.0 * tile_barriers(d); }}},
        {.name = "fused",
         .title = "FUSED (one loop, two sums)",
         .summary = "One launch: a tile of x meets a tile of each matrix",
         .regions = {"silu", "two_sums", "fused_result"},
         .budget = {.global_reads = [](const Dims& d) { return x_reads(d) + 2.0 * matrix_reads(d); },
                    .global_writes = results,
                    .launches = 1,
                    .barriers = tile_barriers,
                    .conflicts = 0}},
        {.name = "interleaved",
         .title = "INTERLEAVED (columns of u and w side by side)",
         .summary = "One launch of a plain product, whose neighbours exchange their sums at the end",
         .regions = {"silu", "interleaved_result"},
         .budget = {.global_reads = [](const Dims& d) { return 1.0 * d["B"] * d["H"] * wide_columns(d) + 2.0 * matrix_reads(d); },
                    .global_writes = results,
                    .launches = 1,
                    .barriers = [](const Dims& d) { return wide_columns(d) * tile_rows(d) * 2.0 * std::ceil(1.0 * d["H"] / kTile); },
                    .conflicts = 0}},
        {.name = "split",
         .title = "SPLIT (four blocks a tile, then a launch that combines)",
         .summary = "Parts of both sums from four blocks; SiLU waits until they are added up",
         .regions = {"silu", "two_sums", "split_parts", "combine"},
         .intermediates = {"gates", "ups"},
         .required = false,
         .budget = {.global_reads = [](const Dims& d) { return x_reads(d) + 2.0 * matrix_reads(d) + 2.0 * kParts * results(d); },
                    .global_writes = [](const Dims& d) { return (2.0 * kParts + 1.0) * results(d); },
                    .launches = 2,
                    .barriers = tile_barriers,
                    .conflicts = 0}},
        {.name = "tensor",
         .title = "TENSOR (tensor cores, a ring of stages a warp)",
         .summary = "One launch: a fragment of x meets a fragment of each matrix, eight warps share the steps along h",
         .regions = {"silu", "fragments", "ring", "tensor_result"},
         .required = false,
         // x once for each block along the columns, u and w once for each along the rows; one barrier a block.
         .budget = {.global_reads = [](const Dims& d) { return 1.0 * d["B"] * d["H"] * block_columns(d) + 2.0 * d["H"] * d["O"] * block_rows(d); },
                    .global_writes = results,
                    .launches = 1,
                    .barriers = [](const Dims& d) { return block_columns(d) * block_rows(d); },
                    .conflicts = 0}},
    },
    .tensor_program = "gated_mlp",
};
// clang-format on
