// Puzzle 15, Axis sum: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <vector>

#include "given.cuh"

namespace {

using workbook::Case;
using workbook::Dims;
using workbook::HostTensors;
using workbook::Tensor;
using workbook::Tolerance;

template <class T>
void sum_rows(const Dims& dims, HostTensors<T>& t) {
  const int rows = dims["R"], cols = dims["C"];
  const auto a = t["a"], out = t["row_sums"];
  for (int row = 0; row < rows; ++row) {
    T sum = 0;
    for (int col = 0; col < cols; ++col) sum += a[row * cols + col];
    out[row] = sum;
  }
}

template <class T>
void sum_columns(const Dims& dims, HostTensors<T>& t) {
  const int rows = dims["R"], cols = dims["C"];
  const auto a = t["a"], out = t["column_sums"];
  for (T& sum : out) sum = 0;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) out[col] += a[row * cols + col];
}

/// The sum of count values that lie `stride` apart, by halves: another order than the reference's.
double by_halves(const double* values, int count, int stride) {
  if (count == 0) return 0.0;
  if (count == 1) return values[0];
  const int half = count / 2;
  return by_halves(values, half, stride) +
         by_halves(values + static_cast<std::ptrdiff_t>(half) * stride, count - half, stride);
}

void sum_rows_by_halves(const Dims& dims, HostTensors<double>& t) {
  const int cols = dims["C"];
  for (int row = 0; row < dims["R"]; ++row)
    t["row_sums"][row] = by_halves(&t["a"][static_cast<std::size_t>(row) * cols], cols, 1);
}

void sum_columns_by_halves(const Dims& dims, HostTensors<double>& t) {
  for (int col = 0; col < dims["C"]; ++col)
    t["column_sums"][col] = by_halves(&t["a"][col], dims["R"], dims["C"]);
}

double elements(const Dims& d) { return 1.0 * d["R"] * d["C"]; }

std::vector<Tensor> tensors(std::string_view out, std::string_view kept, const Tolerance& tolerance) {
  return {
      {.name = "a", .role = workbook::Role::input, .shape = {"R", "C"}, .fill = workbook::uniform(0.5, 1.5)},
      {.name = out, .role = workbook::Role::output, .shape = {kept}, .tolerance = tolerance}};
}

std::vector<Case> cases(const Dims& teaching) {
  return {{.name = "teaching", .dims = teaching},
          {.name = "one element", .dims = {{"R", 1}, {"C", 1}}},
          {.name = "one column", .dims = {{"R", 70}, {"C", 1}}},
          {.name = "one row", .dims = {{"R", 1}, {"C", 1000}}},
          {.name = "one short of a warp", .dims = {{"R", 33}, {"C", 31}}},
          {.name = "one more than a warp", .dims = {{"R", 31}, {"C", 33}}},
          {.name = "one full block", .dims = {{"R", 32}, {"C", 64}}},
          {.name = "many rows", .dims = {{"R", 1000}, {"C", 7}}},
          {.name = "many columns", .dims = {{"R", 130}, {"C", 1000}}}};
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 15,
    .title = "Axis sum",
    .part = "Part III: algorithms",
    .summary = "Sum a matrix along its rows, then down its columns: reduce one dimension and keep the other",
    .tasks = {
        {.name = "rows",
         .tensors = tensors("row_sums", "R", {0.0, [](const Dims& d) { return 0x1p-24 * d["C"]; },
             "C 2^-24 of the sum: each of C additions rounds by at most 2^-24 of the sum so far, and of positive elements no sum "
             "so far is larger than the last"}),
         .cases = cases({{"R", 6}, {"C", 80}}),
         .large = {{"R", 203}, {"C", 1030}},
         .bench = {{"R", 16384}, {"C", 1024}},
         .reference = sum_rows<double>,
         .cross_check = sum_rows_by_halves,
         .cpu = sum_rows<float>},
        {.name = "columns",
         .tensors = tensors("column_sums", "C", {0.0, [](const Dims& d) { return 0x1p-24 * d["R"]; },
             "R 2^-24 of the sum: each of R additions rounds by at most 2^-24 of the sum so far, and of positive elements no sum "
             "so far is larger than the last"}),
         .cases = cases({{"R", 20}, {"C", 40}}),
         .large = {{"R", 1030}, {"C", 203}},
         .bench = {{"R", 1024}, {"C", 16384}},
         .reference = sum_columns<double>,
         .cross_check = sum_columns_by_halves,
         .cpu = sum_columns<float>},
    },
    .variants = {
        {.name = "thread-per-row",
         .title = "THREAD PER ROW",
         .summary = "One thread walks along one row",
         .task = "rows",
         .regions = {"thread_per_row"},
         .budget = {.global_reads = elements, .global_writes = [](const Dims& d) { return 1.0 * d["R"]; }}},
        {.name = "block-per-row",
         .title = "BLOCK PER ROW",
         .summary = "The threads of a block walk along one row side by side, then add up what each has",
         .task = "rows",
         .regions = {"block_per_row"},
         .budget = {.global_reads = elements, .global_writes = [](const Dims& d) { return 1.0 * d["R"]; },
                    .barriers = [](const Dims& d) { return 7.0 * d["R"]; }, .conflicts = 0.0}},
        {.name = "columns",
         .title = "COLUMNS",
         .summary = "A block for 32 columns: threads side by side along x keep their columns, threads along y share one",
         .task = "columns",
         .regions = {"columns"},
         .budget = {.global_reads = elements, .global_writes = [](const Dims& d) { return 1.0 * d["C"]; },
                    .barriers = [](const Dims& d) { return 4.0 * ((d["C"] + kAcross - 1) / kAcross); }, .conflicts = 0.0}},
    },
};
// clang-format on
