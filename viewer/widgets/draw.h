// Small drawing helpers on ImDrawList that the panels share.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "widgets/theme.h"

namespace workbook::viewer {

struct Rect {
  ImVec2 min, max;
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
  ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
  bool contains(ImVec2 at) const { return at.x >= min.x && at.x < max.x && at.y >= min.y && at.y < max.y; }
};

/// A font at a size in design units, with a colour.
struct Ink {
  ImFont* font;
  float size;
  ImU32 colour;
};

ImVec2 measure(const Ink& ink, const std::string& text);
/// Draws from the top left corner; returns the width.
float put(ImDrawList* draw, const Ink& ink, ImVec2 at, const std::string& text);
void put_centred(ImDrawList* draw, const Ink& ink, const Rect& in, const std::string& text);
/// Left at `at`, vertically centred on `at.y`.
float put_middle(ImDrawList* draw, const Ink& ink, ImVec2 at, const std::string& text);
/// Cut with an ellipsis to fit.
std::string elide(const Ink& ink, const std::string& text, float width);

/// Diagonal lines inside a rectangle: the mark of what is modelled, or of a launch gap.
void hatch(ImDrawList* draw, const Rect& in, ImU32 colour, float spacing, float thickness);
void dashed_line(ImDrawList* draw, ImVec2 from, ImVec2 to, ImU32 colour, float thickness);
/// A curve that leaves and arrives vertically, with an arrow head at its end.
void arrow_curve(ImDrawList* draw, ImVec2 from, ImVec2 to, ImU32 colour, float thickness);
/// The round letter that stands for a run; returns its width.
float badge(ImDrawList* draw, const Style& style, ImVec2 middle_left, const char* letter, ImU32 colour);

/// A framed area of the panel. end_card closes it.
bool begin_card(const Style& style, const char* id, ImVec2 size);
void end_card();
/// A small heading with a quieter note beside it.
void draw_heading(const Style& style, const std::string& text, const std::string& note = "");
/// A row of exclusive choices; true when `chosen` changed.
bool segmented(const Style& style, const char* id, const std::vector<std::string>& names, int* chosen,
               float width);
/// A line to type into; true when Enter was pressed. `text` changes as it is typed.
bool text_field(const char* id, const char* hint, std::string* text);
/// Right-aligned text in the current table cell.
void cell_right(const Ink& ink, const std::string& text);
void cell_left(const Ink& ink, const std::string& text);

}  // namespace workbook::viewer
