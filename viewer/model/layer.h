// What the cells of one tensor show in Mapping: who touched them, when, how often, or what they hold; at
// every resolution, so that a tensor of millions of cells costs a picture no more than a small one.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "model/access.h"
#include "model/grid.h"
#include "model/pyramid.h"

namespace workbook::viewer {

struct LayerCell {
  /// The block, or the warp or thread inside its block; the time, the reads, the value or the error. Exact
  /// up to 2^24.
  float number = 0.0f;
  std::uint16_t several = 0;  ///< how many different owners; above 1 the cell is shared
  std::uint8_t flags = 0;     ///< of the bits below
};
inline constexpr std::uint8_t kPresent = 1;   ///< somebody touched it, or it has a value
inline constexpr std::uint8_t kChosen = 2;    ///< by the block that is singled out, or none is
inline constexpr std::uint8_t kOnLine = 4;    ///< by the line that is singled out
inline constexpr std::uint8_t kWrong = 8;     ///< its error is above the tolerance
inline constexpr std::uint8_t kPadding = 16;  ///< past a ragged end: no element

struct LayerRequest {
  Place place;
  ColourBy by = ColourBy::block;
  Show show = Show::touched;
  int chosen_block = -1;    ///< its own accesses decide where there are any: others' would hide what it does
  int file = -1, line = 0;  ///< whose cells are marked; 0: none
  const runs::TensorValues* values = nullptr;  ///< for value and error
  bool operator==(const LayerRequest&) const = default;
};

struct Layer {
  LayerRequest request;
  Grid grid;
  Pyramid<LayerCell> cells;      ///< rows and columns of `grid`
  double low = 0.0, high = 0.0;  ///< of the numbers that are there
  std::int64_t present = 0;      ///< cells
  bool line_touches = false;     ///< some cell is marked
  bool by_writers = false;       ///< owners and times are those of writes
};

/// Numbers that say who did it: block, warp and thread. The others have a scale from low to high.
bool names_owner(ColourBy by);

/// Larger tensors are not drawn.
inline constexpr std::int64_t kMostElements = 1 << 26;
/// Time and memory grow with the elements and the events; once made, nothing that draws it does. `wrap` as in
/// make_grid. Nothing for a tensor that is unknown, empty or too large.
std::optional<Layer> make_layer(const AccessIndex& index, const LayerRequest& request, std::int64_t wrap = 0);

/// The values of a traced tensor, from the case of the same shape; nullptr when there are none.
const runs::TensorValues* values_of(const runs::Trace& trace, const runs::TensorInfo& tensor);

}  // namespace workbook::viewer
