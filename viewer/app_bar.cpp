// The bar at the top: which puzzle, which two runs, which shape.
#include <imgui_internal.h>

#include <algorithm>
#include <vector>

#include "app.h"
#include "model/format.h"
#include "widgets/draw.h"

namespace workbook::viewer {
namespace {

bool icon_button(const char* label, float side) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{0, ImGui::GetStyle().FramePadding.y});
  const bool pressed = ImGui::Button(label, {side, 0});
  ImGui::PopStyleVar();
  return pressed;
}

// What fits a combo box beside its arrow.
std::string fitting(const View& view, const std::string& text, float width) {
  return elide({view.fonts.regular, kTextSize, 0}, text,
               width - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x + px(6));
}

}  // namespace

void App::draw_run_picker(View& view, const char* letter, bool is_b, float width) {
  std::int64_t& chosen = is_b ? selection_.run_b : selection_.run_a;
  bool& follows = is_b ? selection_.follow_b : selection_.follow_a;
  const float middle = ImGui::GetCursorScreenPos().y + ImGui::GetFrameHeight() / 2;
  const float used = badge(ImGui::GetWindowDrawList(), view, {ImGui::GetCursorScreenPos().x, middle}, letter,
                           is_b ? theme_.side_b : theme_.side_a);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + used + px(6));
  ImGui::SetNextItemWidth(width - used - px(6));
  ImGui::PushID(letter);
  const runs::RunHeader* current = library_.header(chosen);
  const std::string preview = current == nullptr ? "no run" : run_words(*current, now());
  ImGui::SetNextWindowSizeConstraints({px(420), 0}, {px(720), px(520)});
  if (ImGui::BeginCombo("##run", fitting(view, preview, width - used - px(6)).c_str())) {
    if (ImGui::IsWindowAppearing()) {
      run_filter_.clear();
      ImGui::SetKeyboardFocusHere();
    }
    ImGui::SetNextItemWidth(-1);
    const bool enter = text_field("##filter", "Type a variant, a device, a verdict", &run_filter_);
    if (ImGui::Selectable(is_b ? "The newest run, as it comes in" : "The newest unfused run", follows)) {
      follows = true;
      choose_default_runs();
    }
    ImGui::Separator();
    const auto choose = [&](std::int64_t id) {
      chosen = id;
      follows = false;
      selection_.clear_focus();
      ImGui::CloseCurrentPopup();
    };
    bool first = true;
    for (const runs::RunHeader& header : library_.headers()) {
      const std::string words = run_words(header, now()), tag = run_tag(header.id);
      if (header.puzzle != selection_.puzzle || !words_match(words + " " + tag, run_filter_)) continue;
      if (ImGui::Selectable((words + "##" + tag).c_str(), header.id == chosen) || (enter && first))
        choose(header.id);
      ImGui::SetItemTooltip("%s, recorded at %s", tag.c_str(), header.started_at.c_str());
      first = false;
    }
    if (first) ImGui::TextDisabled("No run of this puzzle has these words.");
    ImGui::EndCombo();
  }
  ImGui::PopID();
}

void App::draw_puzzle_picker(View& view, float width) {
  std::vector<const runs::RunHeader*> puzzles;  // one run of each
  for (const runs::RunHeader& header : library_.headers())
    if (std::none_of(puzzles.begin(), puzzles.end(),
                     [&](const auto* each) { return each->puzzle == header.puzzle; }))
      puzzles.push_back(&header);
  std::sort(puzzles.begin(), puzzles.end(),
            [](const auto* a, const auto* b) { return a->puzzle < b->puzzle; });
  const auto name = [](const runs::RunHeader& header) {
    return two_digits(header.puzzle) + "  " + header.puzzle_title;
  };
  std::string preview = selection_.puzzle == 0 ? "no puzzle" : "Puzzle " + two_digits(selection_.puzzle);
  for (const runs::RunHeader* header : puzzles)
    if (header->puzzle == selection_.puzzle) preview = name(*header);
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo("##puzzle", fitting(view, preview, width).c_str())) {
    for (const runs::RunHeader* header : puzzles)
      if (ImGui::Selectable(name(*header).c_str(), header->puzzle == selection_.puzzle))
        choose_puzzle(selection_, library_, header->puzzle);
    ImGui::EndCombo();
  }
}

void App::draw_problem(const View& view) {
  if (library_.problem().empty()) return;
  if (ImGui::BeginViewportSideBar("##problem", ImGui::GetMainViewport(), ImGuiDir_Down,
                                  ImGui::GetFrameHeight() + px(16), ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::PushStyleColor(ImGuiCol_Text, view.theme.bad);
    ImGui::TextWrapped("%s", library_.problem().c_str());
    ImGui::PopStyleColor();
  }
  ImGui::End();
}

// Whose runs these are, where they are not one's own.
void App::draw_recorded(const View& view) {
  const bool a = library_.is_offered(selection_.run_a), b = library_.is_offered(selection_.run_b);
  if (!a && !b) return;
  const bool both = (a || selection_.run_a == 0) && (b || selection_.run_b == 0);
  const runs::RunHeader* header = library_.header(a ? selection_.run_a : selection_.run_b);
  std::string words = both ? "The recorded solution, "
                      : a  ? "A is the recorded solution, "
                           : "B is the recorded solution, ";
  words += (header->backend == runs::Backend::cuda ? "measured on an " : "") + device_words(*header) + ".";
  if (!has_own_times(library_, selection_.puzzle))
    words += " None of your runs of this puzzle has times yet: a kernel is timed once it is correct.";
  const float height = px(30);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme_.traffic_tint);
  if (ImGui::BeginViewportSideBar("##recorded", ImGui::GetMainViewport(), ImGuiDir_Up, height,
                                  ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollbar |
                                      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoInputs)) {
    const Ink ink{view.fonts.strong, kTextSize, theme_.text};
    const ImVec2 at = ImGui::GetWindowPos();
    put_middle(ImGui::GetWindowDrawList(), ink, {at.x + px(18), at.y + height / 2},
               elide(ink, words, ImGui::GetWindowWidth() - px(36)));
  }
  ImGui::End();
  ImGui::PopStyleColor();
}

void App::draw_bar(View& view) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{px(18), px(10)});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme_.card);
  const float height = ImGui::GetFrameHeight() + px(20);
  const bool open = ImGui::BeginViewportSideBar(
      "##bar", ImGui::GetMainViewport(), ImGuiDir_Up, height,
      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoTitleBar);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (open) {
    const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
    const float shape = shapes_.size() < 2 ? 0 : px(83) * static_cast<float>(shapes_.size()),
                icon = ImGui::GetFrameHeight();
    const float left = room - shape - 3 * icon - 7 * gap;
    const float puzzle = std::min(px(300), left * 0.34f), run = std::min(px(360), (left - puzzle) / 2);
    draw_puzzle_picker(view, puzzle);
    ImGui::SameLine();
    draw_run_picker(view, "A", false, run);
    ImGui::SameLine();
    if (icon_button("↔", icon)) swap_runs(selection_);
    ImGui::SetItemTooltip("Swap A and B (X)");
    ImGui::SameLine();
    draw_run_picker(view, "B", true, run);
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + room - shape - 2 * icon - 2 * gap);
    if (shapes_.size() > 1) {
      const auto now = std::find(shapes_.begin(), shapes_.end(), selection_.benchmark);
      int chosen = static_cast<int>(now - shapes_.begin());
      if (segmented(view, "shape", shapes_, &chosen, shape))
        selection_.benchmark = shapes_[static_cast<std::size_t>(chosen)];
      ImGui::SetItemTooltip("The shape that was timed (Z)");
      ImGui::SameLine();
    }
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const bool turn = icon_button("##theme", icon);
    const ImVec2 middle = corner + ImVec2{icon, icon} * 0.5f;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddCircle(middle, icon * 0.22f, theme_.text, 24, px(1.5f));
    draw->PathArcTo(middle, icon * 0.22f, -1.5708f, 1.5708f, 16);
    draw->PathFillConvex(theme_.text);
    if (turn) switch_theme();
    ImGui::SetItemTooltip("Light or dark (T)");
    ImGui::SameLine();
    if (icon_button("?", icon)) help_ = !help_;
    ImGui::SetItemTooltip("Keys (F1)");
    const ImVec2 at = ImGui::GetWindowPos();
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y + height - 1},
                                        {at.x + ImGui::GetWindowWidth(), at.y + height - 1}, theme_.border);
  }
  ImGui::End();
  draw_recorded(view);
  draw_problem(view);
}

}  // namespace workbook::viewer
