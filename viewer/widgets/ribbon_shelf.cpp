#include <algorithm>
#include <array>

#include "model/format.h"
#include "model/layout.h"
#include "widgets/ribbon_parts.h"

namespace workbook::viewer {
namespace {

constexpr float kWires = 26, kShelf = 54;
constexpr float kBareWires = 8, kBareShelf = 36;  // where nothing travels
constexpr float kShelfTitle = 62;                 // the word DRAM, left of the boxes

}  // namespace

bool is_spaced(const Side& side, float scale, float apart) {
  for (std::size_t i = 1; i < side.segments.size(); ++i) {
    const auto middle = [&](const Segment& each) {
      return static_cast<float>(each.end_us() - each.busy_us / 2) * scale;
    };
    if (middle(side.segments[i]) - middle(side.segments[i - 1]) < apart) return false;
  }
  return true;
}

float wires_height(const Side& side) { return px(side.carried.empty() ? kBareWires : kWires); }
float shelf_height(const Side& side) { return px(side.carried.empty() ? kBareShelf : kShelf); }

void draw_shelf(const Style& style, const RibbonLane& lane, const KernelColours& colours, ImVec2 bar,
                ImVec2 at, float width, float scale) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Rect shelf{at, {at.x + width, at.y + shelf_height(lane.side)}};
  draw->AddRectFilled(shelf.min, shelf.max, mix(style.theme.card, style.theme.raised, 0.55f), px(6));
  put_middle(draw, {style.fonts.strong, 13.5f, style.theme.muted}, {shelf.min.x + px(14), shelf.centre().y},
             "DRAM");
  const auto& carried = lane.side.carried;
  if (carried.empty()) {
    const Ink ink{style.fonts.regular, kTextSize,
                  lane.other.carried.empty() ? style.theme.muted : style.theme.good};
    std::string text = "no intermediate tensor";
    if (!lane.side.lists_tensors)
      text = "a program does not name its tensors: what passes between its launches is not on record";
    else if (lane.side.segments.size() > 1)
      text += " between the launches";
    else if (lane.other.present)
      text += ": nothing leaves the chip between the steps";
    put_middle(draw, ink, {shelf.min.x + px(kShelfTitle + 12), shelf.centre().y},
               elide(ink, text, width - px(kShelfTitle + 20)));
    return;
  }
  const Ink name{style.fonts.strong, 15.0f, style.theme.text},
      bytes{style.fonts.regular, kSmallSize, style.theme.traffic};
  const auto x_of = [&](int launch, float share) {
    const Segment& segment = lane.side.segments[static_cast<std::size_t>(launch)];
    const float from = bar.x + static_cast<float>(segment.start_us + segment.gap_us) * scale;
    const float wide = static_cast<float>(segment.busy_us) * scale;
    // On a sliver arrows keep a little apart around its middle.
    return wide >= px(24) ? from + wide * share
                          : std::min(from + wide / 2 + (share - 0.5f) * px(24), bar.x + width - px(4));
  };
  std::vector<Span> spans;
  std::vector<std::array<std::string, 2>> texts;
  const float room = (width - px(kShelfTitle) - px(8)) / static_cast<float>(carried.size()) - px(10);
  for (const Carried& tensor : carried) {
    std::string traffic = format_bytes(tensor.bytes);
    if (!tensor.writers.empty() || !tensor.readers.empty()) {
      traffic =
          format_bytes(tensor.bytes_written) + " written, " + format_bytes(tensor.bytes_read) + " read again";
      if (measure(bytes, traffic).x + px(24) > room)
        traffic = format_bytes(tensor.bytes_written) + " out, " + format_bytes(tensor.bytes_read) + " in";
    }
    texts.push_back({elide(name, tensor.name, room - px(24)), elide(bytes, traffic, room - px(24))});
    double centre = static_cast<double>(shelf.centre().x);
    if (!tensor.writers.empty() && !tensor.readers.empty())
      centre =
          static_cast<double>(x_of(tensor.writers.front(), 1.0f) + x_of(tensor.readers.back(), 0.0f)) / 2;
    const float wide = std::max(measure(name, texts.back()[0]).x, measure(bytes, texts.back()[1]).x);
    spans.push_back({centre, static_cast<double>(wide + px(24))});
  }
  const std::vector<double> left = spread(spans, px(10), shelf.min.x + px(kShelfTitle), shelf.max.x - px(6));
  const float wire_top = bar.y + px(kBar) + px(1);
  // Arrows to launches that crowd would be a knot: there the coloured edges of the boxes tell alone.
  const bool wired = is_spaced(lane.side, scale, px(56));
  for (std::size_t i = 0; i < carried.size(); ++i) {
    const auto x = static_cast<float>(left[i]), wide = static_cast<float>(spans[i].width);
    const Rect box{{x, shelf.min.y + px(5)}, {x + wide, shelf.max.y - px(5)}};
    draw->AddRectFilled(box.min, box.max, style.theme.traffic_tint, px(5));
    draw->AddRect(box.min, box.max, with_alpha(style.theme.traffic, 0.55f), px(5), 0, px(1));
    // Its edges wear the colours of the kernel that writes it and of the one that reads it.
    const auto edge = [&](const std::vector<int>& launches, float left_edge) {
      if (launches.empty()) return;
      const ImU32 colour =
          colours.of(style.theme, lane.side.segments[static_cast<std::size_t>(launches.front())].kernel);
      draw->AddRectFilled({left_edge, box.min.y}, {left_edge + px(5), box.max.y}, colour, px(3));
    };
    edge(carried[i].writers, box.min.x);
    edge(carried[i].readers, box.max.x - px(5));
    put_centred(draw, name, {box.min, {box.max.x, box.centre().y + px(2)}}, texts[i][0]);
    put_centred(draw, bytes, {{box.min.x, box.centre().y - px(2)}, box.max}, texts[i][1]);
    if (!wired) continue;
    for (const int launch : carried[i].writers)
      arrow_curve(draw, {x_of(launch, 0.75f), wire_top}, {x + wide * 0.25f, box.min.y}, style.theme.traffic,
                  px(1.5f));
    // The second tensor that one launch reads arrives beside the first, not on top of it.
    for (const int launch : carried[i].readers) {
      int before = 0, all = 0;
      for (std::size_t j = 0; j < carried.size(); ++j)
        if (std::count(carried[j].readers.begin(), carried[j].readers.end(), launch) > 0)
          ++all, before += j < i ? 1 : 0;
      const float share =
          all > 1 ? 0.14f + 0.3f * static_cast<float>(before) / static_cast<float>(all - 1) : 0.2f;
      arrow_curve(draw, {x + wide * 0.75f, box.min.y}, {x_of(launch, share), wire_top}, style.theme.traffic,
                  px(1.5f));
    }
  }
}

}  // namespace workbook::viewer
