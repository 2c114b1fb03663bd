#include "panels/timeline.h"

#include <algorithm>
#include <cmath>

#include "model/compare.h"
#include "model/format.h"
#include "model/roofline.h"
#include "panels/launch_controls.h"
#include "widgets/draw.h"

namespace workbook::viewer {
namespace {

constexpr float kLane = 30, kLabels = 150, kAxis = 26, kTimelineRow = 27;
constexpr float kClosest = 4000;      // how far in one may go: a launch of 2 us in 10 ms
constexpr std::size_t kArrows = 400;  // in sight at the same time; more would hide the rest

/// 1, 2 or 5 times a power of ten, so that about `count` of them make up `span`.
double tick_of(double span, double count) {
  const double rough = span / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= rough) return step * power;
  return 10.0 * power;
}

// "[copy]" of a profile is the copy of the bars.
std::string work_of(const std::string& profiled) {
  return profiled.starts_with('[') ? profiled.substr(1, profiled.size() - 2) : short_kernel(profiled);
}

std::int64_t launches(const TimelineLane& lane) {
  return std::count_if(lane.bars.begin(), lane.bars.end(),
                       [](const TimelineBar& bar) { return bar.kind == TimelineBar::Kind::work; });
}

bool is_work(const std::string& row) {
  return row != overhead_words(Basis::modelled) && row != overhead_words(Basis::measured);
}

std::string run_command(const runs::RunRecord& record) {
  return "workbook run " + std::to_string(record.puzzle) + " --" + record.variant;
}

}  // namespace

/// Microseconds and lanes to pixels and back.
struct TimelinePanel::Scale {
  Rect area;
  const Zoom& zoom;
  double begin_us, span_us;

  float x(double us) const {
    const float fitted = area.min.x + static_cast<float>((us - begin_us) / span_us) * area.width();
    return zoom.to_screen(area, {fitted, area.min.y}).x;
  }
  double us(float x) const {
    const float fitted = zoom.to_fitted(area, {x, area.min.y}).x - area.min.x;
    return begin_us + span_us * static_cast<double>(fitted / area.width());
  }
  float top(std::size_t lane) const { return area.min.y + px(kAxis) + px(kLane) * static_cast<float>(lane); }
};

void TimelinePanel::refresh(View& view) {
  const std::int64_t id = view.selection.mapped_run();
  auto run = id != 0 ? view.library.run(id) : nullptr;
  if (run == run_ && benchmark_ == view.selection.benchmark) return;
  run_ = std::move(run);
  benchmark_ = view.selection.benchmark;
  shown_ = run_ ? timeline_benchmark(run_->record, benchmark_) : nullptr;
  timeline_ = {};
  kernels_.clear();
  ranges_.clear();
  colours_ = {};
  zoom_.fit();
  if (shown_ == nullptr) return;
  timeline_ = make_timeline(*shown_, run_->record.device);
  kernels_ = timeline_profile(*shown_, run_->record.device);
  ranges_ = runs::range_profile(shown_->calls);
  for (const TimelineLane& lane : timeline_.lanes)
    for (const TimelineBar& bar : lane.bars)
      if (!bar.work.empty()) colours_.add(bar.work);
}

std::string TimelinePanel::missing(View& view) {
  refresh(view);
  if (!timeline_.empty()) return "";
  return "run " + run_tag(view.selection.mapped_run()) +
         " has neither calls nor timed launches; runs that are correct have";
}

void TimelinePanel::draw(View& view) {
  refresh(view);
  if (!run_) {
    draw_empty_state(view, "No run to show yet", "Run a variant and it appears here within a second.",
                     first_command(view.selection.puzzle));
    return;
  }
  draw_head(view);
  if (timeline_.empty()) {
    draw_empty_state(view, "Nothing of this run was timed",
                     "Correct runs have their launches here, programs (Puzzle 38) their calls.",
                     run_command(run_->record));
    return;
  }
  const float width = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
  draw_picture(view, {width, px(kAxis) + px(kLane) * static_cast<float>(timeline_.lanes.size()) + px(44)});
  const auto height = [](std::size_t rows) {
    return px(kTimelineRow) * static_cast<float>(rows + 2) + px(34);
  };
  const bool beside = width >= px(1180) && !ranges_.empty();
  const float half = beside ? (width - gap) * 0.56f : width;
  const float both = height(std::max(kernels_.size(), ranges_.size()));
  draw_kernels(view, {half, beside ? both : height(kernels_.size())});
  if (ranges_.empty()) return;
  if (beside) ImGui::SameLine();
  draw_ranges(view, {width - (beside ? half + gap : 0), beside ? both : height(ranges_.size())});
}

void TimelinePanel::draw_head(View& view) {
  if (view.selection.run_a != 0 && view.selection.run_b != 0) {
    draw_side_switch(view, nullptr, std::min(px(420), ImGui::GetContentRegionAvail().x));
    refresh(view);
  }
  if (timeline_.empty()) return;
  const std::string span = format_us(timeline_.end_us - timeline_.begin_us);
  std::string note = "--" + run_->record.variant + ", " + (timeline_.program ? "" : benchmark_ + " shape, ") +
                     run_->record.device;
  if (shown_->calls_left_out > 0)
    note += "  ·  the first " + plural(static_cast<std::int64_t>(shown_->calls.size()), "call") + ", " +
            format_count(shown_->calls_left_out) + " came after them";
  draw_heading(view,
               timeline_.program
                   ? span + ", the device busy for " + format_percent(timeline_.busy) + " of it"
                   : span + ", " + plural(launches(timeline_.lanes[0]), "launch") + " one after another",
               note);
}

void TimelinePanel::draw_picture(const View& view, ImVec2 size) {
  if (begin_card(view, "timeline", size)) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Rect area{{at.x + px(kLabels), at.y}, {at.x + room.x, at.y + room.y}};
    zoom_.update(view, area, kClosest);
    const Scale scale{area, zoom_, timeline_.begin_us, timeline_.end_us - timeline_.begin_us};
    const Ink label{view.fonts.strong, kSmallSize, view.theme.text};
    for (std::size_t i = 0; i < timeline_.lanes.size(); ++i)
      put_middle(draw, label, {at.x, scale.top(i) + px(kLane) / 2},
                 elide(label, timeline_.lanes[i].label, px(kLabels - 8)));
    draw->PushClipRect(area.min, area.max, true);
    draw_axis(view, scale);
    draw_arrows(view, scale);
    const TimelineBar* under = nullptr;
    for (std::size_t i = 0; i < timeline_.lanes.size(); ++i)
      if (const TimelineBar* bar = draw_lane(view, scale, i)) under = bar;
    draw->PopClipRect();
    ImGui::Dummy(room);
    if (under != nullptr && ImGui::IsWindowHovered()) {
      std::string text = under->name;
      if (under->end_us > under->begin_us) text += ": " + format_us(under->end_us - under->begin_us);
      text += ", from " + format_us(under->begin_us);
      if (!under->more.empty()) text += "\n" + under->more;
      ImGui::SetTooltip("%s", text.c_str());
    }
  }
  end_card();
}

void TimelinePanel::draw_axis(const View& view, const Scale& scale) const {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Rect& area = scale.area;
  const Ink quiet{view.fonts.regular, 13.0f, view.theme.muted};
  const double from = scale.us(area.min.x), to = scale.us(area.max.x);
  const double tick = tick_of(to - from, static_cast<double>(area.width() / px(110)));
  for (double n = std::ceil(from / tick); n * tick < to; ++n) {
    const float x = scale.x(n * tick);
    draw->AddLine({x, area.min.y + px(kAxis) - px(4)}, {x, area.max.y}, view.theme.grid);
    const std::string text = n == 0.0 ? "0" : format_us(n * tick);
    if (x + px(3) + measure(quiet, text).x <= area.max.x)
      put(draw, quiet, {x + px(3), area.min.y + px(4)}, text);
  }
}

ImU32 TimelinePanel::fill_of(const Theme& theme, const TimelineBar& bar, std::size_t lane) const {
  ImU32 fill = theme.raised;
  if (bar.kind == TimelineBar::Kind::range)
    fill = mix(theme.card, theme.accent, lane % 2 == 0 ? 0.55f : 0.35f);
  else if (bar.kind == TimelineBar::Kind::overhead)
    fill = theme.border;
  else if (bar.kind == TimelineBar::Kind::wait)
    fill = theme.faint;
  else if (!bar.work.empty())
    fill = colours_.of(theme, bar.work);
  return pointed_.empty() || bar.work == pointed_ ? fill : mix(theme.card, fill, 0.25f);
}

// Returns the bar under the mouse, or null.
const TimelineBar* TimelinePanel::draw_lane(const View& view, const Scale& scale, std::size_t number) const {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const TimelineLane& lane = timeline_.lanes[number];
  const Rect& area = scale.area;
  const float top = scale.top(number) + px(3), bottom = scale.top(number + 1) - px(3);
  const double to = scale.us(area.max.x);
  const ImVec2 mouse = ImGui::GetMousePos();
  const TimelineBar* under = nullptr;
  float drawn = area.min.x - 1;  // up to here; of many bars in a pixel one is drawn
  for (std::size_t i = first_after(lane, scale.us(area.min.x)); i < lane.bars.size(); ++i) {
    const TimelineBar& bar = lane.bars[i];
    if (bar.begin_us > to) break;
    const float left = scale.x(bar.begin_us), right = std::max(scale.x(bar.end_us), left + 1);
    const bool mark = bar.kind == TimelineBar::Kind::mark;
    const Rect box{{left - (mark ? px(3) : 0), top}, {right + (mark ? px(3) : 0), bottom}};
    if (box.contains(mouse) && area.contains(mouse)) under = &bar;
    if (right <= drawn && !mark) continue;
    drawn = right;
    if (mark) {
      draw->AddLine({left, top - px(3)}, {left, bottom + px(3)}, view.theme.text, px(1.5f));
      continue;
    }
    const ImU32 fill = fill_of(view.theme, bar, number);
    draw->AddRectFilled(box.min, box.max, fill, px(3));
    if (box.width() > px(5)) draw->AddRect(box.min, box.max, view.theme.card, px(3));
    const Ink ink{view.fonts.regular, 13.5f, ink_on(fill)};
    const float from = std::max(left, area.min.x) + px(4), wide = std::min(right, area.max.x) - from - px(3);
    if (wide > px(24)) put_middle(draw, ink, {from, box.centre().y}, elide(ink, bar.name, wide));
  }
  return under;
}

void TimelinePanel::draw_arrows(const View& view, const Scale& scale) const {
  const Rect& area = scale.area;
  const auto seen = [&](float x) { return x >= area.min.x && x <= area.max.x; };
  std::vector<std::pair<ImVec2, ImVec2>> lines;
  for (const TimelineArrow& arrow : timeline_.arrows) {
    const ImVec2 from{scale.x(arrow.from_us), scale.top(arrow.from_lane + 1) - px(3)},
        to{scale.x(arrow.to_us), scale.top(arrow.to_lane) + px(3)};
    if (!seen(from.x) && !seen(to.x)) continue;
    if (lines.size() == kArrows) return;  // closer, they appear
    lines.emplace_back(from, to);
  }
  for (const auto& [from, to] : lines)
    ImGui::GetWindowDrawList()->AddLine(from, to, with_alpha(view.theme.muted, 0.7f), 1.0f);
}

namespace {

/// Heads of a profile's table; the first column takes what is left.
bool begin_profile(const View& view, const char* id, const std::vector<const char*>& heads) {
  if (!ImGui::BeginTable(id, static_cast<int>(heads.size()), ImGuiTableFlags_BordersInnerH)) return false;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 2.4f);
  for (std::size_t i = 1; i < heads.size(); ++i)
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.0f);
  const Ink ink{view.fonts.strong, kSmallSize, view.theme.muted};
  ImGui::TableNextRow(0, px(kTimelineRow));
  for (std::size_t i = 0; i < heads.size(); ++i) {
    ImGui::TableNextColumn();
    const std::string head = elide(ink, heads[i], ImGui::GetContentRegionAvail().x);
    if (i == 0)
      cell_left(ink, head);
    else
      cell_right(ink, head);
  }
  return true;
}

void figures(const Ink& ink, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) {
    ImGui::TableNextColumn();
    cell_right(ink, elide(ink, cell, ImGui::GetContentRegionAvail().x));
  }
}

}  // namespace

void TimelinePanel::draw_kernels(const View& view, ImVec2 size) {
  pointed_.clear();
  if (begin_card(view, "kernels", size)) {
    draw_heading(view, "Where the device's time goes", "point at a row to find it above");
    const Ink text{view.fonts.regular, kTextSize, view.theme.text};
    if (begin_profile(view, "kernels", {"kernel", "calls", "total", "share", "average", "min", "max"})) {
      for (const runs::ProfileRow& row : kernels_) {
        ImGui::TableNextRow(0, px(kTimelineRow));
        ImGui::TableNextColumn();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x, side = px(13);
        const float middle = at.y + measure(text, row.name).y / 2;
        ImGui::GetWindowDrawList()->AddRectFilled(
            {at.x, middle - side / 2}, {at.x + side, middle + side / 2},
            is_work(row.name) ? colours_.of(view.theme, work_of(row.name)) : view.theme.border, px(3));
        put_middle(ImGui::GetWindowDrawList(), text, {at.x + side + px(8), middle},
                   elide(text, row.name, width - side - px(8)));
        const Rect line{{at.x, at.y}, {at.x + ImGui::GetWindowWidth(), at.y + px(kTimelineRow) - px(2)}};
        if (ImGui::IsWindowHovered() && line.contains(ImGui::GetMousePos())) {
          pointed_ = work_of(row.name);
          if (ImGui::GetMousePos().x < at.x + width) ImGui::SetTooltip("%s", row.name.c_str());
        }
        figures(text, {format_count(row.calls), format_us(row.total_us), format_percent(row.share),
                       format_us(row.average_us()), format_us(row.min_us), format_us(row.max_us)});
      }
      ImGui::EndTable();
    }
  }
  end_card();
}

void TimelinePanel::draw_ranges(const View& view, ImVec2 size) const {
  if (begin_card(view, "ranges", size)) {
    draw_heading(view, "By NVTX range", "outer ranges first, numbers left off");
    const Ink text{view.fonts.regular, kTextSize, view.theme.text};
    if (begin_profile(view, "ranges", {"range", "times", "launches", "host", "average", "device"})) {
      for (const runs::ProfileRow& row : ranges_) {
        ImGui::TableNextRow(0, px(kTimelineRow));
        ImGui::TableNextColumn();
        const std::string name = std::string(static_cast<std::size_t>(2 * row.depth), ' ') + row.name;
        cell_left(text, elide(text, name, ImGui::GetContentRegionAvail().x));
        figures(text, {format_count(row.calls), format_count(row.launches), format_us(row.total_us),
                       format_us(row.average_us()), format_us(row.device_us)});
      }
      ImGui::EndTable();
    }
  }
  end_card();
}

}  // namespace workbook::viewer
