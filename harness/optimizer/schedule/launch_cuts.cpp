#include "optimizer/schedule/launch_cuts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "clock/model.h"
#include "optimizer/forms/attention/shape.h"
#include "optimizer/forms/gemv/shape.h"
#include "optimizer/forms/strip/shape.h"
#include "optimizer/forms/turned/shape.h"
#include "optimizer/schedule/emit.h"

namespace workbook::opt {
namespace {

constexpr std::int64_t kGridTiles[] = {1, 8, 16, 32, 64}, kLoopTiles[] = {16, 32, 64};
constexpr int kWarps[] = {4, 8}, kRowWarps[] = {1, 2, 4, 8, 16}, kTensorWarps[] = {2, 4, 8};
constexpr std::int64_t kPieces[] = {256, 512, 1024};   ///< elements of a warp
constexpr std::int64_t kTensorTiles[] = {16, 32, 64};  ///< columns of a block, elements of a step
constexpr std::int64_t kSharedRows[] = {32, 64, 128, 256}, kSharedColumns[] = {32, 64, 128, 256},
                       kSharedSteps[] = {32, 64};
constexpr int kSharedWarps = 8;
constexpr int kGemvWarps[] = {4, 8, 16};
constexpr std::int64_t kGemvTiles[] = {16, 32, 64};
constexpr int kAttentionWarps[] = {2, 4, 8}, kMostAttentionStages = 3;
constexpr std::int64_t kAttentionKeys[] = {16, 32, 64, 128};  ///< of a turn
constexpr std::int64_t kLeastTile = 64, kMostTile = 4096;     ///< elements of what a block writes
constexpr std::int64_t kMostHeld = 16384;                     ///< likewise, of path attention
constexpr std::int64_t kSplits[] = {2, 4, 8, 16, 32, 64};     ///< parts of a sum that the grid cuts
constexpr double kWorth = 0.97;    ///< of a launch's time: what more parts have to come to
constexpr double kMeasured = 1.1;  ///< times the least time: what a form that was timed on GPUs may cost
constexpr double kAlike = 1.2;     ///< times the least time: what path tensor's cuts may cost
constexpr std::int64_t kMostBlocks = 8;  ///< an SM, where the grid cuts sums
constexpr std::int64_t kWhole = 128;     ///< a longer index is cut

}  // namespace

LaunchCutter::LaunchCutter(const Program& program, const Graph& graph, const sim::GpuSpec& gpu,
                           const std::function<bool()>& stop)
    : program_(program),
      graph_(graph),
      gpu_(gpu),
      stop_(stop),
      extents_(real_extents(graph)),
      shapes_(shapes_of(graph, program.output_set())) {}

std::vector<Kernel> LaunchCutter::best_kernels(const Plan& given, int number, const Launch& launch,
                                               const std::vector<Launch>& before) {
  Plan plan = given;
  before_ = &before;
  halves_ = given.kernels[slot(number)].halves;
  candidates_.clear();
  const std::uint64_t nodes = plan.kernels[slot(number)].nodes;
  bool products = false, sums = false;
  IndexSet all = 0, summed = 0, written = 0;
  for (const int node : launch.reads) all |= shapes_[slot(node)];
  for (const int node : launch.writes) written |= shapes_[slot(node)];
  for (const int node : node_list(nodes)) {
    const Node& op = graph_.nodes[slot(node)];
    all |= shapes_[slot(node)];
    products = products || op.op == Op::matmul;
    sums = sums || op.op == Op::sum;
    if (op.over >= 0) summed |= only(op.over);
  }
  if (!products)
    for (const int warps : kRowWarps)
      for (const int beside : {1, warps})
        if (beside == 1 || warps > 1) try_row(plan, number, launch, warps, beside);
  if (!products && summed == 0 && launch.writes.size() == 1)
    for (const int warps : kWarps) try_pieces(plan, number, launch, warps);
  if (products) try_tensor(plan, number, launch);
  if (products || sums) try_gemv(plan, number, launch);
  const Kernel& uncut = plan.kernels[slot(number)];
  try_cuts(plan, number, strip_cuts(program_, plan, launch, uncut, gpu_));
  try_cuts(plan, number, turned_cuts(program_, plan, launch, uncut));
  // Where tensor cores do both products of an attention, nothing else comes near.
  if (products && try_attention(plan, number, all & summed)) products = false;
  least_tile_ = kLeastTile;
  if (products || candidates_.empty()) try_tiles(plan, number, written, all & summed, products);
  if (candidates_.empty()) {
    least_tile_ = 1;
    try_tiles(plan, number, written, all & summed, products);
  }
  // More parts cost whoever reads them: they have to be worth it here.
  std::vector<Kernel> list;
  double least = INFINITY;
  for (const auto& [parts, candidates] : candidates_) {
    const Candidate& best = pick(candidates);
    if (best.us > kWorth * least) continue;
    least = best.us;
    list.push_back(best.kernel);
  }
  return list;
}

void LaunchCutter::consider(Plan& plan, int number) {
  if (!candidates_.empty() && stop_ && stop_()) return;
  plan.kernels[slot(number)].halves = uncut_by_grid(graph_, plan.kernels[slot(number)], halves_);
  const auto legal = legal_launch(program_, plan, number, *before_, extents_);
  if (!legal) return;
  const Launch& launch = *legal;
  const Kernel& kernel = plan.kernels[slot(number)];
  if (kernel.path == Path::row && !row_shape(program_, plan, launch, kernel)) return;
  if (kernel.path == Path::strip && !strip_shape(program_, plan, launch, kernel)) return;
  if (kernel.path == Path::turned && !turned_shape(program_, plan, launch, kernel)) return;
  if (kernel.path == Path::gemv && !gemv_shape(program_, plan, launch, kernel)) return;
  const auto bytes = tile_bytes_of(program_, plan, launch, kernel, extents_);
  if (!bytes || *bytes > std::int64_t{gpu_.shared_kb_per_block} * 1024) return;
  ++priced_;
  runs::LaunchRecord record = counted(program_, plan, launch, kernel, extents_);
  const double us = sim::LaunchSequence(gpu_).next(record).total_us;
  const int parts = launch.split < 0 ? 1 : kernel.cuts[slot(launch.split)].grid;
  candidates_[parts].push_back({us, record.counters->l2_sectors, kernel});
}

/// The fastest. Asynchronous copies cost more than the clock has them cost where blocks fetch the same again:
/// at b 16 an H200 took 28 us for RMSNorm + Linear in 192 blocks and 21 in 96, which ask the L2 for less, and
/// the clock has the 192 ahead by a tenth. So on path tensor the least asked of the L2 decides between cuts
/// that are alike.
const LaunchCutter::Candidate& LaunchCutter::pick(const std::vector<Candidate>& candidates) const {
  const auto fastest = std::min_element(candidates.begin(), candidates.end(),
                                        [](const Candidate& a, const Candidate& b) { return a.us < b.us; });
  if (fastest->kernel.path == Path::strip) {
    const Candidate* known = nullptr;  // were timed on GPUs where strips were not
    for (const Candidate& each : candidates)
      if ((each.kernel.path == Path::row || each.kernel.path == Path::gemv ||
           each.kernel.path == Path::tensor) &&
          (known == nullptr || each.us < known->us))
        known = &each;
    return known != nullptr && known->us <= kMeasured * fastest->us ? *known : *fastest;
  }
  if (fastest->kernel.path != Path::tensor) return *fastest;
  const auto rank = [&](const Candidate& each) {
    const bool alike = each.kernel.path == Path::tensor && each.us <= kAlike * fastest->us;
    return std::tuple(!alike, each.sectors, each.us);
  };
  return *std::min_element(candidates.begin(), candidates.end(),
                           [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
}

void LaunchCutter::try_row(Plan& plan, int number, const Launch& launch, int warps, int beside) {
  Kernel& kernel = plan.kernels[slot(number)];
  kernel = {kernel.nodes, {}, Path::row, warps, 0, beside};
  const auto row = row_shape(program_, plan, launch, kernel);
  if (!row || static_cast<int>(row->rows.size()) > kMostGridIndices) return;
  for (const int index : row->rows) kernel.cuts[slot(index)].grid = extents_[slot(index)];
  consider(plan, number);
}

/// Rows over which nothing is summed, a block for each piece.
void LaunchCutter::try_pieces(Plan& plan, int number, const Launch& launch, int warps) {
  Kernel& kernel = plan.kernels[slot(number)];
  kernel = {kernel.nodes, {}, Path::row, warps};
  const IndexSet written = shapes_[slot(launch.writes.front())];
  if (written == 0) return;
  const int last = dims_of(program_, plan, launch.writes.front()).back();
  for (const std::int64_t elements : kPieces) {
    const std::int64_t pieces = (extents_[slot(last)] + warps * elements - 1) / (warps * elements);
    if (pieces < 2) break;
    kernel.cuts[slot(last)].grid = static_cast<int>(pieces);
    const auto row = row_shape(program_, plan, launch, kernel);
    if (!row || !row->in_pieces || static_cast<int>(row->rows.size()) > kMostGridIndices) return;
    for (const int index : row->rows) kernel.cuts[slot(index)].grid = extents_[slot(index)];
    consider(plan, number);
  }
}

/// Rows of 16 for each block, and larger tiles where there are more.
void LaunchCutter::try_tensor(Plan& plan, int number, const Launch& launch) {
  const Kernel& kernel = plan.kernels[slot(number)];
  const auto shape = tensor_indices(program_, plan, launch, kernel);
  if (!shape) return;
  for (const int warps : kTensorWarps)
    for (int stages = 2; stages <= kMostStages; ++stages)
      for (const std::int64_t columns : kTensorTiles)
        for (const std::int64_t step : kTensorTiles)
          cut_tensor(plan, number, *shape, {warps, stages, 1, kFragment, columns, step});
  for (const std::int64_t rows : kSharedRows) {
    if (rows >= 2 * shape->extent(TileAxis::row, extents_)) break;
    for (const std::int64_t columns : kSharedColumns)
      for (const std::int64_t step : kSharedSteps)
        for (const int beside : {2, 4})
          for (int stages = 3; stages <= kMostStages; ++stages)
            cut_tensor(plan, number, *shape, {kSharedWarps, stages, beside, rows, columns, step});
  }
  plan.kernels[slot(number)] = {kernel.nodes, {}, Path::plain, 8};
}

/// Of several indices of a row the outer ones first.
void LaunchCutter::cut_rows(Kernel& kernel, const std::vector<int>& rows, std::int64_t blocks) const {
  for (const int index : rows) {
    const std::int64_t own = std::min<std::int64_t>(blocks, extents_[slot(index)]);
    kernel.cuts[slot(index)].grid = static_cast<int>(own);
    blocks = (blocks + own - 1) / own;
  }
}

void LaunchCutter::cut_tensor(Plan& plan, int number, const TensorShape& shape, const TensorCut& cut) {
  Kernel& kernel = plan.kernels[slot(number)];
  kernel = {kernel.nodes, {}, Path::tensor, cut.warps, cut.stages, cut.beside};
  const auto parts = [](std::int64_t extent, std::int64_t tile) { return (extent + tile - 1) / tile; };
  for (const int index : shape.batch) kernel.cuts[slot(index)].grid = extents_[slot(index)];
  cut_rows(kernel, shape.rows, parts(shape.extent(TileAxis::row, extents_), cut.rows));
  kernel.cuts[slot(shape.column)].grid = static_cast<int>(parts(extents_[slot(shape.column)], cut.columns));
  kernel.cuts[slot(shape.over)].loop = static_cast<int>(parts(extents_[slot(shape.over)], cut.step));
  consider(plan, number);
}

void LaunchCutter::try_cuts(Plan& plan, int number, const std::vector<Kernel>& cuts) {
  Kernel& kernel = plan.kernels[slot(number)];
  const std::uint64_t nodes = kernel.nodes;
  for (const Kernel& cut : cuts) {
    kernel = cut;
    consider(plan, number);
  }
  kernel = {nodes, {}, Path::plain, 8};
}

/// A block for each element of the batch and a tile of the result.
void LaunchCutter::try_gemv(Plan& plan, int number, const Launch& launch) {
  Kernel& kernel = plan.kernels[slot(number)];
  const std::uint64_t nodes = kernel.nodes;
  const auto indices = gemv_indices(program_, plan, launch, kernel);
  if (!indices) return;
  for (const int warps : kGemvWarps)
    for (const std::int64_t tile : kGemvTiles) {
      kernel = {nodes, {}, Path::gemv, warps};
      for (const int index : indices->batch) kernel.cuts[slot(index)].grid = extents_[slot(index)];
      const std::int64_t out = extents_[slot(indices->out)];
      kernel.cuts[slot(indices->out)].grid = static_cast<int>((out + tile - 1) / tile);
      consider(plan, number);
    }
  kernel = {nodes, {}, Path::plain, 8};
}

/// Whether the launch is one that has an exp between two products, whatever became of its cuts.
bool LaunchCutter::try_attention(Plan& plan, int number, IndexSet summed) {
  Kernel& kernel = plan.kernels[slot(number)];
  const std::uint64_t nodes = kernel.nodes;
  std::optional<AttentionShape> indices;
  for (const int index : members(summed)) {
    kernel = {nodes, {}, Path::tensor_attention, 4, 2};
    kernel.cuts[slot(index)].loop = 2;
    const auto launch = legal_launch(program_, plan, number, *before_, extents_);
    if (launch) indices = attention_indices(program_, plan, *launch, kernel);
    if (indices) break;
  }
  if (indices)
    for (const int warps : kAttentionWarps)
      for (int beside = 1; beside <= std::min(warps, kMostBeside); beside *= 2)
        for (const int down : {1, 2})
          for (const std::int64_t keys : kAttentionKeys)
            for (int stages = 2; stages <= kMostAttentionStages && (down == 1 || beside == 1); ++stages) {
              kernel = {nodes, {}, Path::tensor_attention, warps, stages, beside, down};
              cut_attention(plan, number, *indices, keys);
            }
  kernel = {nodes, {}, Path::plain, 8};
  return indices && !candidates_.empty();
}

/// Its keys whole, and in parts.
void LaunchCutter::cut_attention(Plan& plan, int number, const AttentionShape& indices, std::int64_t keys) {
  Kernel& kernel = plan.kernels[slot(number)];
  const std::int64_t rows = std::int64_t{kFragment} * kernel.down * kernel.warps / kernel.beside;
  const std::int64_t all_rows = indices.row_extent(extents_), all_keys = extents_[slot(indices.key)];
  if (rows > kFragment && rows >= 2 * all_rows) return;
  std::int64_t blocks = (all_rows + rows - 1) / rows;
  cut_rows(kernel, indices.row_indices, blocks);
  for (const int index : indices.batch) {
    kernel.cuts[slot(index)].grid = extents_[slot(index)];
    blocks *= extents_[slot(index)];
  }
  const std::int64_t turns = (all_keys + keys - 1) / keys;
  Cut& cut = kernel.cuts[slot(indices.key)];
  for (std::int64_t parts = 1; 2 * parts <= turns; parts *= 2) {
    if (parts > 1 && blocks * parts > kMostBlocks * gpu_.sms) break;
    const std::int64_t loop = (turns + parts - 1) / parts;
    cut = {static_cast<int>((turns + loop - 1) / loop), static_cast<int>(loop)};
    if (fragments_of(tile_of(cut, all_keys)) == keys) consider(plan, number);
  }
}

void LaunchCutter::try_tiles(Plan& plan, int number, IndexSet written, IndexSet summed, bool products) {
  Kernel& kernel = plan.kernels[slot(number)];
  const std::uint64_t nodes = kernel.nodes;
  std::vector<int> loops{-1};
  for (const int index : members(summed))
    if (extents_[slot(index)] > kWhole) loops.push_back(index);
  if (loops.size() > 1) loops.erase(loops.begin());
  for (const int loop : loops) {
    const bool runs = loop >= 0 && is_legal(plan, number, Path::attention, loop, 1);
    const Path path = runs ? Path::attention : products ? Path::product : Path::plain;
    const bool splits = products && loop >= 0 && is_legal(plan, number, path, loop, 2);
    // What a block of path attention holds whole counts, too.
    std::int64_t elements = 1;
    if (runs)
      for (const int index : members(written & summed))
        if (index != loop) elements *= extents_[slot(index)];
    for (const int warps : kWarps)
      for (const std::int64_t loop_tile : kLoopTiles) {
        if (loop < 0 && loop_tile != kLoopTiles[0]) continue;
        kernel = {nodes, {}, path, warps};
        looped_ = loop;
        turns_ = loop < 0 ? 1 : (extents_[slot(loop)] + loop_tile - 1) / loop_tile;
        splits_ = splits;
        if (loop >= 0) kernel.cuts[slot(loop)].loop = static_cast<int>(turns_);
        cut_axes(plan, number, members(written & ~summed), 0, elements);
      }
  }
  kernel = {nodes, {}, Path::plain, 8};
}
bool LaunchCutter::is_legal(Plan& plan, int number, Path path, int loop, int parts) const {
  Kernel& kernel = plan.kernels[slot(number)];
  const Kernel kept = kernel;
  kernel.path = path;
  kernel.cuts[slot(loop)] = {parts, 2};
  const bool legal = legal_launch(program_, plan, number, *before_, extents_).has_value();
  kernel = kept;
  return legal;
}
/// In both operands of every product that has it: its tile need be no more than 1.
bool LaunchCutter::is_batch(std::uint64_t nodes, int index) const {
  bool any = false;
  for (const int node : node_list(nodes)) {
    const Node& op = graph_.nodes[slot(node)];
    if (op.op != Op::matmul || !has(shapes_[slot(node)], index)) continue;
    if (!has(shapes_[slot(op.a)], index) || !has(shapes_[slot(op.b)], index)) return false;
    any = true;
  }
  return any;
}

void LaunchCutter::cut_axes(Plan& plan, int number, const std::vector<int>& axes, std::size_t at,
                            std::int64_t elements) {
  Kernel& kernel = plan.kernels[slot(number)];
  if (at == axes.size()) {
    if (elements >= least_tile_) cut_sums(plan, number);
    return;
  }
  const std::int64_t extent = extents_[slot(axes[at])];
  Cut& cut = kernel.cuts[slot(axes[at])];
  const bool batch = is_batch(kernel.nodes, axes[at]);
  std::set<std::int64_t> seen;
  for (const std::int64_t tile : kGridTiles) {
    const std::int64_t parts = tile >= extent ? 1 : (extent + tile - 1) / tile;
    if (!seen.insert(parts).second || (batch && tile > 1)) continue;
    const std::int64_t own = elements * ((extent + parts - 1) / parts);
    if (own > (kernel.path == Path::attention ? kMostHeld : kMostTile)) continue;
    cut.grid = static_cast<int>(parts);
    cut_axes(plan, number, axes, at + 1, own);
  }
  cut.grid = 1;
}

/// The sums whole; and in parts, where there are less blocks than the GPU could run.
void LaunchCutter::cut_sums(Plan& plan, int number) {
  consider(plan, number);
  if (!splits_) return;
  Kernel& kernel = plan.kernels[slot(number)];
  std::int64_t blocks = 1;
  for (const Cut& cut : kernel.cuts) blocks *= cut.grid;
  Cut& cut = kernel.cuts[slot(looped_)];
  const Cut whole = cut;
  for (const std::int64_t parts : kSplits) {
    if (parts > turns_ || blocks * parts > kMostBlocks * gpu_.sms) break;
    if (2 * blocks * parts < gpu_.sms) continue;
    cut = {static_cast<int>(parts), static_cast<int>((turns_ + parts - 1) / parts)};
    consider(plan, number);
  }
  cut = whole;
}

}  // namespace workbook::opt
