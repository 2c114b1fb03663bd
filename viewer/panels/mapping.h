// Which thread touches which cell: the tensors of one launch as grids, with the readers and writers of a
// cell and the cells of a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "panels/panel.h"
#include "widgets/tensor_grid.h"

namespace workbook::viewer {

class MappingPanel : public Panel {
 public:
  const char* title() const override { return "Mapping"; }
  const char* summary() const override { return "which thread touches which element"; }
  void draw(View& view) override;
  std::string missing(View& view) override { return missing_trace(view); }

 private:
  struct Key {
    std::int64_t run = 0;
    int launch = -1, block = -1, thread = -1;
    ColourBy by = ColourBy::block;
    Show show = Show::touched;
    bool operator==(const Key&) const = default;
  };

  void refresh(View& view, int focus_thread);
  void draw_controls(View& view);
  void draw_tensors(View& view);
  void draw_details(View& view);

  std::shared_ptr<const LoadedRun> run_;
  Key key_;
  std::vector<TensorPicture> pictures_;
  int hovered_thread_ = -1;
  Place hovered_place_;
  std::int64_t hovered_element_ = -1;
};

}  // namespace workbook::viewer
