// Which cuts of loop nests are worth a price: paths plain, product and attention.
#include <set>

#include "clock/gpus.h"
#include "optimizer/forms/nests/shape.h"
#include "optimizer/launch/cuts.h"

namespace workbook::opt {
namespace {

constexpr std::int64_t kGridTiles[] = {1, 8, 16, 32, 64}, kLoopTiles[] = {16, 32, 64};
constexpr int kWarps[] = {4, 8};
constexpr std::int64_t kLeastTile = 64, kMostTile = 4096;  ///< elements of what a block writes
constexpr std::int64_t kMostHeld = 16384;                  ///< likewise, of path attention
constexpr std::int64_t kSplits[] = {2, 4, 8, 16, 32, 64};  ///< parts of a sum that the grid cuts
constexpr std::int64_t kWhole = 128;                       ///< a longer index is cut

class NestCutter {
 public:
  NestCutter(Cuts& cuts, std::int64_t least_tile) : cuts_(cuts), least_tile_(least_tile) {}

  void run() {
    std::vector<int> loops{-1};
    for (const int index : members(cuts_.summed()))
      if (cuts_.extent(index) > kWhole) loops.push_back(index);
    if (loops.size() > 1) loops.erase(loops.begin());
    for (const int loop : loops) cut_loop(loop);
  }

 private:
  void cut_loop(int loop) {
    const bool products = cuts_.has_products(), runs = loop >= 0 && is_legal(Path::attention, loop, 1);
    const Path path = runs ? Path::attention : products ? Path::product : Path::plain;
    looped_ = loop;
    splits_ = products && loop >= 0 && is_legal(path, loop, 2);
    // What a block of path attention holds whole counts, too.
    std::int64_t elements = 1;
    if (runs)
      for (const int index : members(cuts_.written() & cuts_.summed()))
        if (index != loop) elements *= cuts_.extent(index);
    for (const int warps : kWarps)
      for (const std::int64_t loop_tile : kLoopTiles) {
        if (loop < 0 && loop_tile != kLoopTiles[0]) continue;
        kernel_ = cuts_.kernel(path, warps);
        turns_ = loop < 0 ? 1 : divided(cuts_.extent(loop), loop_tile);
        if (loop >= 0) kernel_.cuts[slot(loop)].loop = static_cast<int>(turns_);
        cut_axes(members(cuts_.written() & ~cuts_.summed()), 0, elements);
      }
  }
  bool is_legal(Path path, int loop, int parts) {
    Kernel kernel = cuts_.uncut();
    kernel.path = path;
    kernel.cuts[slot(loop)] = {parts, 2};
    return cuts_.legal(kernel).has_value();
  }
  /// In both operands of every product that has it: its tile need be no more than 1.
  bool is_batch(int index) const {
    bool any = false;
    for (const int node : node_list(kernel_.nodes)) {
      const Node& op = cuts_.graph().nodes[slot(node)];
      if (op.op != Op::matmul || !has(cuts_.shape(node), index)) continue;
      if (!has(cuts_.shape(op.a), index) || !has(cuts_.shape(op.b), index)) return false;
      any = true;
    }
    return any;
  }

  void cut_axes(const std::vector<int>& axes, std::size_t at, std::int64_t elements) {
    if (at == axes.size()) {
      if (elements >= least_tile_) cut_sums();
      return;
    }
    const std::int64_t extent = cuts_.extent(axes[at]);
    Cut& cut = kernel_.cuts[slot(axes[at])];
    const bool batch = is_batch(axes[at]);
    std::set<std::int64_t> seen;
    for (const std::int64_t tile : kGridTiles) {
      const std::int64_t parts = tile >= extent ? 1 : divided(extent, tile);
      if (!seen.insert(parts).second || (batch && tile > 1)) continue;
      const std::int64_t own = elements * divided(extent, parts);
      if (own > (kernel_.path == Path::attention ? kMostHeld : kMostTile)) continue;
      cut.grid = static_cast<int>(parts);
      cut_axes(axes, at + 1, own);
    }
    cut.grid = 1;
  }

  /// The sums whole; and in parts, where there are less blocks than the GPU could run.
  void cut_sums() {
    cuts_.consider(kernel_);
    if (!splits_) return;
    std::int64_t blocks = 1;
    for (const Cut& cut : kernel_.cuts) blocks *= cut.grid;
    Cut& cut = kernel_.cuts[slot(looped_)];
    const Cut whole = cut;
    for (const std::int64_t parts : kSplits) {
      if (parts > turns_ || blocks * parts > kMostBlocks * cuts_.gpu().sms) break;
      if (2 * blocks * parts < cuts_.gpu().sms) continue;
      cut = {static_cast<int>(parts), static_cast<int>(divided(turns_, parts))};
      cuts_.consider(kernel_);
    }
    cut = whole;
  }

  Cuts& cuts_;
  std::int64_t least_tile_;  ///< elements of what a block writes
  Kernel kernel_;
  int looped_ = -1;
  std::int64_t turns_ = 1;
  bool splits_ = false;
};

}  // namespace

/// Of what has no products only where nothing else can be. Small tiles where there are no larger ones.
bool try_nest_cuts(Cuts& cuts) {
  if (cuts.has_products() || !cuts.any()) NestCutter(cuts, kLeastTile).run();
  if (!cuts.any()) NestCutter(cuts, 1).run();
  return true;
}

}  // namespace workbook::opt
