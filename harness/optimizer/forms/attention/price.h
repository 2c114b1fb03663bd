// Counters of path tensor_attention: a turn of one block is walked, the others are alike.
#pragma once

#include <bit>

#include "optimizer/forms/attention/shape.h"
#include "optimizer/launch/fragments.h"

namespace workbook::opt {

class AttentionCounter final : public FragmentCounter {
 public:
  using FragmentCounter::FragmentCounter;

 private:
  void count() override;
  // price_rows.cpp.
  void count_rows(double first);
  void count_sums();
  /// Of blocks with so many rows; columns outside are left out.
  void count_results(bool columns, std::int64_t rows);
  // Of a turn.
  void leave_out();
  void count_copies(double first);
  void count_keys();
  void count_scores();
  /// `lanes` of them have a row, four elements at once.
  void count_weights();
  void count_values();
  // price_own.cpp: where warps have rows of their own.
  void count_own_rows();
  void count_staged();
  void count_own_turn();
  void count_pair(int pair);
  void count_group_turns();                   ///< price_groups.cpp
  void count_own_results(std::int64_t rows);  ///< of blocks with so many rows
  /// The place of an element of these indices; `row` and `column` count on from the block's first.
  std::int64_t place_of(int node, std::int64_t row, int index, std::int64_t at) const {
    std::int64_t place = 0;
    for (const std::uint8_t dim : dims_[slot(node)])
      place = place * extents_[dim] + (shape_.is_row(dim) ? row_part(dim, std::min(row, row_extent() - 1))
                                       : dim == index     ? std::min(at, extent(index) - 1)
                                                          : 0);
    return place;
  }

  std::int64_t extent(int index) const { return extents_[slot(index)]; }
  /// Whole tiles, and the last one: how many, and what they have.
  static std::vector<std::pair<std::int64_t, std::int64_t>> tiles_of_extent(std::int64_t extent,
                                                                            std::int64_t tile) {
    std::vector<std::pair<std::int64_t, std::int64_t>> tiles;
    if (extent / tile > 0) tiles.emplace_back(extent / tile, tile);
    if (extent % tile > 0) tiles.emplace_back(1, extent % tile);
    return tiles;
  }
  std::int64_t width(int index) const { return shape_.width[slot(index)]; }
  int depth_of(int matrix) const { return shape_.depth_of(graph_, matrix); }
  std::int64_t row_extent() const { return shape_.row_extent(extents_); }
  /// The row's part of a place, an index at a time.
  std::int64_t row_part(int index, std::int64_t row) const {
    for (std::size_t at = shape_.row_indices.size(); at-- > 1; row /= extent(shape_.row_indices[at]))
      if (shape_.row_indices[at] == index) return row % extent(index);
    return row;
  }
  /// Loads of right fragments: two neighbours at a time where these lie in memory so, else one by one.
  void rights(int node, bool neighbours, std::int64_t stride, std::int64_t repeats) {
    if (neighbours) return fragment(node, runs::SiteKind::shared_load, stride, 2, repeats);
    for (std::int64_t e = 0; e < kFragmentElements; ++e)
      words(
          node, runs::SiteKind::shared_load, kLanes, 2,
          [&](std::int64_t lane) {
            const TilePlace at = element_of_fragment(lane, e);
            return 2 * (at.column * stride + at.row);
          },
          repeats);
  }
  std::int64_t warp_rows() const { return kFragment * shape_.down / shape_.beside; }
  void shuffles(std::int64_t lanes, std::int64_t requests) {
    counters_->warp_operations +=
        weight_ * requests * (std::bit_width(static_cast<std::uint64_t>(lanes)) - 1);
  }
  void per_element(std::int64_t elements, std::size_t operations) {
    counters_->flops += static_cast<double>(weight_ * elements) * static_cast<double>(operations);
  }

  /// Of a fragment's 16 rows in memory, `stride` elements apart: two halves or floats at a time.
  void fragment(int node, runs::SiteKind kind, std::int64_t stride, std::int64_t item, std::int64_t repeats) {
    for (std::int64_t e = 0; e < kFragmentElements; e += 2)
      words(
          node, kind, kLanes, 2 * item,
          [&](std::int64_t lane) {
            const TilePlace at = element_of_fragment(lane, e);
            return item * (at.row * stride + at.column);
          },
          repeats);
  }

  int depth_of_row(int node) const {
    for (const int index : members(shapes_[slot(node)]))
      if (!shape_.is_row(index) && !listed(shape_.batch, index)) return index;
    return -1;
  }
  void multiply(std::int64_t times) {
    constexpr std::int64_t kMmaFlops = 2 * std::int64_t{kFragment} * kFragment * kFragment;
    if (!shape_.own_rows()) counters_->warp_operations += weight_ * times;
    counters_->tensor_flops += static_cast<double>(weight_ * times * kMmaFlops);
  }
  /// Clocks that each warp of a block is at work in a turn, one thing behind the other.
  void works(double clocks);
  /// For each score, what is computed besides the exponent: a function as so many other operations.
  double operations(double function) const;

  AttentionShape shape_;
  double shown_ = 1.0;                 ///< of all turns
  std::int64_t rows_ = 1, turns_ = 1;  ///< blocks for all rows; turns of all blocks
};

}  // namespace workbook::opt
