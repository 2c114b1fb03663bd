// Puzzle 02, Zip: what it is and how it is checked.
#include <workbook/puzzle.h>

#include <cmath>

#include "given.h"

using namespace workbook;

template <class T>
static void zip(const Dims&, HostTensors<T>& t) {
  const auto a = t["a"], b = t["b"], once = t["once"], often = t["often"];
  for (std::size_t i = 0; i < a.size(); ++i) {
    once[i] = T{kAlpha} * a[i] + b[i];
    T value = a[i];
    for (int step = 0; step < kSteps; ++step) value = T{kAlpha} * value + b[i];
    often[i] = value;
  }
}

/// Each step shrinks the distance to the point that a step leaves alone, b / (1 - alpha), by alpha.
static void zip_in_closed_form(const Dims&, HostTensors<double>& t) {
  const auto a = t["a"], b = t["b"], once = t["once"], often = t["often"];
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double fixed = b[i] / (1.0 - kAlpha);
    once[i] = fixed + kAlpha * (a[i] - fixed);
    often[i] = fixed + std::pow(kAlpha, kSteps) * (a[i] - fixed);
  }
}

// clang-format off
const Puzzle workbook::puzzle = {
    .number = 2, .title = "Zip", .part = "Part I: fundamentals",
    .builds_on = {1},
    .summary = "Combine two vectors element by element: alpha * a + b, once and sixteen times over",
    .tasks = {{
        .tensors = {
            input("a", {"N"}, uniform(-5.0, 5.0)),
            input("b", {"N"}, uniform(-5.0, 5.0)),
            output("once", {"N"},
                {0x1p-21 + 0x1p-23, 0.0,
                 "2^-21 + 2^-23: half an ulp of a sum below 16, and half an ulp of a product below 4"}),
            output("often", {"N"},
                {4.0 * (0x1p-20 + 0x1p-21), 0.0,
                 "4 (2^-20 + 2^-21): a step adds half an ulp of a sum below 32 and of a product below 16; later steps "
                 "shrink that by alpha = 3/4 each, and 1 + 3/4 + 9/16 + ... is 4"})},
        .cases = cases({"N"}, {
            {"teaching", {300}},  // a full block, and 44 elements for the second
            {"one element", {1}}, {"a lane short of a warp", {31}}, {"a lane more than a warp", {33}},
            {"one full block", {256}}, {"many blocks", {1000}}}),
        .large = {{"N", 100'003}}, .bench = {{"N", 1 << 24}},
        .reference = zip<double>, .cross_check = zip_in_closed_form, .cpu = zip<float>}},
    .variants = {
        {.name = "zip", .title = "ZIP", .summary = "One multiply and one add for every two elements read",
         .regions = {"zip"}, .outputs = {"once"}, .budget = {.global_reads = "2*N", .global_writes = "N"}},
        {.name = "steps", .title = "STEPS (sixteen in a row)",
         .summary = "The same bytes, sixteen times the operations",
         .regions = {"steps"}, .outputs = {"often"}, .budget = {.global_reads = "2*N", .global_writes = "N"}}}};
