// What stands around the pictures of Mapping: choices, legend, details, commands.
#include <algorithm>

#include "model/format.h"
#include "panels/launch_controls.h"
#include "panels/mapping.h"

namespace workbook::viewer {
namespace {

const char* unit_of(ColourBy by) {
  return by == ColourBy::block ? "block" : by == ColourBy::warp ? "warp" : "thread";
}

}  // namespace

void MappingPanel::draw_controls(View& view) {
  Selection& selection = view.selection;
  if (selection.side_by_side && selection.run_b != 0) {
    const float width = ImGui::GetContentRegionAvail().x;
    draw_side_switch(view, &selection.side_by_side, width);
    draw_colour_controls(view, width);
    return;
  }
  draw_above_selectors(view, *run_, [&](float width) {
    draw_side_switch(view, &selection.side_by_side, width);
    draw_launch_list(view, *run_, width);
    draw_colour_controls(view, width);
    hovered_thread_ = draw_thread_maps(view, *run_, width);
  });
}

void MappingPanel::draw_colour_controls(View& view, float width) {
  Selection& selection = view.selection;
  draw_heading(view, "Colour and number");
  // Two rows of one choice: a row's `chosen` is out of range while the other holds it.
  int by = static_cast<int>(selection.colour_by), second = by - 3;
  if (segmented(view, "owner", {"block", "warp", "thread"}, &by, width))
    selection.colour_by = static_cast<ColourBy>(by);
  if (segmented(view, "number", {"time", "reads", "value", "error"}, &second, width))
    selection.colour_by = static_cast<ColourBy>(second + 3);
  if (names_owner(selection.colour_by) || selection.colour_by == ColourBy::time) {
    draw_heading(view, "Cells show who");
    int show = static_cast<int>(selection.show);
    if (segmented(view, "show", {"touches", "wrote", "read"}, &show, width))
      selection.show = static_cast<Show>(show);
  }
  ImGui::Dummy({0, px(2)});
}

void MappingPanel::draw_legend(const View& view, ImVec2 at, float width) {
  const ColourBy by = view.selection.colour_by;
  std::string text;
  if (names_owner(by)) {
    text = std::string("Numbers and colours: the ") + unit_of(by) +
           " that touched the cell. 4×: four different ones did. Pale: none.";
    if (focus_.thread >= 0) text = "Framed cells are written by the chosen threads, dotted cells read.";
  } else {
    const CellPalette* palette = nullptr;
    for (const TensorPicture& picture : pictures_)
      if (picture.layer && picture.layer->present > 0) palette = &picture.palette;
    if (by == ColourBy::time)
      text =
          "When it was first touched, in turns of the block: cells of one time were touched by one line, "
          "side by side.";
    if (by == ColourBy::reads) text = "How often the cell was read. Pale: never.";
    if (by == ColourBy::value) text = "What the cell held in the end; under the name, from what to what.";
    if (by == ColourBy::error)
      text = "Got less expected. Framed: above the tolerance. Pale: nothing to compare.";
    if (palette != nullptr) {
      const bool numbers = by == ColourBy::time || by == ColourBy::reads;
      const std::string unit = by == ColourBy::time ? "time " : "reads ";
      const std::string low = numbers                 ? unit + short_number(palette->low())
                              : by == ColourBy::value ? "lowest of the tensor"
                                                      : "too low";
      const std::string high = numbers                 ? short_number(palette->high())
                               : by == ColourBy::value ? "highest"
                                                       : "too high";
      draw_scale_legend(view, *palette, at, std::min(px(180), width * 0.4f), low, high);
      at.y += px(20);
    }
  }
  if (view.selection.line > 0) text += " Strong cells: touched by the chosen line (Esc: all).";
  if (run_->accesses.truncated()) text += " The trace reached its limit: later accesses are missing.";
  ImGui::SetCursorScreenPos(at);
  ImGui::PushFont(nullptr, kSmallSize);
  ImGui::PushStyleColor(ImGuiCol_Text, view.theme.muted);
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void MappingPanel::draw_details(View& view) {
  const Selection& selection = view.selection;
  const int thread = hovered_thread_ >= 0 ? hovered_thread_ : selection.thread;
  if (hovered_element_ >= 0)
    draw_cell_history(view, *run_, history_of(hovered_place_, hovered_element_));
  else if (selection.element >= 0 && run_->accesses.tensor(selection.tensor) != nullptr)
    draw_cell_history(
        view, *run_,
        history_of({selection.launch, selection.tensor, selection.tensor_block}, selection.element));
  else if (thread >= 0)
    draw_thread_facts(view, *run_, selection.launch, std::max(0, selection.block), thread, focus_cells_);
  else
    draw_launch_facts(view, *run_, selection.launch);
}

std::vector<Command> MappingPanel::commands() {
  std::vector<Command> all;
  const auto colour = [&](const char* name, ColourBy by) {
    all.push_back({name, "", [by](View& view) {
                     view.selection.colour_by = by;
                     view.go_to = "Mapping";
                   }});
  };
  colour("Mapping: colour cells by block", ColourBy::block);
  colour("Mapping: colour cells by warp", ColourBy::warp);
  colour("Mapping: colour cells by thread", ColourBy::thread);
  colour("Mapping: colour cells by time of first access", ColourBy::time);
  colour("Mapping: colour cells by number of reads", ColourBy::reads);
  colour("Mapping: colour cells by value", ColourBy::value);
  colour("Mapping: colour cells by error", ColourBy::error);
  all.push_back({"Mapping: both runs side by side", "", [](View& view) {
                   view.selection.side_by_side = !view.selection.side_by_side;
                   view.go_to = "Mapping";
                 }});
  return all;
}

}  // namespace workbook::viewer
