// Stands in for the embedded fonts where the build found no font files.
#include "widgets/fonts.h"

namespace workbook::viewer {

std::string_view embedded_regular() { return {}; }
std::string_view embedded_strong() { return {}; }
std::string_view embedded_mono() { return {}; }

}  // namespace workbook::viewer
