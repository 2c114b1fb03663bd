// What stands around the pictures of Steps: the words, the block's way as a list, commands.
#include <algorithm>

#include "model/format.h"
#include "panels/steps.h"
#include "widgets/kernel_colours.h"

namespace workbook::viewer {
namespace {

constexpr float kStepRow = 24;  // units: the height of a line of the list

}  // namespace

void StepsPanel::list_entries() {
  entries_.clear();
  const AccessIndex& accesses = run_->accesses;
  for (int step = 0; step < steps_.steps(); ++step) {
    for (int i = steps_.first(step); i < steps_.last(step); ++i) {
      const Moment& moment = steps_.moments()[static_cast<std::size_t>(i)];
      Entry* before = entries_.empty() ? nullptr : &entries_.back();
      const std::string where = format_line({accesses.file(moment.file), moment.line});
      if (before != nullptr && before->step == step && before->moment >= 0 && before->where == where) {
        ++before->count;
        continue;
      }
      std::string what;
      for (const TensorUse& use : uses_of(steps_.events(moment)))
        what += (what.empty() ? "" : ", ") + std::string(use.written ? "writes " : "reads ") +
                accesses.tensor(use.tensor)->name;
      entries_.push_back({step, i, 1, where, what});
    }
    if (step + 1 < steps_.steps())
      entries_.push_back({step, -1, 0, timeline_.barriers[static_cast<std::size_t>(step)], ""});
  }
}

std::vector<Command> StepsPanel::commands() {
  const auto step = [this](int by, bool whole) {
    return [this, by, whole](View& view) {
      view.go_to = "Steps";
      refresh(view);
      if (steps_.steps() > 0) move_to(view, move_cursor(steps_, at_, by, whole));
    };
  };
  return {{"Steps: play or pause", "Space",
           [this](View& view) {
             view.go_to = "Steps";
             playback_.playing = !playback_.playing;
           }},
          {"Steps: on by one line", ".", step(1, false)},
          {"Steps: back by one line", ",", step(-1, false)},
          {"Steps: to the next barrier", "Shift+.", step(1, true)},
          {"Steps: to the barrier before", "Shift+,", step(-1, true)}};
}

void StepsPanel::draw_words(View& view, float height) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const runs::LaunchRecord& launch = run_->accesses.launch(key_.launch);
  const float used = put(draw, {view.fonts.strong, 20.0f, view.theme.text}, at,
                         "Step " + std::to_string(at_.step + 1) + " of " + std::to_string(steps_.steps()));
  const Ink quiet{view.fonts.regular, kTextSize, view.theme.muted};
  std::string where = short_kernel(launch.kernel) + ", block " +
                      format_position(unravel(key_.block, launch.grid), launch.grid);
  if (at_.moment >= 0) {
    const Moment& moment = steps_.moments()[static_cast<std::size_t>(at_.moment)];
    if (moment.rounds > 1)
      where = "turn " + std::to_string(moment.round + 1) + " of " + std::to_string(moment.rounds) + "  ·  " +
              where;
  }
  put(draw, quiet, {at.x + used + px(12), at.y + px(3)}, elide(quiet, where, width - used - px(12)));
  ImGui::SetCursorScreenPos({at.x, at.y + px(28)});
  ImGui::PushFont(nullptr, kTextSize);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted((capitalised(sentence_) + (lines_.empty() ? "." : " (" + lines_ + ").")).c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  if (at_.moment >= 0) {
    const Moment& moment = steps_.moments()[static_cast<std::size_t>(at_.moment)];
    const auto file = static_cast<std::size_t>(moment.file);
    const std::string source = file < sources_.size() ? sources_[file].line(moment.line) : "";
    const Ink code{view.fonts.mono, 13.5f, view.theme.muted};
    if (!source.empty()) cell_left(code, source);
  } else if (at_.step + 1 < steps_.steps()) {
    cell_left({view.fonts.regular, kSmallSize, view.theme.bad},
              "Then the " + timeline_.barriers[static_cast<std::size_t>(at_.step)] +
                  ": no thread goes on before all " + format_count(run_->accesses.threads_of(key_.launch)) +
                  " have come.");
  }
  // A fixed height, so that the pictures stand still while words change; unless they need more.
  ImGui::SetCursorScreenPos({at.x, std::max(at.y + height, ImGui::GetCursorScreenPos().y)});
}

void StepsPanel::draw_program(View& view) {
  draw_heading(view, "The block's way", "a click goes there");
  const Ink code{view.fonts.strong, 14.5f, view.theme.text},
      text{view.fonts.regular, 14.5f, view.theme.muted};
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  if (!(listed_ == at_)) {
    // The list follows.
    listed_ = at_;
    const auto here = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& entry) {
      return entry.step == at_.step && entry.moment >= 0 &&
             entry.moment <= std::max(at_.moment, steps_.first(at_.step));
    });
    const float y = ImGui::GetCursorPosY() + px(kStepRow) * static_cast<float>(entries_.rend() - here - 1);
    if (y < ImGui::GetScrollY() || y + px(kStepRow) > ImGui::GetScrollY() + ImGui::GetWindowHeight())
      ImGui::SetScrollY(std::max(0.0f, y - ImGui::GetWindowHeight() / 2));
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(entries_.size()), px(kStepRow));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const Entry& entry = entries_[static_cast<std::size_t>(i)];
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float middle = at.y + px(kStepRow) / 2;
      ImGui::PushID(i);
      const bool pressed = ImGui::InvisibleButton("entry", {width, px(kStepRow)});
      const bool hovered = ImGui::IsItemHovered();
      ImGui::PopID();
      if (entry.moment < 0) {
        const Ink post{view.fonts.regular, 13.5f, view.theme.bad};
        draw->AddLine({at.x, middle}, {at.x + px(14), middle}, view.theme.bad, px(2.5f));
        put_middle(draw, post, {at.x + px(20), middle}, elide(post, entry.where, width - px(20)));
        continue;
      }
      const bool here =
          at_.step == entry.step &&
          (at_.moment < 0 || (at_.moment >= entry.moment && at_.moment < entry.moment + entry.count));
      if (here || hovered)
        draw->AddRectFilled(
            at, at + ImVec2{width, px(kStepRow)},
            here ? mix(view.theme.card, view.theme.accent, at_.moment < 0 ? 0.1f : 0.2f) : view.theme.raised,
            px(5));
      std::string where = entry.where;
      if (entry.count > 1) where += "  " + std::to_string(entry.count) + "×";
      const float used = px(6) + put_middle(draw, code, {at.x + px(6), middle}, where) + px(10);
      put_middle(draw, text, {at.x + used, middle}, elide(text, entry.what, width - used - px(4)));
      if (pressed) move_to(view, {entry.step, entry.moment});
    }
  ImGui::PopStyleVar();
}

}  // namespace workbook::viewer
