// What a compiler says about code that the simulator rewrote, in the words and at the places of the code that
// was written.
#pragma once

#include <string>
#include <string_view>

namespace workbook::cli {

/// A compiler's message without the simulator's own names.
std::string in_plain_words(std::string_view message);

/// Where column `column` (from 1) of `rewritten` is in `written`, two forms of one line.
int written_column(std::string_view written, std::string_view rewritten, int column);

}  // namespace workbook::cli
