#include "widgets/multiprocessor.h"

#include <algorithm>

#include "model/format.h"
#include "widgets/draw.h"

namespace workbook::viewer {
namespace {

constexpr int kQuarters = 4;
constexpr float kHead = 58, kBarRow = 50,
                kRoomForNext = 0.76f;  // the share of a bar that what there is takes

ImU32 block_colour(const Style& style, int block) {
  return mix(style.theme.kernels[static_cast<std::size_t>(block) % style.theme.kernels.size()],
             style.theme.card, block / 7 % 2 == 0 ? 0.0f : 0.35f);
}

void draw_slots(const Style& style, const Held& held, const Rect& in) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const int columns = std::max(1, held.sm.warp_slots / kQuarters);
  const float label = px(84), gap = px(3);
  const float width = (in.width() - label) / static_cast<float>(columns), height = in.height() / kQuarters;
  const Ink quiet{style.fonts.regular, kSmallSize, style.theme.muted};
  for (int slot = 0; slot < held.sm.warp_slots; ++slot) {
    const int quarter = slot % kQuarters, place = slot / kQuarters;
    const float y = in.min.y + height * static_cast<float>(quarter);
    if (place == 0) put_middle(draw, quiet, {in.min.x, y + height / 2}, "quarter " + std::to_string(quarter));
    const float x = in.min.x + label + width * static_cast<float>(place);
    const Rect cell{{x, y}, {x + width - gap, y + height - gap}};
    const int block = block_of_slot(held, slot);
    if (block < 0) {
      draw->AddRect(cell.min, cell.max, style.theme.border, px(3));
      continue;
    }
    const ImU32 colour = block_colour(style, block);
    draw->AddRectFilled(cell.min, cell.max, colour, px(3));
    const std::string number = std::to_string(block);
    const Ink ink{style.fonts.strong, kSmallSize, ink_on(colour)};
    if (measure(ink, number).x < cell.width()) put_centred(draw, ink, cell, number);
  }
}

// Resident blocks one after the other, what is left, and the next block: dashed where it fits, hatched where
// it reaches beyond what there is.
void draw_bar(const Style& style, const Held& held, const sim::Supply& supply, const Rect& in) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink strong{style.fonts.strong, 15.0f, style.theme.text},
      quiet{style.fonts.regular, kSmallSize, style.theme.muted};
  const float used = put(draw, strong, in.min, supply.name);
  const std::string words = taken_words(held, supply), next = next_words(held, supply);
  const std::int64_t lacking = supply.known ? supply.lacking(held.sm.resident.blocks) : 0;
  const Ink verdict{style.fonts.strong, kSmallSize, lacking > 0 ? style.theme.bad : style.theme.muted};
  const float right = in.max.x - measure(verdict, next).x;
  put(draw, quiet, {in.min.x + used + px(12), in.min.y + px(1)},
      elide(quiet, words, right - in.min.x - used - px(24)));
  put(draw, verdict, {right, in.min.y + px(1)}, next);

  const float top = in.min.y + px(22), bottom = in.max.y - px(8), whole = in.width() * kRoomForNext;
  const Rect there_is{{in.min.x, top}, {in.min.x + whole, bottom}};
  draw->AddRectFilled(there_is.min, there_is.max, style.theme.raised, px(3));
  const auto at = [&](std::int64_t amount) {
    return in.min.x + std::min(in.width(), whole * static_cast<float>(static_cast<double>(amount) /
                                                                      static_cast<double>(supply.there_is)));
  };
  for (int block = 0; supply.known && block < held.sm.resident.blocks; ++block) {
    const float from = at(block * supply.a_block), to = at((block + 1) * supply.a_block);
    const float gap = std::min(px(1.5f), (to - from) / 4);
    draw->AddRectFilled({from, top}, {to - gap, bottom}, block_colour(style, block));
  }
  draw->AddRect(there_is.min, there_is.max, style.theme.muted, px(3));
  if (!supply.known) return;
  const std::int64_t taken = held.sm.resident.blocks * supply.a_block;
  const Rect coming{{at(taken), top - px(2)}, {at(taken + supply.a_block), bottom + px(2)}};
  if (lacking > 0)
    hatch(draw, {{std::max(coming.min.x, there_is.max.x), coming.min.y}, coming.max}, style.theme.bad, px(6),
          px(1.5f));
  const ImU32 edge = lacking > 0 ? style.theme.bad : style.theme.muted;
  dashed_line(draw, coming.min, {coming.max.x, coming.min.y}, edge, px(1.2f));
  dashed_line(draw, {coming.min.x, coming.max.y}, coming.max, edge, px(1.2f));
  dashed_line(draw, {coming.max.x, coming.min.y}, coming.max, edge, px(1.2f));
}

}  // namespace

void draw_multiprocessor(const Style& style, const Held& held, const char* letter, const std::string& name,
                         ImU32 colour, ImVec2 size) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Ink title{style.fonts.strong, kTitleSize, style.theme.text},
      quiet{style.fonts.regular, kSmallSize, style.theme.muted};
  const float used = badge(draw, style, {at.x, at.y + px(11)}, letter, colour);
  put_middle(draw, title, {at.x + used + px(8), at.y + px(11)},
             elide(title, name + ": " + held_words(held), size.x - used - px(8)));
  put(draw, quiet, {at.x, at.y + px(28)},
      elide(quiet, held.kernel + " on the " + held.gpu + ": a number is the block that has the place",
            size.x));
  const auto rows = static_cast<float>(held.sm.supplies.size());
  const float room = size.y - px(kHead) - px(14);
  const float slots = std::clamp(room - rows * px(kBarRow), px(80), std::max(px(80), room * 0.45f));
  const float row = std::clamp((room - slots) / rows, px(kBarRow), px(1.6f * kBarRow));
  draw_slots(style, held, {{at.x, at.y + px(kHead)}, {at.x + size.x, at.y + px(kHead) + slots}});
  float y = at.y + px(kHead) + slots + px(14);
  for (const sim::Supply& supply : held.sm.supplies) {
    draw_bar(style, held, supply, {{at.x, y}, {at.x + size.x, y + row}});
    y += row;
  }
  ImGui::Dummy({size.x, y - at.y});
}

}  // namespace workbook::viewer
