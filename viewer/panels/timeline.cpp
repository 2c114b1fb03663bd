#include "panels/timeline.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "model/roofline.h"
#include "widgets/draw.h"

namespace workbook::viewer {
namespace {

constexpr float kLane = 30, kLabels = 150, kAxis = 26;
constexpr float kClosest = 4000;      // how far in one may go: a launch of 2 us in 10 ms
constexpr std::size_t kArrows = 200;  // in sight at the same time; more would hide the rest

const char* const kNothing = "The Timeline shows the calls of programs, such as those of Puzzle 38.";

std::string call_name(const runs::HostCall& call) {
  return call.kind == "launch" ? "launch " + short_kernel(call.name) : call.kind;
}

std::string work_name(const runs::HostCall& call) {
  return call.kind == "copy" || call.kind == "set" ? call.kind : short_kernel(call.name);
}

/// 1, 2 or 5 times a power of ten, so that about `count` of them make up `span`.
double tick_of(double span, double count) {
  const double rough = span / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= rough) return step * power;
  return 10.0 * power;
}

}  // namespace

void TimelinePanel::refresh(View& view) {
  const std::int64_t id = view.selection.mapped_run();
  const auto run = id != 0 ? view.library.run(id) : nullptr;
  if (run == run_) return;
  run_ = run;
  shown_ = nullptr;
  ranges_.clear();
  lanes_.clear();
  colours_ = {};
  zoom_.fit();
  if (!run) return;
  for (const runs::Benchmark& benchmark : run->record.benchmarks)
    if (!benchmark.calls.empty()) shown_ = &benchmark;
  if (shown_ == nullptr) return;
  ranges_ = runs::ranges_of(shown_->calls);
  begin_us_ = shown_->calls.front().begin_us;
  end_us_ = begin_us_ + std::max(1e-3, runs::program_us(shown_->calls));
  const auto need = [&](Lane lane) {
    if (lane_of(lane.kind, lane.number, lane.depth) == lanes_.size()) lanes_.push_back(std::move(lane));
  };
  for (const runs::HostRange& range : ranges_)
    need({Lane::Kind::ranges, range.thread, range.depth,
          range.depth == 0 ? "NVTX, thread " + std::to_string(range.thread) : ""});
  for (const runs::HostCall& call : shown_->calls) {
    need({Lane::Kind::calls, call.thread, 0, "Host, thread " + std::to_string(call.thread)});
    if (!call.on_device()) continue;
    need({Lane::Kind::work, call.stream, 0,
          call.stream == 0 ? std::string("Device") : "Device, stream " + std::to_string(call.stream)});
    colours_.add(work_name(call));
  }
  std::stable_sort(lanes_.begin(), lanes_.end(), [](const Lane& a, const Lane& b) {
    if ((a.kind == Lane::Kind::work) != (b.kind == Lane::Kind::work)) return b.kind == Lane::Kind::work;
    if (a.number != b.number) return a.number < b.number;
    return a.kind != b.kind ? a.kind < b.kind : a.depth < b.depth;
  });
}

std::size_t TimelinePanel::lane_of(Lane::Kind kind, std::int64_t number, int depth) const {
  const auto found = std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& lane) {
    return lane.kind == kind && lane.number == number && lane.depth == depth;
  });
  return static_cast<std::size_t>(found - lanes_.begin());
}

std::string TimelinePanel::missing(View& view) {
  refresh(view);
  return shown_ != nullptr ? "" : kNothing;
}

void TimelinePanel::draw(View& view) {
  refresh(view);
  if (!run_) {
    draw_empty_state(view, "No run to show yet", "Run a variant and it appears here within a second.",
                     first_command(view.selection.puzzle));
    return;
  }
  if (shown_ == nullptr) {
    draw_empty_state(view, "This run has no calls on record", kNothing, "workbook run 38");
    return;
  }
  const double busy = runs::device_busy(shown_->calls);
  draw_heading(view,
               format_us(end_us_ - begin_us_) + ", the device busy for " + format_percent(busy) + " of it",
               "--" + run_->record.variant + ", " + run_->record.device +
                   "  ·  the wheel or W and S go closer, A and D pan, F fits");
  draw_picture(view, ImGui::GetContentRegionAvail());
}

void TimelinePanel::draw_picture(const View& view, ImVec2 size) {
  const float lane_height = px(kLane);
  const float wanted = px(kAxis) + lane_height * static_cast<float>(lanes_.size()) + px(40);
  if (begin_card(view, "timeline", {size.x, std::min(size.y, std::max(wanted, px(200)))})) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Rect area{{at.x + px(kLabels), at.y}, {at.x + room.x, at.y + room.y}};
    zoom_.update(view, area, kClosest);
    const double span = end_us_ - begin_us_;
    const auto x_of = [&](double us) {
      const float fitted = area.min.x + static_cast<float>((us - begin_us_) / span) * area.width();
      return zoom_.to_screen(area, {fitted, area.min.y}).x;
    };
    const auto us_of = [&](float x) {
      const float fitted = zoom_.to_fitted(area, {x, area.min.y}).x - area.min.x;
      return begin_us_ + span * static_cast<double>(fitted / area.width());
    };
    const auto lane_top = [&](std::size_t lane) {
      return area.min.y + px(kAxis) + lane_height * static_cast<float>(lane);
    };
    const Ink label{view.fonts.strong, kSmallSize, view.theme.text},
        quiet{view.fonts.regular, 13.0f, view.theme.muted};
    for (std::size_t i = 0; i < lanes_.size(); ++i)
      put_middle(draw, label, {at.x, lane_top(i) + lane_height / 2},
                 elide(label, lanes_[i].label, px(kLabels - 8)));

    draw->PushClipRect(area.min, area.max, true);
    const double tick =
        tick_of(us_of(area.max.x) - us_of(area.min.x), static_cast<double>(area.width() / px(110)));
    for (double us = std::ceil(us_of(area.min.x) / tick) * tick; us < us_of(area.max.x); us += tick) {
      const float x = x_of(us);
      draw->AddLine({x, area.min.y + px(kAxis) - px(4)}, {x, area.max.y}, view.theme.grid);
      put(draw, quiet, {x + px(3), area.min.y + px(4)}, us == 0.0 ? "0" : format_us(us));
    }
    std::string under;  // the words of the bar below the mouse
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto bar = [&](std::size_t lane, double from, double to, ImU32 fill, const std::string& name) {
      const Rect box{{x_of(from), lane_top(lane) + px(3)},
                     {std::max(x_of(to), x_of(from) + 1), lane_top(lane) + lane_height - px(3)}};
      if (box.max.x < area.min.x || box.min.x > area.max.x) return;
      draw->AddRectFilled(box.min, box.max, fill, px(3));
      if (box.width() > px(5)) draw->AddRect(box.min, box.max, view.theme.card, px(3));
      const Ink ink{view.fonts.regular, 13.5f, ink_on(fill)};
      const float left = std::max(box.min.x, area.min.x) + px(4), wide = box.max.x - left - px(3);
      if (wide > px(24)) put_middle(draw, ink, {left, box.centre().y}, elide(ink, name, wide));
      if (box.contains(mouse) && area.contains(mouse))
        under = name + ": " + format_us(to - from) + ", from " + format_us(from);
    };
    for (const runs::HostRange& range : ranges_)
      bar(lane_of(Lane::Kind::ranges, range.thread, range.depth), range.begin_us, range.end_us,
          mix(view.theme.card, view.theme.accent, range.depth % 2 == 0 ? 0.55f : 0.35f), range.name);
    std::size_t arrows = 0;
    for (const runs::HostCall& call : shown_->calls) {
      const std::size_t host = lane_of(Lane::Kind::calls, call.thread);
      if (call.end_us > call.begin_us) {
        const ImU32 fill = call.kind == "wait" || call.waits ? view.theme.faint
                           : call.on_device()                ? colours_.of(view.theme, work_name(call))
                                                             : view.theme.raised;
        bar(host, call.begin_us, call.end_us, fill, call_name(call));
      } else if (call.kind == "event" || call.kind == "mark") {
        const float x = x_of(call.begin_us);
        draw->AddLine({x, lane_top(host)}, {x, lane_top(host) + lane_height}, view.theme.text, px(1.5f));
      }
      if (!call.on_device()) continue;
      const std::size_t work = lane_of(Lane::Kind::work, call.stream);
      bar(work, call.device_begin_us, call.device_end_us, colours_.of(view.theme, work_name(call)),
          work_name(call));
      const ImVec2 from{x_of(call.end_us), lane_top(host) + lane_height - px(3)},
          to{x_of(call.device_begin_us), lane_top(work) + px(3)};
      const bool seen =
          from.x >= area.min.x && to.x <= area.max.x && to.x >= area.min.x && from.x <= area.max.x;
      if (seen && call.end_us > call.begin_us && ++arrows <= kArrows)
        draw->AddLine(from, to, with_alpha(view.theme.muted, 0.6f), 1.0f);
    }
    draw->PopClipRect();
    ImGui::Dummy(room);
    if (!under.empty()) ImGui::SetTooltip("%s", under.c_str());
  }
  end_card();
}

}  // namespace workbook::viewer
