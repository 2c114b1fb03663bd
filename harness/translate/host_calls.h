// What the text alone shows of host code in device code: nvcc refuses it, and g++, to which all functions are
// alike, does not. What was compiled shows more (cli/compile/device_calls.h), but not what came to nothing.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "execution_space.h"
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
  DeviceWords words_;
  std::set<std::string, std::less<>> host_, device_;
};

/// What no device code may have, whatever is declared around it: exceptions, and variables of the standard
/// library's types that hold memory of the host or functions. nvcc's words, and what to do.
std::vector<RewriteError> refused_in_device_code(std::string_view source);

}  // namespace workbook::sim
