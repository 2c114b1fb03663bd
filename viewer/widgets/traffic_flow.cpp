#include "widgets/traffic_flow.h"

#include <algorithm>

#include "model/format.h"

namespace workbook::viewer {
namespace {

// A band with an arrow head at both ends: what is read and what is written travel in it.
void band(ImDrawList* draw, const Rect& between, float thick, ImU32 colour) {
  const float middle = between.centre().y, head = std::min(px(7), between.width() / 4);
  const Rect body{{between.min.x + head, middle - thick / 2}, {between.max.x - head, middle + thick / 2}};
  draw->AddRectFilled({body.min.x - 1, body.min.y}, {body.max.x + 1, body.max.y}, colour);
  const float half = std::max(thick / 2, px(5));
  draw->AddTriangleFilled({between.min.x, middle}, {body.min.x, middle - half}, {body.min.x, middle + half},
                          colour);
  draw->AddTriangleFilled({between.max.x, middle}, {body.max.x, middle + half}, {body.max.x, middle - half},
                          colour);
}

}  // namespace

void draw_traffic_flow(const Style& style, const Traffic& a, const Traffic& b, const std::string& name_a,
                       const std::string& name_b, ImVec2 size) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::vector<Hop> hops = hops_of(a, b);
  const bool both = a.counted && b.counted;
  const float name_width = size.x > px(760) ? px(118) : px(30);
  const float words = both ? px(40) : 0;
  const float box_width = std::min(px(86), (size.x - name_width) * 0.115f);
  const float stations = static_cast<float>(hops.size() + 1);
  const float hop_width = (size.x - name_width - box_width * stations) / static_cast<float>(hops.size());
  const float row = std::min(px(72), (size.y - words) / 2);
  const Ink station{style.fonts.strong, box_width > px(74) ? 14.5f : 12.0f, style.theme.text};
  for (std::size_t i = 0; i <= hops.size(); ++i) {
    const float left = at.x + name_width + (box_width + hop_width) * static_cast<float>(i);
    const Rect box{{left, at.y}, {left + box_width, at.y + row * 2}};
    draw->AddRectFilled(box.min, box.max, style.theme.raised, px(6));
    draw->AddRect(box.min, box.max, style.theme.border, px(6));
    const std::string& text = i == 0 ? hops[0].from : hops[i - 1].to;
    const std::size_t space = box_width > px(74) ? std::string::npos : text.find(' ');
    put_centred(draw, station, box, elide(station, text.substr(0, space), box_width - 4));
  }
  for (int side = 0; side < 2; ++side) {
    const Traffic& traffic = side == 0 ? a : b;
    if ((side == 0 ? name_a : name_b).empty()) continue;
    const float middle = at.y + row * (static_cast<float>(side) + 0.5f);
    const ImU32 colour = side == 0 ? style.theme.side_a : style.theme.side_b;
    const float used = badge(draw, style, {at.x, middle}, side == 0 ? "A" : "B", colour);
    const Ink name{style.fonts.strong, 15.0f, style.theme.text};
    if (name_width > px(60))
      put_middle(draw, name, {at.x + used + px(6), middle},
                 elide(name, side == 0 ? name_a : name_b, name_width - used - px(12)));
    for (std::size_t i = 0; i < hops.size(); ++i) {
      const float left = at.x + name_width + box_width + (box_width + hop_width) * static_cast<float>(i);
      const std::int64_t bytes = side == 0 ? hops[i].a : hops[i].b, most = std::max(hops[i].a, hops[i].b);
      const Ink figure{style.fonts.strong, 14.5f, bytes > 0 ? style.theme.text : style.theme.faint};
      const Rect between{{left + 3, middle - row / 2}, {left + hop_width - 3, middle + row / 2}};
      const std::string text = !traffic.counted ? "not counted" : bytes > 0 ? format_bytes(bytes) : "none";
      const float thickest = row - px(34);
      const float thick = most > 0 ? static_cast<float>(bytes) / static_cast<float>(most) * thickest : 0;
      put_centred(draw, figure,
                  {{between.min.x, middle - row / 2 + px(2)}, {between.max.x, middle - row / 2 + px(20)}},
                  elide(figure, text, between.width()));
      if (bytes > 0)
        band(draw, {{between.min.x, middle - row / 2 + px(22)}, {between.max.x, middle + row / 2 - px(4)}},
             std::max(px(1.5f), thick), colour);
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(between.min, between.max))
        ImGui::SetTooltip("%s to %s and back: %s", hops[i].from.c_str(), hops[i].to.c_str(),
                          hops[i].what.c_str());
    }
  }
  for (std::size_t i = 0; both && i < hops.size(); ++i) {
    const Hop& hop = hops[i];
    if (hop.a == 0 && hop.b == 0) continue;
    const float left = at.x + name_width + box_width + (box_width + hop_width) * static_cast<float>(i);
    const ImU32 tone = hop.b < hop.a ? style.theme.good : hop.b > hop.a ? style.theme.bad : style.theme.muted;
    const Ink strong{style.fonts.strong, 14.0f, tone}, quiet{style.fonts.regular, 13.5f, style.theme.muted};
    const float room = hop_width + box_width * 0.8f, x = left + hop_width / 2;
    const float y = at.y + row * 2 + px(4);
    const std::string first = hop.a == hop.b ? "the same" : "B " + hop.difference;
    put_centred(draw, strong, {{x - room / 2, y}, {x + room / 2, y + px(16)}}, elide(strong, first, room));
    put_centred(draw, quiet, {{x - room / 2, y + px(17)}, {x + room / 2, y + px(33)}},
                elide(quiet, hop.ratio, room));
  }
  ImGui::Dummy(size);
}

}  // namespace workbook::viewer
