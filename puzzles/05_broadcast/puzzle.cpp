// Puzzle 05, Broadcast: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <algorithm>

namespace {

using workbook::Dims;
using workbook::HostTensors;

/// Element by element, as the formula says it.
template <class T>
void subtract(const Dims& dims, HostTensors<T>& t) {
  const auto a = t["a"], b = t["b"], out = t["out"];
  const int rows = dims["R"], columns = dims["C"];
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) out[r * columns + c] = a[r] - b[c];
}

void reference(const Dims& dims, HostTensors<double>& t) {
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
void by_rows(const Dims& dims, HostTensors<double>& t) {
  const auto b = t["b"];
  auto row = t["out"].begin();
  for (const double value : t["a"]) {
    std::transform(b.begin(), b.end(), row, [](double x) { return -x; });
    std::for_each(row, row + dims["C"], [value](double& x) { x += value; });
    row += dims["C"];
  }
}

double elements(const Dims& dims) { return 1.0 * dims["R"] * dims["C"]; }
double two_an_element(const Dims& dims) { return 2.0 * elements(dims); }
double three_an_element(const Dims& dims) { return 3.0 * elements(dims); }
double four_an_element(const Dims& dims) { return 4.0 * elements(dims); }

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 5,
    .title = "Broadcast",
    .part = "Part I: fundamentals",
    .summary = "A column of values minus a row of values makes a matrix, without a copy of either",
    .tensors = {
        {.name = "a", .role = Role::input, .shape = {"R"}, .fill = uniform(-4.0, 4.0)},
        {.name = "b", .role = Role::input, .shape = {"C"}, .fill = uniform(-1.0, 4.0)},
        {.name = "a_matrix", .role = Role::intermediate, .shape = {"R", "C"},
         .tolerance = exact("a copy moves floats and rounds none")},
        {.name = "b_matrix", .role = Role::intermediate, .shape = {"R", "C"},
         .tolerance = exact("a copy moves floats and rounds none")},
        {.name = "out", .role = Role::output, .shape = {"R", "C"},
         .tolerance = Tolerance{0x1p-22, 0.0,
             "2^-22: one subtraction with a result of at most 8 is rounded by at most half an ulp"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"R", 12}, {"C", 40}}},  // 2 x 2 blocks, ragged both ways
        {.name = "one element", .dims = {{"R", 1}, {"C", 1}}},
        {.name = "one full block", .dims = {{"R", 8}, {"C", 32}}},
        {.name = "a lane short of a warp", .dims = {{"R", 7}, {"C", 31}}},
        {.name = "a lane more than a warp", .dims = {{"R", 9}, {"C", 33}}},
        {.name = "one row", .dims = {{"R", 1}, {"C", 1000}}},
        {.name = "one column", .dims = {{"R", 130}, {"C", 1}}},
        {.name = "more rows than columns", .dims = {{"R", 100}, {"C", 5}}},
        // Few different values, so that many results are 0.
        {.name = "equal values", .dims = {{"R", 17}, {"C", 50}},
         .fills = {{"a", integers(-2, 2)}, {"b", integers(-2, 3)}}},
        // Neighbours of 10 000 have few bits behind the point, and their difference rounds none of them away.
        {.name = "large values", .dims = {{"R", 20}, {"C", 37}},
         .fills = {{"a", normal(10'000.0, 1.0)}, {"b", normal(10'000.0, 1.0)}}},
    },
    .large = {{"R", 203}, {"C", 505}},
    .bench = {{"R", 2048}, {"C", 8192}},
    .reference = reference,
    .cross_check = by_rows,
    .cpu = subtract<float>,
    .variants = {
        {.name = "expanded",
         .title = "EXPANDED",
         .summary = "Two launches: copies of a and b as large as out, then a subtraction",
         .regions = {"expand"},
         .intermediates = {"a_matrix", "b_matrix"},
         .budget = {.global_reads = four_an_element, .global_writes = three_an_element, .launches = 2.0}},
        {.name = "broadcast",
         .title = "BROADCAST",
         .summary = "One launch: every thread reads a[r] and b[c] where they are",
         .regions = {"broadcast"},
         .budget = {.global_reads = two_an_element, .global_writes = elements, .launches = 1.0}},
    },
};
// clang-format on
