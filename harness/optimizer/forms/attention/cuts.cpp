// Which cuts of path tensor_attention are worth a price.
#include "optimizer/launch/cuts.h"
#include "clock/gpus.h"
#include "optimizer/forms/attention/shape.h"

namespace workbook::opt {
namespace {

constexpr int kAttentionWarps[] = {2, 4, 8}, kMostAttentionStages = 3;
/// Of warps with 32 rows each; two blocks of an SM then take turns at tensor cores and exponents.
constexpr int kMostLargeWarps = 4;
constexpr std::int64_t kAttentionKeys[] = {16, 32, 64, 128};  ///< of a turn
/// Where warps share 16 rows they meet four times a turn: one query to 4096 keys took an H200 37 us in turns
/// of 64, and 45 in turns of 32.
constexpr std::int64_t kLongTurn = 64, kManyKeys = 4 * kLongTurn;

/// Of a launch that loops over one of the indices that it sums over.
std::optional<AttentionShape> shape_of(Cuts& cuts) {
  for (const int index : members(cuts.summed())) {
    Kernel kernel = cuts.kernel(Path::tensor_attention, 4, 2);
    kernel.cuts[slot(index)].loop = 2;
    const auto launch = cuts.legal(kernel);
    if (!launch) continue;
    if (auto shape = attention_indices(cuts.program(), cuts.plan(), *launch, kernel)) return shape;
  }
  return std::nullopt;
}

/// Its keys whole, and in parts.
void cut_attention(Cuts& cuts, Kernel kernel, const AttentionShape& shape, std::int64_t keys) {
  const int copying = kernel.path == Path::attention_groups ? kGroupWarps : 0;
  const std::int64_t rows = std::int64_t{kFragment} * kernel.down * (kernel.warps - copying) / kernel.beside;
  const std::int64_t all_rows = shape.row_extent(cuts.extents()), all_keys = cuts.extent(shape.key);
  if (rows > kFragment && rows >= 2 * all_rows) return;
  const std::int64_t of_rows = divided(all_rows, rows), blocks = of_rows * cuts.extent(shape.batch);
  cuts.cut_rows(kernel, shape.row_indices, of_rows);
  cuts.cut_to_elements(kernel, shape.batch);
  const std::int64_t turns = divided(all_keys, keys);
  Cut& cut = kernel.cuts[slot(shape.key)];
  for (std::int64_t parts = 1; 2 * parts <= turns; parts *= 2) {
    if (parts > 1 && blocks * parts > kMostBlocks * cuts.gpu().sms) break;
    const std::int64_t loop = divided(turns, parts);
    cut = {static_cast<int>(divided(turns, loop)), static_cast<int>(loop)};
    if (fragments_of(tile_of(cut, all_keys)) == keys) cuts.consider(kernel);
  }
}

}  // namespace

bool try_attention_cuts(Cuts& cuts) {
  if (!cuts.has_products()) return false;
  const auto shape = shape_of(cuts);
  if (!shape) return false;
  const bool long_turns = cuts.extent(shape->key) >= kManyKeys;
  for (const int warps : kAttentionWarps)
    for (int beside = 1; beside <= std::min(warps, kMostBeside); beside *= 2)
      for (const int down : {1, 2})
        for (const std::int64_t keys : kAttentionKeys) {
          if (beside > 1 && long_turns && keys < kLongTurn) continue;
          for (int stages = 2;
               stages <= kMostAttentionStages && (down == 1 || (beside == 1 && warps <= kMostLargeWarps));
               ++stages)
            cut_attention(cuts, cuts.kernel(Path::tensor_attention, warps, stages, beside, down), *shape,
                          keys);
        }
  if (cuts.gpu().major != kHopper) return true;
  for (const int groups : {2, 1})
    for (const std::int64_t keys : {2 * kPanel, kPanel})
      cut_attention(cuts, cuts.kernel(Path::attention_groups, kGroupWarps * (groups + 1), 2), *shape, keys);
  return true;
}

}  // namespace workbook::opt
