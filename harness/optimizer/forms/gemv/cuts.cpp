// Which cuts of path gemv are worth a price.
#include "optimizer/launch/cuts.h"
#include "clock/gpus.h"
#include "optimizer/forms/gemv/shape.h"

namespace workbook::opt {
namespace {

constexpr int kGemvWarps[] = {4, 8, 16};
constexpr std::int64_t kGemvTiles[] = {16, 32, 64};

/// Of columns that lie beside each other a tile is shorter than a line of the L2, although tiles twice as
/// wide would be enough for the GPU: with 32 bytes of a row an H200 took 33 us for what path tensor reads
/// in 19.
bool is_narrow(const Cuts& cuts, const GemvShape& shape, std::int64_t tile) {
  return !shape.by_rows && tile < kGemvTiles[2] &&
         nearly_fill_gpu(divided(cuts.extent(shape.out), 2 * tile) * cuts.extent(shape.batch),
                         cuts.gpu().sms);
}

}  // namespace

/// A block for each element of the batch and a tile of the result.
bool try_gemv_cuts(Cuts& cuts) {
  if (!cuts.has_products() && !cuts.has_sums()) return false;
  const auto shape = gemv_indices(cuts.program(), cuts.plan(), cuts.launch(), cuts.uncut());
  if (!shape) return false;
  for (const int warps : kGemvWarps)
    for (const std::int64_t tile : kGemvTiles) {
      if (is_narrow(cuts, *shape, tile)) continue;
      Kernel kernel = cuts.kernel(Path::gemv, warps);
      cuts.cut_to_elements(kernel, shape->batch);
      kernel.cuts[slot(shape->out)].grid = static_cast<int>(divided(cuts.extent(shape->out), tile));
      cuts.consider(kernel);
    }
  return true;
}

}  // namespace workbook::opt
