#include "widgets/error_cells.h"

#include <algorithm>
#include <cmath>

#include "widgets/scale.h"

namespace workbook::viewer {
namespace {

void cross(ImDrawList* draw, const Rect& box, ImU32 colour) {
  const ImVec2 centre = box.centre();
  const float reach = std::min(box.width(), px(20)) * 0.22f;
  const float thick = std::max(1.0f, reach * 0.3f);
  draw->AddLine(centre - ImVec2{reach, reach}, centre + ImVec2{reach, reach}, colour, thick);
  draw->AddLine(centre + ImVec2{-reach, reach}, centre + ImVec2{reach, -reach}, colour, thick);
}

}  // namespace

ImU32 error_fill(const Theme& theme, const ErrorCell& cell) {
  switch (cell.state) {
    case ElementState::outside:
      return 0;
    case ElementState::right:
      // Quiet, a little stronger the nearer it is to being wrong.
      return mix(theme.raised, theme.good, 0.10f + 0.25f * std::min(1.0f, cell.times));
    case ElementState::unwritten:
      return mix(theme.card, theme.bad, 0.18f);
    case ElementState::not_a_number:
      return mix(theme.bad, theme.text, 0.35f);
    case ElementState::wrong:
      break;
  }
  // From just too much to a million times too much.
  const float size =
      std::isinf(cell.times) ? 1.0f : std::min(1.0f, std::log10(std::max(1.0f, cell.times)) / 6.0f);
  return mix(mix(theme.card, theme.bad, 0.6f), theme.bad, size);
}

// What tells the states apart without colour: a cross, "NaN", diagonal lines; a right cell has none.
void draw_error_mark(const Style& style, const ErrorCell& cell, const Rect& box, float got) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 ink = ink_on(error_fill(style.theme, cell));
  const bool roomy = box.width() >= px(32);
  if (cell.state == ElementState::unwritten) {
    if (box.width() >= 6) hatch(draw, box, with_alpha(style.theme.bad, 0.8f), px(6), px(1.5f));
  } else if (roomy) {
    const Ink text{style.fonts.regular, 12.5f, cell.state == ElementState::right ? style.theme.muted : ink};
    const std::string number =
        cell.state == ElementState::not_a_number ? "NaN" : short_number(static_cast<double>(got));
    const Rect upper{box.min, {box.max.x, box.centre().y + px(2)}};
    put_centred(draw, text, cell.state == ElementState::wrong ? upper : box,
                elide(text, number, box.width() - 2));
    if (cell.state == ElementState::wrong) cross(draw, {{box.min.x, box.centre().y}, box.max}, ink);
  } else if (cell.state == ElementState::not_a_number && box.width() >= px(11)) {
    put_centred(draw, {style.fonts.strong, 13.0f, ink}, box, "?");
  } else if (cell.state != ElementState::right && box.width() >= 7) {
    cross(draw, box, ink);
  }
}

void draw_error_legend(const Style& style, const ErrorMap& map, const std::string& hint) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float end = at.x + ImGui::GetContentRegionAvail().x;
  const Ink ink{style.fonts.regular, kSmallSize, style.theme.muted};
  float x = at.x;
  const auto entry = [&](const char* text, const ErrorCell& cell) {
    const float needed = px(24) + measure(ink, text).x;
    if (x + needed > end) return;
    const Rect box{{x, at.y + px(1)}, {x + px(18), at.y + px(17)}};
    draw->AddRectFilled(box.min, box.max, error_fill(style.theme, cell), px(2));
    draw_error_mark(style, cell, box, 0);
    put(draw, ink, {x + px(24), at.y}, text);
    x += needed + px(18);
  };
  entry("right", {0.2f, ElementState::right});
  if (map.wrong > map.unwritten + map.not_a_number) entry("wrong", {1e6f, ElementState::wrong});
  if (map.not_a_number > 0) entry("NaN", {1.0f, ElementState::not_a_number});
  if (map.unwritten > 0) entry("never written", {1.0f, ElementState::unwritten});
  put(draw, ink, {x, at.y}, elide(ink, hint, end - x));
  ImGui::Dummy({1, px(18)});
}

}  // namespace workbook::viewer
