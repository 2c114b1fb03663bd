// A puzzle small enough to reason about: y[N, 4] = 2 x + 1.
#pragma once

#include "core/prepare.h"

namespace sample {

using workbook::Dims;
using workbook::HostTensors;

inline void reference(const Dims&, HostTensors<double>& t) {
  for (std::size_t i = 0; i < t["x"].size(); ++i) t["y"][i] = 2.0 * t["x"][i] + 1.0;
}
inline void forgets_the_one(const Dims&, HostTensors<double>& t) {
  for (std::size_t i = 0; i < t["x"].size(); ++i) t["y"][i] = 2.0 * t["x"][i];
}
inline double tolerance(const Dims&) { return 1e-5; }

inline workbook::Puzzle puzzle() {
  workbook::Puzzle p;
  p.number = 1;
  p.tensors = {{.name = "x", .shape = {"N", "C"}, .fill = workbook::normal(0.5, 2.0)},
               {.name = "y", .role = workbook::Role::output, .shape = {"N", "C"}, .tolerance = tolerance}};
  p.cases = {{.name = "teaching", .dims = {{"N", 6}, {"C", 4}}}};
  p.reference = reference;
  p.suspects = {{"the 1 was never added", forgets_the_one}};
  p.variants = {{.name = "plain"}};
  return p;
}

}  // namespace sample
