// What the sources of a program declare about their kernels, as far as launches elsewhere depend on it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_tokens.h"

namespace workbook::sim {

struct KernelDeclaration {
  std::size_t parameters = 0;  ///< of the template; 0: no template
  bool defaults = false;       ///< whether some have one
  std::string cluster;         ///< what __cluster_dims__ says, empty without one
};

class KernelIndex {
 public:
  void add(const Tokens& tokens);

  bool contains(std::string_view name) const { return kernels_.contains(name); }
  /// Whether a launch that names `arguments` template arguments leaves some to be deduced that have defaults.
  bool deduces_defaults(std::string_view name, std::size_t arguments) const;
  /// "2, 1, 1" for a kernel with __cluster_dims__(2, 1, 1), else empty.
  std::string cluster_of(std::string_view name) const;

 private:
  std::multimap<std::string, KernelDeclaration, std::less<>> kernels_;
};

}  // namespace workbook::sim
