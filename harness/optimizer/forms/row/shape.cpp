#include "optimizer/forms/row/shape.h"

#include <algorithm>

namespace workbook::opt {
namespace {

constexpr std::int64_t kMostShort = 2;      ///< packs of a thread, of a row that a warp takes beside others
constexpr std::int64_t kMostElements = 64;  ///< of a row, that a thread holds of one tensor

}  // namespace

std::optional<RowShape> row_shape(const Program& program, const Plan& plan, const Launch& launch,
                                  const Kernel& kernel) {
  const std::vector<IndexSet> shapes = shapes_of(plan.graph, program.output_set());
  RowShape row;
  IndexSet all = 0;
  for (const int node : node_list(kernel.nodes)) {
    const Node& op = plan.graph.nodes[slot(node)];
    if (op.op == Op::matmul || launch.loop >= 0 || launch.split >= 0) return std::nullopt;
    if (op.over >= 0) {
      if (row.index >= 0 && row.index != op.over) return std::nullopt;
      row.index = op.over;
      row.sums = true;
    }
    all |= shapes[slot(node)];
  }
  for (const int node : launch.reads) all |= shapes[slot(node)];
  if (row.index < 0) {
    const auto is_whole = [&](int node) { return shapes[slot(node)] == all; };
    if (launch.writes.empty() || all == 0 ||
        !std::all_of(launch.writes.begin(), launch.writes.end(), is_whole))
      return std::nullopt;
    row.index = dims_of(program, plan, launch.writes.front()).back();
  }
  int widest = 2;
  std::vector<int> tensors = launch.reads;
  tensors.insert(tensors.end(), launch.writes.begin(), launch.writes.end());
  for (const int node : tensors) {
    const IndexSet set = shapes[slot(node)];
    if (!has(set, row.index) || is_made(plan, node)) continue;
    if (dims_of(program, plan, node).back() != row.index) return std::nullopt;
    if (!launch.parts.empty() && launch.parts[slot(node)].maximum == node) return std::nullopt;
    widest = std::max(widest, item_bytes(storage_of(program, plan, node)));
  }
  const IndexSet rows = static_cast<IndexSet>(all & ~only(row.index));
  for (const int node : launch.writes)  // else several blocks would write the same
    if (!within(rows, shapes[slot(node)])) return std::nullopt;
  row.rows = members(rows);
  row.vector = 16 / widest;
  const int pieces = kernel.cuts[slot(row.index)].grid;
  row.in_pieces = pieces > 1;
  if (row.in_pieces && (row.sums || kernel.beside > 1)) return std::nullopt;
  const std::int64_t size = divided(real_extents(plan.graph)[slot(row.index)], pieces),
                     turn = std::int64_t{32} * kernel.warps / kernel.beside * row.vector;
  if (kernel.beside > 1 && (kernel.beside != kernel.warps || size > kMostShort * turn)) return std::nullopt;
  row.threads = 32 * kernel.warps / kernel.beside;
  row.packs = divided(size, turn);
  if (row.packs * row.vector > kMostElements) return std::nullopt;
  return row;
}

}  // namespace workbook::opt
