// Words of the reports that are not everyday ones, for `--explain`.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace workbook::cli {

/// A line for each word of the glossary that stands in `text` and not in `told`, to which they are added.
std::string explained_words(std::string_view text, std::set<std::string>& told);

}  // namespace workbook::cli
