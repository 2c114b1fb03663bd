// Which cuts of path row are worth a price.
#include "optimizer/launch/cuts.h"
#include "optimizer/forms/row/shape.h"

namespace workbook::opt {
namespace {

constexpr int kRowWarps[] = {1, 2, 4, 8, 16}, kPieceWarps[] = {4, 8};
constexpr std::int64_t kPieces[] = {256, 512, 1024};  ///< elements of a warp

std::optional<RowShape> shape_of(const Cuts& cuts, const Kernel& kernel) {
  auto row = row_shape(cuts.program(), cuts.plan(), cuts.launch(), kernel);
  return row && static_cast<int>(row->rows.size()) <= kMostGridIndices ? row : std::nullopt;
}

void try_rows(Cuts& cuts, int warps, int beside) {
  Kernel kernel = cuts.kernel(Path::row, warps, 0, beside);
  const auto row = shape_of(cuts, kernel);
  if (!row) return;
  cuts.cut_to_elements(kernel, row->rows);
  cuts.consider(kernel);
}

/// Rows over which nothing is summed, a block for each piece.
void try_pieces(Cuts& cuts, int warps) {
  if (cuts.written() == 0) return;
  Kernel kernel = cuts.kernel(Path::row, warps);
  const std::vector<std::uint8_t> dims = dims_of(cuts.program(), cuts.plan(), cuts.launch().writes.front());
  if (dims.empty()) return;
  const int last = dims.back();
  for (const std::int64_t elements : kPieces) {
    const std::int64_t pieces = divided(cuts.extent(last), warps * elements);
    if (pieces < 2) break;
    kernel.cuts[slot(last)].grid = static_cast<int>(pieces);
    const auto row = shape_of(cuts, kernel);
    if (!row || !row->in_pieces) return;
    cuts.cut_to_elements(kernel, row->rows);
    cuts.consider(kernel);
  }
}

}  // namespace

bool try_row_cuts(Cuts& cuts) {
  if (cuts.has_products()) return false;
  for (const int warps : kRowWarps)
    for (const int beside : {1, warps})
      if (beside == 1 || warps > 1) try_rows(cuts, warps, beside);
  if (cuts.summed() == 0 && !cuts.launch().writes.empty())
    for (const int warps : kPieceWarps) try_pieces(cuts, warps);
  return true;
}

}  // namespace workbook::opt
