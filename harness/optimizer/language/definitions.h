// Functions that are written with others, and words for what the language has no function for. Their names
// are not reserved: a tensor may be called so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::opt {

struct Definition {
  std::string_view name;
  bool over;      ///< its first argument is an index, `i` in the text
  int arguments;  ///< behind it: `x`, `a` and `b` in the text
  std::string_view text;
  std::string_view last = {};  ///< what the last argument is where it is absent
};

/// Nothing where there is none of this name.
const Definition* definition_of(std::string_view name);
/// "clamp(x, a, b)": as a call of it is written.
std::string written(const Definition& definition);
std::vector<std::string> definition_names();
/// What to write instead, or nothing.
std::string_view instead_of(std::string_view name);

}  // namespace workbook::opt
