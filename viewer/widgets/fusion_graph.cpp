#include "widgets/fusion_graph.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"

namespace workbook::viewer {
namespace {

constexpr float kLargestScale = 1.15f;            // of a small picture in much room
constexpr float kClosest = 6;                     // zoom
constexpr float kLeastText = 6;                   // units: smaller text is left out
constexpr float kReadingText = 11;                // units: at first the picture is as close as that takes
constexpr float kEdgeText = 11.5f, kNear = 4.0f;  // units
constexpr int kCurveSteps = 10;                   // of a curve, for its distance

class Drawing {
 public:
  Drawing(const Style& style, const FusionPicture& picture, const Rect& area, const Zoom& zoom)
      : style_(style), picture_(picture), area_(area), zoom_(zoom), draw_(ImGui::GetWindowDrawList()) {
    const float unit = ImGui::GetStyle().FontScaleDpi;
    const float fit = std::min(
        {kLargestScale, area.width() / (picture.width * unit), area.height() / (picture.height * unit)});
    scale_ = fit * unit;
    origin_ = {area.min.x + (area.width() - picture.width * scale_) / 2, area.min.y};
    text_ = fit * zoom.factor();
  }

  FusionHit run() {
    const bool hovered = ImGui::IsWindowHovered() && area_.contains(ImGui::GetMousePos());
    hit_ = hovered ? hit(ImGui::GetMousePos()) : FusionHit{};
    draw_->PushClipRect(area_.min, area_.max, true);
    for (const FusionFrame& frame : picture_.frames) draw_frame(frame);
    for (const FusionEdge& edge : picture_.edges)
      if (!stands_out(edge)) draw_edge(edge, false);
    for (const FusionEdge& edge : picture_.edges)
      if (stands_out(edge)) draw_edge(edge, true);
    for (const FusionFrame& frame : picture_.frames) draw_header(frame);
    for (const FusionBox& box : picture_.boxes) draw_box(box);
    draw_sizes();
    draw_->PopClipRect();
    return hit_;
  }

 private:
  ImVec2 place(FusionPoint point) const {
    return zoom_.to_screen(area_, {origin_.x + point.x * scale_, origin_.y + point.y * scale_});
  }
  float length(float units) const { return units * scale_ * zoom_.factor(); }
  Rect rect_of(const FusionBox& box) const {
    const ImVec2 centre = place(box.centre), half{length(box.width) / 2, length(kFusionBox) / 2};
    return {centre - half, centre + half};
  }
  Rect rect_of(const FusionFrame& frame) const { return {place(frame.min), place(frame.max)}; }
  ImU32 hue(int launch) const { return kernel_colour(style_.theme, slot(launch)); }
  Ink ink(ImFont* font, float size, ImU32 colour) const { return {font, size * text_, colour}; }

  /// The four corners of a curve between two points of an edge.
  struct Curve {
    ImVec2 a, b, c, d;
    ImVec2 point(float t) const {
      const float s = 1 - t;
      return a * (s * s * s) + b * (3 * s * s * t) + c * (3 * s * t * t) + d * (t * t * t);
    }
  };
  std::vector<Curve> curves(const FusionEdge& edge) const {
    std::vector<Curve> found;
    for (std::size_t i = 0; i + 1 < edge.points.size(); ++i) {
      const ImVec2 from = place(edge.points[i]), to = place(edge.points[i + 1]);
      const float bend = (to.y - from.y) * 0.5f;
      found.push_back({from, {from.x, from.y + bend}, {to.x, to.y - bend}, to});
    }
    return found;
  }
  float thickness(const FusionEdge& edge) const {
    return std::max(1.0f, length(fusion_edge_width(edge.bytes)));
  }

  FusionHit hit(ImVec2 mouse) const {
    for (std::size_t i = 0; i < picture_.boxes.size(); ++i)
      if (rect_of(picture_.boxes[i]).contains(mouse)) return {static_cast<int>(i), -1, -1};
    for (std::size_t i = 0; i < picture_.edges.size(); ++i) {
      const float near = thickness(picture_.edges[i]) / 2 + px(kNear);
      for (const Curve& curve : curves(picture_.edges[i]))
        for (int step = 0; step <= kCurveSteps; ++step) {
          const ImVec2 away = curve.point(static_cast<float>(step) / kCurveSteps) - mouse;
          if (std::hypot(away.x, away.y) <= near) return {-1, static_cast<int>(i), -1};
        }
    }
    for (std::size_t i = 0; i < picture_.frames.size(); ++i)
      if (rect_of(picture_.frames[i]).contains(mouse)) return {-1, -1, static_cast<int>(i)};
    return {};
  }
  /// The tensor that the mouse points at, wherever it goes.
  bool stands_out(const FusionEdge& edge) const {
    if (hit_.edge >= 0) return &edge == &picture_.edges[slot(hit_.edge)];
    return hit_.box >= 0 && edge.node == picture_.boxes[slot(hit_.box)].node &&
           (edge.from == hit_.box || edge.to == hit_.box);
  }

  void draw_frame(const FusionFrame& frame) const {
    const Rect box = rect_of(frame);
    const bool here = hit_.frame >= 0 && &frame == &picture_.frames[slot(hit_.frame)];
    const ImU32 colour = hue(frame.launch);
    draw_->AddRectFilled(box.min, box.max, mix(style_.theme.card, colour, style_.theme.dark ? 0.12f : 0.10f),
                         length(9));
    draw_->AddRect(box.min, box.max, mix(style_.theme.card, colour, here ? 1.0f : 0.65f), length(9), 0,
                   here ? px(2.5f) : px(1.5f));
  }
  void draw_header(const FusionFrame& frame) const {
    if (kFusionText * text_ < kLeastText) return;
    const Rect box = rect_of(frame);
    const Ink strong = ink(style_.fonts.strong, 12.5f, style_.theme.text);
    put(draw_, strong, {place({frame.label_x, 0}).x, box.min.y + length(4)}, frame.label);
  }
  void draw_edge(const FusionEdge& edge, bool here) const {
    const Theme& theme = style_.theme;
    const ImU32 colour = here        ? theme.accent
                         : edge.dram ? mix(theme.card, theme.traffic, theme.dark ? 0.62f : 0.55f)
                                     : mix(theme.card, theme.faint, 0.7f);
    draw_->PathLineTo(place(edge.points.front()));
    for (const Curve& curve : curves(edge)) draw_->PathBezierCubicCurveTo(curve.b, curve.c, curve.d);
    draw_->PathStroke(colour, 0, thickness(edge));
  }
  void draw_box(const FusionBox& box) const {
    const Theme& theme = style_.theme;
    const Rect area = rect_of(box);
    const bool here = hit_.box >= 0 && &box == &picture_.boxes[slot(hit_.box)];
    const float rounding = box.tensor ? area.height() / 2 : length(5);
    const ImU32 line = here ? theme.accent : box.tensor ? theme.traffic : mix(theme.card, theme.muted, 0.6f);
    draw_->AddRectFilled(area.min, area.max, box.tensor ? theme.traffic_tint : theme.card, rounding);
    draw_->AddRect(area.min, area.max, line, rounding, 0, here || box.crosses ? px(2) : px(1));
    if (kFusionText * text_ < kLeastText) return;
    const Ink words = ink(box.tensor ? style_.fonts.strong : style_.fonts.regular, kFusionText, theme.text);
    put_centred(draw_, words, area, elide(words, box.label, area.width() - length(8)));
  }

  /// Beside edges on the chip their bytes, where nothing else is in the way.
  void draw_sizes() const {
    if (kEdgeText * text_ < kLeastText + 2) return;
    std::vector<Rect> taken;
    const auto add = [&](ImVec2 min, ImVec2 max) { taken.push_back({min, max}); };
    for (const FusionBox& box : picture_.boxes) add(rect_of(box).min, rect_of(box).max);
    for (const FusionFrame& frame : picture_.frames)
      add(rect_of(frame).min, {rect_of(frame).max.x, rect_of(frame).min.y + length(kFusionHeader)});
    for (const FusionEdge& edge : picture_.edges) {
      const float half = thickness(edge) / 2 + 1;
      for (const Curve& curve : curves(edge))
        for (int step = 0; step <= kCurveSteps; ++step) {
          const ImVec2 point = curve.point(static_cast<float>(step) / kCurveSteps);
          add(point - ImVec2{half, 2}, point + ImVec2{half, 2});
        }
    }
    const Ink quiet = ink(style_.fonts.regular, kEdgeText, style_.theme.muted);
    std::vector<int> named;
    for (const FusionEdge& edge : picture_.edges) {
      if (edge.dram || std::find(named.begin(), named.end(), edge.node) != named.end()) continue;
      const std::string text = format_bytes(edge.bytes);
      const ImVec2 size = measure(quiet, text), middle = curves(edge).front().point(0.5f);
      const float away = thickness(edge) / 2 + length(4);
      for (const float left : {middle.x + away, middle.x - away - size.x}) {
        const Rect label{{left, middle.y - size.y / 2}, {left + size.x, middle.y + size.y / 2}};
        const bool free = std::none_of(taken.begin(), taken.end(), [&](const Rect& other) {
          return other.min.x < label.max.x && label.min.x < other.max.x && other.min.y < label.max.y &&
                 label.min.y < other.max.y;
        });
        if (!free || label.min.x < area_.min.x || label.max.x > area_.max.x) continue;
        put(draw_, quiet, label.min, text);
        taken.push_back(label);
        named.push_back(edge.node);
        break;
      }
    }
  }

  const Style& style_;
  const FusionPicture& picture_;
  const Rect area_;
  const Zoom& zoom_;
  ImDrawList* draw_;
  float scale_ = 1, text_ = 1;  // pixels a unit at zoom 1; text sizes a unit
  ImVec2 origin_;
  FusionHit hit_;
};

}  // namespace

FusionTextWidth fusion_text_width(const Style& style) {
  return [ink = Ink{style.fonts.strong, kFusionText, 0}](const std::string& text) {
    return measure(ink, text).x / ImGui::GetStyle().FontScaleDpi;
  };
}

FusionHit draw_fusion_graph(const Style& style, const FusionPicture& picture, ImVec2 size, Zoom& zoom) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect area{at, at + size};
  const float unit = ImGui::GetStyle().FontScaleDpi;
  const float fit = std::min(size.x / (picture.width * unit), size.y / (picture.height * unit));
  zoom.open_closer(area, kReadingText / (kFusionText * fit));
  zoom.update(style, area, kClosest);
  const FusionHit hit = Drawing(style, picture, area, zoom).run();
  ImGui::Dummy(size);
  return hit;
}

}  // namespace workbook::viewer
