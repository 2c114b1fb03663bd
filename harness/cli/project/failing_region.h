// Which region of a variant a run that failed points at: whose hint comes next.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/project/declaration.h"

namespace workbook::cli {

/// The region of the variant that holds the known mistake (`fingerprints`: the puzzle's fingerprints.json, or
/// empty), else the line where the run stopped, else that of the first error, or that called it, else that
/// which wrote the first wrong element. Lines are those of the source that the run judged. Empty where none
/// of them lies in a region of the variant.
std::string failing_region(const runs::RunRecord& record, const VariantInfo& variant,
                           std::string_view fingerprints);

/// Where nothing points at one: the first region of the variant that none of the `solved` variants has, else
/// the first that no other variant has, else its first. Empty where it has none.
std::string likeliest_region(const VariantInfo& variant, const std::vector<VariantInfo>& all,
                             const std::vector<std::string>& solved);

}  // namespace workbook::cli
