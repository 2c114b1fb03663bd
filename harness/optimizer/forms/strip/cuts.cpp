// Which cuts of path strip are worth a price.
#include <algorithm>
#include <iterator>

#include "clock/gpus.h"
#include "optimizer/forms/strip/shape.h"
#include "optimizer/launch/cuts.h"

namespace workbook::opt {
namespace {

constexpr int kStripWarps[] = {1, 2, 4, 8, 16}, kTogether[] = {8, 4, 16},
              kStripLanes[] = {1, 2, 4, 8, 16, 32};
constexpr int kMostParts = 512;
/// Side by side: 64 bytes of a row of halves, which DRAM sends at once, and 128, a line, where there are
/// blocks enough with that: for all SMs, and where it is gone over once for half of them. An H200 reads a
/// tenth to a third faster then.
constexpr int kFewestLanes = 4, kLineLanes = 8;
/// Of the whole grid, for each SM: what an H200 wants on its way where a block's threads go round more than
/// once, for they all wait between two turns.
constexpr std::int64_t kWarpsWanted = 12, kFewTurns = 1;

/// What the grid may cut: what all sums are over in the end; where there are none, the outermost index.
int cut_of(const Graph& graph, const StripShape& shape) {
  if (shape.over.empty()) return -1;
  int cut = shape.finals.empty() ? shape.over.front() : graph.nodes[slot(shape.finals.front())].over;
  for (const int node : shape.finals)
    if (graph.nodes[slot(node)].over != cut) cut = -1;
  return shape.phases() > (shape.finals.empty() ? 1 : 2) ? -1 : cut;
}

/// Packs that a block goes over, the index not cut.
std::int64_t packs_of_block(const Cuts& cuts, const StripShape& shape, int lanes) {
  std::int64_t packs = shape.across ? lanes : 1;
  for (const int index : shape.over)
    packs *= index == shape.lane ? divided(cuts.extent(index), shape.vector) : cuts.extent(index);
  return packs;
}

/// The L2 does not keep it for a later launch.
bool comes_from_dram(const Cuts& cuts, const StripShape& shape) {
  std::int64_t bytes = 0;
  for (const int node : shape.packs)
    bytes +=
        cuts.extent(members(cuts.shape(node))) * item_bytes(storage_of(cuts.program(), cuts.plan(), node));
  return bytes > kKeptBytes;
}

}  // namespace

bool try_strip_cuts(Cuts& cuts) {
  const auto shape = strip_indices(cuts.program(), cuts.plan(), cuts.launch(), cuts.uncut());
  if (!shape) return false;
  const int cut = cut_of(cuts.graph(), *shape);
  const std::int64_t batch = cuts.extent(shape->batch);
  const int sm_parts = shape->phases() <= 2 ? 2 : 1;  // blocks for one of so many parts of the SMs are enough
  const bool by_lines = comes_from_dram(cuts, *shape);  // and parts are blocks enough
  for (const int warps : kStripWarps)
    for (const int together : kTogether)
      for (const int lanes : kStripLanes) {
        if (!shape->across && lanes > 1) break;
        const std::int64_t along = shape->across ? cuts.extent(shape->lane) : 0, vector = shape->vector;
        if (lanes < kFewestLanes && along >= kFewestLanes * vector) continue;
        if (lanes < kLineLanes && along >= kLineLanes * vector &&
            nearly_fill_gpu(sm_parts * batch * divided(along, kLineLanes * vector), cuts.gpu().sms))
          continue;
        Kernel kernel = cuts.kernel(Path::strip, warps, together, lanes);
        cuts.cut_to_elements(kernel, shape->batch);
        std::int64_t blocks = batch;
        if (shape->across) {
          const std::int64_t tile = lanes * vector;
          if (lanes > 1 && tile >= 2 * along) break;
          kernel.cuts[slot(shape->lane)].grid = static_cast<int>(divided(along, tile));
          blocks *= divided(along, tile);
        }
        const std::int64_t packs = packs_of_block(cuts, *shape, lanes);
        const auto enough = [&](std::int64_t parts) {
          return packs <= kFewTurns * parts * warps * 32 * together ||
                 blocks * parts * warps >= kWarpsWanted * cuts.gpu().sms;
        };
        if (enough(1) || warps == *std::rbegin(kStripWarps)) cuts.consider(kernel);
        if (cut < 0 || (by_lines && lanes < kLineLanes && along >= kLineLanes * vector)) continue;
        const std::int64_t extent = cuts.extent(cut), most = std::min<std::int64_t>(kMostParts, extent);
        for (std::int64_t parts = 2; parts <= most; parts *= 2) {
          if (blocks * parts > kMostBlocks * cuts.gpu().sms) break;
          if (4 * blocks * parts < cuts.gpu().sms) continue;
          if (!enough(parts) && 2 * parts <= most) continue;
          kernel.cuts[slot(cut)].grid = static_cast<int>(parts);
          // Whole packs round the last parts away.
          kernel.cuts[slot(cut)].grid = static_cast<int>(divided(extent, tile_of(kernel, cut, extent)));
          cuts.consider(kernel);
        }
      }
  return true;
}

}  // namespace workbook::opt
