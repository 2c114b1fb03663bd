// Counters of path tensor_attention: its loop over the keys.
#include "optimizer/forms/attention/price.h"

namespace workbook::opt {

void AttentionCounter::count() {
  shape_ = *attention_shape(program_, plan_, launch_, kernel_);
  rows_ = divided(row_extent(), shape_.rows);
  for (const int index : shape_.batch) rows_ *= extent(index);
  std::int64_t parts = 1, first_rows = 1;
  if (launch_.split >= 0)
    parts = divided(extent(shape_.key), std::int64_t{shape_.keys} * kernel_.cuts[slot(shape_.key)].loop);
  blocks_ = rows_ * parts;
  std::uint32_t* const grid[] = {&record_.grid.x, &record_.grid.y, &record_.grid.z};
  for (std::size_t axis = 0; axis < shape_.axes.size(); ++axis) {
    const int index = shape_.axes[axis];
    *grid[axis] = static_cast<std::uint32_t>(index == shape_.key    ? parts
                                             : shape_.is_row(index) ? divided(row_extent(), shape_.rows)
                                                                    : extent(index));
    if (shape_.is_row(index)) first_rows = *grid[axis];
  }
  record_.shared_bytes = shape_.bytes(graph_, kernel_);
  // Besides sums and scores: left operands or one step of them, weights, and addresses.
  if (shape_.own_rows())
    record_.registers = held_registers(shape_.summed_registers() + shape_.down * shape_.keys / 4 +
                                       4 * shape_.down * (shape_.in_registers() ? shape_.left_parts : 1));
  turns_ = rows_ * divided(extent(shape_.key), shape_.keys);
  if (!shape_.hidden.empty()) leave_out();
  count_rows(1.0 / static_cast<double>(parts));
  weight_ = turns_;
  count_copies(1.0 / static_cast<double>(first_rows));
  if (shape_.key_matrix >= 0) count_keys();
  if (shape_.by_groups) {
    weight_ = turns_;
    count_group_turns();
  } else if (shape_.own_rows()) {
    count_staged();
    weight_ = turns_;
    count_own_turn();
  } else {
    count_scores();
    count_weights();
    count_values();
  }
  if (!shape_.by_groups) counters_->barriers += turns_ * (shape_.own_rows() ? 1 : 3);
  weight_ = blocks_;
  count_sums();
  for (const auto& [tiles, rows] : tiles_of_extent(row_extent(), shape_.rows)) {
    weight_ = blocks_ / divided(row_extent(), shape_.rows) * tiles;
    count_results(false, rows);
    if (shape_.own_rows())
      count_own_results(rows);
    else
      count_results(true, rows);
  }
  chained_shared_ = chained_;
  counters_->flops += counters_->tensor_flops;
}

/// Blocks have no turns of keys that none of their rows is shown.
void AttentionCounter::leave_out() {
  const std::int64_t blocks = divided(row_extent(), shape_.rows);
  std::int64_t turns = 0;
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t first = block * shape_.rows, last = std::min(first + shape_.rows, row_extent()) - 1;
    const auto [begin, end] = shape_.keys_shown(graph_, extents_, first, last);
    turns += divided(end - begin, shape_.keys);
  }
  turns = std::max(blocks_ / rows_, turns * (rows_ / blocks));
  shown_ = static_cast<double>(turns) / static_cast<double>(turns_);
  turns_ = turns;
}

void AttentionCounter::count_copies(double first) {
  bool alone = false;
  for (const int node : shape_.tiles) {
    const bool along = shape_.along_keys(graph_, node);
    const std::int64_t rows = along ? width(depth_of(node)) : shape_.keys;
    const std::int64_t columns = along ? shape_.keys : width(depth_of(node)), depth = extent(depth_of(node));
    std::int64_t length = 1;
    const auto& dims = graph_.inputs[slot(node)].dims;
    for (std::size_t dim = dims.size(); dim-- > 0 && dims[dim] != (along ? depth_of(node) : shape_.key);)
      length *= extents_[dims[dim]];
    const bool each = length % 8 != 0 || (along ? extent(shape_.key) : depth) % 8 != 0;
    const std::int64_t at_once = each ? 1 : 8, size = rows * columns / at_once;
    const auto place = [&](std::int64_t i) {
      return each ? TilePlace{i / columns, i % columns} : piece_of(i, columns);
    };
    const bool by_maps = shape_.by_groups && !each;
    const double share = shown_ * (by_maps ? kCopiedShare : 1.0);
    for (const auto& [turns, keys] : tiles_of_extent(extent(shape_.key), shape_.keys)) {
      const Inside inside = along ? Inside{depth, keys, length} : Inside{keys, depth, length};
      weight_ = std::llround(static_cast<double>(rows_ * turns) * share);
      global(
          node, false, size, [&](std::int64_t i) { return inside.place(place(i)); }, at_once);
    }
    weight_ = turns_;
    if (by_maps) continue;
    chained_ += weight_ * words(node, runs::SiteKind::shared_store, size, 2 * at_once, [&](std::int64_t i) {
                  return 2 * (place(i).row * (columns + kTilePad) + place(i).column);
                });
    if (each) waits(divided(size, kLanes), 1, 1, first);
    alone |= each;
  }
  if (shape_.by_groups) {
    weight_ = blocks_;
    waits(1, 2, kernel_.warps, first);
  }
  if (alone || shape_.by_groups) return;
  // While turns are still fetched, each is waited for as the part that the stages in flight leave of it.
  const std::int64_t ahead = kernel_.stages - 1, own = divided(turns_, blocks_);
  const std::int64_t fetching = 1 + std::max<std::int64_t>(0, own - ahead);
  const std::int64_t chained = divided(blocks_ * fetching * kernel_.warps, ahead);
  counters_->chained_misses += chained;
  counters_->chained_dram_misses += std::llround(first * static_cast<double>(chained));
}

void AttentionCounter::count_keys() {
  const int matrix = shape_.key_matrix;
  const std::int64_t columns = width(depth_of(matrix)), pieces = shape_.keys * columns / 8;
  const std::int64_t requests = divided(pieces, kLanes), lanes = columns / 8;
  words(matrix, runs::SiteKind::shared_load, pieces, 16,
        [&](std::int64_t i) { return 2 * (i * 8 / columns * (columns + kTilePad) + i * 8 % columns); });
  shuffles(lanes, requests * static_cast<std::int64_t>(shape_.key_sums.size()));
  counters_->warp_operations += weight_ * kernel_.warps;
  const std::int64_t rows = std::max<std::int64_t>(1, kLanes / lanes);
  for (const bool inverse : {false, true})
    for (const int node : shape_.factors(graph_, true, inverse)) {
      words(
          node, runs::SiteKind::shared_store, rows, 4, [](std::int64_t lane) { return 4 * lane; }, requests);
      chained_ += weight_ * requests;
    }
  chained_ += weight_ * requests;
  per_element(shape_.keys * columns, shape_.key_elements.size() + shape_.key_sums.size());
  per_element(requests * kLanes, shape_.key_values.size() + 1);
}

void AttentionCounter::count_scores() {
  const std::int64_t groups = shape_.rows / kFragment, parts = shape_.keys / kFragment;
  for (const auto& product : shape_.products) {
    const std::int64_t steps = width(product.depth) / kFragment, stride = width(product.depth) + kTilePad;
    const std::int64_t multiplied = groups * parts * steps;
    const bool along = shape_.along_keys(graph_, product.right);
    rights(product.right, !along, along ? shape_.keys + kTilePad : stride, multiplied);
    if (!shape_.in_registers()) fragment(product.left, runs::SiteKind::shared_load, stride, 2, multiplied);
    multiply(multiplied);
  }
  const std::int64_t stored = groups * parts * shape_.shares();
  fragment(shape_.score, runs::SiteKind::shared_store, shape_.keys + kTilePad, 4, stored);
  chained_ += weight_ * (stored * kFragmentElements / 2 + kernel_.warps);
}

void AttentionCounter::count_weights() {
  const std::int64_t lanes = shape_.lanes(), at_once = shape_.at_once(), times = shape_.own_keys() / at_once;
  const std::int64_t stride = shape_.keys + kTilePad;
  const auto of_row = [&](std::int64_t lane) { return lane / lanes * stride + lane % lanes * at_once; };
  words(
      shape_.score, runs::SiteKind::shared_load, kLanes, 4 * at_once,
      [&](std::int64_t lane) { return 4 * of_row(lane); }, kernel_.warps * times * shape_.shares());
  for (const bool inverse : {false, true})
    for (const int node : shape_.factors(graph_, true, inverse))
      words(
          node, runs::SiteKind::shared_load, kLanes, 4 * at_once,
          [&](std::int64_t lane) { return lane % lanes * 4 * at_once; }, kernel_.warps * times);
  for (const int pair : shape_.pairs) {
    bool missed = false;
    for (std::int64_t e = 0; e < shape_.own_keys(); ++e)
      missed |= global(pair, false, threads_, [&](std::int64_t thread) {
        const std::int64_t key = (e / at_once * lanes + thread % lanes) * at_once + e % at_once;
        return place_of(pair, thread / lanes, shape_.key, key);
      });
    if (missed) waits(1, 1, kernel_.warps, 1.0);
  }
  shuffles(lanes, kernel_.warps);
  words(
      shape_.weight, runs::SiteKind::shared_store, kLanes, 2 * at_once,
      [&](std::int64_t lane) { return 2 * of_row(lane); }, kernel_.warps * times);
  // The first 16 elements of each row.
  const std::int64_t filling = std::min(lanes, kFragment / at_once), fills = kFragment / at_once / filling;
  words(
      shape_.score, runs::SiteKind::shared_store, kLanes / lanes * filling, 4 * at_once,
      [&](std::int64_t i) { return 4 * (i / filling * stride + i % filling * at_once); },
      kernel_.warps * fills);
  chained_ += weight_ * kernel_.warps * (1 + times + fills);
  // Guarded, compared, less the maximum, exp, rounded.
  per_element(shape_.rows * shape_.keys,
              shape_.scaled.size() + shape_.masked.size() + shape_.sums.size() + 8);
}

void AttentionCounter::count_values() {
  const std::int64_t groups = shape_.rows / kFragment, steps = shape_.keys / kFragment;
  const std::int64_t columns = width(shape_.column), parts = shape_.column_parts();
  fragment(shape_.score, runs::SiteKind::shared_load, shape_.keys + kTilePad, 4, kernel_.warps);
  per_element(shape_.rows * columns, 1);
  fragment(shape_.weight, runs::SiteKind::shared_load, shape_.keys + kTilePad, 2, kernel_.warps * steps);
  const bool along = shape_.along_keys(graph_, shape_.values);
  rights(shape_.values, along, (along ? shape_.keys : columns) + kTilePad, kernel_.warps * steps * parts);
  multiply(groups * shape_.beside * steps * parts);
  chained_ += weight_ * kernel_.warps;
}

std::unique_ptr<LaunchCounter> attention_counter(const Program& program, const Plan& plan,
                                                 const Launch& launch, const Kernel& kernel,
                                                 const Extents& extents) {
  return std::make_unique<AttentionCounter>(program, plan, launch, kernel, extents);
}

}  // namespace workbook::opt
