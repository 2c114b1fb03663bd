#include "widgets/bars.h"

#include <implot.h>

#include <algorithm>
#include <cstdio>

#include "model/format.h"
#include "model/layout.h"

namespace workbook::viewer {
namespace {

int write_value(double value, char* buffer, int size, void* format) {
  const auto write = *static_cast<std::string (**)(double)>(format);
  return std::snprintf(buffer, static_cast<std::size_t>(size), "%s", value == 0 ? "0" : write(value).c_str());
}

void whisker(ImDrawList* draw, float x, double low, double high, ImU32 colour) {
  if (!(high > low)) return;
  const float top = ImPlot::PlotToPixels(0, high).y, bottom = ImPlot::PlotToPixels(0, low).y;
  draw->AddLine({x, top}, {x, bottom}, colour, px(1.5f));
  for (const float y : {top, bottom}) draw->AddLine({x - px(5), y}, {x + px(5), y}, colour, px(1.5f));
}

// Names beside the bar, pushed apart where parts are thin.
void draw_names(const Style& style, const Bar& bar, float x, float room, const Rect& plot) {
  ImDrawList* draw = ImPlot::GetPlotDrawList();
  const Ink ink{style.fonts.regular, kSmallSize, style.theme.text};
  const float line = measure(ink, "x").y;
  std::vector<Span> spans;
  double sum = 0;
  for (const BarPart& part : bar.parts) sum += part.value;
  double at = sum;
  for (auto part = bar.parts.rbegin(); part != bar.parts.rend(); ++part) {  // from the top down
    spans.push_back(
        {static_cast<double>(ImPlot::PlotToPixels(0, at - part->value / 2).y), static_cast<double>(line)});
    at -= part->value;
  }
  const std::vector<double> top =
      spread(spans, 0, static_cast<double>(plot.min.y), static_cast<double>(plot.max.y));
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const BarPart& part = bar.parts[bar.parts.size() - 1 - i];
    const auto y = static_cast<float>(top[i]);
    const float middle = y + line / 2;
    draw->AddLine({x + px(2), static_cast<float>(spans[i].centre)}, {x + px(10), middle}, style.theme.faint,
                  1.0f);
    put(draw, ink, {x + px(14), y}, elide(ink, part.name, room - px(14)));
  }
}

}  // namespace

Bar time_bar(const Style& style, const Side& side, const KernelColours& colours, const char* letter,
             const std::string& name) {
  Bar bar{letter,
          name,
          {},
          side.total.median_us,
          side.total.low_us,
          side.total.high_us,
          side.basis == Basis::modelled};
  double overhead = 0.0;
  for (const Segment& segment : side.segments) {
    overhead += segment.gap_us;
    const bool alone = side.basis == Basis::measured;  // then its samples are those of its work
    bar.parts.push_back(
        {short_kernel(segment.kernel), segment.busy_us, alone ? segment.time.low_us : segment.busy_us,
         alone ? segment.time.high_us : segment.busy_us, colours.of(style.theme, segment.kernel)});
  }
  if (overhead > 0.0)
    bar.parts.push_back({overhead_words(side.basis), overhead, overhead, overhead, style.theme.border});
  return bar;
}

Bar traffic_bar(const Style& style, const Side& side, const char* letter, const std::string& name) {
  Bar bar{letter, name, {}, 0, 0, 0, false};
  const ImU32 quiet = mix(style.theme.side_a, style.theme.card, 0.25f),
              quieter = mix(style.theme.side_a, style.theme.card, 0.6f);
  const std::pair<runs::TensorRole, ImU32> roles[] = {
      {runs::TensorRole::input, quiet},
      {runs::TensorRole::intermediate, style.theme.kernels[1]},
      {runs::TensorRole::output, quieter}};
  for (const auto& [role, colour] : roles) {
    double bytes = 0;
    for (const TensorBytes& tensor : side.traffic)
      if (tensor.role == role) bytes += static_cast<double>(tensor.bytes_read + tensor.bytes_written);
    if (bytes > 0) bar.parts.push_back({std::string(runs::word_of(role)) + "s", bytes, bytes, bytes, colour});
    bar.total += bytes;
  }
  if (side.traffic.empty()) {  // a program declares no tensors
    const auto read = static_cast<double>(side.bytes_read), written = static_cast<double>(side.bytes_written);
    bar.parts = {{"read", read, read, read, quiet}, {"written", written, written, written, quieter}};
    bar.total = read + written;
  }
  bar.low = bar.high = bar.total;
  return bar;
}

void draw_bars(const Style& style, const char* id, const std::vector<Bar>& bars,
               std::string (*format)(double), ImVec2 size) {
  double most = 0;
  for (const Bar& bar : bars) {
    double sum = 0;
    for (const BarPart& part : bar.parts) sum += part.value;
    most = std::max({most, sum, bar.high});
  }
  if (most <= 0) return;
  ImGui::PushFont(style.fonts.regular, kSmallSize);
  if (ImPlot::BeginPlot(id, size, ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame)) {
    const double count = static_cast<double>(bars.size());
    // The values stand in the bars: where room is short, the names need it more than the axis does.
    const bool narrow = size.x < px(370);
    ImPlot::SetupAxes(nullptr, nullptr, ImPlotAxisFlags_NoDecorations,
                      ImPlotAxisFlags_NoTickMarks | (narrow ? ImPlotAxisFlags_NoTickLabels : 0));
    ImPlot::SetupAxisLimits(ImAxis_X1, 0, count, ImPlotCond_Always);
    ImPlot::SetupAxisLimits(ImAxis_Y1, 0, most * 1.14, ImPlotCond_Always);
    ImPlot::SetupAxisFormat(ImAxis_Y1, write_value, static_cast<void*>(&format));
    const double step = tick_step(most * 1.14, std::max(2, static_cast<int>(size.y / px(58))));
    std::vector<double> ticks;
    for (double at = 0; at <= most * 1.14; at += step) ticks.push_back(at);
    ImPlot::SetupAxisTicks(ImAxis_Y1, ticks.data(), static_cast<int>(ticks.size()));
    ImPlot::SetupFinish();
    ImDrawList* draw = ImPlot::GetPlotDrawList();
    const Rect plot{ImPlot::GetPlotPos(), ImPlot::GetPlotPos() + ImPlot::GetPlotSize()};
    const float slot = plot.width() / static_cast<float>(bars.size());
    const float thick = std::clamp(slot * 0.34f, px(34), px(84));
    const float indent = px(narrow ? 2 : 12);
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const Bar& bar = bars[i];
      const float left = plot.min.x + slot * static_cast<float>(i) + indent, right = left + thick;
      double at = 0;
      for (const BarPart& part : bar.parts) {
        const Rect box{{left, ImPlot::PlotToPixels(0, at + part.value).y},
                       {right, ImPlot::PlotToPixels(0, at).y}};
        draw->AddRectFilled(box.min, box.max, part.colour);
        if (bar.hatched) hatch(draw, box, with_alpha(ink_on(part.colour), 0.07f), px(9), px(3));
        draw->AddLine({left, box.min.y}, {right, box.min.y}, style.theme.card, px(1.5f));
        const Ink inside{style.fonts.regular, kSmallSize, ink_on(part.colour)};
        const std::string value = format(part.value);
        const ImVec2 extent = measure(inside, value);
        if (extent.x + px(4) <= box.width() && extent.y <= box.height())
          put_centred(draw, inside, box, value);
        if (box.height() > px(8))
          whisker(draw, left + px(7), at + part.low, at + part.high, ink_on(part.colour));
        at += part.value;
      }
      // The variant as a whole is timed apart from its launches: its whisker stands where its own median is.
      whisker(draw, right - px(7), bar.low, bar.high, style.theme.text);
      const Ink total{style.fonts.strong, 15.0f, style.theme.text};
      const std::string text = format(bar.total);
      const float above = ImPlot::PlotToPixels(0, std::max({at, bar.high, bar.total})).y;
      put(draw, total, {left, above - measure(total, text).y - px(3)}, text);
      draw_names(style, bar, right, slot - thick - indent - px(2), plot);
    }
    ImPlot::EndPlot();
    ImDrawList* below = ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const ImVec2 at{plot.min.x + slot * static_cast<float>(i) + indent, plot.max.y + px(18)};
      const float used =
          badge(below, style, at, bars[i].letter, i == 0 ? style.theme.side_a : style.theme.side_b);
      const Ink ink{style.fonts.strong, 15.0f, style.theme.text};
      put_middle(below, ink, {at.x + used + px(7), at.y}, elide(ink, bars[i].name, slot - used - px(20)));
    }
  }
  ImGui::PopFont();
}

}  // namespace workbook::viewer
