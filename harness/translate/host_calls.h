// Calls of host functions from device code: nvcc refuses them, and g++, to which all functions are alike,
// does not.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rewrite.h"

namespace workbook::sim {

class HostFunctions {
 public:
  /// Learns the functions that a file defines or declares at namespace scope: every file, before the first is
  /// asked.
  void learn(std::string_view source);
  /// The calls in `source` that nvcc would refuse, in its words and with what to do. What cannot be told from
  /// the text alone (members, overloads with a __device__ one, function objects) is let pass.
  std::vector<RewriteError> refused_calls(std::string_view source) const;

 private:
  std::set<std::string, std::less<>> host_, device_;
};

}  // namespace workbook::sim
