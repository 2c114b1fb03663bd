// Puzzle 18, Softmax op: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <algorithm>
#include <cmath>

#include "given.cuh"

namespace {

using workbook::Dims;
using workbook::HostTensors;
using workbook::Random;

void softmax_reference(const Dims& dims, HostTensors<double>& t) {
  workbook::reference::softmax(t["x"], t["y"], static_cast<std::size_t>(dims["R"]),
                               static_cast<std::size_t>(dims["C"]));
}

/// The same y from differences alone: 1 / y = sum of exp(x_k - x_col). What overflows belongs to a y of 0.
void softmax_by_differences(const Dims& dims, HostTensors<double>& t) {
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

void softmax_cpu(const Dims& dims, HostTensors<float>& t) {
  const int cols = dims["C"];
  for (int row = 0; row < dims["R"]; ++row) {
    const auto x = t["x"].subspan(static_cast<std::size_t>(row) * cols, cols);
    const auto y = t["y"].subspan(static_cast<std::size_t>(row) * cols, cols);
    const float largest = *std::max_element(x.begin(), x.end());
    float sum = 0.0f;
    for (const float value : x) sum += std::exp(value - largest);
    for (int col = 0; col < cols; ++col) y[col] = std::exp(x[col] - largest) / sum;
  }
}

/// A value of its own for each row, the same in all of its columns: every y is 1 / C.
void level_rows(const Dims& dims, std::span<double> values, Random& random) {
  const auto cols = static_cast<std::size_t>(dims["C"]);
  for (std::size_t row = 0; row * cols < values.size(); ++row)
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(row * cols), cols, random.normal() * 3.0);
}

/// Normal values, and in each row one that is 200 above them: beside it nothing counts. It is the last of the
/// first row and the first of the second.
void one_peak(const Dims& dims, std::span<double> values, Random& random) {
  const int cols = dims["C"];
  for (double& value : values) value = random.normal();
  for (int row = 0; row < dims["R"]; ++row) {
    const auto peak = row == 0 ? cols - 1 : row == 1 ? 0 : random.integer(0, cols - 1);
    values[static_cast<std::size_t>(row * cols + peak)] += 200.0;
  }
}

/// By turns rows near 1000, rows near -1000, rows whose last or whose first element is 200 above the others,
/// and plain ones: a kernel that fails on one kind is known by it.
void rows_of_every_kind(const Dims& dims, std::span<double> values, Random& random) {
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

double elements(const Dims& d) { return 1.0 * d["R"] * d["C"]; }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 18,
    .title = "Softmax op",
    .part = "Part IV: your kernel as an operator",
    .summary = "Turn each row of numbers into weights that add up to 1, whatever their size, and call it from Python",
    .tensors = {
        {.name = "x", .role = Role::input, .shape = {"R", "C"}, .fill = normal(1.0, 2.0)},
        {.name = "y", .role = Role::output, .shape = {"R", "C"}, .tolerance = Tolerance{
             0x1p-24, [](const Dims& d) { return (1.4 * d["C"] + 10.0) * 0x1p-24; },
             "(1.4 C + 10) 2^-24 of y, and 2^-24: C additions round the sum by 2^-24 of it each; rounding x - max by 2^-24 of a "
             "distance d moves exp(-d) by d exp(-d) 2^-24, which is below 0.4 times 2^-24, in y once and in the sum C times; two "
             "exponentials of 2 ulp and a division are the rest"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"R", 4}, {"C", 80}}},
        // exp of more than 88.7 is no float any more, exp of less than -104 is 0 in float.
        {.name = "rows of every kind", .dims = {{"R", 7}, {"C", 70}}, .fills = {{"x", from(rows_of_every_kind)}}},
        {.name = "one element", .dims = {{"R", 1}, {"C", 1}}},
        {.name = "one column", .dims = {{"R", 70}, {"C", 1}}},
        {.name = "one short of a warp", .dims = {{"R", 33}, {"C", 31}}},
        {.name = "one more than a warp", .dims = {{"R", 31}, {"C", 33}}},
        {.name = "one full block", .dims = {{"R", 65}, {"C", 64}}},
        {.name = "a long row", .dims = {{"R", 2}, {"C", 1000}}},
        {.name = "large values", .dims = {{"R", 5}, {"C", 70}}, .fills = {{"x", normal(1000.0, 3.0)}}},
        {.name = "very negative values", .dims = {{"R", 5}, {"C", 70}}, .fills = {{"x", normal(-1000.0, 3.0)}}},
        {.name = "rows of equal values", .dims = {{"R", 6}, {"C", 70}}, .fills = {{"x", from(level_rows)}}},
        {.name = "one peak a row", .dims = {{"R", 6}, {"C", 130}}, .fills = {{"x", from(one_peak)}}},
    },
    .large = {{"R", 203}, {"C", 1030}},
    .bench = {{"R", 16384}, {"C", 1024}},
    .reference = softmax_reference,
    .cross_check = softmax_by_differences,
    .cpu = softmax_cpu,
    .variants = {
        {.name = "thread-per-row",
         .title = "THREAD PER ROW",
         .summary = "One thread walks along one row, three times",
         .regions = {"thread_per_row"},
         .budget = {.global_reads = [](const Dims& d) { return 3.0 * elements(d) + d["R"]; }, .global_writes = elements}},
        {.name = "block-per-row",
         .title = "BLOCK PER ROW",
         .summary = "The threads of a block share one row: a tree for the maximum, a tree for the sum",
         .regions = {"row_max", "row_sum", "normalise"},
         .budget = {.global_reads = [](const Dims& d) { return 3.0 * elements(d) + d["R"]; }, .global_writes = elements,
                    .barriers = [](const Dims& d) { return 16.0 * d["R"]; }, .conflicts = 0.0,
                    // Four walks along a row, each with a sector more where a warp begins within one.
                    .sectors = [](const Dims& d) { return 4.0 * d["R"] * (d["C"] / 8.0 + d["C"] / 32.0 + 2.0); }}},
    },
};
// clang-format on
