// Puzzle 15, Axis sum: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <vector>

#include "given.cuh"

using namespace workbook;

const Bound R = "R", C = "C", elements = R * C;

template <class T>
static void sum_rows(const Dims& dims, HostTensors<T>& t) {
  const int rows = dims["R"], cols = dims["C"];
  const auto a = t["a"], out = t["row_sums"];
  for (int row = 0; row < rows; ++row) {
    T sum = 0;
    for (int col = 0; col < cols; ++col) sum += a[row * cols + col];
    out[row] = sum;
  }
}

template <class T>
static void sum_columns(const Dims& dims, HostTensors<T>& t) {
  const int rows = dims["R"], cols = dims["C"];
  const auto a = t["a"], out = t["column_sums"];
  for (T& sum : out) sum = 0;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) out[col] += a[row * cols + col];
}

/// The sum of count values that lie `stride` apart, by halves: another order than the reference's.
static double by_halves(const double* values, int count, int stride) {
  if (count == 0) return 0.0;
  if (count == 1) return values[0];
  const int half = count / 2;
  return by_halves(values, half, stride) +
         by_halves(values + static_cast<std::ptrdiff_t>(half) * stride, count - half, stride);
}

static void sum_rows_by_halves(const Dims& dims, HostTensors<double>& t) {
  const int cols = dims["C"];
  for (int row = 0; row < dims["R"]; ++row)
    t["row_sums"][row] = by_halves(&t["a"][static_cast<std::size_t>(row) * cols], cols, 1);
}

static void sum_columns_by_halves(const Dims& dims, HostTensors<double>& t) {
  for (int col = 0; col < dims["C"]; ++col)
    t["column_sums"][col] = by_halves(&t["a"][col], dims["R"], dims["C"]);
}

static std::vector<Tensor> tensors(std::string_view out, std::string_view kept, const Tolerance& tolerance) {
  return {input("a", {"R", "C"}, uniform(0.5, 1.5)), output(out, {kept}, tolerance)};
}

static std::vector<Case> cases(std::int64_t rows, std::int64_t columns) {
  return workbook::cases({"R", "C"}, {{"teaching", {rows, columns}},
                                      {"one element", {1, 1}},
                                      {"one column", {70, 1}},
                                      {"one row", {1, 1000}},
                                      {"one short of a warp", {33, 31}},
                                      {"one more than a warp", {31, 33}},
                                      {"one full block", {32, 64}},
                                      {"many rows", {1000, 7}},
                                      {"many columns", {130, 1000}}});
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 15, .title = "Axis sum", .part = "Part III: algorithms",
    .builds_on = {5, 8, 12},
    .summary = "Sum a matrix along its rows, then down its columns: reduce one dimension and keep the other",
    .tasks = {
        {.name = "rows",
         .tensors = tensors("row_sums", "R", {0.0, 0x1p-24 * C,
             "C 2^-24 of the sum: each of C additions rounds by at most 2^-24 of the sum so far, and of positive elements no sum "
             "so far is larger than the last"}),
         .cases = ::cases(6, 80),
         .large = {{"R", 203}, {"C", 1030}}, .bench = {{"R", 16384}, {"C", 1024}},
         .reference = sum_rows<double>, .cross_check = sum_rows_by_halves, .cpu = sum_rows<float>},
        {.name = "columns",
         .tensors = tensors("column_sums", "C", {0.0, 0x1p-24 * R,
             "R 2^-24 of the sum: each of R additions rounds by at most 2^-24 of the sum so far, and of positive elements no sum "
             "so far is larger than the last"}),
         .cases = ::cases(20, 40),
         .large = {{"R", 1030}, {"C", 203}}, .bench = {{"R", 1024}, {"C", 16384}},
         .reference = sum_columns<double>, .cross_check = sum_columns_by_halves, .cpu = sum_columns<float>}},
    .variants = {
        {.name = "thread-per-row", .title = "THREAD PER ROW", .summary = "One thread walks along one row",
         .task = "rows", .regions = {"thread_per_row"}, .budget = {.global_reads = elements, .global_writes = R}},
        {.name = "block-per-row", .title = "BLOCK PER ROW",
         .summary = "The threads of a block walk along one row side by side, then add up what each has",
         .task = "rows", .regions = {"block_per_row"},
         .budget = {.global_reads = elements, .global_writes = R, .barriers = 7 * R, .conflicts = 0.0,
                    .global_requests = 4 * R * ceil(C / 32), .shared_requests = 40 * R}},
        {.name = "columns", .title = "COLUMNS",
         .summary = "A block for 32 columns: threads side by side along x keep their columns, threads along y share one",
         .task = "columns", .regions = {"columns"},
         .budget = {.global_reads = elements, .global_writes = C, .barriers = 4 * (ceil(C / kAcross)),
                    .conflicts = 0.0}}}};
