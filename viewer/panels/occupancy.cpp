#include "panels/occupancy.h"

#include <cmath>
#include <tuple>

#include "model/compare.h"
#include "model/format.h"
#include "widgets/draw.h"
#include "widgets/multiprocessor.h"

namespace workbook::viewer {

namespace {
constexpr float kPicturesBeside = 1240;  // units of width from which the two stand side by side
}  // namespace

void OccupancyPanel::refresh(View& view) {
  const Selection& selection = view.selection;
  const std::string seen =
      std::to_string(selection.run_a) + " " + std::to_string(selection.run_b) + " " + selection.benchmark;
  if (seen == seen_) return;
  seen_ = seen;
  const auto a = selection.run_a != 0 ? view.library.run(selection.run_a) : nullptr,
             b = selection.run_b != 0 ? view.library.run(selection.run_b) : nullptr;
  a_ = a ? make_held(a->record, selection.benchmark) : Held{};
  b_ = b ? make_held(b->record, selection.benchmark) : Held{};
  name_a_ = a ? a->record.variant : "";
  name_b_ = b ? b->record.variant : "";
  if (!a || !b) return;
  Side side_a = make_side(a->record, selection.benchmark), side_b = make_side(b->record, selection.benchmark);
  side_a.run = selection.run_a;
  side_b.run = selection.run_b;
  std::tie(name_a_, name_b_) = names_apart(side_a, side_b);
}

std::string OccupancyPanel::missing(View& view) {
  refresh(view);
  if (a_.present || b_.present) return "";
  return "these runs hold no launches of the " + shape_words(view.selection.benchmark) +
         " on a GPU that is known";
}

void OccupancyPanel::draw(View& view) {
  refresh(view);
  if (!a_.present && !b_.present) {
    draw_empty_state(view, "No blocks to show yet", "That takes a correct run that was timed.",
                     first_command(view.selection.puzzle));
    return;
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 gap = ImGui::GetStyle().ItemSpacing;
  const bool both = a_.present && b_.present, beside = both && room.x >= px(kPicturesBeside);
  const ImVec2 size{beside ? std::floor((room.x - gap.x) / 2) : room.x,
                    both && !beside ? std::floor((room.y - gap.y) / 2) : room.y};
  const auto card = [&](const Held& held, const char* letter, const std::string& name, ImU32 colour) {
    if (begin_card(view, letter, size))
      draw_multiprocessor(view, held, letter, name, colour, ImGui::GetContentRegionAvail());
    end_card();
  };
  if (a_.present) card(a_, "A", name_a_, view.theme.side_a);
  if (beside) ImGui::SameLine();
  if (b_.present) card(b_, "B", name_b_, view.theme.side_b);
}

}  // namespace workbook::viewer
