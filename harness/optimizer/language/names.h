// What others read of a program without the optimizer: the name of its files, the sizes it is for. A library
// of its own, because `compare` names them and waits for no search.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace workbook::opt {

/// A name that files and C++ take.
std::string identifier(std::string name);

/// The real extent of each index, in the order of a program's text (text.h has the language). For a text that
/// parse_program takes: it stops at the first line of indices that it cannot read.
std::vector<std::pair<std::string, std::int64_t>> real_extents(std::string_view text);

}  // namespace workbook::opt
