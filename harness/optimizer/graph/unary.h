// Functions of one number that programs call: a row each, with all that the optimizer knows of one. To the
// fields a function is what evaluate.cpp has for it; the others are black boxes: equal arguments, equal
// values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "optimizer/graph/graph.h"

namespace workbook::opt {

struct Unary {
  std::string_view name;
  std::string_view text;  ///< its value in CUDA C++; `#` stands for the argument
  std::string_view file;  ///< of device/, with the function that `text` calls, or nothing: CUDA has it
  double (*value)(double x);
  double (*bound)(double x,
                  double error);     ///< the most that the value may be off by when x is off by `error`
  double (*magnitude)(double most);  ///< the largest value of those with |x| <= most
  bool selects = false;              ///< 0 or 1; what is multiplied by it counts only where that is 1
};

/// The row number is the Base.
const std::vector<Unary>& unary_functions();
const Unary& unary(Base base);
/// Its value in CUDA C++, of the argument in there.
std::string call_text(Base base, std::string_view argument);
/// The row of a name that is there.
Base base_of(std::string_view name);

/// A node whose value is 0 or 1.
bool selects(const Graph& graph, int node);

}  // namespace workbook::opt
