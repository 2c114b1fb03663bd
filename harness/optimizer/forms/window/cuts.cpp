// Which cuts of path window are worth a price.
#include "optimizer/launch/cuts.h"
#include "optimizer/forms/window/shape.h"

namespace workbook::opt {
namespace {

constexpr std::int64_t kMostTurns = 4096;  ///< of a thread's loops: more are for blocks

}  // namespace

bool try_window_cuts(Cuts& cuts) {
  std::int64_t turns = 1;
  for (const int index : members(cuts.summed())) turns *= cuts.extent(index);
  if (cuts.written() == 0 || turns > kMostTurns) return false;
  for (const int vector : {1, 4, 8})
    for (const int down : {1, 4, 16})
      for (const int warps : {4, 8}) {
        const Kernel kernel = cuts.kernel(Path::window, warps, 0, vector, down);
        if (window_shape(cuts.program(), cuts.plan(), cuts.launch(), kernel)) cuts.consider(kernel);
      }
  return true;
}

}  // namespace workbook::opt
