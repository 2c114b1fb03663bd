// Which cuts of path turned are worth a price.
#include "optimizer/launch/cuts.h"
#include "optimizer/forms/turned/shape.h"

namespace workbook::opt {

bool try_turned_cuts(Cuts& cuts) {
  const auto shape = turned_indices(cuts.program(), cuts.plan(), cuts.launch(), cuts.uncut());
  if (!shape) return false;
  for (const int tile : {32, 64})
    for (const int warps : {4, 8}) {
      Kernel kernel = cuts.kernel(Path::turned, warps, 0, tile);
      cuts.cut_to_elements(kernel, shape->batch);
      for (const int index : {shape->in, shape->out})
        kernel.cuts[slot(index)].grid = static_cast<int>(divided(cuts.extent(index), tile));
      cuts.consider(kernel);
    }
  return true;
}

}  // namespace workbook::opt
