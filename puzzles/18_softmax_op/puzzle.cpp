// Puzzle 18, Softmax op: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>

#include "given.cuh"

using namespace workbook;

const Bound R = "R", C = "C", elements = R * C;

template <class T>
static void softmax(const Dims& dims, HostTensors<T>& t) {
  reference::softmax<T>(t["x"], t["y"], dims["R"], dims["C"]);
}

/// The same y from differences alone: 1 / y = sum of exp(x_k - x_col). What overflows belongs to a y of 0.
static void softmax_by_differences(const Dims& dims, HostTensors<double>& t) {
  const int cols = dims["C"];
  for (int row = 0; row < dims["R"]; ++row) {
    const auto x = t["x"].subspan(static_cast<std::size_t>(row) * cols, cols);
    const auto y = t["y"].subspan(static_cast<std::size_t>(row) * cols, cols);
    for (int col = 0; col < cols; ++col) {
      double inverse = 0.0;
      for (const double other : x) inverse += std::exp(other - x[col]);
      y[col] = 1.0 / inverse;
    }
  }
}

/// A value of its own for each row, the same in all of its columns: every y is 1 / C.
static void level_rows(const Dims& dims, std::span<double> values, Random& random) {
  const auto cols = static_cast<std::size_t>(dims["C"]);
  for (std::size_t row = 0; row * cols < values.size(); ++row)
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(row * cols), cols, random.normal() * 3.0);
}

/// Normal values, and in each row one that is 200 above them: beside it nothing counts. It is the last of the
/// first row and the first of the second.
static void one_peak(const Dims& dims, std::span<double> values, Random& random) {
  const int cols = dims["C"];
  for (double& value : values) value = random.normal();
  for (int row = 0; row < dims["R"]; ++row) {
    const auto peak = row == 0 ? cols - 1 : row == 1 ? 0 : random.integer(0, cols - 1);
    values[static_cast<std::size_t>(row * cols + peak)] += 200.0;
  }
}

/// By turns rows near 1000, rows near -1000, rows whose last or whose first element is 200 above the others,
/// and plain ones: a kernel that fails on one kind is known by it.
static void rows_of_every_kind(const Dims& dims, std::span<double> values, Random& random) {
  const int cols = dims["C"];
  for (int row = 0; row < dims["R"]; ++row) {
    const auto of_row = values.subspan(static_cast<std::size_t>(row) * cols, static_cast<std::size_t>(cols));
    const int kind = row % 5;
    for (double& value : of_row) value = random.normal() + (kind == 0 ? 1000.0 : kind == 1 ? -1000.0 : 0.0);
    if (kind == 2) of_row.back() += 200.0;
    if (kind == 3)
      for (std::size_t col = 0; col < of_row.size(); ++col) of_row[col] += col % 2 == 0 ? -100.0 : 100.0;
  }
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 18, .title = "Softmax op", .part = "Part IV: your kernel as an operator",
    .builds_on = {12, 15},
    .summary = "Turn each row of numbers into weights that add up to 1, whatever their size, and call it from Python",
    .tasks = {{
        .tensors = {
            input("x", {"R", "C"}, normal(1.0, 2.0)),
            output("y", {"R", "C"},
                {0x1p-24, (1.4 * C + 10) * 0x1p-24,
                 "(1.4 C + 10) 2^-24 of y, and 2^-24: C additions round the sum by 2^-24 of it each; rounding x - max "
                 "by 2^-24 of a distance d moves exp(-d) by d exp(-d) 2^-24, which is below 0.4 times 2^-24, in y once "
                 "and in the sum C times; two exponentials of 2 ulp and a division are the rest"})},
        .cases = cases({"R", "C"}, {
            {"teaching", {4, 80}},
            // exp of more than 88.7 is no float any more, exp of less than -104 is 0 in float.
            {"rows of every kind", {7, 70}, {{"x", from(rows_of_every_kind)}}},
            {"one element", {1, 1}}, {"one column", {70, 1}}, {"one short of a warp", {33, 31}},
            {"one more than a warp", {31, 33}}, {"one full block", {65, 64}}, {"a long row", {2, 1000}},
            {"large values", {5, 70}, {{"x", normal(1000.0, 3.0)}}},
            {"very negative values", {5, 70}, {{"x", normal(-1000.0, 3.0)}}},
            {"rows of equal values", {6, 70}, {{"x", from(level_rows)}}},
            {"one peak a row", {6, 130}, {{"x", from(one_peak)}}}}),
        .large = {{"R", 203}, {"C", 1030}}, .bench = {{"R", 16384}, {"C", 1024}},
        .reference = softmax<double>, .cross_check = softmax_by_differences, .cpu = softmax<float>}},
    .variants = {
        {.name = "thread-per-row", .title = "THREAD PER ROW",
         .summary = "One thread walks along one row, three times",
         .regions = {"thread_per_row"}, .budget = {.global_reads = 3 * elements + R, .global_writes = elements}},
        {.name = "block-per-row", .title = "BLOCK PER ROW",
         .summary = "The threads of a block share one row: a tree for the maximum, a tree for the sum",
         .regions = {"row_max", "row_sum", "normalise"},
         .budget = {.global_reads = 3 * elements + R, .global_writes = elements,
                    .barriers = 16 * R, .conflicts = 0,
                    // Four walks along a row, each with a sector more where a warp begins within one.
                    .sectors = 4 * R * (C / 8 + C / 32 + 2),
                    // The same walks by 32 lanes at a time, and an element that all threads may begin with.
                    .global_requests = R * (4 * ceil(C / 32) + 2),
                    // A tree takes 22 of a block, one thread alone three for each thread.
                    .shared_requests = 80 * R}}}};
