// Which cuts of path tensor are worth a price.
#include <algorithm>
#include <array>

#include "clock/gpus.h"
#include "optimizer/forms/tensor/shape.h"
#include "optimizer/launch/cuts.h"

namespace workbook::opt {
namespace {

constexpr int kTensorWarps[] = {2, 4, 8}, kSharedWarps = 8;
/// Four warps that share a ring: two blocks of an SM begin, wait and end at different times.
constexpr int kFewWarps = 4;
constexpr std::int64_t kFewTiles[] = {64, 128};
constexpr std::int64_t kTensorTiles[] = {16, 32, 64};  ///< columns of a block, elements of a step
constexpr std::int64_t kSharedRows[] = {32, 64, 128, 256}, kSharedColumns[] = {32, 64, 128, 256},
                       kSharedSteps[] = {32, 64};
/// Without stages: warps, columns, elements of a step. The best of 30 that an H200 was asked, of either order
/// of the weights: eight loads of a lane are on their way together.
constexpr std::array<int, 3> kRegisterCuts[] = {{8, 16, 64}, {8, 16, 128}, {8, 32, 64}, {16, 64, 32}};

constexpr int kMostSumParts = 16;
constexpr std::int64_t kFewestSteps = 4;  ///< of a part
/// Blocks of an SM, so few that each may as well have a part of its sums.
constexpr std::int64_t kFewBlocks = 2;

struct TensorCut {
  int warps, stages, beside;
  std::int64_t rows, columns, step;  ///< of tiles
  Path path = Path::tensor;
  int down = 1;
};

/// Of path tensor_groups: groups that multiply, times 64 rows that each has, columns.
constexpr int kGroupStages[] = {8, kMostGroupStages, 6, 4, 3};
constexpr std::array<int, 3> kGroupCuts[] = {{2, 1, 256}, {2, 2, 128}, {2, 1, 128}, {2, 2, 64},
                                             {1, 2, 128}, {2, 1, 64},  {1, 1, 128}, {1, 1, 64}};

/// Blocks that are too few for the GPU, each of them by a cluster; no more than one an SM: an H200 took 12 us
/// for 128 blocks, and 20 for 256 that divide the same sums. Clusters of four and of eight find room in 120
/// of its 132.
void cut_clusters(Cuts& cuts, const TensorShape& shape, Kernel kernel) {
  constexpr double kInClusters = 120.0 / 132.0;
  std::int64_t blocks = 1;
  for (const Cut& cut : kernel.cuts) blocks *= cut.grid;
  for (int of = 2; of <= kMostOfCluster && of * kFewestSteps <= kernel.cuts[slot(shape.over)].loop; of *= 2) {
    if (static_cast<double>(blocks * of) > (of > 2 ? kInClusters : 1.0) * cuts.gpu().sms) break;
    kernel.beside = of;
    cuts.consider(kernel);
  }
}

void cut_tensor(Cuts& cuts, const TensorShape& shape, const TensorCut& cut) {
  Kernel kernel = cuts.kernel(cut.path, cut.warps, cut.stages, cut.beside, cut.down);
  cuts.cut_to_elements(kernel, shape.batch);
  cuts.cut_rows(kernel, shape.rows, divided(shape.extent(TileAxis::row, cuts.extents()), cut.rows));
  kernel.cuts[slot(shape.column)].grid = static_cast<int>(divided(cuts.extent(shape.column), cut.columns));
  const std::int64_t steps = divided(cuts.extent(shape.over), cut.step);
  kernel.cuts[slot(shape.over)].loop = static_cast<int>(steps);
  cuts.consider(kernel);
  if (cut.path == Path::tensor_groups) cut_clusters(cuts, shape, kernel);
  if ((cut.beside == 1 && cut.path == Path::tensor) || !shape.batch.empty()) return;
  const std::int64_t blocks = divided(shape.extent(TileAxis::row, cuts.extents()), cut.rows) *
                              divided(cuts.extent(shape.column), cut.columns);
  for (std::int64_t parts = 2; parts <= kMostSumParts && parts * kFewestSteps <= steps &&
                               blocks * parts <= kFewBlocks * cuts.gpu().sms;
       parts *= 2) {
    const std::int64_t loop = divided(steps, parts);
    kernel.cuts[slot(shape.over)] = {static_cast<int>(divided(steps, loop)), static_cast<int>(loop)};
    cuts.consider(kernel);
  }
}

/// Rows of a tile are shorter than a line of the L2, although tiles twice as wide would be enough for the
/// GPU: an H200 took 30 us for a matrix in rows of 32 bytes, and 23 in rows of 64; 104 and 69 with 64 and 128
/// bytes.
bool is_narrow(const Cuts& cuts, const TensorShape& shape, std::int64_t columns) {
  const auto in_lines = [&](const TileMatrix& right) { return TensorShape::is_turned(right); };
  if (columns >= kMostTensorTile || std::all_of(shape.rights.begin(), shape.rights.end(), in_lines))
    return false;
  return nearly_fill_gpu(divided(shape.extent(TileAxis::row, cuts.extents()), kFragment) *
                             divided(cuts.extent(shape.column), 2 * columns) * cuts.extent(shape.batch),
                         cuts.gpu().sms);
}

/// Sums of a few terms, no more of them than a fragment has: threads have added them up before fragments are
/// loaded. An H200 took 1.7 us for one product of two numbers so, and 3.0 by fragments.
bool is_handful(const Cuts& cuts, const TensorShape& shape) {
  constexpr std::int64_t kFewTerms = 4;
  return shape.batch.empty() && cuts.extent(shape.over) <= kFewTerms &&
         shape.extent(TileAxis::row, cuts.extents()) <= kFragment && cuts.extent(shape.column) <= kFragment;
}

}  // namespace

/// Rows of 16 for each block, and larger tiles where there are more.
bool try_tensor_cuts(Cuts& cuts) {
  if (!cuts.has_products()) return false;
  const auto shape = tensor_indices(cuts.program(), cuts.plan(), cuts.launch(), cuts.uncut());
  if (!shape || is_handful(cuts, *shape)) return false;
  for (const int warps : kTensorWarps)
    for (int stages = 2; stages <= kMostStages; ++stages)
      for (const std::int64_t columns : kTensorTiles)
        for (const std::int64_t step : kTensorTiles) {
          // Of one product a step of 16 is waited for longer than it is multiplied: 87 us where 32 took 69.
          const bool short_step = step == kFragment && cuts.extent(shape->over) > step;
          if (is_narrow(cuts, *shape, columns) || (short_step && shape->products.size() == 1)) continue;
          cut_tensor(cuts, *shape, {warps, stages, 1, kFragment, columns, step});
        }
  for (const auto& [warps, columns, step] : kRegisterCuts)
    cut_tensor(cuts, *shape, {warps, kNoStages, 1, kFragment, columns, step});
  for (const std::int64_t rows : kSharedRows) {
    if (rows >= 2 * shape->extent(TileAxis::row, cuts.extents())) break;
    for (const std::int64_t columns : kSharedColumns)
      for (const std::int64_t step : kSharedSteps)
        for (const int beside : {2, 4})
          for (int stages = 3; stages <= kMostStages; ++stages)
            cut_tensor(cuts, *shape, {kSharedWarps, stages, beside, rows, columns, step});
  }
  for (const std::int64_t rows : kFewTiles) {
    if (rows >= 2 * shape->extent(TileAxis::row, cuts.extents())) break;
    for (const std::int64_t columns : kFewTiles)
      for (int stages = 3; stages <= kMostStages; ++stages)
        cut_tensor(cuts, *shape, {kFewWarps, stages, 2, rows, columns, kMostTensorTile});
  }
  if (cuts.gpu().major != kHopper) return true;
  for (const auto& [groups, down, columns] : kGroupCuts) {
    const std::int64_t rows = std::int64_t{kGroupRows} * groups * down;
    if (rows >= 2 * shape->extent(TileAxis::row, cuts.extents())) continue;
    for (const int stages : kGroupStages)
      cut_tensor(cuts, *shape,
                 {kGroupWarps * (groups + 1), stages, 1, rows, columns, kPanel, Path::tensor_groups, down});
  }
  return true;
}

}  // namespace workbook::opt
