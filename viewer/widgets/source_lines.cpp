#include "widgets/source_lines.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "model/format.h"

namespace workbook::viewer {
namespace {

constexpr float kSourceText = 14.5f, kFigure = 13.5f;  // units
constexpr float kSourceRow = 21, kNotePadding = 5;     // units

struct Column {
  const char* head;
  float width;  // units
  const char* help;
};
constexpr Column kWide[] = {
    {"requests", 66, "warp-wide requests to global and shared memory"},
    {"sectors / best", 96,
     "32-byte sectors a request, and the fewest that would do\n"
     "Nsight Compute: l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio (_st: stores)"},
    {"passes", 54,
     "passes over the banks of shared memory a request; 1 is free of conflicts\n"
     "Nsight Compute: l1tex__data_pipe_lsu_wavefronts_mem_shared.sum, by requests"},
    {"bytes", 66, "bytes the threads asked for"}};
constexpr float kNumber = 36, kMark = 20, kShare = 44;

// How much of the gutter there is room for.
enum class Gutter { bare, share, costs, all };

bool shows(Gutter gutter, std::size_t column) {
  return gutter == Gutter::all || (gutter == Gutter::costs && (column == 1 || column == 2));
}

float gutter_width(Gutter gutter) {
  float width = kNumber + kMark + (gutter == Gutter::bare ? 0 : kShare + 8);
  for (std::size_t i = 0; i < std::size(kWide); ++i)
    if (shows(gutter, i)) width += kWide[i].width;
  return px(width);
}

ImU32 tone_of(const Theme& theme, runs::Severity severity) {
  return severity == runs::Severity::error     ? theme.bad
         : severity == runs::Severity::warning ? theme.traffic
                                               : theme.accent;
}

// A disc, a triangle or a ring: the severity without colour.
void severity_mark(const Style& style, ImVec2 centre, runs::Severity severity) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 tone = tone_of(style.theme, severity);
  const float r = px(7.5f);
  const Ink ink{style.fonts.strong, 12.0f, ink_on(tone)};
  const Rect box{centre - ImVec2{r, r}, centre + ImVec2{r, r}};
  if (severity == runs::Severity::error) {
    draw->AddCircleFilled(centre, r, tone, 24);
    put_centred(draw, ink, box, "!");
  } else if (severity == runs::Severity::warning) {
    draw->AddTriangleFilled({centre.x, centre.y - r}, {centre.x + r, centre.y + r * 0.8f},
                            {centre.x - r, centre.y + r * 0.8f}, tone);
    put_centred(draw, ink, {box.min + ImVec2{0, px(2)}, box.max + ImVec2{0, px(2)}}, "!");
  } else {
    draw->AddCircle(centre, r, tone, 24, px(1.5f));
    put_centred(draw, {style.fonts.strong, 12.0f, tone}, box, "i");
  }
}

ImU32 colour_of(const Theme& theme, Token token) {
  switch (token) {
    case Token::keyword:
      return mix(theme.text, theme.accent, 0.85f);
    case Token::type:
      return mix(theme.text, theme.good, 0.85f);
    case Token::builtin:
      return mix(theme.text, theme.traffic, 0.9f);
    case Token::number:
      return mix(theme.text, theme.bad, 0.65f);
    case Token::text:
      return mix(theme.text, theme.good, 0.7f);
    case Token::comment:
      return theme.muted;
    case Token::directive:
      return theme.muted;
    case Token::plain:
      break;
  }
  return theme.text;
}

std::string short_figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, std::fabs(value - std::round(value)) < 0.05 ? "%.0f" : "%.1f", value);
  return text;
}

// The texts of the wide columns; empty where the line does nothing of the kind.
std::array<std::string, 4> figures_text(const LineFigures& line) {
  std::array<std::string, 4> text;
  text[0] = format_number(static_cast<double>(line.requests + line.shared_requests));
  if (line.requests > 0)
    text[1] = short_figure(line.sectors_per_request()) + " / " + short_figure(line.ideal_per_request());
  if (line.shared_requests > 0) text[2] = short_figure(line.passes_per_request());
  text[3] = format_bytes(line.bytes);
  return text;
}

void draw_share(const Style& style, ImVec2 at, const LineFigures& line) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float width = px(kShare - 8), height = px(5);
  const auto bar = [&](float y, double share, ImU32 colour) {
    if (share <= 0) return;
    draw->AddRectFilled({at.x, y}, {at.x + width, y + height}, style.theme.raised, px(2));
    draw->AddRectFilled({at.x, y}, {at.x + std::max(px(1.5f), width * static_cast<float>(share)), y + height},
                        colour, px(2));
  };
  const bool both = line.requests > 0 && line.shared_requests > 0;
  const float middle = at.y + px(kSourceRow) / 2;
  bar(both ? middle - height - 1 : middle - height / 2, line.requests > 0 ? line.global_share : 0,
      style.theme.traffic);
  bar(both ? middle + 1 : middle - height / 2, line.shared_requests > 0 ? line.shared_share : 0,
      style.theme.accent);
}

void line_tooltip(const Style& style, const LineFigures& line) {
  ImGui::BeginTooltip();
  ImGui::PushFont(style.fonts.strong, 0);
  ImGui::TextUnformatted(line.kernel.c_str());
  ImGui::PopFont();
  if (line.requests > 0)
    ImGui::Text("%s to global memory: %s sectors each, %s at best\n%.0f%% of the launch's sectors",
                plural(line.requests, "request").c_str(), short_figure(line.sectors_per_request()).c_str(),
                short_figure(line.ideal_per_request()).c_str(), line.global_share * 100);
  if (line.shared_requests > 0)
    ImGui::Text("%s to shared memory: %s passes each, 1 at best\n%.0f%% of the launch's passes",
                plural(line.shared_requests, "request").c_str(),
                short_figure(line.passes_per_request()).c_str(), line.shared_share * 100);
  ImGui::Text("%s asked for%s", format_bytes(line.bytes).c_str(),
              line.approximate ? "; about: scaled from a sample" : "");
  ImGui::EndTooltip();
}

class Lines {
 public:
  Lines(const Style& style, const SourcePage& page, const SourceMarks& marks, Gutter shown)
      : style_(style), page_(page), marks_(marks), shown_(shown), gutter_(gutter_width(shown)) {}

  LineHit draw() {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    left_ = ImGui::GetWindowPos().x;
    width_ = ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize;
    code_ = left_ + gutter_ + px(8);
    const Ink mono{style_.fonts.mono, kSourceText, 0};
    letter_ = measure(mono, "x").x;
    const float top = ImGui::GetCursorScreenPos().y;
    float y = top;
    for (const int line : page_.lines) {
      const float height = px(kSourceRow) + notes_height(line);
      if (line == marks_.scroll_to) scroll_to(y - top);
      if (ImGui::IsRectVisible({left_, y}, {left_ + width_, y + height})) draw_line(draw, line, y, height);
      y += height;
    }
    ImGui::Dummy({gutter_ + letter_ * static_cast<float>(page_.widest) + px(24), y - top});
    return hit_;
  }

 private:
  // With the line `from` the top a third down; the first line in sight is a whole one.
  void scroll_to(float from) {
    const float wanted = from - 0.35f * ImGui::GetWindowHeight();
    float above = 0;
    for (const int line : page_.lines) {
      const float height = px(kSourceRow) + notes_height(line);
      if (above + height > wanted) break;
      above += height;
    }
    ImGui::SetScrollY(above);
  }
  float notes_height(int line) const {
    const auto found = page_.notes.find(line);
    if (found == page_.notes.end()) return 0;
    float height = 0;
    for (const LineNote& note : found->second) height += note_height(note);
    return height;
  }
  float note_wrap() const {
    return std::max(px(120), width_ - (shown_ >= Gutter::costs ? gutter_ : px(kNumber)) - px(52));
  }
  float wrapped(const std::string& text) const {
    const float size = kTextSize * ImGui::GetStyle().FontScaleDpi - px(1);
    return style_.fonts.regular->CalcTextSizeA(size, 1e9f, note_wrap(), text.c_str()).y;
  }
  float note_height(const LineNote& note) const {
    return wrapped(note.message) + (note.advice.empty() ? 0 : wrapped(note.advice)) + 2 * px(kNotePadding);
  }

  void draw_line(ImDrawList* draw, int line, float y, float height) {
    const Rect row{{left_, y}, {left_ + width_, y + px(kSourceRow)}};
    const bool here = line == marks_.chosen, touched = marks_.touched.contains(line);
    if (const FillRegion* region = page_.region_of(line)) draw_region(draw, *region, line, row, y + height);
    if (here)
      draw->AddRectFilled(row.min, row.max, mix(style_.theme.card, style_.theme.accent, 0.2f));
    else if (touched)
      draw->AddRectFilled(row.min, row.max, mix(style_.theme.card, style_.theme.accent, 0.09f));
    const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(row.min, row.max);
    if (hovered) {
      hit_.hovered = line;
      if (!here) draw->AddRectFilled(row.min, row.max, with_alpha(style_.theme.text, 0.05f));
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) hit_.clicked = line;
    }
    if (here) draw->AddRectFilled(row.min, {row.min.x + px(3), row.max.y}, style_.theme.accent);
    draw_code(draw, line, y);
    draw_gutter(draw, line, y, touched, hovered);
    draw_notes(draw, line, y + px(kSourceRow));
  }

  void draw_region(ImDrawList* draw, const FillRegion& region, int line, const Rect& row, float bottom) {
    draw->AddRectFilled({code_ - px(6), row.min.y}, {row.max.x, bottom},
                        mix(style_.theme.card, style_.theme.good, 0.07f));
    draw->AddRectFilled({code_ - px(6), row.min.y}, {code_ - px(3), bottom}, style_.theme.good);
    if (line != region.first_line) return;
    const Ink ink{style_.fonts.strong, 12.5f, style_.theme.good};
    const std::string label = "yours to fill: " + region.name;
    if (measure(ink, label).x + px(330) < row.max.x - code_)
      put(draw, ink, {row.max.x - measure(ink, label).x - px(8), row.min.y + px(3)}, label);
  }

  void draw_code(ImDrawList* draw, int line, float y) {
    draw->PushClipRect({code_ - px(3), y}, {left_ + width_, y + px(kSourceRow)}, true);
    const float x = code_ - ImGui::GetScrollX();
    const auto index = static_cast<std::size_t>(line - 1);
    const Ink mono{style_.fonts.mono, kSourceText, style_.theme.faint};
    if (index >= page_.text.lines.size()) {
      put(draw, mono, {x, y + px(2)}, "the text of this line is gone");
      draw->PopClipRect();
      return;
    }
    const std::string& text = page_.text.lines[index];
    const auto column = [&](std::size_t byte) { return x + measure(mono, text.substr(0, byte)).x; };
    if (marks_.found.contains(line)) mark_found(draw, text, line, y, column);
    float at = x;
    for (const Lexeme& word : page_.words[index])
      at += put(draw, {style_.fonts.mono, kSourceText, colour_of(style_.theme, word.token)}, {at, y + px(2)},
                text.substr(word.begin, word.end - word.begin));
    draw->PopClipRect();
  }

  template <class ColumnOf>
  void mark_found(ImDrawList* draw, const std::string& text, int line, float y, const ColumnOf& column) {
    const auto same = [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    const std::string& words = marks_.found_words;
    for (auto at = text.begin();; ++at) {
      at = std::search(at, text.end(), words.begin(), words.end(), same);
      if (at == text.end()) return;
      const auto from = static_cast<std::size_t>(at - text.begin());
      const Rect box{{column(from) - 1, y + 1}, {column(from + words.size()) + 1, y + px(kSourceRow) - 1}};
      draw->AddRectFilled(box.min, box.max, style_.theme.traffic_tint, px(3));
      draw->AddRect(box.min, box.max, style_.theme.traffic, px(3), 0,
                    line == marks_.found_here ? px(2) : 1.0f);
    }
  }

  void draw_gutter(ImDrawList* draw, int line, float y, bool touched, bool hovered) {
    const float middle = y + px(kSourceRow) / 2;
    const Ink number{style_.fonts.mono, 13.0f,
                     line == marks_.chosen ? style_.theme.text : style_.theme.faint};
    const std::string text = std::to_string(line);
    put_middle(draw, number, {left_ + px(kNumber - 6) - measure(number, text).x, middle}, text);
    const auto notes = page_.notes.find(line);
    if (notes != page_.notes.end())
      severity_mark(style_, {left_ + px(kNumber + kMark / 2), middle}, notes->second.front().severity);
    else if (touched)
      draw->AddCircleFilled({left_ + px(kNumber + kMark / 2), middle}, px(4), style_.theme.accent, 16);
    const auto found = page_.figures.find(line);
    if (found == page_.figures.end()) return;
    const LineFigures& figures = found->second;
    if (shown_ == Gutter::share && !touched && notes == page_.notes.end() && figures.wasteful())
      put_centred(draw, {style_.fonts.strong, 15.0f, style_.theme.bad},
                  {{left_ + px(kNumber), y}, {left_ + px(kNumber + kMark), y + px(kSourceRow)}}, "!");
    float x = left_ + px(kNumber + kMark);
    const auto texts = figures_text(figures);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!shows(shown_, i)) continue;
      const bool bad = (i == 1 && static_cast<double>(figures.sectors) >
                                      1.05 * static_cast<double>(figures.ideal_sectors)) ||
                       (i == 2 && figures.passes_per_request() > 1.05);
      const Ink ink{bad ? style_.fonts.strong : style_.fonts.regular, kFigure,
                    bad ? style_.theme.bad : style_.theme.muted};
      const std::string shown = bad ? "! " + texts[i] : texts[i];
      const float right = x + px(kWide[i].width - 10);
      put_middle(draw, ink, {right - measure(ink, shown).x, middle}, shown);
      x += px(kWide[i].width);
    }
    draw_share(style_, {x + px(2), y}, figures);
    if (hovered && ImGui::GetMousePos().x < code_) line_tooltip(style_, figures);
  }

  void draw_notes(ImDrawList* draw, int line, float y) {
    const auto found = page_.notes.find(line);
    if (found == page_.notes.end()) return;
    const float x = left_ + (shown_ >= Gutter::costs ? gutter_ : px(kNumber)) + px(8);
    const float size = kTextSize * ImGui::GetStyle().FontScaleDpi - px(1);
    for (const LineNote& note : found->second) {
      const float height = note_height(note);
      const ImU32 tone = tone_of(style_.theme, note.severity);
      draw->AddRectFilled({x, y + 1}, {left_ + width_ - px(8), y + height - 1},
                          mix(style_.theme.card, tone, 0.1f), px(4));
      draw->AddRectFilled({x, y + 1}, {x + px(3), y + height - 1}, tone, px(2));
      severity_mark(style_, {x + px(17), y + px(kNotePadding + 9)}, note.severity);
      ImVec2 at{x + px(32), y + px(kNotePadding)};
      draw->AddText(style_.fonts.regular, size, at, style_.theme.text, note.message.c_str(), nullptr,
                    note_wrap());
      at.y += wrapped(note.message);
      draw->AddText(style_.fonts.regular, size, at, style_.theme.muted, note.advice.c_str(), nullptr,
                    note_wrap());
      y += height;
    }
  }

  const Style& style_;
  const SourcePage& page_;
  const SourceMarks& marks_;
  Gutter shown_;
  float gutter_, left_ = 0, width_ = 0, code_ = 0, letter_ = 0;
  LineHit hit_;
};

void draw_heads(const Style& style, ImVec2 at, Gutter shown) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink ink{style.fonts.strong, 13.0f, style.theme.muted};
  const auto help = [&](float x, float width, const char* text) {
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({x, at.y}, {x + width, at.y + px(18)}))
      ImGui::SetTooltip("%s", text);
  };
  float x = at.x + px(kNumber + kMark);
  for (std::size_t i = 0; i < std::size(kWide); ++i) {
    if (!shows(shown, i)) continue;
    const Column& column = kWide[i];
    put(draw, ink, {x + px(column.width - 10) - measure(ink, column.head).x, at.y}, column.head);
    help(x, px(column.width), column.help);
    x += px(column.width);
  }
  put(draw, ink, {x, at.y}, "share");
  help(x, px(kShare), "of the launch's sectors (upper bar), of its passes over the banks (lower bar)");
}

}  // namespace

LineHit draw_source_lines(const Style& style, const SourcePage& page, const SourceMarks& marks, ImVec2 size) {
  Gutter shown = size.x >= px(1100) ? Gutter::all : size.x >= px(700) ? Gutter::costs : Gutter::share;
  if (page.figures.empty()) shown = Gutter::bare;
  const float head = shown == Gutter::bare ? 0 : px(22);
  if (shown != Gutter::bare) draw_heads(style, ImGui::GetCursorScreenPos(), shown);
  if (head > 0) ImGui::Dummy({size.x, head - ImGui::GetStyle().ItemSpacing.y});
  LineHit hit;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  if (ImGui::BeginChild("lines", {size.x, std::max(px(80), size.y - head)}, 0,
                        ImGuiWindowFlags_HorizontalScrollbar))
    hit = Lines(style, page, marks, shown).draw();
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return hit;
}

}  // namespace workbook::viewer
