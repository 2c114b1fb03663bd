// A puzzle small enough to reason about, and whole: y[N, C] = 2 x + 1.
#pragma once

#include "workbook/puzzle.h"

namespace sample {

using workbook::Dims;
using workbook::HostTensors;

inline void reference(const Dims&, HostTensors<double>& t) {
  for (std::size_t i = 0; i < t["x"].size(); ++i) t["y"][i] = 2.0 * t["x"][i] + 1.0;
}

inline workbook::Task task() {
  workbook::Task t;
  t.tensors = {{.name = "x", .shape = {"N", "C"}, .fill = workbook::normal(0.5, 2.0)},
               {.name = "y",
                .role = workbook::Role::output,
                .shape = {"N", "C"},
                .tolerance = workbook::Tolerance{1e-5, 0.0, "two roundings of a number below 16"}}};
  t.cases = {{.name = "teaching", .dims = {{"N", 6}, {"C", 4}}}};
  t.large = {{"N", 100}, {"C", 5}};
  t.bench = {{"N", 1000}, {"C", 8}};
  t.reference = reference;
  return t;
}

inline workbook::Puzzle puzzle() {
  workbook::Puzzle p;
  p.number = 1;
  p.title = "Sample";
  p.part = "Part I";
  p.summary = "Doubles and adds one";
  p.tasks = {task()};
  p.variants = {{.name = "plain", .title = "PLAIN", .summary = "One launch", .regions = {"body"}}};
  return p;
}

}  // namespace sample
