// Puzzle 07, Blocks 2D: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <vector>

namespace {

using workbook::Dims;
using workbook::HostTensors;

template <class T>
void difference(const Dims& dims, HostTensors<T>& t) {
  const auto a = t["a"], b = t["b"], out = t["out"];
  const int rows = dims["R"], columns = dims["C"];
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) out[r * columns + c] = a[r * columns + c] - b[c * rows + r];
}

/// The same by way of a transposed copy of b.
void by_transpose(const Dims& dims, HostTensors<double>& t) {
  const auto a = t["a"], out = t["out"];
  std::vector<double> transposed(a.size());
  workbook::reference::transpose(t["b"], transposed, dims["C"], dims["R"]);
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] - transposed[i];
}

double elements(const Dims& dims) { return 1.0 * dims["R"] * dims["C"]; }
double two_an_element(const Dims& dims) { return 2.0 * elements(dims); }

/// Each element of a and b read once, each of out written once, in one launch.
workbook::Budget once() {
  return {.global_reads = two_an_element, .global_writes = elements, .launches = 1.0};
}

/// Each of the three matrices in whole sectors of 8 elements, once, and three quarters as much again: what
/// rows that begin within a sector and blocks beyond the edge cost, which for a row or a column alone is more
/// than the matrix.
workbook::Budget in_whole_sectors() {
  workbook::Budget budget = once();
  budget.sectors = [](const Dims& dims) {
    return 1.75 * 3.0 * elements(dims) / 8.0 + 2.0 * (dims["R"] + dims["C"]) + 64.0;
  };
  return budget;
}

}  // namespace

// clang-format off
const workbook::Puzzle workbook::puzzle = {
    .number = 7,
    .title = "Blocks 2D",
    .part = "Part I: fundamentals",
    .summary = "A matrix minus a transposed one, by 2D grids of blocks of any shape",
    .tensors = {
        {.name = "a", .role = Role::input, .shape = {"R", "C"}, .fill = uniform(-4.0, 4.0)},
        {.name = "b", .role = Role::input, .shape = {"C", "R"}, .fill = uniform(-1.0, 4.0)},
        {.name = "out", .role = Role::output, .shape = {"R", "C"},
         .tolerance = Tolerance{0x1p-22, 0.0,
             "2^-22: one subtraction with a result of at most 8 is rounded by at most half an ulp"}},
    },
    .cases = {
        {.name = "teaching", .dims = {{"R", 12}, {"C", 24}}},
        {.name = "one element", .dims = {{"R", 1}, {"C", 1}}},
        {.name = "a lane short of a warp", .dims = {{"R", 31}, {"C", 7}}},
        {.name = "a lane more than a warp", .dims = {{"R", 9}, {"C", 33}}},
        {.name = "one wide block", .dims = {{"R", 1}, {"C", 256}}},
        {.name = "one tall block", .dims = {{"R", 256}, {"C", 1}}},
        {.name = "one row", .dims = {{"R", 1}, {"C", 1000}}},
        {.name = "one column", .dims = {{"R", 600}, {"C", 1}}},
        {.name = "ragged both ways", .dims = {{"R", 257}, {"C", 65}}},
    },
    .large = {{"R", 301}, {"C", 523}},
    .bench = {{"R", 3072}, {"C", 6144}},
    .reference = difference<double>,
    .cross_check = by_transpose,
    .cpu = difference<float>,
    .variants = {
        {.name = "wide",
         .title = "WIDE BLOCKS, 256 x 1",
         .summary = "A block is 256 columns of one row",
         .regions = {"difference", "grid"},
         .budget = once()},
        {.name = "tall",
         .title = "TALL BLOCKS, 1 x 256",
         .summary = "The same kernel: a block is 256 rows of one column",
         .regions = {"difference", "grid"},
         .required = false,
         .budget = once()},
        {.name = "chosen",
         .title = "BLOCKS OF A CHOSEN SHAPE",
         .summary = "The same kernel, and 256 threads in the shape that you choose",
         .regions = {"difference", "grid", "shape"},
         .budget = in_whole_sectors()},
    },
};
// clang-format on
