// Counters of path tensor_attention where warps have rows of their own: scores and sums in registers.
#include <algorithm>

#include "optimizer/forms/attention/price.h"

namespace workbook::opt {
namespace {

/// What a lane computes in a turn besides, however many keys that has, in operations, of which it does two a
/// clock as it multiplies and adds: addresses, shuffles, the rows' numbers. An H200 took 73 us for causal
/// attention in turns of 32 keys, 61 in turns of 64; for few rows in parts (qknorm_attention) 37.3 in turns
/// of 32, 39.5 in turns of 128.
constexpr std::size_t kOfTurn = 200;
/// What a quarter of an SM computes: so many multiplications and additions of tensor cores a clock, exponents
/// of a warp in so many, others of it one a clock; a function takes as many as so many of those. And what a
/// turn waits for besides. By what an H200 took for 17 programs.
constexpr double kTurnWaits = 400, kProductsAClock = 256, kExponentClocks = 8, kFunction = 40;
constexpr std::int64_t kQuarters = 4;

}  // namespace

void AttentionCounter::count_own_rows() {
  bool barrier = false;
  std::vector<int> begun;
  for (const auto& product : shape_.products) {
    const std::int64_t columns = width(product.depth), stride = columns + kTilePad;
    if (shape_.is_copied(product.left) && !listed(begun, product.left)) {
      begun.push_back(product.left);
      const bool each = extent(product.depth) % 8 != 0;
      const std::int64_t at_once = each ? 1 : 8, size = shape_.rows * columns / at_once;
      const auto place = [&](std::int64_t i) {
        return each ? TilePlace{i / columns, i % columns} : piece_of(i, columns);
      };
      weight_ = blocks_;
      global(
          product.left, false, size,
          [&](std::int64_t i) {
            const TilePlace at = place(i);
            if (at.column >= extent(product.depth) || at.row >= row_extent()) return std::int64_t{-1};
            return place_of(product.left, at.row, product.depth, at.column);
          },
          at_once);
      chained_ +=
          weight_ * words(product.left, runs::SiteKind::shared_store, size, 2 * at_once,
                          [&](std::int64_t i) { return 2 * (place(i).row * stride + place(i).column); });
      barrier = true;
    }
    weight_ = blocks_ * kernel_.warps;
    if (shape_.in_registers() && !shape_.by_groups)
      words_of(product.left, stride, shape_.down * columns / kFragment);
  }
  chained_ += weight_;
  if (shape_.in_registers() && barrier)
    counters_->barriers += blocks_;
  else if (shape_.rows_pass_registers())
    counters_->warp_operations += weight_;
}

/// Tiles of pairs that come with the keys.
void AttentionCounter::count_staged() {
  for (const AttentionShape::Staged& staged : shape_.staged) {
    const std::int64_t many = 16 / staged.item;
    const bool each = extent(shape_.key) % many != 0;
    const std::int64_t at_once = each ? 1 : many, columns = shape_.keys,
                       size = shape_.rows * columns / at_once;
    // Rows one behind the other come as a tile does.
    const auto place = [&](std::int64_t i) {
      return staged.in_rows && !each ? piece_of(i, columns, staged.item)
                                     : TilePlace{i * at_once / columns, i * at_once % columns};
    };
    for (const auto& [turns, keys] : tiles_of_extent(extent(shape_.key), shape_.keys)) {
      weight_ = std::llround(static_cast<double>(rows_ * turns) * shown_);
      const std::int64_t there = keys;
      global(
          staged.node, false, size,
          [&](std::int64_t i) {
            const TilePlace at = place(i);
            return at.column < there ? place_of(staged.node, at.row, shape_.key, at.column) : -1;
          },
          at_once);
    }
    weight_ = turns_;
    chained_ +=
        weight_ *
        words(staged.node, runs::SiteKind::shared_store, size, staged.item * at_once, [&](std::int64_t i) {
          return staged.item * (place(i).row * (columns + kTilePad) + place(i).column);
        });
    words(
        staged.node, runs::SiteKind::shared_load, kLanes, 2 * staged.item,
        [&](std::int64_t lane) { return staged.item * (lane / 4 * (columns + kTilePad) + lane % 4 * 2); },
        kernel_.warps * 2 * shape_.down * columns / 8);
    if (each) waits(divided(size, kLanes), 1, 1, 1.0);
  }
}

/// A pair that is read as its scores are weighed: of the lane's rows and keys one by one.
void AttentionCounter::count_pair(int pair) {
  bool missed = false;
  for (int at = 0; at < 2 * shape_.down; ++at)
    for (std::int64_t i = 0; i < shape_.keys / 4; ++i)
      missed |= global(pair, false, threads_, [&](std::int64_t thread) {
        const std::int64_t row = thread / kLanes * warp_rows() + thread % kLanes / 4 + 8 * at;
        return place_of(pair, row, shape_.key, i / 2 * 8 + thread % 4 * 2 + i % 2);
      });
  if (missed) waits(1, 1, kernel_.warps, 1.0);
}

void AttentionCounter::count_own_turn() {
  const std::int64_t fragments = shape_.rows / kFragment, keys = shape_.keys / kFragment;
  std::int64_t depths = 0;
  for (const auto& product : shape_.products) {
    depths += width(product.depth);
    const std::int64_t steps = width(product.depth) / kFragment;
    const bool along = shape_.along_keys(graph_, product.right);
    words_of(product.right, (along ? shape_.keys : width(product.depth)) + kTilePad,
             kernel_.warps * steps * keys);
    if (!shape_.in_registers()) words_of(product.left, width(product.depth) + kTilePad, fragments * steps);
    multiply(fragments * steps * keys);
  }
  for (const bool inverse : {false, true})
    for (const int node : shape_.factors(graph_, true, inverse))
      words(
          node, runs::SiteKind::shared_load, kLanes, 8, [](std::int64_t lane) { return lane % 4 * 8; },
          kernel_.warps * 2 * shape_.down * shape_.keys / 8);
  for (const int pair : shape_.pairs)
    if (!shape_.is_staged(pair)) count_pair(pair);
  shuffles(4, kernel_.warps * 2 * shape_.down);
  const std::int64_t columns = width(shape_.column);
  const bool along = shape_.along_keys(graph_, shape_.values);
  words_of(shape_.values, (along ? shape_.keys : columns) + kTilePad,
           kernel_.warps * keys * columns / kFragment);
  multiply(fragments * keys * columns / kFragment);
  // A warp waits for the first fragments of either tile.
  chained_ += weight_ * kernel_.warps * (1 + static_cast<std::int64_t>(shape_.products.size()));
  // Compared, less the maximum, added up, rounded; and exp. Sums are scaled.
  const double others = 5.0 + operations(kFunction);
  per_element(shape_.rows * shape_.keys, static_cast<std::size_t>(2 * kExponentClocks + 2 * others));
  // All warps that an SM holds share its quarters, be they of one block or of several.
  const std::int64_t held =
      std::min(kWordsOfSm / (kLanes * record_.registers), divided(blocks_ * kernel_.warps, kSms));
  works(kTurnWaits + static_cast<double>(divided(std::max<std::int64_t>(kernel_.warps, held), kQuarters)) *
                         kFragment * shape_.down * static_cast<double>(shape_.keys) *
                         (static_cast<double>(depths + columns) / kProductsAClock +
                          (kExponentClocks + others) / static_cast<double>(kLanes)));
  per_element(threads_, kOfTurn);
  per_element(shape_.rows * columns, 1);
}

/// Two neighbours a lane, where these are stored together.
void AttentionCounter::count_own_results(std::int64_t rows) {
  const std::int64_t columns = width(shape_.column), last = extent(shape_.column);
  const std::int64_t size = divided(rows, 8) * 8 * columns;  // eight rows go together, inside or not
  for (const int node : launch_.writes) {
    if (!has(shapes_[slot(node)], shape_.column)) continue;
    const std::int64_t together = dims_[slot(node)].back() == shape_.column && last % 2 == 0 ? 2 : 1;
    global(
        node, true, size / together,
        [&](std::int64_t i) {
          // Eight rows of four pairs a request.
          const std::int64_t request = i / kLanes, lane = i % kLanes, parts = columns / 8 * (2 / together);
          const std::int64_t row = request / parts * 8 + lane / 4, part = request % parts;
          const std::int64_t column = part * together / 2 * 8 + lane % 4 * 2 + (together == 2 ? 0 : part % 2);
          return row < rows && column < last ? place_of(node, row, shape_.column, column) : -1;
        },
        together);
  }
  for (const int node : shape_.behind_reads) {
    const bool wide = has(shapes_[slot(node)], shape_.column);
    if (global(node, false, size, [&](std::int64_t i) {
          const std::int64_t row = i / kLanes / (columns / 4) * 8 + i % kLanes / 4;
          const std::int64_t column = i / kLanes % (columns / 4) / 2 * 8 + i % 4 * 2 + i / kLanes % 2;
          return row >= rows ? -1 : place_of(node, row, wide ? shape_.column : -1, column);
        }))
      waits(divided(rows * columns, threads_), shape_.behind_reads.size(), kernel_.warps, 1.0);
  }
  per_element(rows * columns, shape_.behind.size());
}

}  // namespace workbook::opt
