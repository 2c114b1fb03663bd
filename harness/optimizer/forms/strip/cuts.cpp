// Which cuts of path strip are worth a price.
#include <algorithm>

#include "clock/gpus.h"
#include "optimizer/forms/strip/shape.h"

namespace workbook::opt {
namespace {

constexpr int kStripWarps[] = {1, 2, 4, 8, 16}, kTogether[] = {4, 8, 16},
              kStripLanes[] = {1, 2, 4, 8, 16, 32};
constexpr int kMostParts = 512;
constexpr std::int64_t kBlocksPerSm = 8;

/// What the grid may cut: what all sums are over in the end; where there are none, the outermost index.
int cut_of(const Graph& graph, const StripShape& shape) {
  if (shape.over.empty()) return -1;
  int cut = shape.finals.empty() ? shape.over.front() : graph.nodes[slot(shape.finals.front())].over;
  for (const int node : shape.finals)
    if (graph.nodes[slot(node)].over != cut) cut = -1;
  return shape.phases() > (shape.finals.empty() ? 1 : 2) ? -1 : cut;
}

}  // namespace

std::vector<Kernel> strip_cuts(const Program& program, const Plan& plan, const Launch& launch,
                               const Kernel& kernel, const sim::GpuSpec& gpu) {
  std::vector<Kernel> found;
  const auto shape = strip_indices(program, plan, launch, kernel);
  if (!shape) return found;
  const Extents extents = real_extents(plan.graph);
  const int cut = cut_of(plan.graph, *shape);
  std::int64_t batch = 1;
  for (const int index : shape->batch) batch *= extents[slot(index)];
  const auto parts_of = [](std::int64_t extent, std::int64_t tile) { return (extent + tile - 1) / tile; };
  for (const int warps : kStripWarps)
    for (const int together : kTogether)
      for (const int lanes : kStripLanes) {
        if (!shape->across && lanes > 1) break;
        Kernel made{kernel.nodes, {}, Path::strip, warps, together, lanes};
        for (const int index : shape->batch) made.cuts[slot(index)].grid = extents[slot(index)];
        std::int64_t blocks = batch;
        if (shape->across) {
          const std::int64_t tile = std::int64_t{lanes} * shape->vector, extent = extents[slot(shape->lane)];
          if (lanes > 1 && tile >= 2 * extent) break;
          made.cuts[slot(shape->lane)].grid = static_cast<int>(parts_of(extent, tile));
          blocks *= parts_of(extent, tile);
        }
        found.push_back(made);
        if (cut < 0) continue;
        const std::int64_t extent = extents[slot(cut)];
        for (std::int64_t parts = 2; parts <= std::min<std::int64_t>(kMostParts, extent); parts *= 2) {
          if (blocks * parts > kBlocksPerSm * gpu.sms) break;
          if (4 * blocks * parts < gpu.sms) continue;
          made.cuts[slot(cut)].grid = static_cast<int>(parts);
          // Whole packs round the last parts away.
          made.cuts[slot(cut)].grid = static_cast<int>(parts_of(extent, tile_of(made, cut, extent)));
          found.push_back(made);
        }
        made.cuts[slot(cut)] = {};
      }
  return found;
}

}  // namespace workbook::opt
