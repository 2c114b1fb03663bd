#include "panels/roofline.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "model/crossover.h"
#include "model/format.h"
#include "widgets/crossover_plot.h"
#include "widgets/draw.h"
#include "widgets/roof_plot.h"

namespace workbook::viewer {
namespace {

constexpr float kPlotsBeside = 1000;  // units of width from which the plots stand side by side
constexpr float kPlot = 380;          // units of height of a plot, at least

std::string sweep_command(int puzzle) { return "workbook sweep " + std::to_string(std::max(1, puzzle)); }

const char* basis_word(Basis basis) {
  return basis == Basis::measured ? "measured" : basis == Basis::modelled ? "modelled" : "not timed";
}

// A heading over a quieter line of words.
void card_heading(const View& view, const std::string& title, const std::string& note) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const Ink quiet{view.fonts.regular, kSmallSize, view.theme.muted};
  float size = kTitleSize;
  while (size > 14 && measure({view.fonts.strong, size, 0}, title).x > room) size -= 0.5f;
  const Ink strong{view.fonts.strong, size, view.theme.text};
  put(draw, strong, at, elide(strong, title, room));
  put(draw, quiet, {at.x, at.y + px(25)}, elide(quiet, note, room));
  ImGui::Dummy({room, px(44)});
}

}  // namespace

void RooflinePanel::refresh(View& view) {
  const Selection& selection = view.selection;
  const std::string seen = std::to_string(selection.run_a) + " " + std::to_string(selection.run_b) + " " +
                           selection.benchmark + " " + wanted_;
  if (seen == seen_) return;
  seen_ = seen;
  const auto a = selection.run_a != 0 ? view.library.run(selection.run_a) : nullptr,
             b = selection.run_b != 0 ? view.library.run(selection.run_b) : nullptr;
  std::string key = wanted_;
  for (const auto& run : {b, a})
    if (key.empty() && run)
      if (const auto own = roof_of(run->record)) key = own->key;
  const auto found =
      std::find_if(roofs_.begin(), roofs_.end(), [&](const Roof& each) { return each.key == key; });
  roof_ = found == roofs_.end() ? &roofs_.back() : &*found;
  a_ = a ? make_roof_side(a->record, selection.benchmark, *roof_) : RoofSide{};
  b_ = b ? make_roof_side(b->record, selection.benchmark, *roof_) : RoofSide{};
  if (a && b) {
    Side side_a = make_side(a->record, selection.benchmark),
         side_b = make_side(b->record, selection.benchmark);
    side_a.run = selection.run_a;
    side_b.run = selection.run_b;
    std::tie(name_a_, name_b_) = names_apart(side_a, side_b);
  } else if (a) {
    name_a_ = a->record.variant;
  }
  words_ = describe(a_, b_, name_a_, name_b_, *roof_);
}

std::string RooflinePanel::missing(View& view) {
  refresh(view);
  if (a_.present || b_.present) return "";
  return "these runs hold no counters of the " + shape_words(view.selection.benchmark) +
         "; a correct run on the simulator has them";
}

std::vector<Command> RooflinePanel::commands() {
  std::vector<Command> all;
  for (const Roof& roof : roofs_)
    all.push_back({"Roofline under the " + roof.name, "", [this, key = roof.key](View& view) {
                     wanted_ = key;
                     view.go_to = "Roofline";
                   }});
  return all;
}

void RooflinePanel::draw(View& view) {
  refresh(view);
  const Selection& selection = view.selection;
  const bool swept = view.library.sweep(selection.puzzle) != nullptr;
  if (selection.run_a == 0 && !swept) {
    draw_empty_state(view, "No run to show yet", "Run a variant and it appears here within a second.",
                     first_command(selection.puzzle));
    return;
  }
  const bool placed = (a_.present && a_.whole.drawn()) || (b_.present && b_.whole.drawn());
  if (!placed && !swept) {
    const bool counted = a_.present || b_.present;  // then it is flops that are missing, as of a program
    draw_empty_state(view, "Nothing to place under the roof",
                     (counted ? "No flops are on record for the "
                              : "That takes a correct run that was timed and counted at the ") +
                         shape_words(selection.benchmark) + ".",
                     counted ? "" : first_command(selection.puzzle));
    return;
  }
  draw_headline(view);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x, table = px(124);
  const bool beside = room.x >= px(kPlotsBeside);
  const float height = std::max(px(kPlot), room.y - table - ImGui::GetStyle().ItemSpacing.y);
  const float left = beside ? std::floor((room.x - gap) * 0.54f) : room.x;
  draw_roof_card(view, {left, height});
  if (beside) {
    ImGui::SameLine();
    draw_sweep_card(view, {room.x - left - gap, height});
    draw_table(view);
  } else {
    draw_table(view);
    draw_sweep_card(view, {room.x, px(kPlot)});
  }
}

void RooflinePanel::draw_picker(const View& view, float width) {
  std::vector<std::string> names;
  int chosen = static_cast<int>(roof_ - roofs_.data());
  for (const Roof& roof : roofs_) names.push_back(roof.name);
  if (segmented(view, "gpu", names, &chosen, width)) wanted_ = roofs_[static_cast<std::size_t>(chosen)].key;
}

void RooflinePanel::draw_headline(const View& view) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, picker = std::min(width, px(430));
  const bool beside = width >= px(kPlotsBeside);
  const float room = beside ? width - picker - px(20) : width;
  float size = kHeadlineSize;
  while (size > 17 && measure({view.fonts.strong, size, 0}, words_.headline).x > room) size -= 1;
  const Ink strong{view.fonts.strong, size, view.theme.text},
      body{view.fonts.regular, kTextSize, view.theme.muted};
  put(draw, strong, at, elide(strong, words_.headline, room));
  put(draw, body, {at.x, at.y + px(42)}, elide(body, words_.detail, width));
  if (beside) {
    ImGui::SetCursorScreenPos({at.x + width - picker, at.y + px(2)});
    draw_picker(view, picker);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, px(68)});
  } else {
    ImGui::Dummy({width, px(66)});
    draw_picker(view, picker);
  }
}

void RooflinePanel::draw_roof_card(const View& view, ImVec2 size) {
  if (begin_card(view, "roof", size)) {
    card_heading(view, "Under the roof of the " + roof_->name,
                 "flops a second, over flops per byte of DRAM  ·  hollow: modelled, filled: measured");
    draw_roof(view, *roof_, a_, b_, ImGui::GetContentRegionAvail());
  }
  end_card();
}

void RooflinePanel::draw_sweep_card(View& view, ImVec2 size) {
  const auto sweep = view.library.sweep(view.selection.puzzle);
  if (begin_card(view, "sweep", size)) {
    if (!sweep) {
      card_heading(view, "Where they cross", "");
      draw_empty_state(view, "No sweep yet", "It times the variants over a range of sizes.",
                       sweep_command(view.selection.puzzle));
    } else {
      const std::string whose =
          runs::is_solution(sweep->origin) ? "the solution's kernels, " : "your kernels, ";
      card_heading(view, describe(*sweep, reigns(*sweep)),
                   "time over " +
                       (sweep->dimension.empty() ? "bytes of inputs and outputs" : sweep->dimension) +
                       "  ·  " + whose + (sweep->measured() ? "measured (" : "modelled (") + sweep->device +
                       ")" + (sweep->complete ? "" : ", so far"));
      draw_crossover(view, *sweep, ImGui::GetContentRegionAvail());
    }
  }
  end_card();
}

void RooflinePanel::draw_table(const View& view) {
  const float row = px(32);
  const bool narrow = ImGui::GetContentRegionAvail().x < px(760);  // then the roof itself is left out
  if (begin_card(view, "numbers", {0, px(124)}) &&
      ImGui::BeginTable("numbers", narrow ? 5 : 7, ImGuiTableFlags_BordersInnerH)) {
    const Ink head{view.fonts.strong, 15.0f, view.theme.muted},
        text{view.fonts.regular, kTextSize, view.theme.text};
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, narrow ? 1.6f : 2.0f);
    for (int column = 1; column < (narrow ? 5 : 7); ++column)
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.0f);
    ImGui::TableNextRow(0, row);
    std::vector<const char*> titles = {"", "Flops / byte", "Achieved", "Of the roof", "Time"};
    if (!narrow) {
      titles.insert(titles.begin() + 3, "Roof there");
      titles.push_back("At the roof");
    }
    for (const char* title : titles) {
      ImGui::TableNextColumn();
      cell_right(head, elide(head, title, ImGui::GetContentRegionAvail().x));
    }
    const std::tuple<const RoofSide*, const std::string*, const char*, ImU32> sides[] = {
        {&a_, &name_a_, "A", view.theme.side_a}, {&b_, &name_b_, "B", view.theme.side_b}};
    for (const auto& [side, name, letter, colour] : sides) {
      if (!side->present) continue;
      ImGui::TableNextRow(0, row);
      ImGui::TableNextColumn();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float used =
          badge(ImGui::GetWindowDrawList(), view, {at.x, at.y + measure(text, *name).y / 2}, letter, colour);
      const std::string label = *name + (narrow ? "" : std::string(", ") + basis_word(side->basis));
      put_middle(ImGui::GetWindowDrawList(), text, {at.x + used + px(7), at.y + measure(text, *name).y / 2},
                 elide(text, label, ImGui::GetContentRegionAvail().x - used - px(7)));
      const RoofPoint& whole = side->whole;
      const double at_roof = whole.us_at(*roof_);
      std::vector<std::string> cells = {
          format_number(whole.intensity()), format_rate(whole.achieved(), "flop/s"),
          whole.us > 0 ? format_percent(at_roof / whole.us) : "-", format_us(whole.us)};
      if (!narrow) {
        cells.insert(cells.begin() + 2, format_rate(whole.at(*roof_), "flop/s"));
        cells.push_back(format_us(at_roof));
      }
      for (const std::string& cell : cells) {
        ImGui::TableNextColumn();
        cell_right(text, elide(text, cell, ImGui::GetContentRegionAvail().x));
      }
    }
    ImGui::EndTable();
  }
  end_card();
}

}  // namespace workbook::viewer
