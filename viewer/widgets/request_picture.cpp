#include "widgets/request_picture.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "model/grid.h"

namespace workbook::viewer {
namespace {

constexpr float kMargin = 58;      // units left of the picture, for the names of its rows
constexpr float kLaneHeight = 26;  // units
constexpr std::int64_t kSectorsPerLine = kLineBytes / kSectorBytes;
constexpr std::int64_t kWordsPerSector = kSectorBytes / 4;

struct Frame {
  ImVec2 at;
  ImVec2 size;
  float left;   // of lane 0
  float pitch;  // from lane to lane
  float lane_x(int lane) const { return left + pitch * (static_cast<float>(lane) + 0.5f); }
};

Frame frame_of(ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float margin = px(kMargin);
  return {at, size, at.x + margin, (size.x - margin) / static_cast<float>(kWarp)};
}

bool emphasised(int lane, int singled) { return singled < 0 || lane == singled; }

void link(const ImVec2 from, const ImVec2 to, ImU32 colour, bool strong) {
  const float bend = (to.y - from.y) * 0.45f;
  ImGui::GetWindowDrawList()->AddBezierCubic(from, {from.x, from.y + bend}, {to.x, to.y - bend}, to,
                                             with_alpha(colour, strong ? 0.85f : 0.12f), px(1.5f));
}

void row_name(const Style& style, const Frame& frame, float middle, const std::string& text) {
  const Ink ink{style.fonts.regular, kSmallSize, style.theme.muted};
  put_middle(ImGui::GetWindowDrawList(), ink, {frame.at.x, middle}, elide(ink, text, px(kMargin - 4)));
}

// The lanes as cells; idle ones hatched. Says which is under the mouse.
LaneHit draw_lanes(const Style& style, const Frame& frame, const Request& request, const Served& served,
                   const std::array<ImU32, kWarp>& colours) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float height = px(kLaneHeight);
  row_name(style, frame, frame.at.y + height / 2, "lane");
  for (int lane = 0; lane < kWarp; ++lane) {
    const float left = frame.left + frame.pitch * static_cast<float>(lane);
    const Rect box{{left + 1, frame.at.y}, {left + frame.pitch - 1, frame.at.y + height}};
    const auto index = static_cast<std::size_t>(lane);
    const bool active = request.lanes[index].active;
    const ImU32 fill = active ? colours[index] : style.theme.raised;
    draw->AddRectFilled(box.min, box.max, fill, px(3));
    if (!active) hatch(draw, box, style.theme.border, px(6), 1.0f);
    if (lane == served.lane) draw->AddRect(box.min, box.max, style.theme.text, px(3), 0, px(2));
    const Ink ink{style.fonts.regular, 12.5f, active ? ink_on(fill) : style.theme.faint};
    const std::string number = std::to_string(lane);
    if (measure(ink, number).x <= frame.pitch - 3) put_centred(draw, ink, box, number);
  }
  ImGui::SetCursorScreenPos({frame.left, frame.at.y});
  LaneHit hit;
  hit.clicked = ImGui::InvisibleButton("lanes", {frame.pitch * static_cast<float>(kWarp), height});
  if (ImGui::IsItemHovered())
    hit.hovered =
        std::clamp(static_cast<int>((ImGui::GetMousePos().x - frame.left) / frame.pitch), 0, kWarp - 1);
  hit.clicked = hit.clicked && hit.hovered >= 0;
  return hit;
}

std::string lane_words(const Request& request, const Served& served, int lane) {
  const Lane& at = request.lanes[static_cast<std::size_t>(lane)];
  const std::string who =
      "lane " + std::to_string(lane) + ", thread " + std::to_string(served.warp * kWarp + lane);
  if (!at.active) return who + ": not part of this request";
  std::string text = who + ": " + served.name + index_text(served.shape, at.element);
  if (at.count > 1) text += " and " + std::to_string(at.count - 1) + " after it";
  const std::int64_t byte = at.element * served.element_bytes;
  return text + "\nbytes " + format_count(byte) + " to " +
         format_count(byte + at.count * served.element_bytes - 1);
}

std::vector<std::int64_t> lines_of(const Fetch& fetch) {
  std::vector<std::int64_t> lines;
  for (const Sector& sector : fetch.sectors)
    if (const std::int64_t line = sector.number / kSectorsPerLine; lines.empty() || lines.back() != line)
      lines.push_back(line);
  return lines;
}

// Where the lines of a fetch stand: as wide as the lanes when there is one.
struct LinePlaces {
  std::vector<std::int64_t> lines;
  float left, pitch, gap;
  float line_x(std::size_t i) const { return left + (pitch * kSectorsPerLine + gap) * static_cast<float>(i); }
  std::size_t index(std::int64_t sector) const {
    return static_cast<std::size_t>(std::lower_bound(lines.begin(), lines.end(), sector / kSectorsPerLine) -
                                    lines.begin());
  }
  float sector_x(std::int64_t sector) const {
    return line_x(index(sector)) + pitch * static_cast<float>(sector % kSectorsPerLine);
  }
};

LinePlaces place_lines(const Frame& frame, const Fetch& fetch) {
  LinePlaces places{lines_of(fetch), frame.left, 0, 0};
  const float count = static_cast<float>(std::max<std::size_t>(1, places.lines.size()));
  const float width = frame.pitch * static_cast<float>(kWarp);
  places.gap = std::min(px(12), width / count * 0.18f);
  places.pitch = (width - places.gap * (count - 1)) / count / static_cast<float>(kSectorsPerLine);
  return places;
}

void draw_sector(const Style& style, const Rect& box, const Sector& sector, ImU32 colour) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(box.min, box.max, style.theme.traffic_tint);
  const float word = box.width() / static_cast<float>(kWordsPerSector);
  const bool in_words = word >= 3;
  for (int i = 0; i < kWordsPerSector; ++i) {
    const float left = box.min.x + word * static_cast<float>(i);
    const Rect cell{{left + (in_words ? 1.0f : 0.0f), box.min.y + 2},
                    {left + word - (in_words ? 1.0f : 0.0f), box.max.y - 2}};
    if ((sector.used >> (4 * i) & 0xfu) != 0)
      draw->AddRectFilled(cell.min, cell.max, colour, in_words ? px(2) : 0);
    else
      hatch(draw, cell, with_alpha(style.theme.traffic, 0.7f), px(5), 1.0f);
  }
  draw->AddRect(box.min, box.max, style.theme.traffic, 0, 0, px(1.5f));
}

void draw_lines(const Style& style, const LinePlaces& places, const Fetch& fetch, const Served& served,
                float top, float height) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink ink{style.fonts.regular, 13.0f, style.theme.muted};
  const std::int64_t elements = kLineBytes / served.element_bytes;
  float free_from = 0;
  for (std::size_t i = 0; i < places.lines.size(); ++i) {
    const float left = places.line_x(i), width = places.pitch * static_cast<float>(kSectorsPerLine);
    for (int k = 0; k < kSectorsPerLine; ++k) {
      const float x = left + places.pitch * static_cast<float>(k);
      draw->AddRect({x, top}, {x + places.pitch, top + height}, style.theme.border);
    }
    const std::string from = served.name + index_text(served.shape, places.lines[i] * elements);
    if (left < free_from) continue;
    const std::string text = "from " + from;
    const std::string shown = measure(ink, text).x <= width ? text : from;
    put(draw, ink, {left, top + height + px(4)}, shown);
    free_from = left + measure(ink, shown).x + px(10);
  }
  for (const Sector& sector : fetch.sectors) {
    const float x = places.sector_x(sector.number);
    const auto key = static_cast<int>(places.index(sector.number));
    draw_sector(style, {{x, top}, {x + places.pitch, top + height}}, sector,
                category_colour(style.theme, key, static_cast<int>(places.lines.size()), 1));
  }
}

void draw_sector_legend(const Style& style, bool store, ImVec2 at, float width) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink ink{style.fonts.regular, kSmallSize, style.theme.muted};
  float x = at.x;
  const auto entry = [&](const char* text, const auto& swatch) {
    const float needed = px(24) + measure(ink, text).x;
    if (x + needed > at.x + width) return;
    const Rect box{{x, at.y + px(3)}, {x + px(18), at.y + px(15)}};
    swatch(box);
    put(draw, ink, {x + px(24), at.y}, text);
    x += needed + px(18);
  };
  entry(store ? "written" : "used", [&](const Rect& box) {
    draw->AddRectFilled(box.min, box.max, category_colour(style.theme, 0, 2, 1));
    draw->AddRect(box.min, box.max, style.theme.traffic);
  });
  entry(store ? "in the sector, not written" : "fetched for nothing", [&](const Rect& box) {
    draw->AddRectFilled(box.min, box.max, style.theme.traffic_tint);
    hatch(draw, box, style.theme.traffic, px(5), 1.0f);
    draw->AddRect(box.min, box.max, style.theme.traffic);
  });
  entry(store ? "not touched" : "not fetched",
        [&](const Rect& box) { draw->AddRect(box.min, box.max, style.theme.border); });
}

}  // namespace

LaneHit draw_fetch(const Style& style, const Request& request, const Fetch& fetch, const Served& served,
                   ImVec2 size) {
  const Frame frame = frame_of(size);
  const LinePlaces places = place_lines(frame, fetch);
  const float foot = px(52), height = px(40);
  const float top = frame.at.y + std::max(px(kLaneHeight + 40), size.y - foot - height);
  std::array<ImU32, kWarp> colours{};
  const int lines = static_cast<int>(places.lines.size());
  for (int lane = 0; lane < kWarp; ++lane)
    if (const Lane& at = request.lanes[static_cast<std::size_t>(lane)]; at.active)
      colours[static_cast<std::size_t>(lane)] = category_colour(
          style.theme, static_cast<int>(places.index(at.element * served.element_bytes / kSectorBytes)),
          lines, 1);
  const LaneHit hit = draw_lanes(style, frame, request, served, colours);
  const int singled = hit.hovered >= 0 ? hit.hovered : served.lane;
  for (int lane = 0; lane < kWarp; ++lane) {
    const Lane& at = request.lanes[static_cast<std::size_t>(lane)];
    if (!at.active) continue;
    const std::int64_t begin = at.element * served.element_bytes,
                       end = begin + at.count * served.element_bytes;
    for (std::int64_t word = begin / 4; word * 4 < end; ++word) {
      const float x = places.sector_x(word * 4 / kSectorBytes) +
                      places.pitch * (static_cast<float>(word % kWordsPerSector) + 0.5f) / kWordsPerSector;
      link({frame.lane_x(lane), frame.at.y + px(kLaneHeight)}, {x, top},
           colours[static_cast<std::size_t>(lane)], emphasised(lane, singled));
    }
  }
  row_name(style, frame, top + height / 2, "sector");
  draw_lines(style, places, fetch, served, top, height);
  draw_sector_legend(style, served.store, {frame.left, top + height + px(26)}, size.x - px(kMargin));
  if (hit.hovered >= 0) ImGui::SetTooltip("%s", lane_words(request, served, hit.hovered).c_str());
  for (const Sector& sector : fetch.sectors) {
    const float x = places.sector_x(sector.number);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({x, top}, {x + places.pitch, top + height}))
      ImGui::SetTooltip("bytes %s to %s: %d of 32 used, by %s",
                        format_count(sector.number * kSectorBytes).c_str(),
                        format_count((sector.number + 1) * kSectorBytes - 1).c_str(), sector.bytes_used(),
                        plural(__builtin_popcount(sector.lanes), "lane").c_str());
  }
  ImGui::SetCursorScreenPos(frame.at);
  ImGui::Dummy(size);
  return hit;
}

LaneHit draw_banks(const Style& style, const Request& request, const Banks& banks, const Served& served,
                   ImVec2 size) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Frame frame = frame_of(size);
  std::size_t rows = 1;
  for (const auto& words : banks.words) rows = std::max(rows, words.size());
  const float foot = px(30);
  const float room = size.y - foot - px(kLaneHeight);
  const float cell = std::clamp(room * 0.62f / static_cast<float>(rows), 3.0f, px(28));
  const float top = frame.at.y + size.y - foot - cell * static_cast<float>(rows);
  const ImU32 calm = mix(style.theme.card, style.theme.accent, 0.45f);
  const auto turns = static_cast<std::size_t>(banks.turns);
  const auto colour_of = [&](std::size_t row) { return row < turns ? calm : style.theme.bad; };
  std::array<ImU32, kWarp> colours{};
  colours.fill(calm);
  for (const auto& words : banks.words)
    for (std::size_t row = turns; row < words.size(); ++row)
      for (int lane = 0; lane < kWarp; ++lane)
        if ((words[row].lanes >> lane & 1u) != 0) colours[static_cast<std::size_t>(lane)] = style.theme.bad;
  const LaneHit hit = draw_lanes(style, frame, request, served, colours);
  const int singled = hit.hovered >= 0 ? hit.hovered : served.lane;
  const Ink ink{style.fonts.regular, 12.5f, 0};
  for (int bank = 0; bank < kBanks; ++bank) {
    const auto& words = banks.words[static_cast<std::size_t>(bank)];
    const float left = frame.left + frame.pitch * static_cast<float>(bank);
    for (std::size_t row = 0; row < rows; ++row) {
      const float y = top + cell * static_cast<float>(row);
      const Rect box{{left + 1, y + (cell > 6 ? 1.0f : 0.0f)},
                     {left + frame.pitch - 1, y + cell - (cell > 6 ? 1.0f : 0.5f)}};
      if (row >= words.size()) {
        if (cell > 6) draw->AddRect(box.min, box.max, style.theme.border, px(2));
        continue;
      }
      const int lanes = __builtin_popcount(words[row].lanes);
      for (int lane = 0; lane < kWarp; ++lane)
        if ((words[row].lanes >> lane & 1u) != 0)
          link({frame.lane_x(lane), frame.at.y + px(kLaneHeight)},
               {box.centre().x, row == 0 ? box.min.y : top}, colour_of(row), emphasised(lane, singled));
      const ImU32 fill = colour_of(row);
      draw->AddRectFilled(box.min, box.max, fill, px(2));
      const std::string text =
          lanes > 1 ? "×" + std::to_string(lanes) : std::to_string(__builtin_ctz(words[row].lanes));
      const Ink inside{ink.font, ink.size, ink_on(fill)};
      if (cell >= px(13) && measure(inside, text).x <= frame.pitch - 3) put_centred(draw, inside, box, text);
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(box.min, box.max))
        ImGui::SetTooltip("bank %d, word %s: %s", bank, format_count(words[row].word).c_str(),
                          lanes > 1 ? (plural(lanes, "lane") + " get it together").c_str()
                                    : ("lane " + std::to_string(__builtin_ctz(words[row].lanes))).c_str());
    }
    const std::string number = std::to_string(bank);
    const Ink axis{style.fonts.regular, 12.5f, style.theme.muted};
    if (measure(axis, number).x <= frame.pitch - 3)
      put_centred(draw, axis,
                  {{left, top + cell * static_cast<float>(rows)},
                   {left + frame.pitch, top + cell * static_cast<float>(rows) + px(20)}},
                  number);
  }
  float free_from = 0;
  for (std::size_t row = 0; row < rows; row += turns) {
    const float middle = top + cell * (static_cast<float>(row) + 0.5f);
    if (middle - px(8) < free_from) continue;
    row_name(style, frame, middle, "pass " + std::to_string(row / turns + 1));
    free_from = middle + px(8);
  }
  row_name(style, frame, top + cell * static_cast<float>(rows) + px(10), "bank");
  if (hit.hovered >= 0) ImGui::SetTooltip("%s", lane_words(request, served, hit.hovered).c_str());
  ImGui::SetCursorScreenPos(frame.at);
  ImGui::Dummy(size);
  return hit;
}

}  // namespace workbook::viewer
