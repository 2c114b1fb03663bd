#include "widgets/touch_table.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"

namespace workbook::viewer {
namespace {

constexpr float kRowNames = 138, kTableHead = 50, kCaption = 18, kSideBand = 30, kGap = 12;  // units
constexpr float kLargestTouchCell = 16, kLeastRow = 34, kMostRow = 240, kTile = 92;

}  // namespace

void TouchTableView::refresh(const Style& style, const Runs& runs, const Selection& selection) {
  const Key key{selection.colour_by, selection.show, style.theme.dark};
  const bool other_runs = runs != runs_;
  if (other_runs) {
    runs_ = runs;
    for (const std::size_t side : {0u, 1u}) layers_[side].use(runs_[side]);
    table_ = make_touch_table(runs_[0]->accesses, runs_[1]->accesses);
  }
  if (other_runs || key != key_) {
    key_ = key;
    make_pictures(key.by);
  }
  for (Entry& entry : entries_) {
    if (entry.picture.layer) continue;
    const auto side = static_cast<std::size_t>(table_.launches[entry.launch].side);
    const LoadedRun& run = *runs_[side];
    LayerRequest request{.place = entry.picture.place, .by = key.by, .show = key.show};
    if (key.by == ColourBy::value || key.by == ColourBy::error)
      request.values = values_of(*run.trace, *run.accesses.tensor(request.place.tensor));
    entry.picture.layer = layers_[side].get(run.accesses, request, 0, style.solo);
    if (!entry.picture.layer) continue;
    const Layer& layer = *entry.picture.layer;
    const int columns = static_cast<int>(run.accesses.launch(request.place.launch).grid.x);
    entry.picture.palette = names_owner(key.by) ? CellPalette::owners(style.theme, entry.picture.owner_count,
                                                                      key.by == ColourBy::block ? columns : 1)
                                                : CellPalette::scale(style.theme, layer.low, layer.high,
                                                                     key.by == ColourBy::error);
  }
}

void TouchTableView::make_pictures(ColourBy by) {
  entries_.clear();
  const auto is_global = [](const TouchTensor& tensor) { return tensor.role != runs::TensorRole::shared; };
  globals_ = static_cast<std::size_t>(std::count_if(table_.tensors.begin(), table_.tensors.end(), is_global));
  tiles_ = 0;
  for (std::size_t at = 0; at < table_.launches.size(); ++at) {
    const auto [side, launch] = table_.launches[at];
    const AccessIndex& accesses = run_of(at).accesses;
    const int blocks = accesses.blocks_of(launch), threads = accesses.threads_of(launch);
    std::size_t tiles = 0;
    for (std::size_t tensor = 0; tensor < table_.tensors.size(); ++tensor) {
      const int id = table_.tensors[tensor].id[static_cast<std::size_t>(side)];
      Entry entry{at, tensor, {}, accesses.reads(launch, id), accesses.writes(launch, id)};
      if (id < 0 || (!entry.reads && !entry.writes)) continue;
      const bool shared = is_shared(entry);
      if (shared) ++tiles;
      entry.picture.place = {launch, id, shared ? accesses.blocks_traced(launch).front() : -1};
      entry.picture.grid = make_grid(table_.tensors[tensor].shape);
      if (entry.picture.grid.elements <= 0) continue;
      entry.picture.owner_count = by == ColourBy::block  ? blocks
                                  : by == ColourBy::warp ? (threads + kWarp - 1) / kWarp
                                                         : threads;
      entries_.push_back(std::move(entry));
    }
    tiles_ = std::max(tiles_, tiles);
  }
}

// Shared tiles stand at the right, a launch's own beside one another.
std::size_t TouchTableView::column_of(const Entry& entry) const {
  if (!is_shared(entry)) return entry.tensor;
  std::size_t column = globals_;
  for (const Entry& other : entries_)
    if (other.launch == entry.launch && is_shared(other) && other.tensor < entry.tensor) ++column;
  return column;
}

TouchTableView::Frame TouchTableView::arrange(const Style& style) const {
  Frame frame;
  const Ink name{style.fonts.strong, 15.0f, 0};
  const ImVec2 room = ImGui::GetContentRegionAvail();
  frame.origin = ImGui::GetCursorScreenPos();
  const std::size_t columns = globals_ + tiles_;
  const bool two = table_.launches.back().side == 1;
  const auto measure_at = [&](float cell) {
    frame.cell = cell;
    frame.widths.assign(columns, px(52));
    for (std::size_t i = 0; i < globals_; ++i)
      frame.widths[i] = std::clamp(measure(name, table_.tensors[i].name).x, px(52), px(84));
    frame.heights.assign(table_.launches.size(), px(kLeastRow));
    for (const Entry& entry : entries_) {
      const ImVec2 extent = GridCanvas{&entry.picture.grid, {0, 0}, cell}.extent();
      float& width = frame.widths[column_of(entry)];
      float& height = frame.heights[entry.launch];
      // A tile that would dwarf the tensors is drawn smaller.
      width = std::max(width, is_shared(entry) ? std::min(extent.x, px(kTile)) : extent.x);
      height = std::max(height, std::min(extent.y, px(is_shared(entry) ? kTile : kMostRow)));
    }
    frame.right = px(kRowNames);
    for (const float width : frame.widths) frame.right += width + px(kGap);
    frame.bottom = px(kTableHead + (two ? 2 : 1) * kSideBand);
    for (const float height : frame.heights) frame.bottom += height + px(kCaption + kGap);
  };
  // Where even the words have no room the table scrolls, and then cells may as well be seen.
  measure_at(0.0f);
  const float width = std::max(room.x, frame.right > room.x ? frame.right * 1.2f : 0.0f),
              height = std::max(room.y, frame.bottom > room.y ? frame.bottom * 1.5f : 0.0f);
  // One size of cell for all, so that a large tensor looks large.
  for (float cell = px(kLargestTouchCell); cell > 0.01f; cell *= 0.94f) {
    measure_at(cell);
    if (frame.right <= width && frame.bottom <= height) break;
  }
  float x = px(kRowNames);
  for (const float each : frame.widths) {
    frame.x.push_back(x);
    x += each + px(kGap);
  }
  float y = px(kTableHead);
  for (std::size_t i = 0; i < table_.launches.size(); ++i) {
    if (i == 0 || table_.launches[i].side != table_.launches[i - 1].side) y += px(kSideBand);
    frame.y.push_back(y);
    y += frame.heights[i] + px(kCaption + kGap);
  }
  return frame;
}

void TouchTableView::draw(const Style& style, const Runs& runs, Selection& selection) {
  refresh(style, runs, selection);
  if (entries_.empty()) return;
  const Frame frame = arrange(style);
  KernelColours colours;
  for (const auto& run : runs_)
    for (int i = 0; i < run->accesses.launches(); ++i) colours.add(run->accesses.launch(i).kernel);
  draw_head(style, frame);
  draw_launches(style, frame, colours);
  draw_absences(style, frame);
  draw_flows(style, frame);
  for (const Entry& entry : entries_) draw_entry(style, frame, entry, selection);
  ImGui::SetCursorScreenPos(frame.origin);
  ImGui::Dummy({frame.right, frame.bottom});
}

void TouchTableView::draw_head(const Style& style, const Frame& frame) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink strong{style.fonts.strong, 15.0f, style.theme.text},
      quiet{style.fonts.regular, 13.5f, style.theme.muted};
  auto role = runs::TensorRole::none;
  for (std::size_t i = 0; i < globals_; ++i) {
    const TouchTensor& tensor = table_.tensors[i];
    const ImVec2 at = frame.origin + ImVec2{frame.x[i], 0};
    put(draw, strong, at, elide(strong, tensor.name, frame.widths[i] + px(kGap - 4)));
    put(draw, quiet, {at.x, at.y + px(18)},
        elide(quiet, format_shape(tensor.shape), frame.widths[i] + px(8)));
    // What the tensors are is said once above neighbours of one kind.
    if (tensor.role != role)
      put(draw,
          {style.fonts.regular, 13.5f,
           tensor.role == runs::TensorRole::intermediate ? style.theme.traffic : style.theme.muted},
          {at.x, at.y + px(34)}, runs::word_of(tensor.role));
    role = tensor.role;
  }
  if (tiles_ > 0) put(draw, strong, frame.origin + ImVec2{frame.x[globals_], 0}, "shared tiles");
}

void TouchTableView::draw_launches(const Style& style, const Frame& frame, const KernelColours& colours) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float right = frame.origin.x + frame.right - px(kGap);
  for (std::size_t i = 0; i < table_.launches.size(); ++i) {
    const auto [side, launch] = table_.launches[i];
    const LoadedRun& run = run_of(i);
    const ImVec2 at = frame.origin + ImVec2{0, frame.y[i]};
    if (launch == 0) {
      const float middle = at.y - px(kSideBand) + px(12);
      badge(draw, style, {at.x, middle}, side == 0 ? "A" : "B",
            side == 0 ? style.theme.side_a : style.theme.side_b);
      const Ink strong{style.fonts.strong, kTextSize, style.theme.text};
      const float used = put_middle(draw, strong, {at.x + px(28), middle},
                                    run.record.variant + ": " + plural(run.accesses.launches(), "launch"));
      draw->AddLine({at.x + used + px(40), middle}, {right, middle}, style.theme.border, px(1.5f));
    } else {
      draw->AddLine({at.x, at.y - px(kGap / 2)}, {right, at.y - px(kGap / 2)}, style.theme.border);
    }
    const std::string& kernel = run.accesses.launch(launch).kernel;
    const Rect chip{at, at + ImVec2{px(18), px(18)}};
    const ImU32 colour = colours.of(style.theme, kernel);
    draw->AddRectFilled(chip.min, chip.max, colour, px(4));
    put_centred(draw, {style.fonts.strong, 13.0f, ink_on(colour)}, chip, std::to_string(launch + 1));
    const Ink ink{style.fonts.strong, 15.0f, style.theme.text},
        quiet{style.fonts.regular, 13.5f, style.theme.muted};
    put_middle(draw, ink, {at.x + px(24), at.y + px(9)},
               elide(ink, short_kernel(kernel), px(kRowNames - 30)));
    const int blocks = run.accesses.blocks_of(launch), threads = run.accesses.threads_of(launch);
    put(draw, quiet, {at.x + px(24), at.y + px(20)},
        elide(quiet, plural(blocks, "block") + " of " + format_count(threads), px(kRowNames - 30)));
  }
}

// An intermediate tensor that one of the runs does without.
void TouchTableView::draw_absences(const Style& style, const Frame& frame) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink good{style.fonts.strong, 13.5f, style.theme.good};
  for (std::size_t i = 0; i < globals_; ++i)
    for (std::size_t row = 0; row < table_.launches.size(); ++row) {
      const auto [side, launch] = table_.launches[row];
      if (launch != 0 || table_.tensors[i].role != runs::TensorRole::intermediate ||
          table_.tensors[i].id[static_cast<std::size_t>(side)] >= 0)
        continue;
      const ImVec2 at = frame.origin + ImVec2{frame.x[i], frame.y[row]};
      put(draw, good, at, elide(good, "never in", frame.widths[i]));
      put(draw, good, {at.x, at.y + px(15)}, elide(good, "memory", frame.widths[i]));
    }
}

// From the launch that writes a tensor down to those that read it again.
void TouchTableView::draw_flows(const Style& style, const Frame& frame) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (const Entry& from : entries_) {
    if (!from.writes || is_shared(from)) continue;
    for (const Entry& to : entries_) {
      const bool same_run = table_.launches[to.launch].side == table_.launches[from.launch].side;
      if (!same_run || to.tensor != from.tensor || !to.reads || to.launch <= from.launch) continue;
      const ImVec2 extent = GridCanvas{&from.picture.grid, {0, 0}, frame.cell}.extent();
      const float x = frame.origin.x + frame.x[column_of(from)] + std::min(extent.x, px(44)) / 2;
      const float begin = frame.origin.y + frame.y[from.launch] + px(kCaption + 4) +
                          std::min(extent.y, frame.heights[from.launch]);
      const float end = frame.origin.y + frame.y[to.launch] - px(2);
      dashed_line(draw, {x, begin}, {x, end - px(6)}, style.theme.traffic, px(2));
      draw->AddTriangleFilled({x, end}, {x - px(5), end - px(8)}, {x + px(5), end - px(8)},
                              style.theme.traffic);
    }
  }
}

void TouchTableView::draw_entry(const Style& style, const Frame& frame, const Entry& entry,
                                Selection& selection) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const std::size_t column = column_of(entry);
  const ImVec2 at = frame.origin + ImVec2{frame.x[column], frame.y[entry.launch]};
  const Ink caption{style.fonts.strong, 13.5f, entry.writes ? style.theme.text : style.theme.muted};
  const std::string does = entry.reads && entry.writes ? "reads, writes" : entry.writes ? "writes" : "reads";
  put(draw, caption, at,
      elide(caption, is_shared(entry) ? table_.tensors[entry.tensor].name : does,
            frame.widths[column] + px(8)));
  GridCanvas canvas{&entry.picture.grid, at + ImVec2{0, px(kCaption)}, 1.0f};
  const ImVec2 unit = canvas.extent();
  canvas.cell = std::min({frame.cell, frame.widths[column] / unit.x, frame.heights[entry.launch] / unit.y});
  const ImVec2 extent = canvas.extent();
  const ImVec2 low = ImGui::GetWindowPos(), high = low + ImGui::GetWindowSize();
  draw_picture(style, entry.picture, canvas, {low, high});
  draw->AddRect(canvas.origin - ImVec2{2, 2}, canvas.origin + extent + ImVec2{2, 2},
                entry.writes ? style.theme.text : style.theme.border, px(3), 0,
                entry.writes ? px(1.5f) : 1.0f);
  ImGui::SetCursorScreenPos(canvas.origin);
  ImGui::PushID(static_cast<int>(entry.launch * 64 + entry.tensor));
  const bool clicked = ImGui::InvisibleButton("entry", {std::max(1.0f, extent.x), std::max(1.0f, extent.y)});
  ImGui::PopID();
  if (!ImGui::IsItemHovered()) return;
  const TouchLaunch& launch = table_.launches[entry.launch];
  ImGui::SetTooltip("%s %s %s: click for its threads",
                    run_of(entry.launch).accesses.launch(launch.launch).kernel.c_str(), does.c_str(),
                    table_.tensors[entry.tensor].name.c_str());
  if (!clicked) return;
  selection.side_by_side = false;
  selection.clear_focus();
  selection.on_b = launch.side == 1;
  selection.launch = launch.launch;
}

}  // namespace workbook::viewer
