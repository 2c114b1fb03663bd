// Which region of a variant a run that failed points at: whose hint comes next.
#pragma once

#include <string>
#include <string_view>

#include "cli/project/declaration.h"

namespace workbook::cli {

/// The region of the variant that holds the known mistake (`fingerprints`: the puzzle's fingerprints.json, or
/// empty), else the line where the run stopped, else that of the first error, or that called it, else that
/// which wrote the first wrong element. Lines are those of the source that the run judged. Empty where none
/// of them lies in a region of the variant.
std::string failing_region(const runs::RunRecord& record, const VariantInfo& variant,
                           std::string_view fingerprints);

}  // namespace workbook::cli
