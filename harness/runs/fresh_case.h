// What the cases of a task are called that grading adds to those that learners see (harness/core/fresh.h).
#pragma once

#include <string_view>

namespace workbook::runs {

/// Ahead of the name of the case that it was made of.
inline constexpr std::string_view kFresh = "fresh: ";

inline bool is_fresh(std::string_view case_name) { return case_name.starts_with(kFresh); }

}  // namespace workbook::runs
