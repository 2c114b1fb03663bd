// Which thread touches which cell: the tensors of one launch as grids, with the readers and writers of a
// cell and the cells of a thread; or the launches of both runs over the same tensors.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/layer_cache.h"
#include "panels/panel.h"
#include "widgets/access_details.h"
#include "widgets/tensor_grid.h"
#include "widgets/touch_table.h"
#include "widgets/zoom.h"

namespace workbook::viewer {

class MappingPanel : public Panel {
 public:
  const char* title() const override { return "Mapping"; }
  const char* summary() const override { return "which thread touches which element"; }
  void draw(View& view) override;
  std::vector<Command> commands() override;
  std::string missing(View& view) override { return missing_trace(view); }
  std::int64_t cells_drawn() const { return cells_drawn_; }  ///< in the last frame: bounded by the screen

 private:
  struct Key {
    std::int64_t run = 0;
    int launch = -1, block = -1;
    ColourBy by = ColourBy::block;
    Show show = Show::touched;
    int line = 0;
    std::string file;
    bool dark = false;
    bool operator==(const Key&) const = default;
  };
  struct Focus {
    int thread = -1, threads = 1;
    bool operator==(const Focus&) const = default;
  };

  void refresh(View& view);
  void add_picture(View& view, int tensor, int block);
  void choose_palettes(const View& view);
  void refresh_focus(const View& view);
  const CellHistory& history_of(const Place& place, std::int64_t element);
  void draw_controls(View& view);
  void draw_colour_controls(View& view, float width);
  void draw_tensors(View& view);
  void draw_pictures(View& view, const Rect& area);
  void draw_legend(const View& view, ImVec2 at, float width);
  void draw_details(View& view);
  void draw_both(View& view);
  void select_cell(View& view, const Place& place, std::int64_t element);

  std::shared_ptr<const LoadedRun> run_;
  Key key_;
  Focus focus_;
  LayerCache layers_;
  std::vector<TensorPicture> pictures_;
  std::vector<std::int64_t> wraps_;  // of the pictures
  std::vector<Cell> focus_cells_;
  CellHistory history_;
  TouchTableView both_;
  Zoom zoom_;
  int hovered_thread_ = -1;
  Place hovered_place_;
  std::int64_t hovered_element_ = -1;
  std::int64_t cells_drawn_ = 0;
};

}  // namespace workbook::viewer
