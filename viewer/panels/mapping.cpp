#include "panels/mapping.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "widgets/access_details.h"
#include "widgets/ribbons.h"
#include "widgets/thread_map.h"

namespace workbook::viewer {
void MappingPanel::refresh(View& view, int focus_thread) {
  Selection& selection = view.selection;
  const Key key{selection.mapped_run(), selection.launch,    selection.block,
                focus_thread,           selection.colour_by, selection.show};
  if (key == key_) return;
  if (key.run != key_.run) run_ = view.library.run(key.run);
  key_ = key;
  pictures_.clear();
  if (!run_ || run_->accesses.empty()) return;
  const AccessIndex& accesses = run_->accesses;
  selection.launch = std::clamp(selection.launch, 0, accesses.launches() - 1);
  const int launch = selection.launch;
  key_.launch = launch;
  const int threads = accesses.threads_of(launch), blocks = accesses.blocks_of(launch);
  selection.block = std::min(selection.block, blocks - 1);
  selection.thread = std::min(selection.thread, threads - 1);
  const int focus_block = std::max(0, selection.block);
  const std::vector<Cell> focus =
      focus_thread >= 0 ? accesses.cells_of(launch, focus_block, focus_thread) : std::vector<Cell>{};
  const int owners = key.by == ColourBy::block  ? blocks
                     : key.by == ColourBy::warp ? (threads + kWarp - 1) / kWarp
                                                : threads;
  bool wrote = false, shared = false;
  const auto add = [&](int id, int block) {
    const runs::TensorInfo& info = *accesses.tensor(id);
    TensorPicture picture;
    picture.place = {launch, id, block};
    // Of a shared array the record may know only the length: a two-dimensional block mostly walks it in rows.
    const runs::Dim3& threads_in = accesses.launch(launch).block;
    picture.grid = make_grid(info.shape, block >= 0 && threads_in.y > 1 ? threads_in.x : 0);
    picture.title = info.name + " " + format_shape(info.shape);
    const bool reads = accesses.reads(launch, id), writes = accesses.writes(launch, id);
    const bool by_writer = key.show == Show::written || (key.show == Show::touched && writes);
    picture.note = info.role == "shared" ? "shared, " : info.role + ", ";
    picture.note += reads && writes ? "read and written" : writes ? "written" : "read";
    if (reads && writes) picture.note += by_writer ? ": writers" : ": readers";
    picture.owners = accesses.owners(picture.place, key.by, key.show, block >= 0 ? -1 : selection.block);
    if (picture.owners.empty()) return;
    picture.owner_count = owners;
    picture.owner_columns = key.by == ColourBy::block ? static_cast<int>(accesses.launch(launch).grid.x) : 1;
    picture.focus = focus;
    picture.focused = focus_thread >= 0;
    picture.starts_column = (writes && block < 0 && !wrote) || (block >= 0 && !shared);
    wrote = wrote || (writes && block < 0);
    shared = shared || block >= 0;
    pictures_.push_back(std::move(picture));
  };
  for (const int id : accesses.tensors_of(launch, "global")) add(id, -1);
  for (const int id : accesses.tensors_of(launch, "shared")) add(id, focus_block);
}

void MappingPanel::draw(View& view) {
  Selection& selection = view.selection;
  refresh(view, hovered_thread_ >= 0 ? hovered_thread_ : selection.thread);
  if (!run_ || run_->accesses.empty()) {
    draw_no_trace(view, run_.get());
    return;
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float left = px(252);
  const bool beside = room.x >= px(1240);  // details to the right; below where the window is narrow
  const float right = beside ? px(348) : 0;
  if (begin_card(view, "controls", {left, room.y})) draw_controls(view);
  end_card();
  ImGui::SameLine();
  ImGui::BeginGroup();
  const float middle = room.x - left - gap - (beside ? right + gap : 0);
  const float lower = beside ? 0 : std::floor(room.y * 0.34f);
  if (begin_card(view, "tensors", {middle, room.y - (beside ? 0 : lower + gap)})) draw_tensors(view);
  end_card();
  if (!beside) {
    if (begin_card(view, "details", {middle, 0})) draw_details(view);
    end_card();
  }
  ImGui::EndGroup();
  if (beside) {
    ImGui::SameLine();
    if (begin_card(view, "details", {right, room.y})) draw_details(view);
    end_card();
  }
}

void MappingPanel::draw_controls(View& view) {
  Selection& selection = view.selection;
  const AccessIndex& accesses = run_->accesses;
  const float width = ImGui::GetContentRegionAvail().x;
  if (selection.run_a != 0 && selection.run_b != 0) {
    const auto name = [&](std::int64_t id, const char* letter) {
      const runs::RunHeader* header = view.library.header(id);
      return std::string(letter) + "  " + (header != nullptr ? header->variant : run_tag(id));
    };
    int side = selection.on_b ? 1 : 0;
    if (segmented(view, "side", {name(selection.run_a, "A"), name(selection.run_b, "B")}, &side, width)) {
      selection.on_b = side == 1;
      selection.launch = 0;
      selection.clear_focus();
    }
    ImGui::Dummy({0, px(4)});
  }
  draw_heading(view, "Launch");
  KernelColours colours;
  // The hues of Compare: those of A's kernels first, then B's.
  for (const std::int64_t id : {selection.run_a, selection.run_b})
    if (const auto run = id != 0 ? view.library.run(id) : nullptr)
      for (int i = 0; i < run->accesses.launches(); ++i) colours.add(run->accesses.launch(i).kernel);
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
  draw_heading(view, "Cells show who", "");
  int show = static_cast<int>(selection.show);
  if (segmented(view, "show", {"touches", "wrote", "read"}, &show, width))
    selection.show = static_cast<Show>(show);
  draw_heading(view, "Colour and number");
  int by = static_cast<int>(selection.colour_by);
  if (segmented(view, "by", {"block", "warp", "thread"}, &by, width))
    selection.colour_by = static_cast<ColourBy>(by);
  ImGui::Dummy({0, px(2)});

  const runs::LaunchRecord& launch = accesses.launch(selection.launch);
  const int blocks = accesses.blocks_of(selection.launch), threads = accesses.threads_of(selection.launch);
  const std::vector<int> traced = accesses.blocks_traced(selection.launch);
  std::string note = format_dim3(launch.grid);
  if (static_cast<int>(traced.size()) < blocks) note += ", " + std::to_string(traced.size()) + " traced";
  draw_heading(view, plural(blocks, "block"), note);
  draw_block_map(view, launch.grid, traced, width);
  draw_heading(view, plural(threads, "thread") + " a block", format_dim3(launch.block));
  hovered_thread_ = draw_thread_map(view, threads, width);
  ImGui::Dummy({0, px(2)});
  const auto block_text =
      selection.block < 0 ? "all" : format_position(unravel(selection.block, launch.grid), launch.grid);
  if (draw_stepper(view, "Block", block_text, &selection.block, blocks, width))
    selection.thread = selection.warp = -1;
  const int warps = (threads + kWarp - 1) / kWarp;
  if (draw_stepper(view, "Warp", selection.warp < 0 ? "all" : std::to_string(selection.warp), &selection.warp,
                   warps, width))
    selection.thread = selection.warp < 0 ? -1 : selection.warp * kWarp;
  int lane = selection.thread < 0 ? -1 : selection.thread % kWarp;
  if (draw_stepper(view, "Lane", lane < 0 ? "all" : std::to_string(lane), &lane, std::min(threads, kWarp),
                   width)) {
    selection.warp = lane < 0 ? selection.warp : std::max(0, selection.warp);
    selection.thread = lane < 0 ? -1 : std::min(threads - 1, selection.warp * kWarp + lane);
  }
}

void MappingPanel::draw_tensors(View& view) {
  Selection& selection = view.selection;
  const runs::LaunchRecord& launch = run_->accesses.launch(selection.launch);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float used = put(draw, {view.fonts.strong, 20.0f, view.theme.text}, at, launch.kernel);
  const Ink quiet{view.fonts.regular, kTextSize, view.theme.muted};
  const std::string whose =
      selection.block >= 0 ? "block " + format_position(unravel(selection.block, launch.grid), launch.grid)
                           : "all blocks";
  const std::string who =
      selection.thread >= 0 ? whose + ", thread " + std::to_string(selection.thread) : whose;
  put(draw, quiet, {at.x + used + px(12), at.y + px(3)},
      elide(quiet, who, ImGui::GetContentRegionAvail().x - used - px(12)));
  ImGui::Dummy({0, px(34)});

  const float legend = px(46);
  const ImVec2 room{ImGui::GetContentRegionAvail().x,
                    std::max(px(60), ImGui::GetContentRegionAvail().y - legend)};
  const PictureLayout layout = arrange_pictures(view, pictures_, room, px(36));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  hovered_element_ = -1;
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    TensorPicture& picture = pictures_[i];
    ImGui::SetCursorScreenPos(
        origin + ImVec2{static_cast<float>(layout.places.x[i]), static_cast<float>(layout.places.y[i])});
    const bool here =
        selection.tensor == picture.place.tensor && selection.tensor_block == picture.place.block;
    const CellHit hit = draw_picture(view, picture, layout.cell, here ? selection.element : -1);
    if (hit.hovered >= 0) {
      hovered_place_ = picture.place;
      hovered_element_ = hit.hovered;
      draw_cell_tooltip(view, *run_, picture.place, hit.hovered);
    }
    if (hit.clicked) {
      const bool again = here && selection.element == hit.hovered;
      selection.tensor = again ? -1 : picture.place.tensor;
      selection.tensor_block = picture.place.block;
      selection.element = again ? -1 : hit.hovered;
    }
  }
  ImGui::SetCursorScreenPos({origin.x, origin.y + room.y + px(8)});
  const char* unit = selection.colour_by == ColourBy::block  ? "block"
                     : selection.colour_by == ColourBy::warp ? "warp"
                                                             : "thread";
  std::string text = std::string("Numbers and colours: the ") + unit +
                     " that touched the cell. 4×: four different ones did. Pale: none.";
  if (selection.thread >= 0) text = "Framed cells are written by the chosen thread, dotted cells read.";
  if (run_->accesses.truncated()) text += " The trace reached its limit: later accesses are missing.";
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
    draw_cell_history(view, *run_, hovered_place_, hovered_element_);
  else if (selection.element >= 0 && run_->accesses.tensor(selection.tensor) != nullptr)
    draw_cell_history(view, *run_, {selection.launch, selection.tensor, selection.tensor_block},
                      selection.element);
  else if (thread >= 0)
    draw_thread_facts(view, *run_, selection.launch, std::max(0, selection.block), thread);
  else
    draw_launch_facts(view, *run_, selection.launch);
}

}  // namespace workbook::viewer
