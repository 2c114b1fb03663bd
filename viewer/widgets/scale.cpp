#include "widgets/scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace workbook::viewer {
namespace {

constexpr int kColours = 256;

ImU32 between(const std::array<ImU32, 5>& stops, float share) {
  const float at = std::clamp(share, 0.0f, 1.0f) * 4.0f;
  const auto low = std::min<std::size_t>(3, static_cast<std::size_t>(at));
  return mix(stops[low], stops[low + 1], at - static_cast<float>(low));
}

// ColorBrewer's PuOr (Brewer, Harrower), safe for colour-blind eyes: orange below zero, purple above.
std::array<ImU32, 5> diverging_stops(const Theme& theme) {
  return {rgb(0xb35806), rgb(0xf1a340), theme.dark ? rgb(0x4a4f58) : rgb(0xf2f2f4), rgb(0x998ec3),
          rgb(theme.dark ? 0x9f86e0 : 0x542788)};
}

}  // namespace

CellPalette CellPalette::owners(const Theme& theme, int count, int columns) {
  CellPalette palette;
  palette.colours_.resize(static_cast<std::size_t>(std::clamp(count, 1, 1 << 16)));
  for (std::size_t i = 0; i < palette.colours_.size(); ++i)
    palette.colours_[i] = category_colour(theme, static_cast<int>(i), count, columns);
  return palette;
}

CellPalette CellPalette::scale(const Theme& theme, double low, double high, bool diverging) {
  CellPalette palette;
  palette.scale_ = true;
  palette.diverging_ = diverging;
  if (diverging) {
    high = std::max(std::abs(low), std::abs(high));
    if (!(high > 0.0)) high = 1.0;
    low = -high;
  }
  palette.low_ = low;
  palette.high_ = high;
  palette.colours_.resize(kColours);
  for (int i = 0; i < kColours; ++i)
    palette.colours_[static_cast<std::size_t>(i)] =
        diverging ? between(diverging_stops(theme), static_cast<float>(i) / (kColours - 1))
                  : category_colour(theme, i, kColours, 1);
  return palette;
}

ImU32 CellPalette::of(float number) const {
  if (colours_.empty()) return 0;
  const auto last = static_cast<double>(colours_.size() - 1);
  double at = static_cast<double>(number);
  if (scale_) at = high_ > low_ ? (at - low_) / (high_ - low_) * last : 0.0;
  return colours_[static_cast<std::size_t>(std::clamp(at, 0.0, last))];
}

std::string short_number(double value) {
  char text[32];
  const double size = std::abs(value);
  if (size != 0.0 && (size >= 1e5 || size < 1e-3))
    std::snprintf(text, sizeof text, "%.0e", value);
  else
    std::snprintf(text, sizeof text, "%.*f",
                  size >= 100 || value == std::round(value) ? 0
                  : size >= 10                              ? 1
                                                            : 2,
                  value);
  // "-0.00" says no more than "0".
  return std::string_view(text) == "-0.00" || std::string_view(text) == "0.00" ? "0" : text;
}

float draw_scale_legend(const Style& style, const CellPalette& palette, ImVec2 at, float width,
                        const std::string& low, const std::string& high) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink ink{style.fonts.regular, kSmallSize, style.theme.muted};
  const float middle = at.y + px(9);
  float x = at.x + put_middle(draw, ink, {at.x, middle}, low) + px(6);
  constexpr int steps = 48;
  for (int i = 0; i < steps; ++i) {
    const float share = static_cast<float>(i) / (steps - 1);
    const float from = x + width * static_cast<float>(i) / steps;
    draw->AddRectFilled({from, middle - px(6)}, {from + width / steps + 1, middle + px(6)},
                        palette.of(static_cast<float>(palette.low() + (palette.high() - palette.low()) *
                                                                          static_cast<double>(share))));
  }
  if (palette.diverging())
    draw->AddLine({x + width / 2, middle - px(8)}, {x + width / 2, middle + px(8)}, style.theme.text);
  x += width + px(6);
  return x + put_middle(draw, ink, {x, middle}, high) - at.x;
}

}  // namespace workbook::viewer
