// Puzzle 07, Blocks 2D: what it is and how it is checked.
#include <workbook/puzzle.h>
#include <workbook/reference.h>

#include <vector>

#include "sizes.h"

using namespace workbook;

const Bound R = "R", C = "C";

template <class T>
static void difference(const Dims& dims, HostTensors<T>& t) {
  const auto a = t["a"], b = t["b"], out = t["out"];
  const int rows = dims["R"], columns = dims["C"];
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) out[r * columns + c] = a[r * columns + c] - b[c * rows + r];
}

/// The same by way of a transposed copy of b.
static void by_transpose(const Dims& dims, HostTensors<double>& t) {
  const auto a = t["a"], out = t["out"];
  std::vector<double> transposed(a.size());
  reference::transpose(t["b"], transposed, dims["C"], dims["R"]);
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] - transposed[i];
}

/// Each element of a and b read once, each of out written once, in one launch.
const Budget kOnce = {.global_reads = 2 * R * C, .global_writes = R * C, .launches = 1};

/// The blocks that cover the matrix, each `across` columns wide and `down` rows high, and no more.
static Budget in_blocks(int across, int down) {
  Budget budget = kOnce;
  budget.threads = ceil(C / across) * across * (ceil(R / down) * down);
  return budget;
}

/// Each of the three matrices in whole sectors of 8 elements, once, and three quarters as much again: what
/// rows that begin within a sector and blocks beyond the edge cost, which for a row or a column alone is more
/// than the matrix.
static Budget in_whole_sectors() {
  Budget budget = kOnce;
  budget.sectors = 1.75 * 3 * R * C / 8 + 2 * (R + C) + 64;
  budget.threads = (R + kThreads - 1) * (C + kThreads - 1);  // of whole blocks, whatever their shape
  return budget;
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 7, .title = "Blocks 2D", .part = "Part I: fundamentals",
    .builds_on = {1, 4, 5},
    .summary = "A matrix minus a transposed one, by 2D grids of blocks of any shape",
    .tasks = {{
        .tensors = {
            input("a", {"R", "C"}, uniform(-4.0, 4.0)),
            input("b", {"C", "R"}, uniform(-1.0, 4.0)),
            output("out", {"R", "C"},
                {0x1p-22, 0.0, "2^-22: one subtraction with a result of at most 8 is rounded by at most half an ulp"})},
        .cases = cases({"R", "C"}, {
            {"teaching", {12, 24}}, {"one element", {1, 1}}, {"a lane short of a warp", {31, 7}},
            {"a lane more than a warp", {9, 33}}, {"one wide block", {1, 256}}, {"one tall block", {256, 1}},
            {"one row", {1, 1000}}, {"one column", {600, 1}}, {"ragged both ways", {257, 65}}}),
        .large = {{"R", 301}, {"C", 523}}, .bench = {{"R", 3072}, {"C", 6144}},
        .reference = difference<double>, .cross_check = by_transpose, .cpu = difference<float>}},
    .variants = {
        {.name = "wide", .title = "WIDE BLOCKS, 256 x 1", .summary = "A block is 256 columns of one row",
         .regions = {"difference", "grid"}, .budget = in_blocks(kThreads, 1)},
        {.name = "tall", .title = "TALL BLOCKS, 1 x 256",
         .summary = "The same kernel: a block is 256 rows of one column",
         .regions = {"difference", "grid"}, .required = false, .budget = in_blocks(1, kThreads)},
        {.name = "chosen", .title = "BLOCKS OF A CHOSEN SHAPE",
         .summary = "The same kernel, and 256 threads in the shape that you choose",
         .regions = {"difference", "grid", "shape"}, .budget = in_whole_sectors()}}};
