// Puzzle 37, Softmax again: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sizes.h"

using namespace workbook;

const Bound R = "R", C = "C", elements = R * C;
/// One value of the row for each thread of its block.
const Bound one_a_thread = kBlockSize * R;
const Budget kOnePass = {.global_reads = elements,
                         .global_writes = elements,
                         .launches = 1,
                         .barriers = 2 * R,
                         .global_requests = 2 * R * ceil(C / 32)};

/// Pass by pass; the result by the shared reference.
static void softmax_reference(const Dims& dims, HostTensors<double>& t) {
  const std::size_t rows = dims["R"], columns = dims["C"];
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
  reference::softmax(t["x"], t["y"], rows, columns);
}

/// With the sum made in one pass: what is there so far is multiplied whenever a larger element comes.
static void softmax_online(const Dims& dims, HostTensors<double>& t) {
  const std::size_t columns = dims["C"];
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

static void softmax_cpu(const Dims& dims, HostTensors<float>& t) {
  reference::softmax<float>(t["x"], t["y"], dims["R"], dims["C"]);
}

/// Each row one value, another in every row.
static void equal_in_a_row(const Dims& dims, std::span<double> values, Random& random) {
  double value = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % static_cast<std::size_t>(dims["C"]) == 0) value = 20.0 * random.normal();
    values[i] = value;
  }
}

/// Masked out: of the first row all but its last element, of the last row none, of the others every second
/// one.
static void masked(const Dims& dims, std::span<double> values, Random& random) {
  const std::size_t columns = dims["C"], rows = values.size() / columns;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    const double value = 3.0 * random.normal();
    const bool hidden = row == 0 ? column + 1 < columns : row + 1 < rows && (row + column) % 2 == 0;
    values[i] = hidden ? -std::numeric_limits<double>::infinity() : value;
  }
}

/// Rows around 0 and around -1000 in turn.
static void far_below_0(const Dims& dims, std::span<double> values, Random& random) {
  const std::size_t columns = dims["C"];
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 10.0 * random.normal() - (i / columns % 2 == 1 ? 1000.0 : 0.0);
}

const Tolerance kExponentials = {
    0x1p-120, (C / kBlockSize + 64) * 0x1p-23,
    "(64 + C/256) 2^-23 of the value: x - max is at most 88 in size before its exp is 0, and half an ulp of it is 44 2^-23 of the exp; "
    "exp itself is off by up to two ulp; a thread adds up C/256 terms, and each of the last rounds merges two sums. Numbers below 2^-120 "
    "may be 0"};

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 37, .title = "Softmax again", .part = "Part XIII: fusion in practice",
    .builds_on = {18, 24},
    .summary = "Softmax in five passes over memory, in three, and in one",
    .tasks = {{
        .tensors = {
            input("x", {"R", "C"}, normal(0.5, 3.0)),
            intermediate("maxima", {"R"}, exact("a maximum is one of the elements")),
            intermediate("shifted", {"R", "C"},
                {0.0, 0x1p-23, "2^-23 of the value: one subtraction, rounded by half an ulp"}),
            intermediate("exponentials", {"R", "C"}, kExponentials),
            intermediate("sums", {"R"}, kExponentials),
            output("y", {"R", "C"}, kExponentials)},
        .cases = cases({"R", "C"}, {
            {"teaching", {32, 300}},  // a row is longer than its block
            {"masked", {5, 280}, {{"x", from(masked)}}},
            {"one element", {1, 1}},  // 1, whatever it is
            {"rows of one", {9, 1}}, {"a lane short of a warp", {5, 31}},
            {"a lane more than a warp", {10, 33}}, {"one full block", {4, 256}}, {"long rows", {2, 2100}},
            {"equal values", {6, 52}, {{"x", from(equal_in_a_row)}}},
            // exp(89) is beyond the largest float: only differences from the maximum may be put into it.
            {"around 1000", {3, 100}, {{"x", normal(1000.0, 10.0)}}},
            // exp(-104) is 0 in floats: with a maximum that began at 0 a row would be 0 / 0.
            {"far below 0", {4, 64}, {{"x", from(far_below_0)}}},
            // The maximum changes with nearly every element that a thread meets.
            {"rising", {2, 1200}, {{"x", sorted(normal(0.0, 30.0))}}}}),
        .large = {{"R", 61}, {"C", 1500}}, .bench = {{"R", 2048}, {"C", 8192}},
        .reference = softmax_reference, .cross_check = softmax_online, .cpu = softmax_cpu}},
    .variants = {
        {.name = "five", .title = "FIVE PASSES",
         .summary = "Five launches, two matrices between them: as an eager framework does it",
         .regions = {"row_max"}, .intermediates = {"maxima", "shifted", "exponentials", "sums"},
         .budget = {.global_reads = 5 * elements + 2 * one_a_thread, .global_writes = 3 * elements + 2 * R,
                    .launches = 5}},
        {.name = "three", .title = "THREE PASSES",
         .summary = "Three launches: the row is read three times and written once",
         .regions = {"row_max", "row_sum_exp", "normalize"}, .intermediates = {"maxima", "sums"},
         .budget = {.global_reads = 3 * elements + 3 * one_a_thread, .global_writes = elements + 2 * R,
                    .launches = 3,
                    // Four walks along a row, and what a row shares by its eight warps.
                    .global_requests = R * (4 * ceil(C / 32) + 3 * kBlockSize / 32 + 2)}},
        {.name = "online", .title = "ONLINE (one pass, the row in shared memory)",
         .summary = "One launch: maximum and sum in one pass, the row kept in shared memory",
         .regions = {"merge", "warp_merge", "online"},
         .refuses = {{C > 12'000, "--online keeps a row in 48 KiB of shared memory: C is at most 12000."}},
         .budget = kOnePass},
        {.name = "registers", .title = "REGISTERS (one pass, the row in registers)",
         .summary = "One launch, 16 bytes a load, the row kept in the registers of 512 threads",
         .regions = {"merge", "warp_merge", "registers"},
         .refuses = {{C % 4, "--registers loads four floats at a time: C is a multiple of 4."},
                     {C > 16'384, "--registers keeps a row in the registers of 512 threads: C is at most 16384."}},
         .required = false, .budget = kOnePass}}};
