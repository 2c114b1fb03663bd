// Mapping of both runs: a row a launch, in the order of time, a column a tensor, and where they meet what the
// launch touched of it.
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
    std::size_t launch = 0, tensor = 0;  // of the table
    TensorPicture picture;
    bool reads = false, writes = false;
  };
  struct Frame {
    std::vector<float> x, widths;   // of columns: the global tensors, then shared tiles
    std::vector<float> y, heights;  // of rows
    float cell = 0, right = 0, bottom = 0;
    ImVec2 origin{0, 0};
  };

  bool refresh(View& view);
  void make_pictures(View& view);
  Frame arrange(const View& view) const;
  std::size_t column_of(const Entry& entry) const;
  bool is_shared(const Entry& entry) const { return table_.tensors[entry.tensor].role == "shared"; }
  const LoadedRun& run_of(std::size_t launch) const {
    return *runs_[static_cast<std::size_t>(table_.launches[launch].side)];
  }
  void draw_head(const View& view, const Frame& frame);
  void draw_launches(const View& view, const Frame& frame, const KernelColours& colours);
  void draw_absences(const View& view, const Frame& frame);
  void draw_flows(const View& view, const Frame& frame);
  void draw_entry(View& view, const Frame& frame, const Entry& entry);

  Key key_;
  std::array<std::shared_ptr<const LoadedRun>, 2> runs_;
  std::array<LayerCache, 2> layers_;
  TouchTable table_;
  std::vector<Entry> entries_;
  std::size_t globals_ = 0, tiles_ = 0;  // columns of tensors, and of the shared tiles of one launch
};

}  // namespace workbook::viewer
