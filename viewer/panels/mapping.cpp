#include "panels/mapping.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "panels/launch_controls.h"

namespace workbook::viewer {
namespace {

constexpr double kLayerEvery = 0.3;  // seconds

constexpr float kLargestMapCell = 36, kClosestMapCell = 64;  // units: fitted, and zoomed in

int file_number(const AccessIndex& accesses, const runs::Trace& trace, const std::string& file) {
  for (int i = 0; i < static_cast<int>(trace.files.size()); ++i)
    if (accesses.file(i) == file) return i;
  return -1;
}

}  // namespace

void MappingPanel::refresh(View& view) {
  Selection& selection = view.selection;
  const auto key = [&] {
    return Key{selection.mapped_run(), selection.launch, selection.block, selection.colour_by,
               selection.show,         selection.line,   selection.file,  view.theme.dark};
  };
  if (key().run != key_.run || !run_) {
    run_ = view.library.run(key().run);
    layers_.use(run_);
    history_ = {};
    zoom_.fit();
    key_ = {};
  }
  if (!run_ || run_->accesses.empty()) {
    pictures_.clear();
    return;
  }
  const AccessIndex& accesses = run_->accesses;
  selection.launch = std::clamp(selection.launch, 0, accesses.launches() - 1);
  selection.block = std::min(selection.block, accesses.blocks_of(selection.launch) - 1);
  selection.thread = std::min(selection.thread, accesses.threads_of(selection.launch) - 1);
  if (key() != key_) {
    if (selection.launch != key_.launch) zoom_.fit();
    key_ = key();
    pictures_.clear();
    wraps_.clear();
    for (const int id : accesses.tensors_of(key_.launch, runs::TensorSpace::global))
      add_picture(view, id, -1);
    // What shared tiles held is gone when the block ends.
    if (key_.by != ColourBy::value && key_.by != ColourBy::error)
      for (const int id : accesses.tensors_of(key_.launch, runs::TensorSpace::shared))
        add_picture(view, id, std::max(0, selection.block));
    focus_ = {-2, 0};
  }
  bool fresh = false;
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    TensorPicture& picture = pictures_[i];
    if (picture.layer) continue;
    LayerRequest request{picture.place, key_.by, key_.show, picture.place.block >= 0 ? -1 : key_.block, -1, 0,
                         nullptr};
    if (key_.line > 0) {
      request.file = file_number(accesses, *run_->trace, key_.file);
      request.line = request.file < 0 ? 0 : key_.line;
    }
    if (key_.by == ColourBy::value || key_.by == ColourBy::error)
      request.values = values_of(*run_->trace, *accesses.tensor(picture.place.tensor));
    picture.layer = layers_.get(accesses, request, wraps_[i], view.solo);
    if (!picture.layer) {
      view.change_in(kLayerEvery);  // another thread makes it
      continue;
    }
    fresh = true;
    if ((key_.by == ColourBy::value || key_.by == ColourBy::error) && picture.layer->present > 0)
      picture.note +=
          key_.by == ColourBy::error && picture.layer->low == 0.0 && picture.layer->high == 0.0
              ? ", all exact"
              : ", " + short_number(picture.layer->low) + " to " + short_number(picture.layer->high);
  }
  if (fresh) choose_palettes(view);
  refresh_focus(view);
}

void MappingPanel::choose_palettes(const View& view) {
  // Times and reads of all tensors compare; values and errors have each tensor's own scale.
  double most = 1.0;
  for (const TensorPicture& picture : pictures_)
    if (picture.layer) most = std::max(most, picture.layer->high);
  const int columns = static_cast<int>(run_->accesses.launch(key_.launch).grid.x);
  for (TensorPicture& picture : pictures_) {
    if (!picture.layer) continue;
    if (names_owner(key_.by))
      picture.palette =
          CellPalette::owners(view.theme, picture.owner_count, key_.by == ColourBy::block ? columns : 1);
    else if (key_.by == ColourBy::value || key_.by == ColourBy::error)
      picture.palette =
          CellPalette::scale(view.theme, picture.layer->low, picture.layer->high, key_.by == ColourBy::error);
    else
      picture.palette = CellPalette::scale(view.theme, key_.by == ColourBy::time ? 1.0 : 0.0, most, false);
  }
}

void MappingPanel::add_picture(View& view, int id, int block) {
  const AccessIndex& accesses = run_->accesses;
  const runs::TensorInfo& info = *accesses.tensor(id);
  const int launch = view.selection.launch;
  const int blocks = accesses.blocks_of(launch), threads = accesses.threads_of(launch);
  // Of a shared array the record may know only the length: a two-dimensional block mostly walks it in rows.
  const runs::Dim3& threads_in = accesses.launch(launch).block;
  const std::int64_t wrap = block >= 0 && threads_in.y > 1 ? threads_in.x : 0;
  TensorPicture picture;
  picture.place = {launch, id, block};
  picture.grid = make_grid(info.shape, wrap);
  if (picture.grid.elements <= 0 || picture.grid.elements > kMostElements) return;
  picture.title = info.name + " " + format_shape(info.shape);
  const bool reads = accesses.reads(launch, id), writes = accesses.writes(launch, id);
  picture.note = std::string(runs::word_of(info.role)) + ", ";
  picture.note += reads && writes ? "read and written" : writes ? "written" : "read";
  if (picture.grid.folded > 0) picture.note += ", a row on " + plural(picture.grid.group_rows, "line");
  const bool by_writer = key_.show == Show::written || (key_.show == Show::touched && writes);
  if (reads && writes && (names_owner(key_.by) || key_.by == ColourBy::time))
    picture.note += by_writer ? ": writers" : ": readers";
  if (key_.by == ColourBy::value || key_.by == ColourBy::error) {
    const runs::TensorValues* values = values_of(*run_->trace, info);
    if (values == nullptr)
      picture.note = "no values recorded";
    else if (key_.by == ColourBy::error && values->expected.empty())
      picture.note = std::string(runs::word_of(info.role)) + ": nothing to compare with";
  }
  picture.owner_count = key_.by == ColourBy::block  ? blocks
                        : key_.by == ColourBy::warp ? (threads + kWarp - 1) / kWarp
                                                    : threads;
  const auto apart = [&](const TensorPicture& other) {
    return block >= 0 ? other.place.block >= 0
                      : other.place.block < 0 && accesses.writes(launch, other.place.tensor);
  };
  picture.starts_column = (block >= 0 || writes) && std::none_of(pictures_.begin(), pictures_.end(), apart);
  pictures_.push_back(std::move(picture));
  wraps_.push_back(wrap);
}

void MappingPanel::refresh_focus(const View& view) {
  const Selection& selection = view.selection;
  Focus focus{hovered_thread_ >= 0 ? hovered_thread_ : selection.thread, 1};
  if (focus.thread < 0 && selection.warp >= 0) focus = {selection.warp * kWarp, kWarp};
  if (focus == focus_) return;
  focus_ = focus;
  focus_cells_.clear();
  if (focus.thread >= 0)
    focus_cells_ =
        run_->accesses.cells_of(selection.launch, std::max(0, selection.block), focus.thread, focus.threads);
  for (TensorPicture& picture : pictures_) {
    picture.focus = focus_cells_;
    picture.focused = focus.thread >= 0;
  }
}

const CellHistory& MappingPanel::history_of(const Place& place, std::int64_t element) {
  if (history_.place != place || history_.element != element)
    history_ = {place, element, run_->accesses.history(place, element)};
  return history_;
}

void MappingPanel::draw(View& view) {
  Selection& selection = view.selection;
  refresh(view);
  if (!run_ || run_->accesses.empty()) {
    draw_no_trace(view, run_.get());
    return;
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const bool narrow = room.x < px(760);    // the choices then stand below, and the panel scrolls
  const bool beside = room.x >= px(1240);  // details to the right; below where the window is narrow
  const float left = narrow ? 0 : px(252), right = beside ? px(348) : 0;
  const float middle = room.x - (narrow ? 0 : left + gap) - (beside ? right + gap : 0);
  const auto card = [&](const char* id, ImVec2 size, void (MappingPanel::*content)(View&)) {
    if (begin_card(view, id, size)) (this->*content)(view);
    end_card();
  };
  if (!narrow) {
    card("controls", {left, room.y}, &MappingPanel::draw_controls);
    ImGui::SameLine();
  }
  const bool both = selection.side_by_side && selection.run_b != 0;
  ImGui::BeginGroup();
  if (both) {
    card("both", {room.x - (narrow ? 0 : left + gap), room.y}, &MappingPanel::draw_both);
  } else {
    const float lower = beside ? 0 : narrow ? px(200) : std::floor(room.y * 0.34f);
    const float upper = narrow ? std::max(px(320), room.y - px(40)) : room.y - (beside ? 0 : lower + gap);
    card("tensors", {middle, upper}, &MappingPanel::draw_tensors);
    if (!beside) card("details", {middle, narrow ? lower : 0}, &MappingPanel::draw_details);
  }
  if (narrow) card("controls", {middle, px(both ? 260 : 620)}, &MappingPanel::draw_controls);
  ImGui::EndGroup();
  if (!beside || both) return;
  ImGui::SameLine();
  card("details", {right, room.y}, &MappingPanel::draw_details);
}

void MappingPanel::draw_both(View& view) {
  const TouchTableView::Runs runs{view.library.run(view.selection.run_a),
                                  view.library.run(view.selection.run_b)};
  const auto untraced =
      std::find_if(runs.begin(), runs.end(), [](const auto& run) { return !run || run->accesses.empty(); });
  if (ImGui::BeginChild("table", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar)) {
    if (untraced != runs.end())
      draw_no_trace(view, untraced->get());
    else
      both_.draw(view, runs, view.selection);
  }
  ImGui::EndChild();
}

void MappingPanel::draw_tensors(View& view) {
  Selection& selection = view.selection;
  const runs::LaunchRecord& launch = run_->accesses.launch(selection.launch);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float used = put(draw, {view.fonts.strong, 20.0f, view.theme.text}, at, launch.kernel);
  const Ink quiet{view.fonts.regular, kTextSize, view.theme.muted};
  std::string who = selection.block >= 0
                        ? "block " + format_position(unravel(selection.block, launch.grid), launch.grid)
                        : "all blocks";
  if (selection.thread >= 0)
    who += ", thread " + std::to_string(selection.thread);
  else if (selection.warp >= 0)
    who += ", warp " + std::to_string(selection.warp);
  if (selection.line > 0) who += ", line " + format_line({selection.file, selection.line});
  put(draw, quiet, {at.x + used + px(12), at.y + px(3)},
      elide(quiet, who, ImGui::GetContentRegionAvail().x - used - px(12)));
  ImGui::Dummy({0, px(34)});

  const float legend = px(46);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 room{ImGui::GetContentRegionAvail().x,
                    std::max(px(60), ImGui::GetContentRegionAvail().y - legend)};
  draw_pictures(view, {origin, origin + room});
  draw_legend(view, {origin.x, origin.y + room.y + px(6)}, room.x);
}

void MappingPanel::draw_pictures(View& view, const Rect& area) {
  std::vector<PictureOutline> outlines;
  for (const TensorPicture& picture : pictures_)
    outlines.push_back(
        {&picture.grid, picture.title, picture.note, picture.starts_column, picture.place.block >= 0});
  const PictureLayout layout =
      arrange_pictures(view, outlines, {area.width(), area.height()}, px(kLargestMapCell));
  zoom_.update(view, area, std::max(2.0f, px(kClosestMapCell) / std::max(0.01f, layout.cell)));
  ImGui::SetCursorScreenPos(area.min);
  const bool pressed = ImGui::InvisibleButton("cells", {area.width(), area.height()});
  const bool over = ImGui::IsItemHovered();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const bool zoomed = zoom_.factor() > 1.0f;
  // Unzoomed, what does not fit may hang over rather than be cut.
  if (zoomed) draw->PushClipRect(area.min - ImVec2{px(3), px(3)}, area.max + ImVec2{px(3), px(3)}, true);
  hovered_element_ = -1;
  cells_drawn_ = 0;
  Selection& selection = view.selection;
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    const TensorPicture& picture = pictures_[i];
    const ImVec2 place{static_cast<float>(layout.places.x[i]), static_cast<float>(layout.places.y[i])};
    const GridCanvas canvas{&picture.grid,
                            zoom_.to_screen(area, area.min + place + ImVec2{0, picture_title_height()}),
                            layout.cell_of(picture.place.block >= 0) * zoom_.factor()};
    cells_drawn_ += draw_picture(view, picture, canvas, area);
    draw_picture_title(view, picture.title, picture.note, canvas, area);
    const bool here =
        selection.tensor == picture.place.tensor && selection.tensor_block == picture.place.block;
    if (here) frame_cell(canvas, selection.element, view.theme.accent);
    const std::int64_t element = over ? canvas.element_at(ImGui::GetMousePos()) : -1;
    if (element < 0) continue;
    frame_cell(canvas, element, view.theme.text);
    hovered_place_ = picture.place;
    hovered_element_ = element;
    if (pressed) select_cell(view, picture.place, element);
  }
  if (zoomed) draw->PopClipRect();
  if (hovered_element_ < 0) return;
  std::string value;
  if (const auto* values = values_of(*run_->trace, *run_->accesses.tensor(hovered_place_.tensor))) {
    const auto at = static_cast<std::size_t>(hovered_element_);
    if (at < values->got.size()) value = "value " + format_number(static_cast<double>(values->got[at]));
    if (at < values->expected.size())
      value += ", expected " + format_number(static_cast<double>(values->expected[at]));
  }
  draw_cell_tooltip(view, *run_, history_of(hovered_place_, hovered_element_), value);
}

void MappingPanel::select_cell(View& view, const Place& place, std::int64_t element) {
  Selection& selection = view.selection;
  const bool again = selection.tensor == place.tensor && selection.tensor_block == place.block &&
                     selection.element == element;
  selection.tensor = again ? -1 : place.tensor;
  selection.tensor_block = place.block;
  selection.element = again ? -1 : element;
  selection.line = 0;
  if (again) return;
  // The line that wrote it last, in whichever launch: other panels go there.
  for (const Touch& touch : history_of(place, element).touches)
    if (touch.access != runs::Access::read) {
      selection.file = run_->accesses.file(touch.file);
      selection.line = touch.line;
    }
}

}  // namespace workbook::viewer
