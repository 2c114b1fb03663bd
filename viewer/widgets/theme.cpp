#include "widgets/theme.h"

#include <implot.h>

#include <algorithm>
#include <cmath>

#include "widgets/fonts.h"

namespace workbook::viewer {
namespace {

ImVec4 vec(ImU32 colour) { return ImGui::ColorConvertU32ToFloat4(colour); }

// Viridis (van der Walt, Smith 2015) without its darkest end: lightness rises evenly, also for colour-blind
// eyes.
constexpr std::array<unsigned, 8> kScale = {0x46327e, 0x365c8d, 0x277f8e, 0x1fa187,
                                            0x4ac16d, 0x86d549, 0xc2df23, 0xfde725};

}  // namespace

Theme make_theme(bool dark) {
  Theme theme{};
  theme.dark = dark;
  if (dark) {
    theme.background = rgb(0x14171c);
    theme.card = rgb(0x1c2027);
    theme.raised = rgb(0x262b34);
    theme.border = rgb(0x333a45);
    theme.grid = rgb(0x2b313b);
    theme.text = rgb(0xe9ecf1);
    theme.muted = rgb(0xa3adba);
    theme.faint = rgb(0x6d7785);
    theme.accent = rgb(0x6aa9ff);
    theme.good = rgb(0x4fcf9f);
    theme.bad = rgb(0xff8f6b);
    theme.good_tint = rgb(0x18322b);
    theme.bad_tint = rgb(0x3a241e);
    theme.traffic = rgb(0xf0b35a);
    theme.traffic_tint = rgb(0x372c1c);
    theme.side_a = rgb(0x8b97a8);
    theme.side_b = rgb(0x6aa9ff);
    theme.kernels = {rgb(0x62b6e7), rgb(0xe8a33d), rgb(0x3d85c6), rgb(0xcf8ab0),
                     rgb(0x2fb58c), rgb(0xe0733a), rgb(0xd8cf55)};
  } else {
    theme.background = rgb(0xf4f5f7);
    theme.card = rgb(0xffffff);
    theme.raised = rgb(0xeef0f3);
    theme.border = rgb(0xdde1e7);
    theme.grid = rgb(0xe9ecf0);
    theme.text = rgb(0x1a212b);
    theme.muted = rgb(0x566170);
    theme.faint = rgb(0x929cab);
    theme.accent = rgb(0x1f66d1);
    theme.good = rgb(0x0b7a58);
    theme.bad = rgb(0xb8431a);
    theme.good_tint = rgb(0xe4f4ee);
    theme.bad_tint = rgb(0xfbebe4);
    theme.traffic = rgb(0xa85f00);
    theme.traffic_tint = rgb(0xfdf1df);
    theme.side_a = rgb(0x5d6979);
    theme.side_b = rgb(0x1f66d1);
    theme.kernels = {rgb(0x63b5e5), rgb(0xe9a33b), rgb(0x2a72b5), rgb(0xcc85ad),
                     rgb(0x1fa37c), rgb(0xd9662b), rgb(0xd9cb3c)};
  }
  return theme;
}

void apply_theme(const Theme& theme, float scale) {
  ImGuiStyle style;  // from scratch: scaling an already scaled style would compound
  theme.dark ? ImGui::StyleColorsDark(&style) : ImGui::StyleColorsLight(&style);
  style.FontSizeBase = kTextSize;
  style.FontScaleDpi = scale;
  style.WindowPadding = {18, 14};
  style.FramePadding = {10, 6};
  style.ItemSpacing = {10, 8};
  style.CellPadding = {10, 4};
  style.ScrollbarSize = 11;
  style.WindowRounding = 0;
  style.FrameRounding = 6;
  style.PopupRounding = 6;
  style.ScrollbarRounding = 6;
  style.GrabRounding = 6;
  style.TabRounding = 5;
  style.WindowBorderSize = 0;
  style.FrameBorderSize = 1;
  style.PopupBorderSize = 1;
  style.TabBarOverlineSize = 2;
  style.DockingSeparatorSize = 1;
  style.ScaleAllSizes(scale);
  // Sizes are cut to whole pixels: a line of one would vanish at a scale below 1.
  for (float* line : {&style.FrameBorderSize, &style.PopupBorderSize, &style.ChildBorderSize,
                      &style.TabBarOverlineSize, &style.TabBarBorderSize})
    *line = std::max(*line, 1.0f);
  const auto set = [&](int slot, ImU32 colour) { style.Colors[slot] = vec(colour); };
  set(ImGuiCol_WindowBg, theme.background);
  set(ImGuiCol_ChildBg, with_alpha(theme.background, 0));
  set(ImGuiCol_PopupBg, theme.card);
  set(ImGuiCol_MenuBarBg, theme.card);
  set(ImGuiCol_Border, theme.border);
  set(ImGuiCol_Text, theme.text);
  set(ImGuiCol_TextDisabled, theme.muted);
  set(ImGuiCol_FrameBg, theme.card);
  set(ImGuiCol_FrameBgHovered, theme.raised);
  set(ImGuiCol_FrameBgActive, theme.raised);
  set(ImGuiCol_Button, theme.card);
  set(ImGuiCol_ButtonHovered, theme.raised);
  set(ImGuiCol_ButtonActive, mix(theme.raised, theme.accent, 0.2f));
  set(ImGuiCol_Header, mix(theme.card, theme.accent, 0.16f));
  set(ImGuiCol_HeaderHovered, mix(theme.card, theme.accent, 0.10f));
  set(ImGuiCol_HeaderActive, mix(theme.card, theme.accent, 0.22f));
  set(ImGuiCol_TitleBg, theme.raised);
  set(ImGuiCol_TitleBgActive, theme.raised);
  set(ImGuiCol_Tab, theme.raised);
  set(ImGuiCol_TabHovered, theme.card);
  set(ImGuiCol_TabSelected, theme.background);
  set(ImGuiCol_TabSelectedOverline, theme.accent);
  set(ImGuiCol_TabDimmed, theme.raised);
  set(ImGuiCol_TabDimmedSelected, theme.background);
  set(ImGuiCol_TabDimmedSelectedOverline, theme.accent);
  set(ImGuiCol_DockingEmptyBg, theme.background);
  set(ImGuiCol_Separator, theme.border);
  set(ImGuiCol_TableHeaderBg, with_alpha(theme.card, 0));
  set(ImGuiCol_TableBorderLight, theme.border);
  set(ImGuiCol_TableBorderStrong, theme.border);
  set(ImGuiCol_ScrollbarBg, with_alpha(theme.background, 0));
  set(ImGuiCol_ScrollbarGrab, theme.border);
  set(ImGuiCol_NavCursor, theme.accent);
  ImGui::GetStyle() = style;

  ImPlotStyle& plot = ImPlot::GetStyle();
  plot = ImPlotStyle();
  theme.dark ? ImPlot::StyleColorsDark(&plot) : ImPlot::StyleColorsLight(&plot);
  plot.PlotBorderSize = 0;
  plot.PlotPadding = {6 * scale, 8 * scale};
  plot.LabelPadding = {5 * scale, 6 * scale};
  plot.Colors[ImPlotCol_FrameBg] = vec(with_alpha(theme.card, 0));
  plot.Colors[ImPlotCol_PlotBg] = vec(with_alpha(theme.card, 0));
  plot.Colors[ImPlotCol_AxisGrid] = vec(theme.grid);
  plot.Colors[ImPlotCol_AxisText] = vec(theme.muted);
  plot.Colors[ImPlotCol_AxisTick] = vec(theme.border);
}

Fonts load_fonts() {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  const auto add = [&](std::string_view bytes) -> ImFont* {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    // The atlas reads the bytes only: its interface predates const.
    return atlas->AddFontFromMemoryTTF(const_cast<char*>(bytes.data()), static_cast<int>(bytes.size()),
                                       kTextSize, &config);
  };
  Fonts fonts;
  if (atlas->Fonts.Size >= 3) return {atlas->Fonts[0], atlas->Fonts[1], atlas->Fonts[2]};  // an earlier App's
  if (embedded_regular().empty() || embedded_strong().empty() || embedded_mono().empty()) {
    fonts.regular = fonts.strong = fonts.mono = atlas->AddFontDefaultVector();
    return fonts;
  }
  fonts.regular = add(embedded_regular());
  fonts.strong = add(embedded_strong());
  fonts.mono = add(embedded_mono());
  return fonts;
}

float px(float units) { return std::round(units * ImGui::GetStyle().FontScaleDpi); }

ImU32 mix(ImU32 from, ImU32 to, float share) {
  const ImVec4 a = vec(from), b = vec(to);
  return ImGui::ColorConvertFloat4ToU32(
      {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share, 1.0f});
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  ImVec4 value = vec(colour);
  value.w = alpha;
  return ImGui::ColorConvertFloat4ToU32(value);
}

ImU32 kernel_colour(const Theme& theme, std::size_t number) {
  const std::size_t hues = theme.kernels.size();
  const ImU32 hue = theme.kernels[number % hues];
  const std::size_t round = number / hues;
  if (round == 0) return hue;
  // 1/2 darker, 1/2 paler, then 3/4 and 1/4 of each, and so on between what was there.
  const std::size_t step = (round + 1) / 2;
  const float share = 0.5f / static_cast<float>(step) * (step % 2 == 0 ? 1.3f : 1.0f);
  return mix(hue, round % 2 == 1 ? rgb(0x10141a) : rgb(0xffffff), share);
}

ImU32 ink_on(ImU32 ground) {
  const ImVec4 c = vec(ground);
  const float light = 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;
  return light > 0.55f ? rgb(0x12161c) : rgb(0xffffff);
}

ImU32 category_colour(const Theme& theme, int key, int count, int columns) {
  const int hues = static_cast<int>(theme.kernels.size());
  key = std::clamp(key, 0, count - 1);
  if (count <= hues) return theme.kernels[static_cast<std::size_t>(key)];
  const int rows = columns > 0 ? (count + columns - 1) / columns : count;
  if (columns > 1 && columns <= hues && rows <= 8) {
    const float at = static_cast<float>(key / columns) / static_cast<float>(rows - 1);  // 0 on top: palest
    const ImU32 hue = theme.kernels[static_cast<std::size_t>(key % columns)];
    return at < 0.5f ? mix(hue, rgb(0xffffff), 0.5f - at) : mix(hue, rgb(0x10141a), (at - 0.5f) * 0.9f);
  }
  const float at = static_cast<float>(key) / static_cast<float>(std::max(1, count - 1)) *
                   static_cast<float>(kScale.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, kScale.size() - 1);
  return mix(rgb(kScale[low]), rgb(kScale[high]), at - static_cast<float>(low));
}

}  // namespace workbook::viewer
