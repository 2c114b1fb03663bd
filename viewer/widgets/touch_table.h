// Mapping of both runs: a row a tensor, a column a launch, and in each cell what that launch touched of it.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "model/layer_cache.h"
#include "model/touch_table.h"
#include "widgets/kernel_colours.h"
#include "widgets/tensor_grid.h"

namespace workbook::viewer {

class TouchTableView {
 public:
  /// Fills the card it stands in; a click goes to the launch.
  void draw(View& view);

 private:
  struct Key {
    std::array<std::int64_t, 2> runs{0, 0};
    ColourBy by = ColourBy::block;
    Show show = Show::touched;
    bool dark = false;
    bool operator==(const Key&) const = default;
  };
  struct Entry {
    std::size_t row = 0, column = 0;
    TensorPicture picture;
    bool reads = false, writes = false;
  };
  struct Frame {
    std::vector<float> x, y, heights;  // of columns and rows
    float column = 0, cell = 0;
    ImVec2 origin{0, 0};
  };

  bool refresh(View& view);
  void make_pictures(View& view);
  Frame arrange(const View& view) const;
  void draw_head(const View& view, const Frame& frame, const KernelColours& colours);
  void draw_row_labels(const View& view, const Frame& frame);
  void draw_flows(const View& view, const Frame& frame);
  void draw_entry(View& view, const Frame& frame, const Entry& entry);

  Key key_;
  std::array<std::shared_ptr<const LoadedRun>, 2> runs_;
  std::array<LayerCache, 2> layers_;
  TouchTable table_;
  std::vector<Entry> entries_;
};

}  // namespace workbook::viewer
