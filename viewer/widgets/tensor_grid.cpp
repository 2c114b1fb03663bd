#include "widgets/tensor_grid.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"

namespace workbook::viewer {
namespace {

constexpr float kReadable = 16;     // units of a cell that has room for its number
constexpr float kTilesKeep = 0.8f;  // of their cells, where tensors have cells of their own

struct Look {
  ImU32 fill = 0;
  bool back = false;  // others are singled out
};

Look look_of(const Style& style, const TensorPicture& picture, const LayerCell& cell) {
  const Theme& theme = style.theme;
  if ((cell.flags & kPadding) != 0) return {};
  if ((cell.flags & kPresent) == 0) return {theme.raised, false};
  ImU32 fill = picture.palette.of(cell.number);
  if (cell.several > 1) {
    // Shared by several: a neutral that grows stronger with how many.
    const float share = std::log2(static_cast<float>(cell.several)) /
                        std::max(1.0f, std::log2(static_cast<float>(std::max(2, picture.owner_count))));
    fill = mix(theme.raised, theme.side_a, 0.25f + 0.55f * std::min(1.0f, share));
  }
  const bool off_line = picture.layer->line_touches && (cell.flags & kOnLine) == 0;
  const bool other_block = (cell.flags & kChosen) == 0;
  if (picture.focused) return {mix(theme.raised, fill, 0.42f), true};
  if (other_block || off_line) return {mix(theme.raised, fill, 0.2f), true};
  return {fill, false};
}

std::string number_text(const LayerCell& cell) {
  if (cell.several > 1) return std::to_string(cell.several) + "×";
  return short_number(static_cast<double>(cell.number));
}

// A read is a dot, a write a filled cell with a frame: told apart without colour.
void draw_focus(const Style& style, const TensorPicture& picture, const GridCanvas& canvas,
                const Rect& clip) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float cell = canvas.cell;
  for (const Cell& touched : picture.focus) {
    if (touched.tensor != picture.place.tensor || touched.element >= picture.grid.elements) continue;
    const std::int64_t row = picture.grid.row_of(touched.element),
                       column = picture.grid.column_of(touched.element);
    Rect box = canvas.box(row, column);
    if (box.max.x < clip.min.x || box.min.x > clip.max.x || box.max.y < clip.min.y || box.min.y > clip.max.y)
      continue;
    const float inset = cell > 6 ? 1.0f : 0.0f;
    box = {box.min + ImVec2{inset, inset}, box.max - ImVec2{inset, inset}};
    const LayerCell& own = picture.layer->cells.at(0, row, column);
    const ImU32 fill =
        (own.flags & kPresent) != 0 && own.several <= 1 ? picture.palette.of(own.number) : style.theme.side_a;
    const float dot = std::max(1.5f, cell * 0.19f);
    if (touched.written) {
      draw->AddRectFilled(box.min, box.max, fill, px(2));
      draw->AddRect(box.min, box.max, style.theme.text, px(2), 0,
                    std::max(1.5f, std::min(px(3), cell * 0.14f)));
    } else {
      draw->AddRectFilled(box.min, box.max, mix(style.theme.card, fill, 0.75f), px(2));
    }
    if (touched.read) draw->AddCircleFilled(box.centre(), dot, style.theme.text, 16);
  }
}

float text_width(const Style& style, const PictureOutline& picture) {
  const Ink title{style.fonts.strong, kTextSize, 0}, note{style.fonts.regular, kSmallSize, 0};
  return std::max(measure(title, picture.title).x, measure(note, picture.note).x);
}

}  // namespace

float picture_title_height() { return px(46); }

void draw_picture_title(const Style& style, const std::string& title, const std::string& note,
                        const GridCanvas& canvas, const Rect& clip) {
  const ImVec2 end = canvas.origin + canvas.extent();
  const float height = picture_title_height();
  if (end.y < clip.min.y || end.x < clip.min.x || canvas.origin.x > clip.max.x) return;
  const Ink strong{style.fonts.strong, kTextSize, style.theme.text},
      quiet{style.fonts.regular, kSmallSize, style.theme.muted};
  const float wide = std::max(measure(strong, title).x, measure(quiet, note).x);
  const ImVec2 at{std::max(canvas.origin.x, std::min(clip.min.x, end.x - wide)),
                  std::max(canvas.origin.y - height, std::min(clip.min.y, end.y - height))};
  ImDrawList* draw = ImGui::GetWindowDrawList();
  if (at.y > canvas.origin.y - height + 1 || at.x > canvas.origin.x + 1)
    draw->AddRectFilled(at - ImVec2{px(4), 0}, at + ImVec2{wide + px(4), height - px(4)},
                        with_alpha(style.theme.card, 0.92f), px(4));
  put(draw, strong, at, title);
  put(draw, quiet, {at.x, at.y + px(20)}, note);
}

namespace {

/// Tries sizes of cells for pictures in columns.
class Arranger {
 public:
  Arranger(const Style& style, const std::vector<PictureOutline>& pictures) : pictures_(pictures) {
    for (const PictureOutline& picture : pictures) texts_.push_back(text_width(style, picture));
  }

  Packing pack(float cell, const std::vector<bool>& breaks, float height) const {
    std::vector<Extent> extents;
    for (std::size_t i = 0; i < pictures_.size(); ++i) {
      const ImVec2 cells = GridCanvas{pictures_[i].grid, {0, 0}, cell}.extent();
      extents.push_back({static_cast<double>(std::max(cells.x, texts_[i])),
                         static_cast<double>(picture_title_height() + cells.y)});
    }
    return pack_columns(extents, breaks, static_cast<double>(height), static_cast<double>(px(kColumnsApart)),
                        static_cast<double>(px(18)));
  }

  /// The largest cell up to `largest` at which they fit; 0: none.
  std::pair<float, Packing> best(ImVec2 room, float largest, const std::vector<bool>& breaks) const {
    for (float cell = std::floor(largest); cell > 0.01f; cell = smaller(cell)) {
      Packing packing = pack(cell, breaks, room.y);
      if (packing.width <= static_cast<double>(room.x) && packing.height <= static_cast<double>(room.y))
        return {cell, std::move(packing)};
    }
    return {0.0f, {}};
  }

  static float smaller(float cell) { return cell > 2 ? cell - 1 : cell * 0.95f; }
  static constexpr float kColumnsApart = 40;

 private:
  const std::vector<PictureOutline>& pictures_;
  std::vector<float> texts_;  // measured once, not for every size that is tried
};

std::vector<PictureOutline> only(const std::vector<PictureOutline>& pictures, bool shared) {
  std::vector<PictureOutline> found;
  for (const PictureOutline& picture : pictures)
    if (picture.shared == shared) found.push_back(picture);
  return found;
}

std::vector<bool> breaks_of(const std::vector<PictureOutline>& pictures) {
  std::vector<bool> breaks;
  for (const PictureOutline& picture : pictures) breaks.push_back(picture.starts_column);
  return breaks;
}

// One cell for all of them. Written tensors and shared tiles each in columns of their own, unless cells can
// be larger without.
PictureLayout arrange_alike(const Style& style, const std::vector<PictureOutline>& pictures, ImVec2 room,
                            float largest) {
  const std::vector<bool> together(pictures.size(), false);
  std::vector<bool> apart = breaks_of(pictures), written_apart;
  for (const PictureOutline& picture : pictures)
    written_apart.push_back(picture.starts_column && !picture.shared);
  const Arranger arranger(style, pictures);
  const auto layout = [](float cell, Packing places) {
    return PictureLayout{cell, cell, cell, std::move(places)};
  };
  auto [densest, packing] = arranger.best(room, largest, together);
  for (const auto* breaks : {&apart, &written_apart})
    if (auto [cell, places] = arranger.best(room, largest, *breaks); cell > 0 && cell >= 0.75f * densest)
      return layout(cell, std::move(places));
  // Titles alone are too wide: rather over the edge than not at all.
  return densest > 0 ? layout(densest, std::move(packing))
                     : layout(2.0f, arranger.pack(2.0f, together, room.y));
}

}  // namespace

PictureLayout arrange_pictures(const Style& style, const std::vector<PictureOutline>& pictures, ImVec2 room,
                               float largest) {
  PictureLayout alike = arrange_alike(style, pictures, room, largest);
  const std::vector<PictureOutline> tensors = only(pictures, false), tiles = only(pictures, true);
  if (tensors.empty() || tiles.empty() || alike.cell >= px(kReadable)) return alike;
  // Large tiles would make the cells of small tensors as small as their own: each has its own size then, a
  // tensor a row at the left and the block's tiles at the right.
  const Arranger left(style, tensors), right(style, tiles);
  const std::vector<bool> rows(tensors.size(), false), stacked(tiles.size(), false);
  for (float cell = std::floor(largest); cell > alike.cell; cell = Arranger::smaller(cell)) {
    const Packing at_left = left.pack(cell, rows, room.y);
    const float taken = static_cast<float>(at_left.width) + px(Arranger::kColumnsApart);
    if (taken >= room.x || at_left.height > static_cast<double>(room.y)) continue;
    const auto [tile, at_right] = right.best({room.x - taken, room.y}, largest, stacked);
    if (tile < alike.cell * kTilesKeep) continue;
    PictureLayout layout{std::min(cell, tile), tile, cell, {}};
    std::size_t next_left = 0, next_right = 0;
    for (const PictureOutline& picture : pictures) {
      const Packing& from = picture.shared ? at_right : at_left;
      const std::size_t i = picture.shared ? next_right++ : next_left++;
      layout.places.x.push_back(from.x[i] + (picture.shared ? static_cast<double>(taken) : 0.0));
      layout.places.y.push_back(from.y[i]);
    }
    layout.places.width = static_cast<double>(taken) + at_right.width;
    layout.places.height = std::max(at_left.height, at_right.height);
    return layout;
  }
  return alike;
}

std::int64_t draw_picture(const Style& style, const TensorPicture& picture, const GridCanvas& canvas,
                          const Rect& clip) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  if (!picture.layer) {
    const Rect box{canvas.origin, canvas.origin + canvas.extent()};
    draw->AddRectFilled(box.min, box.max, style.theme.raised, px(4));
    put_centred(draw, {style.fonts.regular, kSmallSize, style.theme.muted}, box, "counting accesses…");
    return 0;
  }
  const ColourBy by = picture.layer->request.by;
  // Of values a few would fit where most do not: all or none.
  const bool numbers = canvas.cell >= px(by == ColourBy::value || by == ColourBy::error ? 34 : 16);
  const Ink ink{style.fonts.regular,
                canvas.cell >= px(24)   ? 13.5f
                : canvas.cell >= px(19) ? 12.0f
                                        : 11.0f,
                0};
  const bool marks_wrong = by == ColourBy::error && canvas.cell >= 5;
  const std::int64_t drawn = draw_cells(
      canvas, clip, picture.layer->cells,
      [&](const LayerCell& cell) { return look_of(style, picture, cell).fill; },
      [&](const LayerCell& cell, const Rect& box, std::int64_t, std::int64_t) {
        if (marks_wrong && (cell.flags & kWrong) != 0)
          draw->AddRect(box.min, box.max, style.theme.bad, px(2), 0, std::max(1.0f, px(1.5f)));
        if (!numbers || (cell.flags & kPresent) == 0) return;
        const Look look = look_of(style, picture, cell);
        if (look.back && !picture.focused) return;
        const Ink number{ink.font, ink.size, with_alpha(ink_on(look.fill), look.back ? 0.6f : 1.0f)};
        const std::string text = number_text(cell);
        if (measure(number, text).x <= canvas.cell - 3) put_centred(draw, number, box, text);
      });
  draw_focus(style, picture, canvas, clip);
  return drawn;
}

void frame_cell(const GridCanvas& canvas, std::int64_t element, ImU32 colour) {
  if (element < 0 || element >= canvas.grid->elements) return;
  const float side = std::max(canvas.cell, px(4));
  const ImVec2 corner = canvas.box(canvas.grid->row_of(element), canvas.grid->column_of(element)).min;
  ImGui::GetWindowDrawList()->AddRect(corner - ImVec2{1, 1}, corner + ImVec2{side + 1, side + 1}, colour,
                                      px(2), 0, px(2.5f));
}

}  // namespace workbook::viewer
