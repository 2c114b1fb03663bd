#include "panels/launch_controls.h"

#include <algorithm>

#include "model/format.h"

namespace workbook::viewer {

void draw_side_switch(View& view, bool* both, float width) {
  Selection& selection = view.selection;
  if (selection.run_a == 0 || selection.run_b == 0) return;
  const auto name = [&](std::int64_t id, const char* letter) {
    const runs::RunHeader* header = view.library.header(id);
    return std::string(letter) + " " + (header != nullptr ? header->variant : run_tag(id));
  };
  std::vector<std::string> names{name(selection.run_a, "A"), name(selection.run_b, "B")};
  if (both != nullptr) names.push_back("both");
  int side = both != nullptr && *both ? 2 : selection.on_b ? 1 : 0;
  if (segmented(view, "side", names, &side, width)) {
    if (both != nullptr) *both = side == 2;
    if (side < 2 && selection.on_b != (side == 1)) {
      selection.on_b = side == 1;
      selection.launch = 0;
      selection.clear_focus();
    }
  }
  ImGui::Dummy({0, px(4)});
}

KernelColours colours_of_runs(View& view) {
  KernelColours colours;
  for (const std::int64_t id : {view.selection.run_a, view.selection.run_b})
    if (const auto run = id != 0 ? view.library.run(id) : nullptr)
      for (int i = 0; i < run->accesses.launches(); ++i) colours.add(run->accesses.launch(i).kernel);
  return colours;
}

void draw_launch_list(View& view, const LoadedRun& run, float width) {
  Selection& selection = view.selection;
  const AccessIndex& accesses = run.accesses;
  draw_heading(view, "Launch");
  const KernelColours colours = colours_of_runs(view);
  for (int i = 0; i < accesses.launches(); ++i) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = px(28);
    ImGui::PushID(i);
    if (ImGui::InvisibleButton("launch", {width, height}) && selection.launch != i) {
      selection.launch = i;
      selection.clear_focus();
    }
    const bool hovered = ImGui::IsItemHovered(), here = selection.launch == i;
    ImGui::PopID();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (here || hovered)
      draw->AddRectFilled(at, at + ImVec2{width, height},
                          here ? mix(view.theme.card, view.theme.accent, 0.14f) : view.theme.raised, px(6));
    const Rect chip{at + ImVec2{px(6), px(5)}, at + ImVec2{px(24), px(23)}};
    const ImU32 colour = colours.of(view.theme, accesses.launch(i).kernel);
    draw->AddRectFilled(chip.min, chip.max, colour, px(4));
    put_centred(draw, {view.fonts.strong, 13.0f, ink_on(colour)}, chip, std::to_string(i + 1));
    const Ink ink{here ? view.fonts.strong : view.fonts.regular, kTextSize, view.theme.text};
    put_middle(draw, ink, {at.x + px(32), at.y + height / 2},
               elide(ink, short_kernel(accesses.launch(i).kernel), width - px(36)));
    ImGui::SetCursorScreenPos({at.x, at.y + height + px(2)});
  }
  ImGui::Dummy({0, px(2)});
}

int draw_thread_maps(View& view, const LoadedRun& run, float width, const std::vector<std::uint8_t>* active) {
  Selection& selection = view.selection;
  const AccessIndex& accesses = run.accesses;
  const runs::LaunchRecord& launch = accesses.launch(selection.launch);
  const int blocks = accesses.blocks_of(selection.launch), threads = accesses.threads_of(selection.launch);
  const std::vector<int> traced = accesses.blocks_traced(selection.launch);
  std::string note = format_dim3(launch.grid);
  if (static_cast<int>(traced.size()) < blocks) note += ", " + std::to_string(traced.size()) + " traced";
  draw_heading(view, plural(blocks, "block"), note);
  draw_block_map(view, selection, launch.grid, traced, width);
  draw_heading(view, plural(threads, "thread") + " a block", format_dim3(launch.block));
  const int hovered = draw_thread_map(view, selection, threads, width, active);
  ImGui::Dummy({0, px(2)});
  return hovered;
}

namespace {

void draw_thread_steppers(View& view, const LoadedRun& run, float width) {
  Selection& selection = view.selection;
  const runs::LaunchRecord& launch = run.accesses.launch(selection.launch);
  const int blocks = run.accesses.blocks_of(selection.launch),
            threads = run.accesses.threads_of(selection.launch);
  const auto block_text =
      selection.block < 0 ? "all" : format_position(unravel(selection.block, launch.grid), launch.grid);
  if (draw_stepper(view, "Block", block_text, &selection.block, blocks, width))
    selection.thread = selection.warp = -1;
  const int warps = (threads + kWarp - 1) / kWarp;
  if (draw_stepper(view, "Warp", selection.warp < 0 ? "all" : std::to_string(selection.warp), &selection.warp,
                   warps, width))
    selection.thread = -1;
  int lane = selection.thread < 0 ? -1 : selection.thread % kWarp;
  if (draw_stepper(view, "Lane", lane < 0 ? "all" : std::to_string(lane), &lane, std::min(threads, kWarp),
                   width)) {
    selection.warp = lane < 0 ? selection.warp : std::max(0, selection.warp);
    selection.thread = lane < 0 ? -1 : std::min(threads - 1, selection.warp * kWarp + lane);
  }
}

}  // namespace

void draw_above_selectors(View& view, const LoadedRun& run, const std::function<void(float width)>& choices) {
  const float steppers = 3 * px(28) + 3 * ImGui::GetStyle().ItemSpacing.y;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (ImGui::BeginChild("choices", {room.x, std::max(px(80), room.y - steppers)}))
    choices(ImGui::GetContentRegionAvail().x);
  ImGui::EndChild();
  draw_thread_steppers(view, run, room.x);
}

}  // namespace workbook::viewer
