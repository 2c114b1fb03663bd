#include "widgets/crossover_plot.h"

#include <implot.h>

#include <algorithm>
#include <cmath>

#include "model/crossover.h"
#include "model/format.h"
#include "model/layout.h"
#include "runs/number_text.h"
#include "widgets/roof_plot.h"

namespace workbook::viewer {
namespace {

int write_size(double value, char* buffer, int size, void* sweep) {
  return write_tick(format_position(*static_cast<const runs::Sweep*>(sweep), value), buffer, size);
}

int write_time(double value, char* buffer, int size, void*) {
  return write_tick(format_us(value), buffer, size);
}

ImU32 colour_of(const Style& style, std::size_t variant) {
  const std::size_t apart[] = {2, 1, 3, 4, 5, 6, 0};  // neighbours far from each other, in light and in print
  const std::size_t round = variant / std::size(apart) * std::size(apart);
  return kernel_colour(style.theme, round + apart[variant % std::size(apart)]);
}

// A shape a variant, so that colour is not the only cue; hollow when modelled.
void draw_shape(ImDrawList* draw, const Style& style, std::size_t variant, ImVec2 at, bool filled) {
  const int corners[] = {24, 4, 3, 6};
  const float radius = px(5.5f), turn[] = {0, 0.7854f, -1.5708f, 0};
  const ImU32 colour = colour_of(style, variant);
  const std::size_t which = variant % std::size(corners);
  const auto outline = [&](float r) {
    for (int i = 0; i < corners[which]; ++i) {
      const float angle = turn[which] + 6.2832f * static_cast<float>(i) / static_cast<float>(corners[which]);
      draw->PathLineTo(at + ImVec2{std::cos(angle), std::sin(angle)} * r);
    }
  };
  outline(radius + px(1));
  draw->PathFillConvex(filled ? colour : style.theme.card);
  if (filled) return;
  outline(radius);
  draw->PathStroke(colour, ImDrawFlags_Closed, px(2));
}

void draw_series(const Style& style, const runs::Sweep& sweep, std::size_t variant) {
  ImDrawList* draw = ImPlot::GetPlotDrawList();
  const auto points = runs::timed_points(sweep, sweep.variants[variant]);
  std::vector<ImVec2> at;
  for (const runs::SweepPoint* point : points)
    at.push_back(ImPlot::PlotToPixels(runs::position_of(sweep, *point), point->median_us));
  const ImU32 colour = colour_of(style, variant);
  for (std::size_t i = 1; i < at.size(); ++i)
    sweep.measured() ? draw->AddLine(at[i - 1], at[i], colour, px(2.5f))
                     : dashed_line(draw, at[i - 1], at[i], colour, px(2.5f));
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (points[i]->high_us > points[i]->low_us) {
      const double x = runs::position_of(sweep, *points[i]);
      draw->AddLine(ImPlot::PlotToPixels(x, points[i]->low_us), ImPlot::PlotToPixels(x, points[i]->high_us),
                    colour, px(1.5f));
    }
    draw_shape(draw, style, variant, at[i], sweep.measured());
    if (ImGui::IsMouseHoveringRect(at[i] - ImVec2{px(9), px(9)}, at[i] + ImVec2{px(9), px(9)}))
      ImGui::SetTooltip("%s at %s\n%s", sweep.variants[variant].c_str(),
                        runs::sizes_text(points[i]->sizes).c_str(), format_us(points[i]->median_us).c_str());
  }
}

// The variants' names at the right end of their lines, pushed apart.
void draw_names(const Style& style, const runs::Sweep& sweep, const Rect& plot, float room) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink ink{style.fonts.strong, kSmallSize, style.theme.text};
  const float line = measure(ink, "x").y;
  struct Name {
    float y;
    std::size_t variant;
  };
  std::vector<Name> names;
  for (std::size_t v = 0; v < sweep.variants.size(); ++v)
    if (const auto points = runs::timed_points(sweep, sweep.variants[v]); !points.empty())
      names.push_back(
          {ImPlot::PlotToPixels(runs::position_of(sweep, *points.back()), points.back()->median_us).y, v});
  std::sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
  std::vector<Span> spans;
  for (const Name& name : names) spans.push_back({static_cast<double>(name.y), static_cast<double>(line)});
  const auto top = spread(spans, 2, static_cast<double>(plot.min.y), static_cast<double>(plot.max.y));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const float y = static_cast<float>(top[i]);
    draw_shape(draw, style, names[i].variant, {plot.max.x + px(12), y + line / 2}, sweep.measured());
    put(draw, ink, {plot.max.x + px(22), y}, elide(ink, sweep.variants[names[i].variant], room - px(24)));
  }
}

// Above the lines, who is the fastest where; below that, a mark at each change.
void draw_reigns(const Style& style, const runs::Sweep& sweep, const Rect& plot) {
  ImDrawList* draw = ImPlot::GetPlotDrawList();
  const std::vector<Reign> all = reigns(sweep);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto found = std::find(sweep.variants.begin(), sweep.variants.end(), all[i].variant);
    const ImU32 colour = colour_of(style, static_cast<std::size_t>(found - sweep.variants.begin()));
    const ImVec2 to = ImPlot::PlotToPixels(all[i].to, all[i].us);
    const float left = i == 0 ? plot.min.x : ImPlot::PlotToPixels(all[i].from, 1).x,
                right = i + 1 == all.size() ? plot.max.x : to.x;
    const Rect box{{left, plot.min.y}, {right, plot.min.y + px(24)}};
    draw->AddRectFilled(box.min, box.max, colour);
    const Ink name{style.fonts.strong, kSmallSize, ink_on(colour)};
    const std::string text = elide(name, all[i].variant, box.width() - px(8));
    if (box.width() > px(30)) put_centred(draw, name, box, text);
    if (i + 1 == all.size()) continue;
    draw->AddLine({right, box.min.y}, {right, box.max.y}, style.theme.card, px(2));
    dashed_line(draw, {to.x, box.max.y}, {to.x, plot.max.y}, style.theme.muted, px(1.5f));
    draw->AddCircle(to, px(10), style.theme.text, 0, px(2));
    const Ink ink{style.fonts.strong, kSmallSize, style.theme.text};
    const std::string where = format_position(sweep, all[i].to);
    const float width = measure(ink, where).x;
    const bool fits = to.x + width + px(8) < plot.max.x;
    put(draw, ink, {fits ? to.x + px(6) : to.x - width - px(6), box.max.y + px(3)}, where);
  }
}

}  // namespace

void draw_crossover(const Style& style, const runs::Sweep& sweep, ImVec2 size) {
  double left = 1e300, right = 0, low = 1e300, high = 0;
  float names = 0;
  for (std::size_t v = 0; v < sweep.variants.size(); ++v) {
    for (const runs::SweepPoint* point : runs::timed_points(sweep, sweep.variants[v])) {
      left = std::min(left, runs::position_of(sweep, *point));
      right = std::max(right, runs::position_of(sweep, *point));
      low = std::min(low, point->low_us);
      high = std::max(high, point->high_us);
    }
    names = std::max(names, measure({style.fonts.strong, kSmallSize, 0}, sweep.variants[v]).x);
  }
  if (!(right > 0)) return;
  const float room = std::min(names + px(28), size.x * 0.3f);
  ImGui::PushFont(style.fonts.regular, kSmallSize);
  ImPlot::PushStyleVar(ImPlotStyleVar_MinorAlpha, 0.0f);
  if (ImPlot::BeginPlot("crossover", {size.x - room, size.y},
                        ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame)) {
    ImPlot::SetupAxes(nullptr, nullptr, ImPlotAxisFlags_NoTickMarks, ImPlotAxisFlags_NoTickMarks);
    ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    ImPlot::SetupAxisLimits(ImAxis_X1, left / 1.6, right * 1.6, ImPlotCond_Always);
    ImPlot::SetupAxisLimits(ImAxis_Y1, low / 1.6, high * 8, ImPlotCond_Always);
    runs::Sweep axis;
    axis.dimension = sweep.dimension;
    ImPlot::SetupAxisFormat(ImAxis_X1, write_size, &axis);
    ImPlot::SetupAxisFormat(ImAxis_Y1, write_time, nullptr);
    ImPlot::SetupFinish();
    const Rect plot{ImPlot::GetPlotPos(), ImPlot::GetPlotPos() + ImPlot::GetPlotSize()};
    ImPlot::PushPlotClipRect();
    for (std::size_t v = 0; v < sweep.variants.size(); ++v) draw_series(style, sweep, v);
    draw_reigns(style, sweep, plot);
    ImPlot::PopPlotClipRect();
    draw_names(style, sweep, plot, room);
    ImPlot::EndPlot();
  }
  ImPlot::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace workbook::viewer
