#include "widgets/ribbons.h"

#include <algorithm>

#include "model/format.h"
#include "model/layout.h"
#include "widgets/ribbon_parts.h"

namespace workbook::viewer {
namespace {

constexpr float kHeader = 30, kLabelRoom = 24, kLaneGap = 20, kAxis = 30;

Ink label_ink(const Style& style, ImU32 colour) { return {style.fonts.strong, 15.0f, colour}; }

// "linear ×392" where the segment stands for many launches.
std::string label_of(const Segment& segment) {
  return short_kernel(segment.kernel) + (segment.count > 1 ? " ×" + format_count(segment.count) : "");
}

bool label_fits(const Style& style, const Segment& segment, float scale) {
  return measure(label_ink(style, 0), label_of(segment)).x + px(10) <=
         static_cast<float>(segment.busy_us) * scale;
}

float scale_of(const Side& a, const Side& b, float width) {
  const double longest = std::max({a.segments.empty() ? 0.0 : a.segments.back().end_us(),
                                   b.segments.empty() ? 0.0 : b.segments.back().end_us(), 1e-6});
  return width / static_cast<float>(longest);
}

bool needs_labels(const Style& style, const Side& side, float scale) {
  return std::any_of(side.segments.begin(), side.segments.end(),
                     [&](const Segment& each) { return !label_fits(style, each, scale); });
}

float lane_height(const Style& style, const Side& side, float scale) {
  return px(kHeader) + (needs_labels(style, side, scale) ? px(kLabelRoom) : 0) + px(kBar) +
         wires_height(side) + shelf_height(side);
}

void tooltip(const Style& style, const Side& side, std::size_t number) {
  const Segment& segment = side.segments[number];
  ImGui::BeginTooltip();
  ImGui::PushFont(style.fonts.strong, 0);
  ImGui::Text("%s", segment.kernel.c_str());
  ImGui::PopFont();
  const std::string which = segment.count > 1 ? format_count(segment.count) + " launches added up, the latest"
                                              : "launch " + std::to_string(number + 1) + " of " +
                                                    std::to_string(side.segments.size());
  ImGui::TextDisabled("%s: %s blocks of %s threads", which.c_str(), format_dim3(segment.grid).c_str(),
                      format_dim3(segment.block).c_str());
  if (segment.time.basis == Basis::modelled)
    ImGui::Text("%s modelled: %s to launch, %s of work, bound by %s",
                format_us(segment.time.median_us).c_str(), format_us(segment.gap_us).c_str(),
                format_us(segment.busy_us).c_str(), runs::word_of(segment.bound));
  if (segment.time.basis == Basis::measured)
    ImGui::Text("%s measured alone, p10 to p90 %s to %s, %d samples",
                format_us(segment.time.median_us).c_str(), format_us(segment.time.low_us).c_str(),
                format_us(segment.time.high_us).c_str(), segment.time.samples);
  if (segment.counted)
    ImGui::Text("DRAM: %s read, %s written", format_bytes(segment.bytes_read).c_str(),
                format_bytes(segment.bytes_written).c_str());
  ImGui::EndTooltip();
}

void draw_header(const Style& style, const RibbonLane& lane, ImVec2 at, float width) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float middle = at.y + px(kHeader) / 2 - px(3);
  float x = at.x + badge(draw, style, {at.x, middle}, lane.letter, lane.badge_colour) + px(10);
  x += put_middle(draw, {style.fonts.strong, kTitleSize, style.theme.text}, {x, middle}, lane.side.variant) +
       px(12);
  std::string facts = plural(lane.side.launches(), "launch");
  const auto& segments = lane.side.segments;
  if (std::any_of(segments.begin(), segments.end(), [](const Segment& each) { return each.count > 1; }))
    facts += ", added up by kernel";
  if (!runs::is_learner(lane.side.origin)) facts += "  ·  " + lane.side.origin;
  put_middle(draw, {style.fonts.regular, kTextSize, style.theme.muted}, {x, middle}, facts);
  if (lane.side.basis == Basis::none) return;
  const Ink time{style.fonts.strong, kTitleSize, style.theme.text};
  const std::string total = format_us(lane.side.total.median_us);
  const float total_width = measure(time, total).x;
  put_middle(draw, time, {at.x + width - total_width, middle}, total);
  const Ink basis{style.fonts.regular, kSmallSize, style.theme.muted};
  const float basis_width = measure(basis, lane.side.basis_text).x;
  put_middle(draw, basis, {at.x + width - total_width - basis_width - px(10), middle + px(1)},
             lane.side.basis_text);
}

// Names that do not fit their ribbon stand above it, each with a line down to it.
void draw_outside_labels(const Style& style, const RibbonLane& lane, ImVec2 at, float width, float scale) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink ink{style.fonts.regular, kSmallSize, style.theme.text};
  const Ink quiet{style.fonts.regular, kSmallSize, style.theme.muted};
  // Times too, where the names do not crowd.
  const bool with_times = lane.side.basis != Basis::none && is_spaced(lane.side, scale, px(190));
  std::vector<Span> spans;
  std::vector<const Segment*> outside;
  std::vector<std::string> times;
  for (const Segment& segment : lane.side.segments) {
    if (label_fits(style, segment, scale)) continue;
    const double centre =
        static_cast<double>(at.x) +
        (segment.start_us + segment.gap_us + segment.busy_us / 2) * static_cast<double>(scale);
    const std::string time = with_times ? " " + format_us(segment.busy_us) : "";
    spans.push_back(
        {centre, static_cast<double>(measure(ink, label_of(segment)).x + measure(quiet, time).x)});
    outside.push_back(&segment);
    times.push_back(time);
  }
  const std::vector<double> left = spread(spans, px(14), at.x, at.x + width);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto x = static_cast<float>(left[i]);
    const float used = put(draw, ink, {x, at.y}, label_of(*outside[i]));
    put(draw, quiet, {x + used, at.y}, times[i]);
    const float foot = x + static_cast<float>(spans[i].width) / 2;
    draw->AddLine({foot, at.y + px(19)}, {static_cast<float>(spans[i].centre), at.y + px(kLabelRoom)},
                  style.theme.faint, 1.0f);
  }
}

int draw_segments(const Style& style, const RibbonLane& lane, const KernelColours& colours, ImVec2 at,
                  float scale) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  int clicked = -1;
  for (std::size_t i = 0; i < lane.side.segments.size(); ++i) {
    const Segment& segment = lane.side.segments[i];
    const auto to_x = [&](double us) { return at.x + static_cast<float>(us) * scale; };
    const Rect gap{{to_x(segment.start_us), at.y + px(9)},
                   {to_x(segment.start_us + segment.gap_us), at.y + px(kBar) - px(9)}};
    // A sliver is kept visible; it grows to the left, so that the last one does not run over the end.
    const float end = to_x(segment.end_us()), thinnest = px(4);
    const Rect busy{{std::max(at.x, std::min(gap.max.x, end - thinnest)), at.y},
                    {std::max(end, at.x + thinnest), at.y + px(kBar)}};
    if (gap.width() >= 1) {
      draw->AddRectFilled(gap.min, gap.max, style.theme.raised);
      hatch(draw, gap, with_alpha(style.theme.faint, 0.35f), px(6), 1.0f);
      const Ink ink{style.fonts.regular, kSmallSize, style.theme.muted};
      const std::string word = segment.time.basis == Basis::modelled ? "launch" : "gap";
      for (const std::string& text :
           {word + (word == "launch" ? " overhead " : " ") + format_us(segment.gap_us),
            word + " " + format_us(segment.gap_us), word}) {
        const ImVec2 size = measure(ink, text);
        if (size.x + px(14) > gap.width()) continue;
        const ImVec2 half{size.x / 2 + px(4), size.y / 2};
        draw->AddRectFilled(gap.centre() - half, gap.centre() + half, style.theme.raised, px(3));
        put_centred(draw, ink, gap, text);
        break;
      }
    }
    const ImU32 fill = colours.of(style.theme, segment.kernel);
    const float rounding = std::min(px(5), busy.width() / 3);
    draw->AddRectFilled(busy.min, busy.max, fill, rounding);
    if (segment.time.basis == Basis::modelled)
      hatch(draw, busy, with_alpha(ink_on(fill), 0.07f), px(9), px(3));
    if (label_fits(style, segment, scale)) {
      const ImU32 colour = ink_on(fill);
      const Rect upper{busy.min, {busy.max.x, busy.centre().y + px(2)}},
          lower{{busy.min.x, busy.centre().y - px(1)}, busy.max};
      const std::string time = format_us(segment.busy_us);
      const Ink small{style.fonts.regular, kSmallSize, colour};
      const bool both = segment.time.basis != Basis::none && measure(small, time).x + px(8) <= busy.width();
      put_centred(draw, label_ink(style, colour), both ? upper : busy, label_of(segment));
      if (both) put_centred(draw, small, lower, time);
    }
    ImGui::SetCursorScreenPos({gap.min.x, at.y});
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("launch", {std::max(busy.max.x - gap.min.x, 3.0f), px(kBar)}))
      clicked = static_cast<int>(i);
    if (ImGui::IsItemHovered()) {
      draw->AddRect(busy.min, busy.max, style.theme.text, rounding, 0, px(2));
      tooltip(style, lane.side, i);
    }
    ImGui::PopID();
  }
  return clicked;
}

// The stretch of time between the end of this lane and of the longer one.
void draw_saved_time(const Style& style, const RibbonLane& lane, ImVec2 at, float scale) {
  if (lane.side.basis == Basis::none || lane.side.basis != lane.other.basis) return;
  if (lane.side.segments.empty() || lane.other.segments.empty()) return;
  const float from = at.x + static_cast<float>(lane.side.segments.back().end_us()) * scale;
  const float to = at.x + static_cast<float>(lane.other.segments.back().end_us()) * scale;
  if (to - from < px(40)) return;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Rect box{{from + px(6), at.y}, {to, at.y + px(kBar)}};
  const ImU32 colour = lane.is_b ? style.theme.good : style.theme.muted;
  draw->AddRectFilled(box.min, box.max, lane.is_b ? style.theme.good_tint : style.theme.raised, px(5));
  const std::string amount = format_us(lane.other.total.median_us - lane.side.total.median_us);
  const Ink ink{style.fonts.strong, kTitleSize, colour};
  for (const std::string& text : {amount + (lane.is_b ? " saved" : " less than B"), amount}) {
    const float text_width = measure(ink, text).x;
    if (text_width + px(24) > box.width()) continue;
    put_centred(draw, ink, box, text);
    const float side = (box.width() - text_width) / 2 - px(14);
    if (side > px(16)) {
      const float y = box.centre().y;
      draw->AddLine({box.min.x + px(8), y}, {box.min.x + side, y}, with_alpha(colour, 0.5f), px(1.5f));
      draw->AddLine({box.max.x - side, y}, {box.max.x - px(8), y}, with_alpha(colour, 0.5f), px(1.5f));
    }
    break;
  }
}

void draw_axis(const Style& style, ImVec2 at, float width, float scale) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const double high = static_cast<double>(width / scale);
  const double step = tick_step(high, std::max(2, static_cast<int>(width / px(130))));
  const Ink ink{style.fonts.regular, kSmallSize, style.theme.muted};
  draw->AddLine({at.x, at.y + px(4)}, {at.x + width, at.y + px(4)}, style.theme.border, 1.0f);
  for (double us = 0; us <= high * 1.0001; us += step) {
    const float x = at.x + static_cast<float>(us) * scale;
    draw->AddLine({x, at.y + px(4)}, {x, at.y + px(9)}, style.theme.faint, 1.0f);
    const std::string text = us == 0 ? "0" : format_us(us);
    const float text_width = measure(ink, text).x;
    put(draw, ink, {std::clamp(x - text_width / 2, at.x, at.x + width - text_width), at.y + px(10)}, text);
  }
}

}  // namespace

float ribbons_height(const Side& a, const Side& b, float width, const Style& style) {
  const float scale = scale_of(a, b, width);
  float height = px(kAxis);
  if (a.present) height += lane_height(style, a, scale);
  if (b.present) height += lane_height(style, b, scale) + px(kLaneGap);
  return height;
}

RibbonClick draw_ribbons(const Style& style, const Side& a, const Side& b, const KernelColours& colours,
                         float width) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float scale = scale_of(a, b, width);
  RibbonClick click;
  float y = origin.y;
  const RibbonLane lanes[] = {{a, b, "A", style.theme.side_a, false}, {b, a, "B", style.theme.side_b, true}};
  for (const RibbonLane& lane : lanes) {
    if (!lane.side.present) continue;
    ImGui::PushID(lane.letter);
    draw_header(style, lane, {origin.x, y}, width);
    y += px(kHeader);
    if (needs_labels(style, lane.side, scale)) {
      draw_outside_labels(style, lane, {origin.x, y}, width, scale);
      y += px(kLabelRoom);
    }
    const ImVec2 bar{origin.x, y};
    draw_saved_time(style, lane, bar, scale);
    draw_shelf(style, lane, colours, bar, {origin.x, y + px(kBar) + wires_height(lane.side)}, width, scale);
    if (const int launch = draw_segments(style, lane, colours, bar, scale); launch >= 0)
      click = {lane.is_b ? 1 : 0, launch};
    y += px(kBar) + wires_height(lane.side) + shelf_height(lane.side) + px(kLaneGap);
    ImGui::PopID();
  }
  y -= px(kLaneGap);
  draw_axis(style, {origin.x, y}, width, scale);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({width, y + px(kAxis) - origin.y});
  return click;
}

}  // namespace workbook::viewer
