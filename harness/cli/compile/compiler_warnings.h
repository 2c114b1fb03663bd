// The compiler's warnings about a learner's file, as they are worth reading: about what is written, the
// telling ones apart, a few in full.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runs/record.h"

namespace workbook::cli {

/// Those that are not about a function with a region that holds no code yet.
std::string of_written_code(const std::string& warnings, std::string_view source);

/// Takes -Wdouble-promotion out of `warnings` and makes advice of it, one a line of the source.
std::vector<runs::Finding> take_double_advice(std::string& warnings);

/// Variables that hold nothing yet and indices outside of arrays: likely causes of a wrong result. `others`
/// is false for these, true for the rest. At most three and the rest counted, unless `all`.
std::string likely_causes(const std::string& warnings, bool others, bool all = false);

}  // namespace workbook::cli
