// Colours, fonts and spacing of the viewer, light and dark. Hues are Okabe and Ito's, safe for colour-blind
// eyes; wherever one carries meaning, a letter, number or pattern says the same.
#pragma once

#include <imgui.h>

#include <array>
#include <string_view>

namespace workbook::viewer {

struct Theme {
  bool dark = false;
  ImU32 background, card, raised, border, grid;
  ImU32 text, muted, faint;
  ImU32 accent;  ///< selection and focus
  ImU32 good, bad, good_tint, bad_tint;
  ImU32 traffic, traffic_tint;   ///< tensors that travel through DRAM
  ImU32 side_a, side_b;          ///< the badges of the two runs
  std::array<ImU32, 7> kernels;  ///< one hue a kernel
};

Theme make_theme(bool dark);
/// Applies the colours and spacing to Dear ImGui and ImPlot, at `scale` pixels a unit.
void apply_theme(const Theme& theme, float scale);

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* strong = nullptr;
  ImFont* mono = nullptr;
};
/// Loads the embedded fonts, or Dear ImGui's own where the build found none.
Fonts load_fonts();

/// What a widget needs to know of the window it is drawn in.
struct Style {
  Theme theme;
  Fonts fonts;
  bool solo = false;  ///< one panel alone fills the picture, without a tab (--screenshot)
};

inline constexpr float kTextSize = 16.5f;
inline constexpr float kSmallSize = 14.5f;
inline constexpr float kTitleSize = 18.0f;
inline constexpr float kFigureSize = 23.0f;
inline constexpr float kHeadlineSize = 29.0f;

/// `units` of the design in pixels of this screen.
float px(float units);

/// 0xRRGGBB, opaque.
constexpr ImU32 rgb(unsigned hex) {
  return IM_COL32((hex >> 16) & 255u, (hex >> 8) & 255u, hex & 255u, 255u);
}
ImU32 mix(ImU32 from, ImU32 to, float share);
ImU32 with_alpha(ImU32 colour, float alpha);
/// The hue of the kernel of that number: beyond the hues that there are, a darker and a paler shade of each,
/// then others between them, so that none comes twice.
ImU32 kernel_colour(const Theme& theme, std::size_t number);
/// Black or white, whichever reads better on `ground`.
ImU32 ink_on(ImU32 ground);
/// The colour of category `key` out of `count`, numbered `columns` to a row: hues while there are few; a hue
/// a column and a shade a row where that fits; else a scale from dark to bright.
ImU32 category_colour(const Theme& theme, int key, int count, int columns);

}  // namespace workbook::viewer
