// The tensors of one block at one point of its way: what is touched now, and what was touched before.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/block_steps.h"
#include "model/grid.h"
#include "model/pyramid.h"

namespace workbook::viewer {

struct StepCell {
  std::uint16_t thread = 0;   ///< the first that touches it now
  std::uint16_t several = 0;  ///< how many threads touch it now
  std::uint8_t flags = 0;     ///< of the bits below
};
inline constexpr std::uint8_t kReadNow = 1, kWrittenNow = 2, kReadBefore = 4, kWrittenBefore = 8;
inline constexpr std::uint8_t kMine = 16;     ///< touched now by a thread that is singled out
inline constexpr std::uint8_t kOutside = 32;  ///< no element

/// One tensor or shared tile of the block; of a large one the rows and columns that the block touches.
struct StepPicture {
  Place place;
  Grid grid;  ///< of the part that is shown
  std::int64_t first_row = 0, first_column = 0;
  bool cropped = false;
  bool written = false;
  std::int64_t touched_now = 0;  ///< cells
  Pyramid<StepCell> cells;
  std::int64_t element(std::int64_t shown) const;  ///< of the tensor, from that of `grid`
  std::int64_t shown(std::int64_t element) const;  ///< the other way round; it must be in the picture
  Grid whole;                                      ///< of the tensor, its rows not folded
};

/// Where the Steps panel stands: a whole step, or one moment of it.
struct StepCursor {
  int step = 0;
  int moment = -1;  ///< of BlockSteps::moments(); -1: the whole step
  bool operator==(const StepCursor&) const = default;
};

class StepCells {
 public:
  StepCells() = default;
  StepCells(const AccessIndex& index, int launch, int block, const BlockSteps& steps);

  /// Threads from `thread` on (`threads` of them, -1 and 0 for none) are singled out.
  void show(const BlockSteps& steps, const StepCursor& at, int thread, int threads);
  /// Global tensors first, those that are written last; then shared tiles.
  const std::vector<StepPicture>& pictures() const { return pictures_; }

 private:
  std::vector<StepPicture> pictures_;
  std::vector<int> by_tensor_;  // its picture, -1: none
};

/// The next or earlier place to stop: through the moments of a step to the next step, `by` moments or, with
/// `whole`, steps. Stays at the ends.
StepCursor move_cursor(const BlockSteps& steps, StepCursor at, int by, bool whole);

}  // namespace workbook::viewer
