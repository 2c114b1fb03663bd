// Puzzle 37, Softmax again: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using workbook::Dims;
using workbook::HostTensors;
using workbook::Random;

/// Pass by pass; the result by the shared reference.
void softmax_reference(const Dims& dims, HostTensors<double>& t) {
  const std::size_t rows = static_cast<std::size_t>(dims["R"]), columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto x = t["x"].subspan(r * columns, columns);
    const double largest = *std::max_element(x.begin(), x.end());
    double sum = 0.0;
    for (std::size_t c = 0; c < columns; ++c) {
      t["shifted"][r * columns + c] = x[c] - largest;
      sum += t["exponentials"][r * columns + c] = std::exp(x[c] - largest);
    }
    t["maxima"][r] = largest;
    t["sums"][r] = sum;
  }
  workbook::reference::softmax(t["x"], t["y"], rows, columns);
}

/// With the sum made in one pass: what is there so far is multiplied whenever a larger element comes.
void softmax_online(const Dims& dims, HostTensors<double>& t) {
  const std::size_t columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t first = 0; first < t["x"].size(); first += columns) {
    const auto x = t["x"].subspan(first, columns), y = t["y"].subspan(first, columns);
    double largest = -std::numeric_limits<double>::max(), sum = 0.0;
    for (const double value : x) {
      const double before = largest;
      largest = std::max(largest, value);
      sum = sum * std::exp(before - largest) + std::exp(value - largest);
    }
    for (std::size_t c = 0; c < columns; ++c) y[c] = std::exp(x[c] - largest) / sum;
  }
}

void softmax_cpu(const Dims& dims, HostTensors<float>& t) {
  const std::size_t columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t first = 0; first < t["x"].size(); first += columns) {
    const auto x = t["x"].subspan(first, columns), y = t["y"].subspan(first, columns);
    const float largest = *std::max_element(x.begin(), x.end());
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c) sum += y[c] = std::exp(x[c] - largest);
    for (std::size_t c = 0; c < columns; ++c) y[c] /= sum;
  }
}

/// Each row one value, another in every row.
void equal_in_a_row(const Dims& dims, std::span<double> values, Random& random) {
  double value = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % static_cast<std::size_t>(dims["C"]) == 0) value = 20.0 * random.normal();
    values[i] = value;
  }
}

/// Masked out: of the first row all but its last element, of the last row none, of the others every second
/// one.
void masked(const Dims& dims, std::span<double> values, Random& random) {
  const std::size_t columns = static_cast<std::size_t>(dims["C"]), rows = values.size() / columns;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    const double value = 3.0 * random.normal();
    const bool hidden = row == 0 ? column + 1 < columns : row + 1 < rows && (row + column) % 2 == 0;
    values[i] = hidden ? -std::numeric_limits<double>::infinity() : value;
  }
}

/// Rows around 0 and around -1000 in turn.
void far_below_0(const Dims& dims, std::span<double> values, Random& random) {
  const std::size_t columns = static_cast<std::size_t>(dims["C"]);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 10.0 * random.normal() - (i / columns % 2 == 1 ? 1000.0 : 0.0);
}

double elements(const Dims& dims) { return 1.0 * dims["R"] * dims["C"]; }
/// One value of the row for each thread of its block.
double one_a_thread(const Dims& dims) { return 256.0 * dims["R"]; }

double of_the_value(const Dims& dims) { return (dims["C"] / 256.0 + 64.0) * 0x1p-23; }

workbook::Tolerance exponentials() {
  return {
      0x1p-120, of_the_value,
      "(64 + C/256) 2^-23 of the value: x - max is at most 88 in size before its exp is 0, and half an ulp of it is 44 2^-23 of the exp; "
      "exp itself is off by up to two ulp; a thread adds up C/256 terms, and each of the last rounds merges two sums. Numbers below 2^-120 "
      "may be 0"};
}

std::string online_refuses(const Dims& dims) {
  return dims["C"] > 12'000 ? "--online keeps a row in 48 KiB of shared memory: C is at most 12000." : "";
}

std::string registers_refuses(const Dims& dims) {
  if (dims["C"] % 4 != 0) return "--registers loads four floats at a time: C is a multiple of 4.";
  return dims["C"] > 16'384 ? "--registers keeps a row in the registers of 512 threads: C is at most 16384."
                            : "";
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 37,
    .title = "Softmax again",
    .part = "Part XIII: fusion in practice",
    .summary = "Softmax in five passes over memory, in three, and in one",
    .tensors = {
        {.name = "x", .role = Role::input, .shape = {"R", "C"}, .fill = normal(0.5, 3.0)},
        {.name = "maxima", .role = Role::intermediate, .shape = {"R"},
         .tolerance = exact("a maximum is one of the elements")},
        {.name = "shifted", .role = Role::intermediate, .shape = {"R", "C"},
         .tolerance = Tolerance{0.0, 0x1p-23, "2^-23 of the value: one subtraction, rounded by half an ulp"}},
        {.name = "exponentials", .role = Role::intermediate, .shape = {"R", "C"}, .tolerance = exponentials()},
        {.name = "sums", .role = Role::intermediate, .shape = {"R"}, .tolerance = exponentials()},
        {.name = "y", .role = Role::output, .shape = {"R", "C"}, .tolerance = exponentials()},
    },
    .cases = {
        {.name = "teaching", .dims = {{"R", 32}, {"C", 300}}},  // a row is longer than its block
        {.name = "masked", .dims = {{"R", 5}, {"C", 280}}, .fills = {{"x", from(masked)}}},
        {.name = "one element", .dims = {{"R", 1}, {"C", 1}}},  // 1, whatever it is
        {.name = "rows of one", .dims = {{"R", 9}, {"C", 1}}},
        {.name = "a lane short of a warp", .dims = {{"R", 5}, {"C", 31}}},
        {.name = "a lane more than a warp", .dims = {{"R", 10}, {"C", 33}}},
        {.name = "one full block", .dims = {{"R", 4}, {"C", 256}}},
        {.name = "long rows", .dims = {{"R", 2}, {"C", 2100}}},
        {.name = "equal values", .dims = {{"R", 6}, {"C", 52}}, .fills = {{"x", from(equal_in_a_row)}}},
        // exp(89) is beyond the largest float: only differences from the maximum may be put into it.
        {.name = "around 1000", .dims = {{"R", 3}, {"C", 100}}, .fills = {{"x", normal(1000.0, 10.0)}}},
        // exp(-104) is 0 in floats: with a maximum that began at 0 a row would be 0 / 0.
        {.name = "far below 0", .dims = {{"R", 4}, {"C", 64}}, .fills = {{"x", from(far_below_0)}}},
        // The maximum changes with nearly every element that a thread meets.
        {.name = "rising", .dims = {{"R", 2}, {"C", 1200}}, .fills = {{"x", sorted(normal(0.0, 30.0))}}},
    },
    .large = {{"R", 61}, {"C", 1500}},
    .bench = {{"R", 2048}, {"C", 8192}},
    .reference = softmax_reference,
    .cross_check = softmax_online,
    .cpu = softmax_cpu,
    .variants = {
        {.name = "five",
         .title = "FIVE PASSES",
         .summary = "Five launches, two matrices between them: as an eager framework does it",
         .regions = {"row_max"},
         .intermediates = {"maxima", "shifted", "exponentials", "sums"},
         .budget = {.global_reads = [](const Dims& d) { return 5.0 * elements(d) + 2.0 * one_a_thread(d); },
                    .global_writes = [](const Dims& d) { return 3.0 * elements(d) + 2.0 * d["R"]; },
                    .launches = 5.0}},
        {.name = "three",
         .title = "THREE PASSES",
         .summary = "Three launches: the row is read three times and written once",
         .regions = {"row_max", "row_sum_exp", "normalize"},
         .intermediates = {"maxima", "sums"},
         .budget = {.global_reads = [](const Dims& d) { return 3.0 * elements(d) + 3.0 * one_a_thread(d); },
                    .global_writes = [](const Dims& d) { return elements(d) + 2.0 * d["R"]; },
                    .launches = 3.0}},
        {.name = "online",
         .title = "ONLINE (one pass, the row in shared memory)",
         .summary = "One launch: maximum and sum in one pass, the row kept in shared memory",
         .regions = {"merge", "warp_merge", "online"},
         .refuses = online_refuses,
         .budget = {.global_reads = elements, .global_writes = elements, .launches = 1.0,
                    .barriers = [](const Dims& d) { return 2.0 * d["R"]; }}},
        {.name = "registers",
         .title = "REGISTERS (one pass, the row in registers)",
         .summary = "One launch, 16 bytes a load, the row kept in the registers of 512 threads",
         .regions = {"merge", "warp_merge", "registers"},
         .refuses = registers_refuses,
         .required = false,
         .budget = {.global_reads = elements, .global_writes = elements, .launches = 1.0,
                    .barriers = [](const Dims& d) { return 2.0 * d["R"]; }}},
    },
};
// clang-format on
