// Mapping of both runs: a row a launch, in the order of time, a column a tensor, and where they meet what the
// launch touched of it.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "model/layer_cache.h"
#include "model/loaded_run.h"
#include "model/selection.h"
#include "model/touch_table.h"
#include "widgets/kernel_colours.h"
#include "widgets/tensor_grid.h"

namespace workbook::viewer {

class TouchTableView {
 public:
  using Runs = std::array<std::shared_ptr<const LoadedRun>, 2>;
  /// Fills the card it stands in; a click goes to the launch. Both runs have a trace.
  void draw(const Style& style, const Runs& runs, Selection& selection);

 private:
  struct Key {
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

  void refresh(const Style& style, const Runs& runs, const Selection& selection);
  void make_pictures(ColourBy by);
  Frame arrange(const Style& style) const;
  std::size_t column_of(const Entry& entry) const;
  bool is_shared(const Entry& entry) const {
    return table_.tensors[entry.tensor].role == runs::TensorRole::shared;
  }
  const LoadedRun& run_of(std::size_t launch) const {
    return *runs_[static_cast<std::size_t>(table_.launches[launch].side)];
  }
  void draw_head(const Style& style, const Frame& frame);
  void draw_launches(const Style& style, const Frame& frame, const KernelColours& colours);
  void draw_absences(const Style& style, const Frame& frame);
  void draw_flows(const Style& style, const Frame& frame);
  void draw_entry(const Style& style, const Frame& frame, const Entry& entry, Selection& selection);

  Key key_;
  Runs runs_;
  std::array<LayerCache, 2> layers_;
  TouchTable table_;
  std::vector<Entry> entries_;
  std::size_t globals_ = 0, tiles_ = 0;  // columns of tensors, and of the shared tiles of one launch
};

}  // namespace workbook::viewer
