#include "widgets/tensor_grid.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"

namespace workbook::viewer {
namespace {

float group_gap(float cell) { return std::clamp(std::round(cell * 0.3f), 2.0f, px(8)); }
float grid_width(const Grid& grid, float cell) {
  return static_cast<float>(grid.columns) * cell + static_cast<float>(grid.column_gaps()) * group_gap(cell);
}
float grid_height(const Grid& grid, float cell) {
  return static_cast<float>(grid.rows) * cell + static_cast<float>(grid.row_gaps()) * group_gap(cell);
}
float cell_x(const Grid& grid, std::int64_t column, float cell) {
  const std::int64_t gaps = grid.group_columns > 0 ? column / grid.group_columns : 0;
  return static_cast<float>(column) * cell + static_cast<float>(gaps) * group_gap(cell);
}
float cell_y(const Grid& grid, std::int64_t row, float cell) {
  const std::int64_t gaps = grid.group_rows > 0 ? row / grid.group_rows : 0;
  return static_cast<float>(row) * cell + static_cast<float>(gaps) * group_gap(cell);
}

ImU32 fill_of(const View& view, const TensorPicture& picture, const Owner& owner) {
  const Theme& theme = view.theme;
  if (owner.key < 0) return theme.raised;
  if (owner.distinct <= 1)
    return category_colour(theme, owner.key, picture.owner_count, picture.owner_columns);
  // Shared by several: a neutral that grows stronger with how many.
  const float share = std::log2(static_cast<float>(owner.distinct)) /
                      std::max(1.0f, std::log2(static_cast<float>(std::max(2, picture.owner_count))));
  return mix(theme.raised, theme.side_a, 0.25f + 0.55f * std::min(1.0f, share));
}

void draw_cells(const View& view, const TensorPicture& picture, ImVec2 origin, float cell) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float inset = cell >= 10 ? 1.0f : cell >= 5 ? 0.5f : 0.0f;
  const Ink ink{view.fonts.regular, cell >= px(24) ? 13.5f : cell >= px(19) ? 12.0f : 11.0f, 0};
  for (std::int64_t row = 0; row < picture.grid.rows; ++row) {
    const float top = origin.y + cell_y(picture.grid, row, cell);
    if (!ImGui::IsRectVisible({origin.x, top}, {origin.x + grid_width(picture.grid, cell), top + cell}))
      continue;
    for (std::int64_t column = 0; column < picture.grid.columns; ++column) {
      const auto element = picture.grid.element(row, column);
      if (!element) continue;
      const Owner& owner = picture.owners[static_cast<std::size_t>(*element)];
      const float left = origin.x + cell_x(picture.grid, column, cell);
      const Rect box{{left + inset, top + inset}, {left + cell - inset, top + cell - inset}};
      ImU32 fill = fill_of(view, picture, owner);
      const bool back = picture.focused || !owner.by_chosen_block;
      if (back && owner.key >= 0) fill = mix(view.theme.raised, fill, picture.focused ? 0.42f : 0.2f);
      draw->AddRectFilled(box.min, box.max, fill, cell >= 14 ? px(2) : 0);
      if (cell < px(16) || owner.key < 0 || (back && !picture.focused)) continue;
      const std::string text =
          owner.distinct > 1 ? std::to_string(owner.distinct) + "×" : std::to_string(owner.key);
      const Ink number{ink.font, ink.size, with_alpha(ink_on(fill), back ? 0.6f : 1.0f)};
      if (measure(number, text).x <= cell - 3) put_centred(draw, number, box, text);
    }
  }
}

// A read is a dot, a write a filled cell with a frame: told apart without colour.
void draw_focus(const View& view, const TensorPicture& picture, ImVec2 origin, float cell) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (const Cell& touched : picture.focus) {
    if (touched.tensor != picture.place.tensor || touched.element >= picture.grid.elements) continue;
    const ImVec2 at = origin + ImVec2{cell_x(picture.grid, picture.grid.column_of(touched.element), cell),
                                      cell_y(picture.grid, picture.grid.row_of(touched.element), cell)};
    const Rect box{at + ImVec2{1, 1}, at + ImVec2{cell - 1, cell - 1}};
    const Owner& owner = picture.owners[static_cast<std::size_t>(touched.element)];
    const ImU32 fill = fill_of(view, picture, owner);
    if (touched.written) {
      draw->AddRectFilled(box.min, box.max, fill, px(2));
      draw->AddRect(box.min, box.max, view.theme.text, px(2), 0,
                    std::max(1.5f, std::min(px(3), cell * 0.14f)));
    } else {
      draw->AddRectFilled(box.min, box.max, mix(view.theme.card, fill, 0.75f), px(2));
      draw->AddCircleFilled(box.centre(), std::max(1.5f, cell * 0.19f), view.theme.text, 16);
    }
    if (touched.written && touched.read)
      draw->AddCircleFilled(box.centre(), std::max(1.5f, cell * 0.19f), view.theme.text, 16);
  }
}

// Too many cells for the room: each drawn square stands for factor x factor of them.
void draw_reduced(const View& view, TensorPicture& picture, ImVec2 origin, float cell) {
  const auto factor = static_cast<std::int64_t>(std::ceil(2.0f / std::max(cell, 0.001f)));
  if (picture.reduced_by != factor) picture.reduced = reduce_owners(picture.grid, picture.owners, factor);
  picture.reduced_by = factor;
  const std::vector<Owner>& owners = picture.reduced;
  const std::int64_t columns = (picture.grid.columns + factor - 1) / factor,
                     rows = (picture.grid.rows + factor - 1) / factor;
  const float side = static_cast<float>(factor) * cell;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (std::int64_t row = 0; row < rows; ++row) {
    // Runs of one colour are one rectangle: a large tensor has few blocks, not few cells.
    std::int64_t from = 0;
    for (std::int64_t column = 1; column <= columns; ++column) {
      const ImU32 fill = fill_of(view, picture, owners[static_cast<std::size_t>(row * columns + from)]);
      if (column < columns &&
          fill_of(view, picture, owners[static_cast<std::size_t>(row * columns + column)]) == fill)
        continue;
      draw->AddRectFilled(
          origin + ImVec2{static_cast<float>(from) * side, static_cast<float>(row) * side},
          origin + ImVec2{static_cast<float>(column) * side, static_cast<float>(row + 1) * side}, fill);
      from = column;
    }
  }
}

}  // namespace

float picture_title_height() { return px(46); }

ImVec2 picture_extent(const View& view, const TensorPicture& picture, float cell) {
  const Ink title{view.fonts.strong, kTextSize, 0}, note{view.fonts.regular, kSmallSize, 0};
  const float text = std::max(measure(title, picture.title).x, measure(note, picture.note).x);
  return {std::max(grid_width(picture.grid, cell), text),
          picture_title_height() + grid_height(picture.grid, cell)};
}

PictureLayout arrange_pictures(const View& view, const std::vector<TensorPicture>& pictures, ImVec2 room,
                               float largest) {
  // Written tensors and shared tiles each in columns of their own, unless cells can be larger without.
  std::vector<bool> apart, together(pictures.size(), false), written_apart;
  for (const TensorPicture& picture : pictures) {
    apart.push_back(picture.starts_column);
    written_apart.push_back(picture.starts_column && picture.place.block < 0);
  }
  const auto pack = [&](float cell, const std::vector<bool>& breaks) {
    std::vector<Extent> extents;
    for (const TensorPicture& picture : pictures) {
      const ImVec2 extent = picture_extent(view, picture, cell);
      extents.push_back({static_cast<double>(extent.x), static_cast<double>(extent.y)});
    }
    return pack_columns(extents, breaks, static_cast<double>(room.y), static_cast<double>(px(40)),
                        static_cast<double>(px(18)));
  };
  const auto fits = [&](const Packing& packing) {
    return packing.width <= static_cast<double>(room.x) && packing.height <= static_cast<double>(room.y);
  };
  const auto best = [&](const std::vector<bool>& breaks) {
    for (float cell = std::floor(largest); cell > 0.01f; cell = cell > 2 ? cell - 1 : cell * 0.75f)
      if (Packing packing = pack(cell, breaks); fits(packing)) return PictureLayout{cell, packing};
    return PictureLayout{0.0f, {}};
  };
  PictureLayout densest = best(together);
  for (const auto* breaks : {&apart, &written_apart})
    if (PictureLayout layout = best(*breaks); layout.cell > 0 && layout.cell >= 0.75f * densest.cell)
      return layout;
  // Titles alone are too wide: rather over the edge than not at all.
  return densest.cell > 0 ? densest : PictureLayout{2.0f, pack(2.0f, together)};
}

CellHit draw_picture(const View& view, TensorPicture& picture, float cell, std::int64_t selected) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  put(draw, {view.fonts.strong, kTextSize, view.theme.text}, at, picture.title);
  put(draw, {view.fonts.regular, kSmallSize, view.theme.muted}, {at.x, at.y + px(20)}, picture.note);
  const ImVec2 origin{at.x, at.y + picture_title_height()};
  const ImVec2 extent{grid_width(picture.grid, cell), grid_height(picture.grid, cell)};
  CellHit hit;
  if (cell < 2) {
    draw_reduced(view, picture, origin, cell);
  } else {
    draw_cells(view, picture, origin, cell);
    draw_focus(view, picture, origin, cell);
  }
  const auto frame = [&](std::int64_t element, ImU32 colour) {
    const float side = std::max(cell, px(4));
    const ImVec2 corner = origin + ImVec2{cell_x(picture.grid, picture.grid.column_of(element), cell),
                                          cell_y(picture.grid, picture.grid.row_of(element), cell)};
    draw->AddRect(corner - ImVec2{1, 1}, corner + ImVec2{side + 1, side + 1}, colour, px(2), 0, px(2.5f));
  };
  if (selected >= 0 && selected < picture.grid.elements) frame(selected, view.theme.accent);

  ImGui::SetCursorScreenPos(origin);
  ImGui::PushID(picture.place.tensor);
  ImGui::PushID(picture.place.block);
  const bool pressed = ImGui::InvisibleButton("cells", {std::max(1.0f, extent.x), std::max(1.0f, extent.y)});
  if (ImGui::IsItemHovered()) {
    const ImVec2 mouse = ImGui::GetMousePos() - origin;
    for (std::int64_t gap = 0, row = static_cast<std::int64_t>(mouse.y / cell);
         gap <= picture.grid.row_gaps() && row >= 0; ++gap, --row) {
      if (mouse.y < cell_y(picture.grid, row, cell) || mouse.y >= cell_y(picture.grid, row, cell) + cell)
        continue;
      std::int64_t column = static_cast<std::int64_t>(mouse.x / cell);
      while (column > 0 && cell_x(picture.grid, column, cell) > mouse.x) --column;
      if (const auto element = picture.grid.element(row, column)) hit.hovered = *element;
      break;
    }
    if (hit.hovered >= 0) frame(hit.hovered, view.theme.text);
    hit.clicked = pressed && hit.hovered >= 0;
  }
  ImGui::PopID();
  ImGui::PopID();
  const ImVec2 whole = picture_extent(view, picture, cell);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(whole);
  return hit;
}

}  // namespace workbook::viewer
