#include "optimizer/forms/attention/shape.h"

#include <algorithm>
#include <bit>

#include "optimizer/plan/halves.h"

namespace workbook::opt {
namespace {

constexpr int kMostWidth = 512;         ///< of depths and columns
constexpr int kMostColumnParts = 8;     ///< fragments of sums that a warp has, where several share rows
constexpr int kMostDown = 2;            ///< times 16 rows that a warp has of its own
constexpr int kMostSummedWords = 192;   ///< registers of scores and sums, where a warp has rows of its own
constexpr int kMostWeighedWords = 240;  ///< of these and of the weights that scores become: more is spilled
constexpr int kMostKeptWords = 160;     ///< of these and of left fragments, which else stay in shared memory
constexpr int kMostRowElements = 80;    ///< of the rows before the loop, a lane
constexpr int kMostKeyLanes = 32;       ///< that share a key whose statistics are taken: a warp
constexpr int kMostLeftParts = 8;       ///< left fragments that are held in registers

}  // namespace

int AttentionShape::depth_of(const Graph& graph, int tile) const {
  for (const Product& of : products)
    if (of.right == tile) return of.depth;
  return tile == values ? column : graph.inputs[slot(tile)].dims.back();
}

bool AttentionShape::set_tiles(const Graph& graph, const Launch& launch, const Kernel& kernel,
                               const std::vector<IndexSet>& shapes) {
  const Extents extents = real_extents(graph);
  beside = kernel.beside, down = kernel.down;
  if (down < 1 || down > (own_rows() ? kMostDown : 1) || beside < 1 || beside > kMostBeside ||
      !std::has_single_bit(static_cast<unsigned>(beside)) || kernel.warps % beside != 0 ||
      kernel.stages < 2 || kernel.stages > kMostStages)
    return false;
  by_groups = kernel.path == Path::attention_groups;
  if (by_groups && (kernel.warps % kGroupWarps != 0 || multiplying(kernel) <= 0)) return false;
  rows = kFragment * down * multiplying(kernel) / beside;
  // As many blocks as the grid says: tiles are whole fragments.
  const auto in_parts = [&](int index, std::int64_t part) {
    return divided(extents[slot(index)], part) == kernel.cuts[slot(index)].grid;
  };
  for (int i = 0; i < static_cast<int>(graph.indices.size()); ++i) {
    const Cut& cut = kernel.cuts[slot(i)];
    if (i == key) keys = static_cast<int>(fragments_of(tile_of(cut, extents[slot(i)])));
    const bool fits = i == key           ? in_parts(i, std::int64_t{keys} * cut.loop)
                      : cut.loop != 1    ? false
                      : is_row(i)        ? row_indices.size() > 1 || in_parts(i, rows)
                      : listed(batch, i) ? in_parts(i, 1)
                                         : cut.grid == 1;
    if (!fits) return false;
  }
  if (keys > kMostKeys || own_keys() < 2) return false;
  const auto set_width = [&](int index) {
    width[slot(index)] = static_cast<int>(fragments_of(extents[slot(index)]));
  };
  set_width(column);
  for (const int tile : tiles) set_width(depth_of(graph, tile));
  int elements = 0;
  for (const int node : before_reads)
    for (const int index : members(shapes[slot(node)])) {
      if (is_row(index) || listed(batch, index)) continue;
      set_width(index);
      if (!is_copied(node)) elements += (width[slot(index)] + 31) / 32 * kFragment * down / beside;
    }
  if (*std::max_element(width.begin(), width.end()) > kMostWidth || elements > kMostRowElements) return false;
  left_parts = 0;
  for (const Product& of : products) left_parts += width[slot(of.depth)] / kFragment;
  if (own_rows()
          ? summed_registers() > kMostSummedWords || summed_registers() + down * keys / 4 > kMostWeighedWords
          : width[slot(column)] / kFragment % beside != 0 || column_parts() > kMostColumnParts)
    return false;
  if (key_matrix >= 0 && width[slot(depth_of(graph, key_matrix))] > 8 * kMostKeyLanes) return false;
  if (by_groups && !fits_groups(graph, launch, shapes)) return false;
  axes = batch;
  axes.push_back(row_indices.front());
  if (launch.split >= 0) axes.push_back(key);
  sort_by_blocks(axes, kernel);
  return (launch.split < 0 || launch.split == key) && axes.size() <= kMostGridIndices;
}

bool AttentionShape::fits_groups(const Graph& graph, const Launch& launch,
                                 const std::vector<IndexSet>& shapes) const {
  const auto panels = [](int extent) { return extent == kPanel || extent == 2 * kPanel; };
  const auto is_mapped = [&](int node) {
    return std::count_if(batch.begin(), batch.end(),
                         [&](int index) { return has(shapes[slot(node)], index); }) <= kMostMapBatch;
  };
  return own_rows() && down == 1 && launch.split < 0 && staged.empty() && key_matrix < 0 &&
         products.size() == 1 && is_copied(products.front().left) && !listed(tiles, products.front().left) &&
         !rows_pass_registers() && before.empty() && factors(graph, false, false).empty() &&
         factors(graph, false, true).empty() && panels(keys) && panels(width[slot(column)]) &&
         panels(width[slot(products.front().depth)]) && is_mapped(products.front().left) &&
         std::all_of(tiles.begin(), tiles.end(), is_mapped) &&
         std::all_of(launch.writes.begin(), launch.writes.end(),
                     [&](int node) { return has(shapes[slot(node)], column); });
}

bool AttentionShape::bounds_keys(const Graph& graph, int hidden_pair) const {
  const Placed& placed = graph.inputs[slot(hidden_pair)].placed;
  return placed.kind == Placed::not_negative && std::abs(placed.times(key)) == 1;
}

bool AttentionShape::grows(const Graph& graph) const {
  return std::any_of(hidden.begin(), hidden.end(), [&](int each) {
    return bounds_keys(graph, each) && graph.inputs[slot(each)].placed.times(key) < 0;
  });
}

bool AttentionShape::any_in_rows() const {
  return own_rows() &&
         std::any_of(staged.begin(), staged.end(), [](const Staged& each) { return each.in_rows; });
}

std::pair<std::int64_t, std::int64_t> AttentionShape::keys_shown(const Graph& graph, const Extents& extents,
                                                                 std::int64_t first,
                                                                 std::int64_t last) const {
  std::int64_t begin = 0, end = extents[slot(key)];
  for (const int each : hidden) {
    const Placed& placed = graph.inputs[slot(each)].placed;
    const std::int32_t of_key = placed.times(key);
    if (!bounds_keys(graph, each)) continue;
    std::int64_t most = placed.plus;
    for (const Placed::Term& term : placed.terms) {
      if (term.index == key) continue;
      std::int64_t low = 0, high = extents[term.index] - 1, inner = 1;
      for (std::size_t at = row_indices.size(); at-- > 0; inner *= extents[slot(row_indices[at])]) {
        if (row_indices[at] != term.index) continue;
        const std::int64_t from = first / inner, to = last / inner, size = extents[term.index];
        if (at == 0 || from / size == to / size) low = from % size, high = to % size;
      }
      most += term.times > 0 ? term.times * high : term.times * low;
    }
    if (of_key < 0)
      end = std::min(end, most + 1);
    else
      begin = std::max(begin, -most / keys * keys);
  }
  return {begin, std::max(begin, end)};
}

std::vector<int> AttentionShape::factors(const Graph& graph, bool of_keys, bool inverse) const {
  std::vector<int> found;
  for (const int number : scaled) {
    const Node& op = graph.nodes[slot(number)];
    for (const auto& [of, divides] : {std::pair{int{op.a}, false}, std::pair{int{op.b}, op.op == Op::div}}) {
      if (of < 0 || of == score || listed(scaled, of) || listed(pairs, of)) continue;
      if (divides != inverse || listed(found, of)) continue;
      if (slot(of) < graph.inputs.size() && graph.inputs[slot(of)].constant >= 0) continue;
      if ((listed(key_sums, of) || listed(key_values, of)) == of_keys) found.push_back(of);
    }
  }
  return found;
}

std::vector<int> AttentionShape::kept_rows(const Graph& graph) const {
  std::vector<int> kept = factors(graph, false, false);
  for (const int number : behind)
    for (const int of : {int{graph.nodes[slot(number)].a}, int{graph.nodes[slot(number)].b}})
      if (is_before(of) && !listed(kept, of)) kept.push_back(of);
  return kept;
}

std::vector<AttentionShape::Product> AttentionShape::lefts() const {
  std::vector<Product> found;
  for (const Product& of : products)
    if (std::none_of(found.begin(), found.end(), [&](const Product& one) { return one.left == of.left; }))
      found.push_back(of);
  return found;
}

bool AttentionShape::is_staged(int node) const {
  return own_rows() &&
         std::any_of(staged.begin(), staged.end(), [&](const Staged& each) { return each.node == node; });
}

bool AttentionShape::rows_pass_registers() const {
  return std::any_of(before_reads.begin(), before_reads.end(), [&](int node) { return !is_copied(node); });
}

int AttentionShape::summed_registers() const { return down * (width[slot(column)] + keys) / 2; }

bool AttentionShape::in_registers() const {
  if (own_rows()) return summed_registers() + 4 * down * left_parts <= kMostKeptWords;
  return products.size() == 1 && shares() == 1 && left_parts <= kMostLeftParts;
}

bool AttentionShape::rounds(const Program& program, const Plan& plan, const Product& of) const {
  return is_before(of.left) || storage_of(program, plan, of.left) != tensor_type(program, plan);
}

std::int64_t AttentionShape::stage_bytes(const Graph& graph) const {
  std::int64_t bytes = 0;
  for (const int tile : tiles) {
    const int depth = width[slot(depth_of(graph, tile))];
    bytes += by_groups                 ? std::int64_t{2} * depth * keys
             : along_keys(graph, tile) ? tile_bytes(depth, keys, 2)
                                       : tile_bytes(keys, depth, 2);
  }
  for (const Staged& each : staged)
    if (own_rows()) bytes += tile_bytes(rows, keys, each.item);
  for (const bool inverse : {false, true})
    bytes += static_cast<std::int64_t>(factors(graph, true, inverse).size()) * 4 * keys;
  return aligned(bytes);
}

std::int64_t AttentionShape::group_bytes() const {
  const std::int64_t scores = shares() * tile_bytes(kFragment, keys, 4);
  std::int64_t left = 0;
  for (const Product& of : products)
    left += by_groups ? std::int64_t{2} * kFragment * width[slot(of.depth)]
                      : tile_bytes(kFragment, width[slot(of.depth)], 2);
  if (own_rows()) return left;
  return (in_registers() ? std::max(left, scores) : left + scores) + tile_bytes(kFragment, keys, 2);
}

std::int64_t AttentionShape::bytes(const Graph& graph, const Kernel& kernel) const {
  const std::int64_t ring = kernel.stages * stage_bytes(graph);
  const std::size_t kept = kept_rows(graph).size() + factors(graph, false, true).size() + sums.size() + 1;
  const std::int64_t results = own_rows() ? 0 : tile_bytes(rows, width[slot(column)], 4);
  const std::int64_t barriers = by_groups ? 8 * (1 + (tiles.size() > 1 ? 4 : 2) * kernel.stages) : 0;
  return rows / kFragment * group_bytes() + std::max(ring, results) + aligned(barriers) +
         aligned(static_cast<std::int64_t>(kept) * 4 * rows);
}

}  // namespace workbook::opt
