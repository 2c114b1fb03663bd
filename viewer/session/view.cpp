#include "session/view.h"

#include "widgets/draw.h"

namespace workbook::viewer {

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::string first_command(int puzzle) {
  if (puzzle == 0 || puzzle == 22) return "make puzzle22 --unfused";
  return "make puzzle" + two_digits(puzzle);
}

void draw_empty_state(const View& view, const std::string& title, const std::string& text,
                      const std::string& command) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const auto line = [&](const Ink& ink, float y, const std::string& words) {
    put_centred(draw, ink, {{at.x, at.y + room.y / 2 + px(y)}, {at.x + room.x, at.y + room.y / 2 + px(y)}},
                elide(ink, words, room.x));
  };
  line({view.fonts.strong, 22.0f, view.theme.text}, -56, title);
  line({view.fonts.regular, kTextSize, view.theme.muted}, -22, text);
  const Ink code{view.fonts.mono, kTextSize, view.theme.text};
  if (command.empty()) return;
  const ImVec2 half{measure(code, command).x / 2 + px(18), px(19)};
  const ImVec2 centre{at.x + room.x / 2, at.y + room.y / 2 + px(24)};
  draw->AddRectFilled(centre - half, centre + half, view.theme.card, px(8));
  draw->AddRect(centre - half, centre + half, view.theme.border, px(8));
  line(code, 24, command);
}

}  // namespace workbook::viewer
