// A learner's graph against a program: equal, or the first line that cannot belong to it, and small whole
// numbers at which it shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "optimizer/judge/verify.h"

namespace workbook::opt {

/// Inputs in -3..3, zeros wherever zeros do, at extents 1 and 2.
struct Counterexample {
  Extents extents{};
  std::vector<std::pair<std::string, std::string>> inputs;  ///< name and values: "x", "[[1, 0]]"
  std::string place;  ///< of the output: "y[0,1]"; "y" of a single number
  double theirs = 0.0, programs = 0.0;
};

/// A part that no graph equal to the program under the axioms has.
struct ForeignPart {
  int node = 0, line = 0;
  std::string text;  ///< "m * k"
};

struct Checked {
  Verified verified;
  Numerics numerics;                   ///< of an equal graph
  std::optional<ForeignPart> foreign;  ///< of an unequal one
  std::optional<Counterexample> example;
};

/// `lines` as parse_graph gives them.
Checked check(const Program& program, const Graph& graph, const std::vector<int>& lines, Inputs inputs);

std::optional<Counterexample> smallest_counterexample(const Program& program, const Graph& graph);
std::optional<ForeignPart> foreign_part(const Program& program, const Graph& graph,
                                        const std::vector<int>& lines);

}  // namespace workbook::opt
