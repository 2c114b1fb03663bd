// The FILL ME IN regions of a kernels.cu:
//   // FILL ME IN: layernorm (roughly 11 lines)
//   // END: layernorm
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::cli {

struct Region {
  std::string name;
  int first_line = 0;   ///< of the FILL ME IN marker, from 1
  int last_line = 0;    ///< of the END marker
  bool filled = false;  ///< something other than blanks and comments lies between
};

/// Throws std::runtime_error with the line when markers do not pair up: never guesses.
std::vector<Region> find_regions(std::string_view source);

/// The source with everything between the markers removed: what a learner starts from.
std::string skeleton_of(std::string_view source);

}  // namespace workbook::cli
