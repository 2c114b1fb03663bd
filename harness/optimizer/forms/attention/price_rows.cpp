// Counters of path tensor_attention: the rows before the loop, and what becomes of their sums behind it.
#include <algorithm>

#include "optimizer/forms/attention/price.h"

namespace workbook::opt {

void AttentionCounter::count_rows(double first) {
  weight_ = blocks_ * kernel_.warps;
  bool missed = false;
  for (const int node : shape_.before_reads) {
    if (shape_.is_copied(node)) continue;
    const int depth = depth_of_row(node);
    const std::int64_t lanes = depth < 0 ? 1 : divided(width(depth), kLanes);
    for (std::int64_t row = 0; row < warp_rows(); ++row)
      for (std::int64_t j = 0; j < lanes; ++j)
        missed |= global(node, false, kLanes,
                         [&](std::int64_t lane) { return place_of(node, row, depth, lane + kLanes * j); });
  }
  // Unrolled: all are on their way together. (The simulator sees rounds of a loop, and takes four
  // together.)
  if (missed) waits(1, 1, 1, first);
  for (const int node : shape_.before) {
    const Node& op = graph_.nodes[slot(node)];
    const int depth = op.op == Op::sum ? op.over : depth_of_row(node);
    per_element(warp_rows() * (depth < 0 ? 1 : width(depth)), 1);
    if (op.op == Op::sum) shuffles(kLanes, warp_rows());
  }
  const auto stored = [&](int node, std::int64_t columns, std::int64_t bytes) {
    const std::int64_t repeats = warp_rows() * divided(columns, kLanes);
    words(
        node, runs::SiteKind::shared_store, std::min(kLanes, columns), bytes,
        [&](std::int64_t lane) { return bytes * lane; }, repeats);
    chained_ += weight_ * repeats;
  };
  for (const auto& product : shape_.lefts())
    if (!shape_.is_copied(product.left)) stored(product.left, width(product.depth), 2);
  const auto same = [](std::int64_t) { return std::int64_t{0}; };
  for (const int node : shape_.kept_rows(graph_)) stored(node, 1, 4);
  for (const int node : shape_.factors(graph_, false, true)) stored(node, 1, 4);
  for (const bool inverse : {false, true})
    for (const int node : shape_.factors(graph_, false, inverse))
      words(node, runs::SiteKind::shared_load, kLanes, 4, same, shape_.own_rows() ? 2 * shape_.down : 1);
  if (shape_.own_rows()) return count_own_rows();
  if (shape_.in_registers()) {
    const auto& product = shape_.products.front();
    fragment(product.left, runs::SiteKind::shared_load, width(product.depth) + kTilePad, 2,
             shape_.left_parts);
  }
  chained_ += weight_;
  counters_->barriers += blocks_;
}

void AttentionCounter::count_sums() {
  const bool meet = !shape_.own_rows();
  const bool numbers_cross = std::any_of(launch_.writes.begin(), launch_.writes.end(),
                                         [&](int node) { return !has(shapes_[slot(node)], shape_.column); });
  counters_->barriers += (meet ? 2 : numbers_cross ? 1 : 0) * blocks_;
  const std::int64_t columns = width(shape_.column), stored = kernel_.warps * shape_.column_parts();
  if (meet) fragment(shape_.product, runs::SiteKind::shared_store, columns + kTilePad, 4, stored);
  shuffles(shape_.lanes(),
           kernel_.warps * static_cast<std::int64_t>(shape_.sums.size()) * (meet ? 1 : 2 * shape_.down));
  if (!meet && !numbers_cross) return;
  std::vector<int> numbers = shape_.sums;
  numbers.push_back(launch_.running);
  for (const int node : numbers)
    words(
        node, runs::SiteKind::shared_store, kLanes / shape_.lanes(), 4,
        [](std::int64_t lane) { return 4 * lane; }, kernel_.warps * (meet ? 1 : 2 * shape_.down));
  chained_ += weight_ * ((meet ? stored * kFragmentElements / 2 : 0) +
                         kernel_.warps * static_cast<std::int64_t>(numbers.size()));
}

void AttentionCounter::count_results(bool columns, std::int64_t rows) {
  const auto wide = [&](int node) { return has(shapes_[slot(node)], shape_.column); };
  std::vector<int> written;
  for (const int node : launch_.writes)
    if (wide(node) == columns) written.push_back(node);
  if (written.empty()) return;
  std::vector<int> needed = written;
  for (auto of = shape_.behind.rbegin(); of != shape_.behind.rend(); ++of)
    if (listed(needed, *of))
      for (const int from : {int{graph_.nodes[slot(*of)].a}, int{graph_.nodes[slot(*of)].b}})
        if (from >= 0 && !listed(needed, from)) needed.push_back(from);
  const std::int64_t across = columns ? width(shape_.column) : 1, size = rows * across;
  const auto place = [&](int node, std::int64_t i) {
    const std::int64_t column = i % across;
    return columns && column >= extent(shape_.column) ? -1
                                                      : place_of(node, i / across, shape_.column, column);
  };
  bool missed = false;
  for (const int node : needed) {
    if (is_constant(plan_, node) || listed(shape_.behind, node)) continue;
    if (listed(shape_.behind_reads, node)) {
      missed |= global(node, false, size, [&](std::int64_t i) { return place(node, i); });
      continue;
    }
    const std::int64_t stride = node == shape_.product ? across + kTilePad : 1;
    words(node, runs::SiteKind::shared_load, size, 4, [&](std::int64_t i) {
      return 4 * (i / across * stride + (node == shape_.product ? i % across : 0));
    });
  }
  chained_ += weight_ * std::min<std::int64_t>(kernel_.warps, divided(size, kLanes));
  if (missed) waits(divided(size, threads_), shape_.behind_reads.size(), kernel_.warps, 1.0);
  for (const int node : written) global(node, true, size, [&](std::int64_t i) { return place(node, i); });
  per_element(size, shape_.behind.size());
}

}  // namespace workbook::opt
