#include "widgets/thread_map.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"

namespace workbook::viewer {
namespace {
constexpr int kMostCells = 1024;  // beyond this the map says so, and the stepper selects

struct MapCell {
  ImU32 fill;
  bool selected, enabled;
  int number;
};

// One map: `columns` wide, `count` cells; returns the cell under the mouse and sets `clicked`.
template <class CellOf>
int draw_map(const Style& style, const char* id, int columns, int count, float width, float largest,
             bool* clicked, const CellOf& cell_of) {
  const float cell = std::clamp(std::floor(width / static_cast<float>(columns)), 3.0f, px(largest));
  const int rows = (count + columns - 1) / columns;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 extent{cell * static_cast<float>(columns), cell * static_cast<float>(rows)};
  *clicked = ImGui::InvisibleButton(id, extent);
  int hovered = -1;
  if (ImGui::IsItemHovered()) {
    const ImVec2 at = (ImGui::GetMousePos() - origin) / cell;
    const int number = static_cast<int>(at.y) * columns + std::min(columns - 1, static_cast<int>(at.x));
    if (number < count && cell_of(number).enabled) hovered = number;
  }
  *clicked = *clicked && hovered >= 0;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float inset = cell >= 8 ? 1.0f : 0.5f;
  for (int number = 0; number < count; ++number) {
    const MapCell look = cell_of(number);
    const ImVec2 at =
        origin + ImVec2{static_cast<float>(number % columns), static_cast<float>(number / columns)} * cell;
    const Rect box{at + ImVec2{inset, inset}, at + ImVec2{cell - inset, cell - inset}};
    draw->AddRectFilled(box.min, box.max, look.fill, cell >= 12 ? px(3) : 0);
    const Ink ink{style.fonts.regular, 12.5f, look.enabled ? ink_on(look.fill) : style.theme.faint};
    const std::string text = std::to_string(look.number);
    if (cell >= px(19) && measure(ink, text).x <= cell - 3) put_centred(draw, ink, box, text);
    if (look.selected)
      draw->AddRect(box.min - ImVec2{1, 1}, box.max + ImVec2{1, 1}, style.theme.text, px(3), 0, px(2));
    else if (number == hovered)
      draw->AddRect(box.min, box.max, style.theme.accent, px(3), 0, px(2));
  }
  return hovered;
}

}  // namespace

int draw_block_map(const Style& style, Selection& selection, const runs::Dim3& grid,
                   const std::vector<int>& traced, float width) {
  const int count = static_cast<int>(grid.x * grid.y * grid.z);
  if (count > kMostCells) {
    ImGui::TextDisabled("%s blocks: step through them", format_count(count).c_str());
    return -1;
  }
  const bool coloured = selection.colour_by == ColourBy::block;
  bool clicked = false;
  const int columns = static_cast<int>(grid.y * grid.z > 1 ? grid.x : std::min(grid.x, 16u));
  const int hovered = draw_map(style, "blocks", columns, count, width, 26, &clicked, [&](int block) {
    const bool is_traced = std::binary_search(traced.begin(), traced.end(), block);
    ImU32 fill = !is_traced ? style.theme.raised
                 : coloured ? category_colour(style.theme, block, count, static_cast<int>(grid.x))
                            : mix(style.theme.raised, style.theme.side_a, 0.35f);
    if (selection.block >= 0 && selection.block != block) fill = mix(style.theme.raised, fill, 0.45f);
    return MapCell{fill, selection.block == block, is_traced, block};
  });
  if (clicked) {
    selection.block = selection.block == hovered ? -1 : hovered;
    selection.thread = selection.warp = -1;
  }
  if (hovered >= 0) ImGui::SetTooltip("block %s", format_position(unravel(hovered, grid), grid).c_str());
  return hovered;
}

int draw_thread_map(const Style& style, Selection& selection, int threads, float width,
                    const std::vector<std::uint8_t>* active) {
  if (threads > kMostCells) return -1;
  const int warps = (threads + kWarp - 1) / kWarp;
  bool clicked = false;
  const int columns = threads <= 8 ? threads : threads <= kWarp ? (threads + 1) / 2 > 8 ? 16 : 8 : kWarp;
  const int hovered = draw_map(style, "threads", columns, threads, width, 26, &clicked, [&](int thread) {
    ImU32 fill = mix(style.theme.raised, style.theme.side_a, 0.35f);
    if (selection.colour_by == ColourBy::thread) fill = category_colour(style.theme, thread, threads, 1);
    if (selection.colour_by == ColourBy::warp) fill = category_colour(style.theme, thread / kWarp, warps, 1);
    if (active != nullptr) {
      const auto at = static_cast<std::size_t>(thread);
      fill = at < active->size() && (*active)[at] != 0 ? mix(style.theme.card, style.theme.accent, 0.7f)
                                                       : style.theme.raised;
    }
    const bool out = selection.warp >= 0 && thread / kWarp != selection.warp;
    return MapCell{out ? mix(style.theme.raised, fill, 0.3f) : fill, selection.thread == thread, true,
                   thread};
  });
  if (clicked) {
    selection.thread = selection.thread == hovered ? -1 : hovered;
    selection.warp = selection.thread < 0 ? -1 : selection.thread / kWarp;
    if (selection.block < 0 && selection.thread >= 0) selection.block = 0;
  }
  if (hovered >= 0)
    ImGui::SetTooltip("thread %d: warp %d, lane %d", hovered, hovered / kWarp, hovered % kWarp);
  return hovered;
}

bool draw_stepper(const Style& style, const char* label, const std::string& shown, int* value, int count,
                  float width) {
  ImGui::PushID(label);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = px(28), button = px(28);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  put_middle(draw, {style.fonts.regular, kTextSize, style.theme.muted}, {at.x, at.y + height / 2}, label);
  const float left = at.x + px(62), right = at.x + width;
  draw->AddRectFilled({left, at.y}, {right, at.y + height}, style.theme.card, px(6));
  draw->AddRect({left, at.y}, {right, at.y + height}, style.theme.border, px(6));
  const int before = *value;
  const auto arrow = [&](const char* id, float x, const char* glyph, int step) {
    ImGui::SetCursorScreenPos({x, at.y});
    if (ImGui::InvisibleButton(id, {button, height})) *value = std::clamp(*value + step, -1, count - 1);
    const ImU32 colour = ImGui::IsItemHovered() ? style.theme.text : style.theme.muted;
    put_centred(draw, {style.fonts.strong, kTitleSize, colour},
                {{x, at.y - px(2)}, {x + button, at.y + height - px(2)}}, glyph);
  };
  arrow("less", left, "‹", -1);
  arrow("more", right - button, "›", 1);
  const Ink ink{*value < 0 ? style.fonts.regular : style.fonts.strong, kTextSize,
                *value < 0 ? style.theme.muted : style.theme.text};
  put_centred(draw, ink, {{left + button, at.y}, {right - button, at.y + height}},
              elide(ink, shown, right - left - 2 * button));
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
  ImGui::PopID();
  return *value != before;
}

}  // namespace workbook::viewer
