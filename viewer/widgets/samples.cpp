#include "widgets/samples.h"

#include <algorithm>

#include "model/format.h"

namespace workbook::viewer {
namespace {

constexpr float kSampleRow = 44, kNames = 104, kValues = 196;  // units

void draw_row(const Style& style, const SampleSet& set, const SampleSeries& series, ImVec2 at, float width) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 colour = series.is_b ? style.theme.side_b : style.theme.side_a;
  const Ink text{style.fonts.regular, kTextSize, style.theme.text},
      quiet{style.fonts.regular, kSmallSize, style.theme.muted};
  const float middle = at.y + px(kSampleRow) / 2, base = at.y + px(kSampleRow - 8);
  const float used = badge(draw, style, {at.x, middle}, series.is_b ? "B" : "A", colour);
  put_middle(draw, text, {at.x + used + px(8), middle}, series.cold ? "cold" : "warm");
  const float left = at.x + px(kNames), right = at.x + width - px(kValues);
  const auto x_of = [&](double us) { return left + (right - left) * static_cast<float>(set.place(us)); };
  draw->AddLine({left, base}, {right, base}, style.theme.grid, 1.0f);
  // p10 to p90 as a band below the bars, the median as a line through them.
  draw->AddRectFilled({x_of(series.timing.low_us) - px(1), base + px(2)},
                      {x_of(series.timing.high_us) + px(1), base + px(6)}, with_alpha(colour, 0.45f), px(2));
  const float bin = (right - left) / kSampleBins, room = px(kSampleRow - 14);
  for (std::size_t i = 0; i < series.counts.size(); ++i) {
    if (series.counts[i] == 0) continue;
    const float x = left + bin * static_cast<float>(i);
    const float height = room * static_cast<float>(series.counts[i]) / static_cast<float>(set.most);
    const Rect box{{x, base - std::max(px(2), height)}, {x + std::max(px(2), bin - 1), base}};
    draw->AddRectFilled(box.min, box.max, with_alpha(colour, series.cold ? 0.35f : 0.8f));
    if (series.cold) draw->AddRect(box.min, box.max, colour);  // the second cue: outlined
  }
  const float median = x_of(series.timing.median_us);
  draw->AddLine({median, at.y + px(2)}, {median, base + px(6)}, style.theme.text, px(2));
  const std::string value = format_us(series.timing.median_us);
  const Ink strong{style.fonts.strong, kTextSize, style.theme.text};
  const float taken = put_middle(draw, strong, {right + px(16), middle}, value);
  put_middle(draw, quiet, {right + px(24) + taken, middle}, "of " + std::to_string(series.us.size()));
  if (ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + px(kSampleRow)}))
    ImGui::SetTooltip("median %s, p10 %s, p90 %s, %d samples", value.c_str(),
                      format_us(series.timing.low_us).c_str(), format_us(series.timing.high_us).c_str(),
                      series.timing.samples);
}

}  // namespace

float samples_height(const SampleSet& set) {
  return px(26 + 24) + px(kSampleRow) * static_cast<float>(set.series.size());
}

void draw_samples(const Style& style, const SampleSet& set, float width) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  ImVec2 at = ImGui::GetCursorScreenPos();
  const float used = put(draw, {style.fonts.strong, kTitleSize, style.theme.text}, at, "Samples");
  const Ink quiet{style.fonts.regular, kSmallSize, style.theme.muted};
  const char* note = "every measurement; line: median, band: p10 to p90; cold: inputs out of the cache";
  put(draw, quiet, {at.x + used + px(10), at.y + px(3)}, elide(quiet, note, width - used - px(10)));
  at.y += px(28);
  for (const SampleSeries& series : set.series) {
    draw_row(style, set, series, at, width);
    at.y += px(kSampleRow);
  }
  const float left = at.x + px(kNames), right = at.x + width - px(kValues);
  const std::string high = format_us(set.high_us);
  put(draw, quiet, {left, at.y}, format_us(set.low_us));
  put(draw, quiet, {right - measure(quiet, high).x, at.y}, high);
  if (set.logarithmic) {
    const char* scale = "logarithmic";
    put(draw, quiet, {(left + right - measure(quiet, scale).x) / 2, at.y}, scale);
  }
  ImGui::Dummy({width, samples_height(set)});
}

}  // namespace workbook::viewer
