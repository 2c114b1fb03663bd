#include "widgets/roof_plot.h"

#include <implot.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/format.h"
#include "widgets/kernel_colours.h"

namespace workbook::viewer {
namespace {

ImVec2 pixels(double x, double y) { return ImPlot::PlotToPixels(x, y); }

struct Limits {
  double left, right, bottom, top;
};

// Room for every point, the ridge and a stretch of both roofs.
Limits limits_of(const Roof& roof, const RoofSide& a, const RoofSide& b) {
  double left = roof.ridge() / 16, right = roof.ridge() * 16, bottom = roof.peak_flops / 300;
  double top = roof.peak_flops * 6;
  for (const RoofSide* side : {&a, &b}) {
    std::vector<RoofPoint> points = side->kernels;
    points.push_back(side->whole);
    for (const RoofPoint& point : points) {
      if (!side->present || !point.drawn()) continue;
      if (point.tensor_flops > 0.0) {
        top = roof.tensor_flops * 6;
        right = std::max(right, roof.tensor_flops / roof.dram_bps * 4);
      }
      left = std::min(left, point.intensity() / 3);
      right = std::max(right, point.intensity() * 20);
      bottom = std::min(bottom, point.achieved() / 6);
    }
  }
  return {left, right, bottom, top};
}

// Labels that found their place; what would lie on one of them, on a mark or on a line is left out.
class Labels {
 public:
  explicit Labels(const Rect& area) : area_(area) {}
  void keep(const Rect& taken) { taken_.push_back(taken); }
  void keep_line(ImVec2 from, ImVec2 to) {
    const ImVec2 way = to - from, half{px(2), px(2)};
    const auto pieces = std::max(1, static_cast<int>(std::max(std::fabs(way.x), std::fabs(way.y)) / px(4)));
    for (int i = 0; i <= pieces; ++i) {
      const ImVec2 at = from + way * (static_cast<float>(i) / static_cast<float>(pieces));
      keep({at - half, at + half});
    }
  }
  /// At the first of these places where there is room; whether there was one.
  bool put_at_one(ImDrawList* draw, const Ink& ink, const std::vector<ImVec2>& places,
                  const std::string& text) {
    return std::any_of(places.begin(), places.end(), [&](ImVec2 at) { return put(draw, ink, at, text); });
  }
  bool put(ImDrawList* draw, const Ink& ink, ImVec2 at, const std::string& text) {
    const ImVec2 extent = measure(ink, text);
    const Rect box{at, at + extent};
    if (box.min.x < area_.min.x || box.max.x > area_.max.x || box.min.y < area_.min.y ||
        box.max.y > area_.max.y)
      return false;
    for (const Rect& other : taken_)
      if (box.min.x < other.max.x && other.min.x < box.max.x && box.min.y < other.max.y &&
          other.min.y < box.max.y)
        return false;
    workbook::viewer::put(draw, ink, at, text);
    taken_.push_back(box);
    return true;
  }

 private:
  Rect area_;
  std::vector<Rect> taken_;
};

// Where tensor cores do the arithmetic, the slope goes on to a second flat roof.
void draw_tensor_ceiling(const Style& style, const Roof& roof, ImVec2 from, float right, Labels& labels) {
  ImDrawList* draw = ImPlot::GetPlotDrawList();
  const ImVec2 ridge = pixels(roof.tensor_flops / roof.dram_bps, roof.tensor_flops), end{right, ridge.y};
  draw->AddLine(from, ridge, style.theme.text, px(1.5f));
  if (ridge.x < right) draw->AddLine(ridge, end, style.theme.text, px(1.5f));
  const Ink ink{style.fonts.strong, kSmallSize, style.theme.text};
  const std::string peak = "tensor cores " + format_rate(roof.tensor_flops, "flop/s");
  const ImVec2 extent = measure(ink, peak);
  labels.put(draw, ink, {right - extent.x - px(8), ridge.y - extent.y - px(4)}, peak);
}

void draw_ceilings(const Style& style, const Roof& roof, const Limits& limits, const Rect& plot,
                   Labels& labels) {
  ImDrawList* draw = ImPlot::GetPlotDrawList();
  const ImVec2 foot = pixels(limits.left, roof.at(limits.left)),
               ridge = pixels(roof.ridge(), roof.peak_flops), end = pixels(limits.right, roof.peak_flops);
  // Below the slope bytes decide, below the flat roof arithmetic does: two tints and two names.
  const ImVec2 slope[] = {foot, ridge, {ridge.x, plot.max.y}, {foot.x, plot.max.y}};
  draw->AddConvexPolyFilled(slope, 4, with_alpha(style.theme.traffic, 0.10f));
  draw->AddRectFilled(ridge, {end.x, plot.max.y}, with_alpha(style.theme.accent, 0.07f));
  draw->AddLine(foot, ridge, style.theme.text, px(2.5f));
  draw->AddLine(ridge, end, style.theme.text, px(2.5f));
  const double l2_ridge = roof.peak_flops / roof.l2_bps;
  const ImVec2 l2_foot = pixels(limits.left, limits.left * roof.l2_bps),
               l2_end = pixels(l2_ridge, roof.peak_flops);
  dashed_line(draw, l2_foot, l2_end, style.theme.muted, px(1.5f));
  dashed_line(draw, ridge, {ridge.x, plot.max.y}, style.theme.faint, 1.0f);
  const Ink strong{style.fonts.strong, kSmallSize, style.theme.text},
      quiet{style.fonts.regular, kSmallSize, style.theme.muted};
  const float line = measure(strong, "x").y;
  const std::string peak = "fp32 peak " + format_rate(roof.peak_flops, "flop/s");
  const float from_right = end.x - measure(strong, peak).x - px(8);
  labels.put_at_one(draw, strong, {{from_right, end.y - line - px(4)}, {from_right, end.y + px(4)}}, peak);
  if (limits.top > roof.tensor_flops) draw_tensor_ceiling(style, roof, ridge, end.x, labels);
  labels.keep_line(foot, ridge);
  labels.keep_line(ridge, end);
  labels.keep_line(l2_foot, l2_end);
  labels.keep_line(ridge, {ridge.x, plot.max.y});
  const std::string dram = "DRAM " + format_rate(roof.dram_bps, "B/s"),
                    l2 = "L2 " + format_rate(roof.l2_bps, "B/s");
  // Beside the lines: the DRAM's below its line, the L2's above, as far up as there is room.
  std::vector<ImVec2> below, above;
  for (const float up : {0.22f, 0.12f, 0.34f, 0.46f, 0.58f, 0.7f, 0.82f}) {
    const ImVec2 on = foot + (ridge - foot) * up, other = l2_foot + (l2_end - l2_foot) * (up + 0.15f);
    below.push_back(on + ImVec2{px(14), px(4)});
    above.push_back(other - ImVec2{measure(quiet, l2).x + px(10), line + px(4)});
  }
  labels.put_at_one(draw, strong, below, dram);
  labels.put_at_one(draw, quiet, above, l2);
  const float low = plot.max.y - line - px(6);
  labels.put(draw, quiet, {plot.min.x + px(8), low}, "bytes decide");
  const char* flat = "arithmetic decides";
  labels.put(draw, quiet, {plot.max.x - measure(quiet, flat).x - px(8), low}, flat);
}

// All marks and the lines from them to the roof, before any name looks for room.
void keep_marks(const Roof& roof, const RoofSide& side, Labels& labels) {
  const ImVec2 at = pixels(side.whole.intensity(), side.whole.achieved()), half{px(15), px(15)};
  labels.keep({at - half, at + half});
  labels.keep_line(at, pixels(side.whole.intensity(), side.whole.at(roof)));
  if (side.kernels.size() < 2) return;
  for (const RoofPoint& kernel : side.kernels) {
    if (!kernel.drawn()) continue;
    const ImVec2 mark = pixels(kernel.intensity(), kernel.achieved()), around{px(6), px(6)};
    labels.keep({mark - around, mark + around});
  }
}

void draw_kernels(const Style& style, const RoofSide& side, ImU32 colour) {
  if (side.kernels.size() < 2) return;  // it is the run itself
  for (const RoofPoint& kernel : side.kernels)
    if (kernel.drawn())
      draw_mark(ImPlot::GetPlotDrawList(), style, pixels(kernel.intensity(), kernel.achieved()), px(5),
                colour, side.basis);
}

void name_kernels(const Style& style, const RoofSide& side, Labels& labels) {
  const Ink ink{style.fonts.regular, 13.5f, style.theme.muted};
  if (side.kernels.size() < 2) return;
  for (const RoofPoint& kernel : side.kernels) {
    if (!kernel.drawn()) continue;
    const ImVec2 at = pixels(kernel.intensity(), kernel.achieved());
    const std::string name = short_kernel(kernel.name);
    const ImVec2 extent = measure(ink, name);
    const float right = at.x + px(9), left = at.x - extent.x - px(9), middle = at.y - extent.y / 2,
                over = at.y - extent.y - px(8), under = at.y + px(8), centre = at.x - extent.x / 2;
    labels.put_at_one(ImPlot::GetPlotDrawList(), ink,
                      {{right, middle},
                       {left, middle},
                       {centre, under},
                       {centre, over},
                       {right, under},
                       {right, over},
                       {left, under},
                       {left, over}},
                      name);
  }
}

void draw_whole(const Style& style, const Roof& roof, const RoofSide& side, const char* letter, ImU32 colour,
                Labels& labels) {
  ImDrawList* draw = ImPlot::GetPlotDrawList();
  const ImVec2 at = pixels(side.whole.intensity(), side.whole.achieved()),
               up = pixels(side.whole.intensity(), side.whole.at(roof));
  dashed_line(draw, at, up, with_alpha(colour, 0.8f), px(1.5f));
  const float radius = px(13);
  draw_mark(draw, style, at, radius, colour, side.basis);
  const Ink ink{style.fonts.strong, 15.0f, side.basis == Basis::modelled ? colour : ink_on(colour)};
  put_centred(draw, ink, {at - ImVec2{radius, radius}, at + ImVec2{radius, radius}}, letter);
  const Ink share{style.fonts.regular, 13.5f, style.theme.text};
  const std::string text = format_percent(side.whole.us_at(roof) / side.whole.us) + " of the roof";
  const ImVec2 extent = measure(share, text);
  const float right = at.x + px(18), left = at.x - extent.x - px(18), up_y = at.y - px(12) - extent.y,
              down_y = at.y + px(12);
  labels.put_at_one(draw, share,
                    {{right, at.y - extent.y / 2},
                     {left, at.y - extent.y / 2},
                     {right, down_y},
                     {right, up_y},
                     {left, down_y},
                     {left, up_y},
                     {at.x - extent.x / 2, at.y + px(17)}},
                    text);
}

void draw_arrow(ImDrawList* draw, ImVec2 from, ImVec2 to, ImU32 colour) {
  const ImVec2 way = to - from;
  const float length = std::sqrt(way.x * way.x + way.y * way.y), room = px(15);
  if (length < 2 * room + px(8)) return;
  const ImVec2 unit = way / length, side{-unit.y, unit.x};
  const ImVec2 start = from + unit * room, tip = to - unit * room, neck = tip - unit * px(11);
  draw->AddLine(start, neck, colour, px(2.5f));
  draw->AddTriangleFilled(tip, neck + side * px(6), neck - side * px(6), colour);
}

}  // namespace

void draw_mark(ImDrawList* draw, const Style& style, ImVec2 at, float radius, ImU32 colour, Basis basis) {
  draw->AddCircleFilled(at, radius + px(1.5f), style.theme.card);
  if (basis == Basis::modelled)
    draw->AddCircle(at, radius - px(1), colour, 0, px(2.5f));
  else
    draw->AddCircleFilled(at, radius, colour);
}

int write_tick(const std::string& text, char* buffer, int size) {
  const std::size_t dot = text.find('.'), space = std::min(text.find(' '), text.size());
  const bool whole = dot < space && text.find_first_not_of('0', dot + 1) >= space;
  return std::snprintf(buffer, static_cast<std::size_t>(size), "%s",
                       (whole ? text.substr(0, dot) + text.substr(space) : text).c_str());
}

int write_power(double value, char* buffer, int size, void* unit) {
  return write_tick(format_rate(value, static_cast<const char*>(unit)), buffer, size);
}

void draw_roof(const Style& style, const Roof& roof, const RoofSide& a, const RoofSide& b, ImVec2 size) {
  ImGui::PushFont(style.fonts.regular, kSmallSize);
  ImPlot::PushStyleVar(ImPlotStyleVar_MinorAlpha, 0.0f);
  if (ImPlot::BeginPlot("roof", size, ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame)) {
    const Limits limits = limits_of(roof, a, b);
    static char flops[] = "flop/s", none[] = "";
    ImPlot::SetupAxes(nullptr, nullptr, ImPlotAxisFlags_NoTickMarks, ImPlotAxisFlags_NoTickMarks);
    ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    ImPlot::SetupAxisLimits(ImAxis_X1, limits.left, limits.right, ImPlotCond_Always);
    ImPlot::SetupAxisLimits(ImAxis_Y1, limits.bottom, limits.top, ImPlotCond_Always);
    ImPlot::SetupAxisFormat(ImAxis_X1, write_power, none);
    ImPlot::SetupAxisFormat(ImAxis_Y1, write_power, flops);
    ImPlot::SetupFinish();
    ImPlot::PushPlotClipRect();
    const Rect plot{ImPlot::GetPlotPos(), ImPlot::GetPlotPos() + ImPlot::GetPlotSize()};
    Labels labels(plot);
    const bool has_a = a.present && a.whole.drawn(), has_b = b.present && b.whole.drawn();
    if (has_a) keep_marks(roof, a, labels);
    if (has_b) keep_marks(roof, b, labels);
    if (has_a && has_b)  // no name on the arrow
      labels.keep_line(pixels(a.whole.intensity(), a.whole.achieved()),
                       pixels(b.whole.intensity(), b.whole.achieved()));
    draw_ceilings(style, roof, limits, plot, labels);
    if (has_a) draw_kernels(style, a, style.theme.side_a);
    if (has_b) draw_kernels(style, b, style.theme.side_b);
    if (has_a && has_b)
      draw_arrow(ImPlot::GetPlotDrawList(), pixels(a.whole.intensity(), a.whole.achieved()),
                 pixels(b.whole.intensity(), b.whole.achieved()), style.theme.text);
    if (has_a) draw_whole(style, roof, a, "A", style.theme.side_a, labels);
    if (has_b) draw_whole(style, roof, b, "B", style.theme.side_b, labels);
    if (has_a) name_kernels(style, a, labels);
    if (has_b) name_kernels(style, b, labels);
    ImPlot::PopPlotClipRect();
    ImPlot::EndPlot();
  }
  ImPlot::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace workbook::viewer
