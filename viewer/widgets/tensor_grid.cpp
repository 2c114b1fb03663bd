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

ImU32 fill_of(const View& view, const Owner& owner, int owner_count) {
  const Theme& theme = view.theme;
  if (owner.key < 0) return theme.raised;
  if (owner.distinct <= 1) return category_colour(theme, owner.key, owner_count);
  // Shared by several: a neutral that grows stronger with how many.
  const float share = std::log2(static_cast<float>(owner.distinct)) / std::max(1.0f, std::log2(static_cast<float>(std::max(2, owner_count))));
  return mix(theme.raised, theme.side_a, 0.25f + 0.55f * std::min(1.0f, share));
}

void draw_cells(const View& view, const TensorPicture& picture, ImVec2 origin, float cell) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float inset = cell >= 10 ? 1.0f : cell >= 5 ? 0.5f : 0.0f;
  const Ink ink{view.fonts.regular, cell >= px(24) ? 13.5f : 12.0f, 0};
  for (std::int64_t row = 0; row < picture.grid.rows; ++row) {
    const float top = origin.y + cell_y(picture.grid, row, cell);
    if (!ImGui::IsRectVisible({origin.x, top}, {origin.x + grid_width(picture.grid, cell), top + cell})) continue;
    for (std::int64_t column = 0; column < picture.grid.columns; ++column) {
      const auto element = picture.grid.element(row, column);
      if (!element) continue;
      const Owner& owner = picture.owners[static_cast<std::size_t>(*element)];
      const float left = origin.x + cell_x(picture.grid, column, cell);
      const Rect box{{left + inset, top + inset}, {left + cell - inset, top + cell - inset}};
      ImU32 fill = fill_of(view, owner, picture.owner_count);
      const bool back = picture.focused || !owner.by_chosen_block;
      if (back && owner.key >= 0) fill = mix(view.theme.raised, fill, picture.focused ? 0.28f : 0.16f);
      draw->AddRectFilled(box.min, box.max, fill, cell >= 14 ? px(2) : 0);
      if (cell < px(19) || owner.key < 0 || (back && !picture.focused)) continue;
      const std::string text = owner.distinct > 1 ? std::to_string(owner.distinct) + "×" : std::to_string(owner.key);
      const Ink number{ink.font, ink.size, back ? view.theme.faint : ink_on(fill)};
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
    const ImU32 fill = fill_of(view, owner, picture.owner_count);
    if (touched.written) {
      draw->AddRectFilled(box.min, box.max, fill, px(2));
      draw->AddRect(box.min, box.max, view.theme.text, px(2), 0, std::max(1.5f, std::min(px(3), cell * 0.14f)));
    } else {
      draw->AddRectFilled(box.min, box.max, mix(view.theme.card, fill, 0.75f), px(2));
      draw->AddCircleFilled(box.centre(), std::max(1.5f, cell * 0.19f), view.theme.text, 16);
    }
    if (touched.written && touched.read) draw->AddCircleFilled(box.centre(), std::max(1.5f, cell * 0.19f), view.theme.text, 16);
  }
}

// Too many cells for the room: each drawn square stands for factor x factor of them.
CellHit draw_reduced(const View& view, const TensorPicture& picture, ImVec2 origin, float cell) {
  const auto factor = static_cast<std::int64_t>(std::ceil(2.0f / std::max(cell, 0.001f)));
  const std::vector<Owner> owners = reduce_owners(picture.grid, picture.owners, factor);
  const std::int64_t columns = (picture.grid.columns + factor - 1) / factor, rows = (picture.grid.rows + factor - 1) / factor;
  const float side = static_cast<float>(factor) * cell;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (std::int64_t row = 0; row < rows; ++row) {
    // Runs of one colour are one rectangle: a large tensor has few blocks, not few cells.
    std::int64_t from = 0;
    for (std::int64_t column = 1; column <= columns; ++column) {
      const ImU32 fill = fill_of(view, owners[static_cast<std::size_t>(row * columns + from)], picture.owner_count);
      if (column < columns && fill_of(view, owners[static_cast<std::size_t>(row * columns + column)], picture.owner_count) == fill) continue;
      draw->AddRectFilled(origin + ImVec2{static_cast<float>(from) * side, static_cast<float>(row) * side},
                          origin + ImVec2{static_cast<float>(column) * side, static_cast<float>(row + 1) * side}, fill);
      from = column;
    }
  }
  return {};
}

}  // namespace

float picture_title_height() { return px(46); }

ImVec2 picture_extent(const View& view, const TensorPicture& picture, float cell) {
  const Ink title{view.fonts.strong, kTextSize, 0}, note{view.fonts.regular, kSmallSize, 0};
  const float text = std::max(measure(title, picture.title).x, measure(note, picture.note).x);
  return {std::max(grid_width(picture.grid, cell), text), picture_title_height() + grid_height(picture.grid, cell)};
}

float fitting_cell(const View& view, const std::vector<TensorPicture>& pictures, ImVec2 room, float largest) {
  const auto fits = [&](float cell) {
    float x = 0, y = 0, row_height = 0;
    for (const TensorPicture& picture : pictures) {
      const ImVec2 extent = picture_extent(view, picture, cell);
      if (grid_width(picture.grid, cell) > room.x) return false;
      if (x > 0 && x + extent.x > room.x) {
        y += row_height + px(kPictureGap) / 2;
        x = row_height = 0;
      }
      x += extent.x + px(kPictureGap);
      row_height = std::max(row_height, extent.y);
    }
    return y + row_height <= room.y;
  };
  for (float cell = std::floor(largest); cell >= 2; cell -= 1)
    if (fits(cell)) return cell;
  for (float cell = 1; cell > 0.01f; cell *= 0.75f)
    if (fits(cell)) return cell;
  return 0.01f;
}

CellHit draw_picture(const View& view, const TensorPicture& picture, float cell, std::int64_t selected) {
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
    for (std::int64_t gap = 0, row = static_cast<std::int64_t>(mouse.y / cell); gap <= picture.grid.row_gaps() && row >= 0; ++gap, --row) {
      if (mouse.y < cell_y(picture.grid, row, cell) || mouse.y >= cell_y(picture.grid, row, cell) + cell) continue;
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
