// What somebody may have meant: for sentences about names that there are not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::opt {

/// Of the names the one that is most like this, but for capitals or a letter or two; nothing where none is.
std::string nearest(std::string_view name, const std::vector<std::string>& names);

}  // namespace workbook::opt
