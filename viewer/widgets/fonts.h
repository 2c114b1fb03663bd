// The fonts built into the program, as bytes; empty where the build found no font files.
#pragma once

#include <string_view>

namespace workbook::viewer {

std::string_view embedded_regular();
std::string_view embedded_strong();
std::string_view embedded_mono();

}  // namespace workbook::viewer
