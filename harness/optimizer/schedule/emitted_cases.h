// What an emitted kernel is judged on: the teaching shape and four ragged ones (the last one with more than a
// block's turns of what a maximum runs over), with normal inputs; where groups of warps multiply, one that
// tensor maps can copy; then zeros and ties; then the ends of what the program says that inputs hold; in both
// minus infinity where an input may be a mask. Inputs are what the storage types hold exactly; right is the
// program in doubles, within the bound of the plan's graph and of what the plan rounds to half for tensor
// cores. Never another float kernel.
#pragma once

#include "optimizer/plan/plan.h"

namespace workbook::opt {

struct EmittedCase {
  Extents extents{};
  std::vector<float> inputs;  ///< all of them, one after the other, each in the order of its memory
  /// Of the output, in the order of its memory; NaN where the program itself gives no number that can be
  /// judged.
  std::vector<double> expected, accepted;
};
std::vector<EmittedCase> emitted_cases(const Program& program, const Plan& plan);

/// The cases as the program of emit_check reads them.
std::string cases_file(const Graph& graph, const std::vector<EmittedCase>& cases);

struct EmittedVerdict {
  std::int64_t elements = 0, wrong = 0;
  double worst = 0.0;  ///< the largest error over what is accepted, of those that are right
  std::string words;   ///< of the first wrong one: "b 1, h 31: y[0,3] is nan, 0.25 is right within 1e-4"
};
/// `results`: what the program wrote.
EmittedVerdict judge_emitted(const Program& program, const std::vector<EmittedCase>& cases,
                             const std::string& results);

/// The nearest number that the type holds.
double rounded_to(Storage storage, double value);

}  // namespace workbook::opt
