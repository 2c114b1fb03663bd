// Puzzle 05, Broadcast: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>

using namespace workbook;

/// Element by element, as the formula says it.
template <class T>
static void subtract(const Dims& dims, HostTensors<T>& t) {
  const auto a = t["a"], b = t["b"], out = t["out"];
  const int rows = dims["R"], columns = dims["C"];
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) out[r * columns + c] = a[r] - b[c];
}

static void reference(const Dims& dims, HostTensors<double>& t) {
  const auto a = t["a"], b = t["b"], a_matrix = t["a_matrix"], b_matrix = t["b_matrix"];
  const int rows = dims["R"], columns = dims["C"];
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      a_matrix[r * columns + c] = a[r];
      b_matrix[r * columns + c] = b[c];
    }
  subtract(dims, t);
}

/// Row by row: each begins as a copy of -b, and its value of a is added to all of it.
static void by_rows(const Dims& dims, HostTensors<double>& t) {
  const auto b = t["b"];
  auto row = t["out"].begin();
  for (const double value : t["a"]) {
    std::transform(b.begin(), b.end(), row, [](double x) { return -x; });
    std::for_each(row, row + dims["C"], [value](double& x) { x += value; });
    row += dims["C"];
  }
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 5, .title = "Broadcast", .part = "Part I: fundamentals",
    .builds_on = {2, 4},
    .summary = "A column of values minus a row of values makes a matrix, without a copy of either",
    .tasks = {{
        .tensors = {
            input("a", {"R"}, uniform(-4.0, 4.0)),
            input("b", {"C"}, uniform(-1.0, 4.0)),
            intermediate("a_matrix", {"R", "C"}, exact("a copy moves floats and rounds none")),
            intermediate("b_matrix", {"R", "C"}, exact("a copy moves floats and rounds none")),
            output("out", {"R", "C"},
                {0x1p-22, 0.0, "2^-22: one subtraction with a result of at most 8 is rounded by at most half an ulp"})},
        .cases = cases({"R", "C"}, {
            {"teaching", {12, 40}},  // 2 x 2 blocks, ragged both ways
            {"one element", {1, 1}}, {"one full block", {8, 32}}, {"a lane short of a warp", {7, 31}},
            {"a lane more than a warp", {9, 33}}, {"one row", {1, 1000}}, {"one column", {130, 1}},
            {"more rows than columns", {100, 5}},
            // Few different values, so that many results are 0.
            {"equal values", {17, 50}, {{"a", integers(-2, 2)}, {"b", integers(-2, 3)}}},
            // Neighbours of 10 000 have few bits behind the point, and their difference rounds none of them away.
            {"large values", {20, 37}, {{"a", normal(10'000.0, 1.0)}, {"b", normal(10'000.0, 1.0)}}}}),
        .large = {{"R", 203}, {"C", 505}}, .bench = {{"R", 2048}, {"C", 8192}},
        .reference = reference, .cross_check = by_rows, .cpu = subtract<float>}},
    .variants = {
        {.name = "expanded", .title = "EXPANDED",
         .summary = "Two launches: copies of a and b as large as out, then a subtraction",
         .regions = {"expand"}, .intermediates = {"a_matrix", "b_matrix"},
         .budget = {.global_reads = "4*R*C", .global_writes = "3*R*C", .launches = 2}},
        {.name = "broadcast", .title = "BROADCAST",
         .summary = "One launch: every thread reads a[r] and b[c] where they are",
         .regions = {"broadcast"}, .budget = {.global_reads = "2*R*C", .global_writes = "R*C", .launches = 1}}}};
