// The FILL ME IN regions of a kernels.cu:
//   // FILL ME IN: layernorm (roughly 11 lines)
//   // END: layernorm
#pragma once

#include <optional>
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

/// Those of the regions `names` that hold no code yet, in the source's order: then there is nothing to run.
/// None where the markers do not pair up: a learner may delete them, and then the answer alone counts.
std::vector<Region> unfilled_regions(std::string_view source, const std::vector<std::string>& names);

/// Lines of functions and other pieces at the outermost level (up to a '}' in the first column) that hold a
/// region without code: what a compiler warns of there, nobody has written yet. None where the markers do not
/// pair up.
bool is_unwritten(std::string_view source, int line);

/// A region whose braces do not pair up: compilers tell of it far below, where the file ends.
struct BraceFault {
  Region region;
  int line = 0;           ///< of the '{' that is not closed, as indentation has it, or of the '}' too many
  int count = 0;          ///< how many are missing
  bool too_many = false;  ///< closed, not opened
};
/// The first one; none where the markers do not pair up.
std::optional<BraceFault> brace_fault(std::string_view source);

/// The source with everything between the markers removed: what a learner starts from. Of the regions `kept`
/// nothing is removed: what is left is all that a variant of these regions is made of.
std::string skeleton_of(std::string_view source, const std::vector<std::string>& kept = {});

/// The source `past`, its regions but those of `names` as they are `now`: a variant as it was, and the others
/// as they are. Nothing where the regions of the two are not the same ones.
std::optional<std::string> with_others_kept(std::string_view past, std::string_view now,
                                            const std::vector<std::string>& names);

/// Whether a variant of these regions is made of other code in the one source than in the other. Where
/// markers do not pair up, all of the source counts.
bool differs_for(const std::vector<std::string>& regions, std::string_view before, std::string_view now);

}  // namespace workbook::cli
