#include "widgets/draw.h"

#include <cmath>

namespace workbook::viewer {

ImVec2 measure(const Ink& ink, const std::string& text) {
  const float size = ink.size * ImGui::GetStyle().FontScaleDpi;
  return ink.font->CalcTextSizeA(size, 1e9f, 0.0f, text.data(), text.data() + text.size());
}

float put(ImDrawList* draw, const Ink& ink, ImVec2 at, const std::string& text) {
  const float size = ink.size * ImGui::GetStyle().FontScaleDpi;
  draw->AddText(ink.font, size, {std::round(at.x), std::round(at.y)}, ink.colour, text.data(),
                text.data() + text.size());
  return measure(ink, text).x;
}

void put_centred(ImDrawList* draw, const Ink& ink, const Rect& in, const std::string& text) {
  const ImVec2 size = measure(ink, text);
  put(draw, ink, {in.centre().x - size.x / 2, in.centre().y - size.y / 2}, text);
}

float put_middle(ImDrawList* draw, const Ink& ink, ImVec2 at, const std::string& text) {
  return put(draw, ink, {at.x, at.y - measure(ink, text).y / 2}, text);
}

std::string elide(const Ink& ink, const std::string& text, float width) {
  if (measure(ink, text).x <= width) return text;
  std::string cut = text;
  while (!cut.empty()) {
    cut.pop_back();
    while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0u) == 0x80u) cut.pop_back();
    if (measure(ink, cut + "…").x <= width) return cut + "…";
  }
  return "";
}

void hatch(ImDrawList* draw, const Rect& in, ImU32 colour, float spacing, float thickness) {
  if (in.width() < 1 || in.height() < 1) return;
  draw->PushClipRect(in.min, in.max, true);
  const float height = in.height();
  // Aligned to the screen, not to the rectangle, so that neighbours share one pattern.
  const float start = std::floor((in.min.x - height) / spacing) * spacing;
  for (float x = start; x < in.max.x; x += spacing)
    draw->AddLine({x, in.max.y}, {x + height, in.min.y}, colour, thickness);
  draw->PopClipRect();
}

void dashed_line(ImDrawList* draw, ImVec2 from, ImVec2 to, ImU32 colour, float thickness) {
  const ImVec2 along = to - from;
  const float length = std::hypot(along.x, along.y);
  const float dash = px(4), gap = px(4);
  for (float at = 0; at < length; at += dash + gap) {
    const float end = std::min(at + dash, length);
    draw->AddLine(from + along * (at / length), from + along * (end / length), colour, thickness);
  }
}

void arrow_curve(ImDrawList* draw, ImVec2 from, ImVec2 to, ImU32 colour, float thickness) {
  const float direction = to.y > from.y ? 1.0f : -1.0f;
  const float head = px(5);
  const ImVec2 end{to.x, to.y - direction * head};
  const float bend = (end.y - from.y) * 0.6f;
  draw->AddBezierCubic(from, {from.x, from.y + bend}, {end.x, end.y - bend}, end, colour, thickness);
  draw->AddTriangleFilled(to, {to.x - head * 0.75f, to.y - direction * head * 1.3f},
                          {to.x + head * 0.75f, to.y - direction * head * 1.3f}, colour);
}

float badge(ImDrawList* draw, const Style& style, ImVec2 middle_left, const char* letter, ImU32 colour) {
  const float radius = px(11);
  const ImVec2 centre{middle_left.x + radius, middle_left.y};
  draw->AddCircleFilled(centre, radius, colour, 32);
  put_centred(draw, {style.fonts.strong, 14.0f, ink_on(colour)},
              {centre - ImVec2{radius, radius}, centre + ImVec2{radius, radius}}, letter);
  return radius * 2;
}

bool begin_card(const Style& style, const char* id, ImVec2 size) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, style.theme.card);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{px(16), px(12)});
  const bool open = ImGui::BeginChild(id, size, ImGuiChildFlags_Borders, ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  return open;
}

void end_card() { ImGui::EndChild(); }

void draw_heading(const Style& style, const std::string& text, const std::string& note) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float used = put(draw, {style.fonts.strong, 15.0f, style.theme.text}, at, text);
  const Ink quiet{style.fonts.regular, kSmallSize, style.theme.muted};
  put(draw, quiet, {at.x + used + px(8), at.y},
      elide(quiet, note, ImGui::GetContentRegionAvail().x - used - px(8)));
  ImGui::Dummy({0, px(19)});
}

bool segmented(const Style& style, const char* id, const std::vector<std::string>& names, int* chosen,
               float width) {
  const float height = ImGui::GetFrameHeight();
  const float each = std::floor(width / static_cast<float>(names.size()));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float rounding = px(6);
  draw->AddRectFilled(origin, origin + ImVec2{each * static_cast<float>(names.size()), height},
                      style.theme.raised, rounding);
  bool changed = false;
  ImGui::PushID(id);
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    const ImVec2 at{origin.x + each * static_cast<float>(i), origin.y};
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(i);
    if (ImGui::InvisibleButton("choice", {each, height}) && *chosen != i) {
      *chosen = i;
      changed = true;
    }
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    const Rect box{at + ImVec2{px(2), px(2)}, at + ImVec2{each - px(2), height - px(2)}};
    const bool here = *chosen == i;
    if (here) {
      draw->AddRectFilled(box.min, box.max, style.theme.card, rounding - px(1));
      draw->AddRect(box.min, box.max, style.theme.border, rounding - px(1));
    }
    const ImU32 colour = here || hovered ? style.theme.text : style.theme.muted;
    const Ink ink{here ? style.fonts.strong : style.fonts.regular, kTextSize - 1, colour};
    put_centred(draw, ink, box, elide(ink, names[static_cast<std::size_t>(i)], box.width() - px(4)));
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({each * static_cast<float>(names.size()), height});
  return changed;
}

bool text_field(const char* id, const char* hint, std::string* text) {
  const auto resize = [](ImGuiInputTextCallbackData* data) {
    auto& typed = *static_cast<std::string*>(data->UserData);
    typed.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = typed.data();
    return 0;
  };
  return ImGui::InputTextWithHint(id, hint, text->data(), text->capacity() + 1,
                                  ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_EnterReturnsTrue,
                                  resize, text);
}

void cell_left(const Ink& ink, const std::string& text) {
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string shown = elide(ink, text, width);
  const ImVec2 size = measure(ink, shown);
  put(ImGui::GetWindowDrawList(), ink, ImGui::GetCursorScreenPos(), shown);
  ImGui::Dummy({std::min(size.x, width), size.y});
}

void cell_right(const Ink& ink, const std::string& text) {
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string shown = elide(ink, text, width);
  const ImVec2 size = measure(ink, shown);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  put(ImGui::GetWindowDrawList(), ink, {at.x + width - size.x, at.y}, shown);
  ImGui::Dummy({width, size.y});
}

}  // namespace workbook::viewer
