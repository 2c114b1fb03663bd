#include "panels/steps.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "model/repository.h"
#include "panels/launch_controls.h"
#include "widgets/step_grid.h"
#include "widgets/tensor_grid.h"

namespace workbook::viewer {
namespace {

constexpr float kLargestStepCell = 30, kClosestStepCell = 64;  // units: fitted, and zoomed in
constexpr float kCramped = 7;

}  // namespace

void StepsPanel::refresh(View& view) {
  Selection& selection = view.selection;
  const std::int64_t id = selection.mapped_run();
  if (id != key_.run || !run_) {
    run_ = view.library.run(id);
    key_ = {id, -1, -1};
    sources_.clear();
    if (run_ && run_->trace)
      for (const std::string& file : run_->trace->files)
        sources_.push_back(load_source(run_->record, file, find_repository()));
  }
  if (!run_ || run_->accesses.empty()) return;
  const AccessIndex& accesses = run_->accesses;
  selection.launch = std::clamp(selection.launch, 0, accesses.launches() - 1);
  const std::vector<int> traced = accesses.blocks_traced(selection.launch);
  const int block = selection.block >= 0 ? std::min(selection.block, accesses.blocks_of(selection.launch) - 1)
                    : traced.empty()     ? 0
                                         : traced.front();
  const Key key{id, selection.launch, block};
  if (key != key_) prepare(key);
  selection.step = std::min(selection.step, steps_.steps() - 1);
  at_ = {std::max(0, selection.step), -1};
  if (selection.step >= 0 && selection.moment >= 0 && steps_.first(at_.step) < steps_.last(at_.step))
    at_.moment = std::min(steps_.first(at_.step) + selection.moment, steps_.last(at_.step) - 1);
  Shown shown{at_, hovered_thread_ >= 0 ? hovered_thread_ : selection.thread, 1};
  if (shown.thread < 0) shown.threads = 0;
  if (shown.thread < 0 && selection.warp >= 0) shown = {at_, selection.warp * kWarp, kWarp};
  if (shown == shown_ || steps_.steps() == 0) return;
  const bool moved = !(shown.at == shown_.at);
  shown_ = shown;
  cells_.show(steps_, at_, shown.thread, shown.threads);
  if (!moved) return;
  const auto events = at_.moment < 0 ? steps_.events_of_step(at_.step)
                                     : steps_.events(steps_.moments()[static_cast<std::size_t>(at_.moment)]);
  sentence_ = events.empty() ? "no thread touches memory" : describe(accesses, key_.launch, events);
  lines_ = lines_of(accesses, events);
  thread_marks_.assign(static_cast<std::size_t>(std::max(1, accesses.threads_of(key_.launch))), 0);
  for (const runs::TraceEvent& event : events)
    if (event.thread < thread_marks_.size()) thread_marks_[event.thread] = 1;
}

void StepsPanel::prepare(const Key& key) {
  if (key.launch != key_.launch) zoom_.fit();
  key_ = key;
  shown_ = {};
  playback_.playing = false;
  const AccessIndex& accesses = run_->accesses;
  steps_ = BlockSteps(accesses, key.launch, key.block);
  cells_ = StepCells(accesses, key.launch, key.block, steps_);
  std::vector<std::string> barriers;
  for (int step = 0; step + 1 < steps_.steps(); ++step)
    barriers.push_back(format_barrier(barrier_after(accesses, steps_, step, sources_)));
  timeline_ = make_timeline(steps_, std::move(barriers));
  list_entries();
}

void StepsPanel::move_to(View& view, const StepCursor& at) {
  Selection& selection = view.selection;
  selection.step = at.step;
  selection.moment = at.moment < 0 ? -1 : at.moment - steps_.first(at.step);
  selection.line = 0;
  if (at.moment < 0) return;
  const Moment& moment = steps_.moments()[static_cast<std::size_t>(at.moment)];
  selection.file = run_->accesses.file(moment.file);
  selection.line = moment.line;
}

void StepsPanel::play(View& view) {
  if (!playback_.playing) return;
  const double now = ImGui::GetTime(), each = 1.0 / moments_per_second(playback_);
  if (now - playback_.moved_at < each) return view.change_in(playback_.moved_at + each - now);
  playback_.moved_at = now;
  view.change_in(0);
  const StepCursor next = move_cursor(steps_, at_, 1, false);
  if (next == at_)
    playback_.playing = false;
  else
    move_to(view, next);
}

void StepsPanel::handle_keys(View& view) {
  if (!run_ || steps_.steps() == 0) return;
  const bool whole = ImGui::GetIO().KeyShift;
  if (ImGui::IsKeyPressed(ImGuiKey_Space, false)) {
    // At the end playing begins again.
    if (!playback_.playing && move_cursor(steps_, at_, 1, false) == at_) move_to(view, {0, -1});
    playback_.playing = !playback_.playing;
    playback_.moved_at = ImGui::GetTime();
  }
  const int by =
      (ImGui::IsKeyPressed(ImGuiKey_Period) ? 1 : 0) - (ImGui::IsKeyPressed(ImGuiKey_Comma) ? 1 : 0);
  if (by == 0) return;
  playback_.playing = false;
  move_to(view, move_cursor(steps_, at_, by, whole));
}

void StepsPanel::draw(View& view) {
  refresh(view);
  if (!run_ || run_->accesses.empty()) {
    draw_no_trace(view, run_.get());
    return;
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const bool narrow = room.x < px(760);  // the choices then stand below, and the panel scrolls
  const bool beside = room.x >= px(1180);
  const float left = px(252), right = beside ? px(330) : 0;
  if (!narrow) {
    if (begin_card(view, "controls", {left, room.y})) draw_controls(view);
    end_card();
    ImGui::SameLine();
  }
  ImGui::BeginGroup();
  const float middle = room.x - (narrow ? 0 : left + gap) - (beside ? right + gap : 0);
  const float line = timeline_height() + ImGui::GetFrameHeight() + px(52);
  const float upper = std::max(px(240), room.y - line - gap);
  if (begin_card(view, "cells", {middle, upper})) draw_pictures(view);
  end_card();
  if (begin_card(view, "line", {middle, line})) draw_line(view);
  end_card();
  if (narrow) {
    if (begin_card(view, "controls", {middle, px(460)})) draw_controls(view);
    end_card();
  }
  ImGui::EndGroup();
  if (beside) {
    ImGui::SameLine();
    if (begin_card(view, "program", {right, room.y})) draw_program(view);
    end_card();
  }
  play(view);
}

void StepsPanel::draw_controls(View& view) {
  draw_above_selectors(view, *run_, [&](float width) {
    draw_side_switch(view, nullptr, width);
    draw_launch_list(view, *run_, width);
    hovered_thread_ = draw_thread_maps(view, *run_, width, &thread_marks_);
  });
}

std::string StepsPanel::note_of(const StepPicture& picture) const {
  std::string note =
      runs::word_of(picture.place.block >= 0 ? runs::TensorRole::shared
                                             : run_->accesses.tensor(picture.place.tensor)->role);
  if (picture.grid.folded > 0) note += ", a row on " + plural(picture.grid.group_rows, "line");
  if (picture.cropped)
    note += ", rows " + std::to_string(picture.first_row) + "-" +
            std::to_string(picture.first_row + picture.grid.shape[0] - 1) + ", columns " +
            std::to_string(picture.first_column) + "-" +
            std::to_string(picture.first_column + picture.grid.shape[1] - 1);
  return note;
}

std::vector<PictureOutline> StepsPanel::outlines_of(const std::vector<const StepPicture*>& pictures) const {
  std::vector<PictureOutline> outlines;
  bool shared = false, wrote = false;
  for (const StepPicture* picture : pictures) {
    const runs::TensorInfo& info = *run_->accesses.tensor(picture->place.tensor);
    const bool tile = picture->place.block >= 0;
    const bool breaks = tile ? !shared : picture->written && !wrote;
    shared = shared || tile;
    wrote = wrote || (picture->written && !tile);
    outlines.push_back(
        {&picture->grid, info.name + " " + format_shape(info.shape), note_of(*picture), breaks, tile});
  }
  return outlines;
}

void StepsPanel::draw_pictures(View& view) {
  if (steps_.steps() == 0) {
    draw_empty_state(view, "No access of this block was traced",
                     "Only some blocks of a large grid are: those with a colour in the map.",
                     "Shift + arrows");
    return;
  }
  const float words = px(96), legend = px(26);
  draw_words(view, words);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 room{ImGui::GetContentRegionAvail().x,
                    std::max(px(40), ImGui::GetContentRegionAvail().y - legend)};
  const Rect area{origin, origin + room};
  std::vector<const StepPicture*> pictures;
  for (const StepPicture& picture : cells_.pictures()) pictures.push_back(&picture);
  std::vector<PictureOutline> outlines = outlines_of(pictures);
  PictureLayout layout = arrange_pictures(view, outlines, room, px(kLargestStepCell));
  if (layout.cell < px(kCramped)) {
    // Where there is no room for all, those that are touched now.
    std::erase_if(pictures, [](const StepPicture* picture) { return picture->touched_now == 0; });
    outlines = outlines_of(pictures);
    layout = arrange_pictures(view, outlines, room, px(kLargestStepCell));
  }
  zoom_.update(view, area, std::max(2.0f, px(kClosestStepCell) / std::max(0.01f, layout.cell)));
  ImGui::InvisibleButton("cells", room);
  const bool over = ImGui::IsItemHovered();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const bool zoomed = zoom_.factor() > 1.0f;
  if (zoomed) draw->PushClipRect(area.min - ImVec2{px(3), px(3)}, area.max + ImVec2{px(3), px(3)}, true);
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    const StepPicture& picture = *pictures[i];
    const ImVec2 place{static_cast<float>(layout.places.x[i]), static_cast<float>(layout.places.y[i])};
    const GridCanvas canvas{&picture.grid,
                            zoom_.to_screen(area, area.min + place + ImVec2{0, picture_title_height()}),
                            layout.cell_of(picture.place.block >= 0) * zoom_.factor()};
    draw_step_picture(view, picture, canvas, area, shown_.threads > 0);
    draw_picture_title(view, outlines[i].title, outlines[i].note, canvas, area);
    const std::int64_t hit = over ? canvas.element_at(ImGui::GetMousePos()) : -1;
    if (hit < 0) continue;
    frame_cell(canvas, hit, view.theme.text);
    const std::int64_t element = picture.element(hit);
    const runs::TensorInfo& info = *run_->accesses.tensor(picture.place.tensor);
    ImGui::SetTooltip("%s%s: click for its history", info.name.c_str(),
                      index_text(info.shape, element).c_str());
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) continue;
    view.selection.tensor = picture.place.tensor;
    view.selection.tensor_block = picture.place.block;
    view.selection.element = element;
    view.go_to = "Mapping";
  }
  if (zoomed) draw->PopClipRect();
  draw_step_legend(view, {origin.x, origin.y + room.y + px(6)}, room.x, shown_.threads > 0);
}

void StepsPanel::draw_line(View& view) {
  if (steps_.steps() == 0) return;
  const float width = ImGui::GetContentRegionAvail().x;
  StepCursor at = at_;
  bool moved = draw_playback(view, steps_, playback_, at, width);
  ImGui::Dummy({0, px(2)});
  moved = draw_timeline(view, steps_, timeline_, at, width) || moved;
  if (!moved) return;
  playback_.playing = false;
  move_to(view, at);
}

}  // namespace workbook::viewer
