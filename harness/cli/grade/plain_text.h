// What a stranger wrote or printed, as text that every file of results can hold.
#pragma once

#include <string>
#include <string_view>

namespace workbook::cli {

/// Valid UTF-8 without control characters but line breaks and tabs, and without what XML cannot hold. A byte
/// that is no text is U+FFFD.
std::string plain_text(std::string_view bytes);

}  // namespace workbook::cli
