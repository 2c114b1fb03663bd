// What the rewriter changes inside device code; the rest is in rewrite.cpp.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "cuda_tokens.h"
#include "edits.h"

namespace workbook::sim {

class DeviceWords;  // execution_space.h

/// The bodies of functions that run on the device only.
class DeviceCode {
 public:
  /// With `words`: those, too, whose declarations say it by a macro.
  explicit DeviceCode(const Tokens& tokens, const DeviceWords* words = nullptr);
  bool contains(std::size_t token) const;
  /// In directives of device code, #if and its kin, __CUDA_ARCH__ becomes WORKBOOK_SIM_ARCH; where code for
  /// both sides asks for it, the side is chosen when it runs (both_sides.h).
  void define_arch(const Tokens& tokens, Edits& edits) const;

 private:
  std::vector<std::pair<std::size_t, std::size_t>> bodies_, both_;  ///< both_: of those for the host, too
};

struct Renamed {
  std::string_view from, to;
};
/// Renames a macro in #if, #ifdef and #elif lines of [begin, end), which give no tokens.
void rename_in_conditions(std::string_view source, std::size_t begin, std::size_t end, Renamed name,
                          Edits& edits);

/// Puts what `__launch_bounds__(...)` of a kernel say on record behind it, where they are no template's
/// parameters.
void keep_launch_bounds(const Tokens& t, std::size_t i, Edits& edits);

/// thread_local wants alignas before it, and takes initialisers that CUDA does not. The extents of each array
/// go on record, for findings to name its elements.
void adapt_shared(const Tokens& t, std::size_t shared, Edits& edits);

}  // namespace workbook::sim
