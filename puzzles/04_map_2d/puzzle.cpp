// Puzzle 04, Map 2D: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <cstddef>

#include "given.h"

using namespace workbook;

const Bound R = "R", C = "C";

template <class T>
static void tilt(const Dims& dims, HostTensors<T>& t) {
  const auto out = t["out"], a = t["a"];
  const int rows = dims["R"], cols = dims["C"];
  std::size_t i = 0;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col, ++i) out[i] = a[i] + T{kSlope} * static_cast<T>(col - row);
}

/// From the place of an element back to its row and column.
static void tilt_by_place(const Dims& dims, HostTensors<double>& t) {
  const auto out = t["out"], a = t["a"];
  const auto cols = static_cast<std::size_t>(dims["C"]);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto col = static_cast<double>(i % cols), row = static_cast<double>(i / cols);
    out[i] = a[i] + kSlope * col - kSlope * row;
  }
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 4, .title = "Map 2D", .part = "Part I: fundamentals",
    .builds_on = {3},
    .summary = "Tilt a matrix: add a slope that rises along each row and falls down each column",
    .tasks = {{
        .tensors = {
            input("a", {"R", "C"}, uniform(-5.0, 5.0)),
            output("out", {"R", "C"},
                {0x1p-23 * (5 + kSlope * (R + C)), 0.0,
                 "2^-23 (5 + (R + C) / 16): two additions, each rounded by at most 2^-24 of its result, which is no "
                 "larger than an element and the slope over all rows and columns; the products are exact"})},
        .cases = cases({"R", "C"}, {
            {"teaching", {20, 40}},  // ragged both ways
            {"one row", {1, 31}}, {"one column", {33, 1}}, {"one full block", {8, 32}},
            {"one more each way", {9, 33}}, {"wide", {3, 1000}}, {"tall", {1000, 3}},
            {"many blocks", {70, 130}}}),
        .large = {{"R", 301}, {"C", 517}}, .bench = {{"R", 2048}, {"C", 8192}},
        .reference = tilt<double>, .cross_check = tilt_by_place, .cpu = tilt<float>}},
    .variants = {
        {.name = "raw", .title = "RAW (a pointer and arithmetic)", .summary = "Row-major by hand: row * cols + col",
         .regions = {"raw"}},
        {.name = "mdspan", .title = "MDSPAN (two indices)", .summary = "The matrix knows its sizes: out(row, col)",
         .regions = {"mdspan"}},
        {.name = "swapped", .title = "SWAPPED (x is the row)",
         .summary = "The same result, with the lanes of a warp in a column",
         .regions = {"swapped"}, .required = false}}};
