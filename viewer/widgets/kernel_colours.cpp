#include "widgets/kernel_colours.h"

#include <algorithm>

namespace workbook::viewer {

KernelColours::KernelColours(const Side& a, const Side& b) {
  for (const Side* side : {&a, &b})
    for (const Segment& segment : side->segments) add(segment.kernel);
}

void KernelColours::add(const std::string& kernel) {
  if (std::find(names_.begin(), names_.end(), kernel) == names_.end()) names_.push_back(kernel);
}

ImU32 KernelColours::of(const Theme& theme, const std::string& kernel) const {
  const auto at = std::find(names_.begin(), names_.end(), kernel) - names_.begin();
  return kernel_colour(theme, static_cast<std::size_t>(at));
}

}  // namespace workbook::viewer
