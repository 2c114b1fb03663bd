#include "widgets/listing_lines.h"

#include <algorithm>

namespace workbook::viewer {
namespace {

constexpr float kListingText = 13.5f, kSmall = 12.5f;               // units
constexpr float kListingRow = 19, kListingHead = 26, kKernel = 44;  // units
constexpr float kAddress = 52, kNotes = 136;                        // units of width

// Instructions in the order of their addresses; where the source line changes, it stands above them.
class Listed {
 public:
  Listed(const Style& style, const SourcePage& page, int line, bool follow)
      : style_(style), page_(page), line_(line), follow_(follow), name_(file_name(page.text.file)) {}

  ListingHit draw(const runs::ListingRecord& listing) {
    left_ = ImGui::GetWindowPos().x;
    width_ = ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize;
    top_ = y_ = ImGui::GetCursorScreenPos().y;
    for (const runs::ListedKernel& kernel : listing.kernels) {
      draw_kernel(kernel);
      const runs::ListedInstruction* before = nullptr;
      for (const runs::ListedInstruction& each : kernel.instructions) {
        if (before == nullptr || before->file != each.file || before->line != each.line) draw_place(each);
        draw_instruction(each);
        before = &each;
      }
      y_ += px(10);
    }
    ImGui::Dummy({width_ - px(4), y_ - top_});
    return hit_;
  }

 private:
  bool of_line(const runs::ListedInstruction& each) const {
    return line_ > 0 && each.line == line_ && each.file == name_;
  }
  bool visible(float height) const {
    return ImGui::IsRectVisible({left_, y_}, {left_ + width_, y_ + height});
  }

  void draw_kernel(const runs::ListedKernel& kernel) {
    if (visible(px(kKernel))) {
      ImDrawList* draw = ImGui::GetWindowDrawList();
      const Ink strong{style_.fonts.strong, kTextSize, style_.theme.text},
          quiet{style_.fonts.regular, kSmall, style_.theme.muted};
      put(draw, strong, {left_ + px(8), y_ + px(3)}, elide(strong, kernel.name, width_ - px(16)));
      put(draw, quiet, {left_ + px(8), y_ + px(23)}, elide(quiet, kernel.resources, width_ - px(16)));
    }
    y_ += px(kKernel);
  }

  // The source line, as far as it is at hand: the page has one file.
  void draw_place(const runs::ListedInstruction& each) {
    if (visible(px(kListingHead))) {
      ImDrawList* draw = ImGui::GetWindowDrawList();
      const Ink number{style_.fonts.strong, kSmall, of_line(each) ? style_.theme.accent : style_.theme.muted},
          code{style_.fonts.mono, kSmall, style_.theme.muted};
      const float y = y_ + px(8);
      if (each.file.empty()) {
        put(draw, number, {left_ + px(8), y}, "the compiler's own");
      } else {
        const std::string place = each.file == name_ ? "line " + std::to_string(each.line)
                                                     : each.file + ":" + std::to_string(each.line);
        const float used = put(draw, number, {left_ + px(8), y}, place) + px(18);
        const std::string text = each.file == name_ ? page_.text.line(each.line) : "";
        put(draw, code, {left_ + used, y}, elide(code, text, width_ - used - px(8)));
      }
    }
    y_ += px(kListingHead);
  }

  void draw_instruction(const runs::ListedInstruction& each) {
    const bool marked = of_line(each);
    if (marked && follow_) {
      follow_ = false;
      ImGui::SetScrollY(y_ - top_ - 0.3f * ImGui::GetWindowHeight());
    }
    if (!each.label.empty()) {
      if (visible(px(kListingRow)))
        put(ImGui::GetWindowDrawList(), {style_.fonts.mono, kSmall, style_.theme.muted},
            {left_ + px(kAddress - 8), y_ + px(2)}, each.label + ":");
      y_ += px(kListingRow);
    }
    if (visible(px(kListingRow))) draw_row(each, marked);
    y_ += px(kListingRow);
  }

  void draw_row(const runs::ListedInstruction& each, bool marked) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Rect row{{left_, y_}, {left_ + width_, y_ + px(kListingRow)}};
    if (marked) {
      draw->AddRectFilled(row.min, row.max, mix(style_.theme.card, style_.theme.accent, 0.2f));
      draw->AddRectFilled(row.min, {row.min.x + px(3), row.max.y}, style_.theme.accent);
    }
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(row.min, row.max)) {
      if (!marked) draw->AddRectFilled(row.min, row.max, with_alpha(style_.theme.text, 0.05f));
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) hit_.clicked = &each;
      if (!each.meaning.empty()) ImGui::SetTooltip("%s\n%s", each.text.c_str(), each.meaning.c_str());
    }
    const Ink address{style_.fonts.mono, kSmall, style_.theme.faint},
        code{style_.fonts.mono, kListingText, style_.theme.text},
        note{style_.fonts.regular, kSmall, style_.theme.accent};
    const float middle = y_ + px(kListingRow) / 2, from = left_ + px(kAddress);
    put_middle(draw, address, {from - px(10) - measure(address, each.address).x, middle}, each.address);
    const float notes = each.note.empty() ? 0 : px(kNotes);
    put_middle(draw, code, {from, middle}, elide(code, each.text, width_ - px(kAddress) - notes - px(8)));
    if (!each.note.empty())
      put_middle(draw, note, {left_ + width_ - notes, middle}, elide(note, each.note, notes - px(6)));
  }

  const Style& style_;
  const SourcePage& page_;
  int line_;
  bool follow_;
  std::string name_;
  float left_ = 0, width_ = 0, top_ = 0, y_ = 0;
  ListingHit hit_;
};

}  // namespace

ListingHit draw_listing_lines(const Style& style, const runs::ListingRecord& listing, const SourcePage& page,
                              int line, bool follow, ImVec2 size) {
  ListingHit hit;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  if (ImGui::BeginChild("listing", size, 0)) hit = Listed(style, page, line, follow).draw(listing);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return hit;
}

}  // namespace workbook::viewer
