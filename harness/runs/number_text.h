// Numbers as terminal and viewer both write them. Where they differ (times, ratios, counts) each has its own
// words: harness/cli/report/format.h, viewer/model/format.h.
#pragma once

#include <string>

#include "runs/record.h"

namespace workbook::runs {

std::string three_digits(double value);      ///< significant ones, no exponent: "2.35", "23.5", "235", "2350"
std::string bytes_text(double bytes);        ///< "512 B", "12.6 MB"; decimal units, as bandwidths have them
std::string sizes_text(const Sizes& sizes);  ///< "B 4, S 4, H 8, O 16"

}  // namespace workbook::runs
