#include "widgets/step_grid.h"

#include <algorithm>
#include <string>

namespace workbook::viewer {
namespace {

struct Mark {
  ImU32 fill = 0;
  bool now = false, written = false, read = false, back = false;
};

Mark mark_of(const Style& style, const StepCell& cell, bool singled_out) {
  const Theme& theme = style.theme;
  if ((cell.flags & kOutside) != 0) return {};
  Mark mark;
  mark.read = (cell.flags & kReadNow) != 0;
  mark.written = (cell.flags & kWrittenNow) != 0;
  mark.now = mark.read || mark.written;
  mark.back = singled_out && (cell.flags & kMine) == 0;
  if (mark.written)
    mark.fill = write_colour(theme);
  else if (mark.read)
    mark.fill = mix(theme.card, read_colour(theme), theme.dark ? 0.85f : 0.62f);
  else if ((cell.flags & kWrittenBefore) != 0)
    mark.fill = mix(theme.raised, write_colour(theme), 0.24f);
  else if ((cell.flags & kReadBefore) != 0)
    mark.fill = mix(theme.raised, read_colour(theme), 0.2f);
  else
    mark.fill = theme.raised;
  if (mark.now && mark.back) mark.fill = mix(theme.raised, mark.fill, 0.45f);
  return mark;
}

// A write has a frame, a read a dot or its number without one.
void draw_mark(const Style& style, const Mark& mark, const StepCell& cell, const Rect& box,
               const Ink& number) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float side = box.width();
  if (mark.written && !mark.back)
    draw->AddRect(box.min, box.max, style.theme.text, px(2), 0, std::max(1.0f, std::min(px(2), side * 0.1f)));
  if ((cell.flags & kMine) != 0)
    draw->AddRect(box.min - ImVec2{1, 1}, box.max + ImVec2{1, 1}, style.theme.accent, px(3), 0, px(2.5f));
  const std::string text =
      cell.several > 1 ? std::to_string(cell.several) + "×" : std::to_string(cell.thread);
  const Ink ink{number.font, number.size, with_alpha(ink_on(mark.fill), mark.back ? 0.6f : 1.0f)};
  if (side >= px(14) && measure(ink, text).x <= side - 2)
    put_centred(draw, ink, box, text);
  else if (mark.read && !mark.back)
    draw->AddCircleFilled(box.centre(), std::max(1.2f, side * 0.17f), style.theme.text, 12);
}

}  // namespace

ImU32 read_colour(const Theme& theme) { return theme.kernels[2]; }
ImU32 write_colour(const Theme& theme) { return theme.kernels[1]; }

void draw_step_picture(const Style& style, const StepPicture& picture, const GridCanvas& canvas,
                       const Rect& clip, bool singled_out) {
  const Ink number{style.fonts.regular,
                   canvas.cell >= px(24)   ? 13.0f
                   : canvas.cell >= px(18) ? 11.5f
                                           : 10.0f,
                   0};
  draw_cells(
      canvas, clip, picture.cells,
      [&](const StepCell& cell) { return mark_of(style, cell, singled_out).fill; },
      [&](const StepCell& cell, const Rect& box, std::int64_t, std::int64_t) {
        if ((cell.flags & (kReadNow | kWrittenNow)) == 0 || canvas.cell < 5) return;
        draw_mark(style, mark_of(style, cell, singled_out), cell, box, number);
      });
}

void draw_step_legend(const Style& style, ImVec2 at, float width, bool singled_out) {
  const Ink ink{style.fonts.regular, kSmallSize, style.theme.muted};
  const Ink number{style.fonts.regular, 10.0f, 0};
  float x = at.x;
  const auto entry = [&](const StepCell& cell, const char* words) {
    const float wide = px(18 + 6 + 14) + measure(ink, words).x;
    if (x + wide > at.x + width) return;
    const Rect box{{x, at.y}, {x + px(18), at.y + px(18)}};
    const Mark mark = mark_of(style, cell, singled_out);
    ImGui::GetWindowDrawList()->AddRectFilled(box.min, box.max, mark.fill, px(2));
    if (mark.now) draw_mark(style, mark, cell, box, number);
    put_middle(ImGui::GetWindowDrawList(), ink, {x + px(24), at.y + px(9)}, words);
    x += wide;
  };
  const std::uint8_t mine = singled_out ? kMine : 0;
  entry({7, 1, static_cast<std::uint8_t>(kReadNow | mine)}, "read now, by thread 7");
  entry({7, 1, static_cast<std::uint8_t>(kWrittenNow | mine)}, "written now");
  entry({7, 4, static_cast<std::uint8_t>(kReadNow | mine)}, "by 4 threads");
  entry({0, 0, kReadBefore}, "read before");
  entry({0, 0, kWrittenBefore}, "written before");
  if (singled_out) entry({7, 1, kReadNow}, "by others");
}

}  // namespace workbook::viewer
