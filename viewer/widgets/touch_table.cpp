#include "widgets/touch_table.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "panels/panel.h"

namespace workbook::viewer {
namespace {

constexpr float kLabels = 142, kHead = 62, kCaption = 18, kLargest = 16;  // units

}  // namespace

bool TouchTableView::refresh(View& view) {
  const Selection& selection = view.selection;
  const Key key{{selection.run_a, selection.run_b}, selection.colour_by, selection.show, view.theme.dark};
  const bool other_runs = key.runs != key_.runs;
  if (other_runs)
    for (const std::size_t side : {0u, 1u}) {
      runs_[side] = view.library.run(key.runs[side]);
      layers_[side].use(runs_[side]);
    }
  for (const auto& run : runs_)
    if (!run || run->accesses.empty()) {
      key_ = {};
      draw_no_trace(view, run.get());
      return false;
    }
  if (other_runs) table_ = make_touch_table(runs_[0]->accesses, runs_[1]->accesses);
  if (key != key_) {
    key_ = key;
    make_pictures(view);
  }
  for (Entry& entry : entries_) {
    if (entry.picture.layer) continue;
    const auto side = static_cast<std::size_t>(table_.columns[entry.column].side);
    const LoadedRun& run = *runs_[side];
    LayerRequest request{.place = entry.picture.place, .by = key.by, .show = key.show};
    if (key.by == ColourBy::value || key.by == ColourBy::error)
      request.values = values_of(*run.trace, *run.accesses.tensor(request.place.tensor));
    entry.picture.layer = layers_[side].get(run.accesses, request, 0, view.solo);
    if (!entry.picture.layer) continue;
    const Layer& layer = *entry.picture.layer;
    const int columns = static_cast<int>(run.accesses.launch(request.place.launch).grid.x);
    entry.picture.palette = names_owner(key.by) ? CellPalette::owners(view.theme, entry.picture.owner_count,
                                                                      key.by == ColourBy::block ? columns : 1)
                                                : CellPalette::scale(view.theme, layer.low, layer.high,
                                                                     key.by == ColourBy::error);
  }
  return true;
}

void TouchTableView::make_pictures(View& view) {
  entries_.clear();
  for (std::size_t column = 0; column < table_.columns.size(); ++column) {
    const auto [side, launch] = table_.columns[column];
    const AccessIndex& accesses = runs_[static_cast<std::size_t>(side)]->accesses;
    const int blocks = accesses.blocks_of(launch), threads = accesses.threads_of(launch);
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const int id = table_.rows[row].tensor[static_cast<std::size_t>(side)];
      Entry entry{row, column, {}, accesses.reads(launch, id), accesses.writes(launch, id)};
      if (id < 0 || (!entry.reads && !entry.writes)) continue;
      const std::vector<int> traced = accesses.blocks_traced(launch);
      entry.picture.place = {launch, id, table_.rows[row].role == "shared" ? traced.front() : -1};
      entry.picture.grid = make_grid(table_.rows[row].shape);
      entry.picture.owner_count = view.selection.colour_by == ColourBy::block  ? blocks
                                  : view.selection.colour_by == ColourBy::warp ? (threads + kWarp - 1) / kWarp
                                                                               : threads;
      entries_.push_back(std::move(entry));
    }
  }
}

TouchTableView::Frame TouchTableView::arrange(const View&) const {
  Frame frame;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  frame.origin = ImGui::GetCursorScreenPos();
  const float gap = px(14), between_sides = px(26);
  const auto columns = static_cast<float>(table_.columns.size());
  frame.column = std::max(px(56), std::floor((room.x - px(kLabels) - between_sides) / columns) - gap);
  float x = px(kLabels);
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    if (i > 0 && table_.columns[i].side != table_.columns[i - 1].side) x += between_sides;
    frame.x.push_back(x);
    x += frame.column + gap;
  }
  // One size of cell for all, so that a large tensor looks large; a tile that would dwarf them is made to
  // fit.
  const auto height_at = [&](const TouchRow& row, float cell) {
    const Grid grid = make_grid(row.shape);
    if (grid.elements <= 0) return 0.0f;
    const float fitted = std::min(cell, frame.column / GridCanvas{&grid, {0, 0}, 1.0f}.extent().x);
    return GridCanvas{&grid, {0, 0}, fitted}.extent().y;
  };
  const float fixed = px(kHead) + static_cast<float>(table_.rows.size()) * px(kCaption + 12);
  for (frame.cell = px(kLargest); frame.cell > 0.02f; frame.cell *= 0.94f) {
    float height = fixed;
    for (const TouchRow& row : table_.rows) height += std::max(height_at(row, frame.cell), px(20));
    if (height <= room.y || frame.cell < px(3)) break;
  }
  float y = px(kHead);
  for (const TouchRow& row : table_.rows) {
    frame.y.push_back(y);
    // Where nothing is small enough, a picture is a strip of at most this height.
    frame.heights.push_back(std::clamp(height_at(row, frame.cell), px(20), px(220)));
    y += frame.heights.back() + px(kCaption + 12);
  }
  frame.y.push_back(y);
  return frame;
}

void TouchTableView::draw(View& view) {
  if (!refresh(view)) return;
  const Frame frame = arrange(view);
  KernelColours colours;
  for (const auto& run : runs_)
    for (int i = 0; i < run->accesses.launches(); ++i) colours.add(run->accesses.launch(i).kernel);
  draw_head(view, frame, colours);
  draw_row_labels(view, frame);
  draw_flows(view, frame);
  for (const Entry& entry : entries_) draw_entry(view, frame, entry);
  ImGui::SetCursorScreenPos(frame.origin);
  ImGui::Dummy({frame.x.back() + frame.column, frame.y.back()});
}

void TouchTableView::draw_head(const View& view, const Frame& frame, const KernelColours& colours) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    const auto [side, launch] = table_.columns[i];
    const LoadedRun& run = *runs_[static_cast<std::size_t>(side)];
    const ImVec2 at = frame.origin + ImVec2{frame.x[i], 0};
    if (launch == 0) {
      const float end =
          frame.x[i] + (frame.column + px(14)) * static_cast<float>(run.accesses.launches()) - px(14);
      badge(draw, view, {at.x, at.y + px(11)}, side == 0 ? "A" : "B",
            side == 0 ? view.theme.side_a : view.theme.side_b);
      const Ink strong{view.fonts.strong, kTextSize, view.theme.text};
      put_middle(draw, strong, {at.x + px(28), at.y + px(11)},
                 elide(strong, run.record.variant + ": " + plural(run.accesses.launches(), "launch"),
                       end - frame.x[i] - px(28)));
      draw->AddLine({at.x, at.y + px(27)}, {frame.origin.x + end, at.y + px(27)}, view.theme.border,
                    px(1.5f));
    }
    const std::string& kernel = run.accesses.launch(launch).kernel;
    const Rect chip{at + ImVec2{0, px(34)}, at + ImVec2{px(18), px(52)}};
    const ImU32 colour = colours.of(view.theme, kernel);
    draw->AddRectFilled(chip.min, chip.max, colour, px(4));
    put_centred(draw, {view.fonts.strong, 13.0f, ink_on(colour)}, chip, std::to_string(launch + 1));
    const Ink ink{view.fonts.regular, 15.0f, view.theme.text};
    put_middle(draw, ink, {at.x + px(24), at.y + px(43)},
               elide(ink, short_kernel(kernel), frame.column - px(24)));
  }
}

void TouchTableView::draw_row_labels(const View& view, const Frame& frame) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink strong{view.fonts.strong, 15.0f, view.theme.text},
      quiet{view.fonts.regular, 13.5f, view.theme.muted};
  const float right = frame.x.back() + frame.column;
  for (std::size_t i = 0; i < table_.rows.size(); ++i) {
    const TouchRow& row = table_.rows[i];
    const ImVec2 at = frame.origin + ImVec2{0, frame.y[i]};
    draw->AddLine({at.x, at.y - px(6)}, {at.x + right, at.y - px(6)}, view.theme.border);
    put(draw, strong, at, elide(strong, row.name, px(kLabels - 10)));
    put(draw, quiet, {at.x, at.y + px(18)},
        elide(quiet, format_shape(row.shape) + " " + row.role, px(kLabels - 10)));
    for (const std::size_t side : {0u, 1u}) {
      if (row.tensor[side] >= 0 || row.role != "intermediate") continue;
      const auto first = std::find_if(table_.columns.begin(), table_.columns.end(),
                                      [&](const auto& each) { return each.side == static_cast<int>(side); });
      const float x = frame.x[static_cast<std::size_t>(first - table_.columns.begin())];
      const Ink good{view.fonts.strong, 14.0f, view.theme.good};
      put(draw, good, {frame.origin.x + x, at.y}, elide(good, "never in memory", right - x));
    }
  }
}

// From the launch that writes an intermediate tensor to those that read it again.
void TouchTableView::draw_flows(const View& view, const Frame& frame) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (const Entry& from : entries_) {
    if (!from.writes || table_.rows[from.row].role == "shared") continue;
    for (const Entry& to : entries_) {
      const bool same_run = table_.columns[to.column].side == table_.columns[from.column].side;
      if (!same_run || to.row != from.row || !to.reads || to.column <= from.column) continue;
      const float y = frame.origin.y + frame.y[from.row] + px(8);
      const float begin = frame.origin.x + frame.x[from.column] + px(62),
                  end = frame.origin.x + frame.x[to.column] - px(5);
      dashed_line(draw, {begin, y}, {end - px(6), y}, view.theme.traffic, px(1.5f));
      draw->AddTriangleFilled({end, y}, {end - px(7), y - px(4)}, {end - px(7), y + px(4)},
                              view.theme.traffic);
    }
  }
}

void TouchTableView::draw_entry(View& view, const Frame& frame, const Entry& entry) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = frame.origin + ImVec2{frame.x[entry.column], frame.y[entry.row]};
  const Ink caption{view.fonts.strong, 13.5f, entry.writes ? view.theme.text : view.theme.muted};
  put(draw, caption, at, entry.reads && entry.writes ? "reads, writes" : entry.writes ? "writes" : "reads");
  GridCanvas canvas{&entry.picture.grid, at + ImVec2{0, px(kCaption)}, 1.0f};
  const ImVec2 unit = canvas.extent();
  canvas.cell = std::min({frame.cell, frame.column / unit.x, frame.heights[entry.row] / unit.y});
  const ImVec2 extent = canvas.extent();
  const ImVec2 low = ImGui::GetWindowPos(), high = low + ImGui::GetWindowSize();
  draw_picture(view, entry.picture, canvas, {low, high});
  const bool written = entry.writes;
  draw->AddRect(canvas.origin - ImVec2{2, 2}, canvas.origin + extent + ImVec2{2, 2},
                written ? view.theme.text : view.theme.border, px(3), 0, written ? px(1.5f) : 1.0f);
  ImGui::SetCursorScreenPos(canvas.origin);
  ImGui::PushID(static_cast<int>(entry.row * 64 + entry.column));
  const bool clicked = ImGui::InvisibleButton("entry", {std::max(1.0f, extent.x), std::max(1.0f, extent.y)});
  ImGui::PopID();
  if (!ImGui::IsItemHovered()) return;
  const TouchColumn& column = table_.columns[entry.column];
  const AccessIndex& accesses = runs_[static_cast<std::size_t>(column.side)]->accesses;
  ImGui::SetTooltip("%s %s %s: click for its threads", accesses.launch(column.launch).kernel.c_str(),
                    entry.writes ? "writes" : "reads", table_.rows[entry.row].name.c_str());
  if (!clicked) return;
  view.selection.side_by_side = false;
  view.selection.clear_focus();
  view.selection.on_b = column.side == 1;
  view.selection.launch = column.launch;
}

}  // namespace workbook::viewer
