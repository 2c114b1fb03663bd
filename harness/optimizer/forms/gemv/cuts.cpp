// Which cuts of path gemv are worth a price.
#include "optimizer/launch/cuts.h"
#include "optimizer/forms/gemv/shape.h"

namespace workbook::opt {
namespace {

constexpr int kGemvWarps[] = {4, 8, 16};
constexpr std::int64_t kGemvTiles[] = {16, 32, 64};

}  // namespace

/// A block for each element of the batch and a tile of the result.
bool try_gemv_cuts(Cuts& cuts) {
  if (!cuts.has_products() && !cuts.has_sums()) return false;
  const auto shape = gemv_indices(cuts.program(), cuts.plan(), cuts.launch(), cuts.uncut());
  if (!shape) return false;
  for (const int warps : kGemvWarps)
    for (const std::int64_t tile : kGemvTiles) {
      Kernel kernel = cuts.kernel(Path::gemv, warps);
      cuts.cut_to_elements(kernel, shape->batch);
      kernel.cuts[slot(shape->out)].grid = static_cast<int>(divided(cuts.extent(shape->out), tile));
      cuts.consider(kernel);
    }
  return true;
}

}  // namespace workbook::opt
