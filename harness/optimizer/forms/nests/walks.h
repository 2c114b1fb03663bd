// From the number of an element of a nest's tile to where it lies: for whoever counts its accesses one by
// one.
#pragma once

#include "optimizer/forms/nests/shape.h"

namespace workbook::opt {

/// The coordinates in a tile of its elements, or of rows of them; quick where one follows the other.
class TileWalk {
 public:
  TileWalk(const Nest& nest, const Extents& tiles) : TileWalk(nest, tiles, nest.order.size()) {}
  /// `dims`: of the nest's indices the first ones; the others stay at 0.
  TileWalk(const Nest& nest, const Extents& tiles, std::size_t dims)
      : order_(nest.order), tiles_(tiles), dims_(dims) {}

  const Extents& at(std::int64_t element) {
    if (element == last_ + 1)
      step();
    else if (element != last_)
      jump(element);
    last_ = element;
    return place_;
  }

 private:
  void step() {
    for (std::size_t dim = dims_; dim-- > 0;) {
      std::int32_t& at = place_[order_[dim]];
      if (++at < tiles_[order_[dim]]) return;
      at = 0;
    }
  }
  void jump(std::int64_t element) {
    for (std::size_t dim = dims_; dim-- > 0;) {
      const std::int64_t extent = tiles_[order_[dim]];
      place_[order_[dim]] = static_cast<std::int32_t>(element % extent);
      element /= extent;
    }
  }

  const std::vector<std::uint8_t>& order_;
  const Extents& tiles_;
  std::size_t dims_;
  Extents place_{};  ///< of the last one
  std::int64_t last_ = 0;
};

/// Where a tile's elements lie in a tensor of global memory, -1 beyond its end. The elements of a row (those
/// of the tile's last index) lie equally far from one another, so a row's first one is found, and the others
/// counted from there.
class GlobalWalk {
 public:
  /// `firsts` are the tile's first coordinates; `dims` are the tensor's.
  GlobalWalk(const Nest& nest, const Extents& tiles, const std::vector<std::uint8_t>& dims,
             const Extents& extents, const Extents& firsts)
      : rows_(nest, tiles, nest.order.empty() ? 0 : nest.order.size() - 1),
        dims_(dims),
        extents_(extents),
        firsts_(firsts) {
    const int last = nest.order.empty() ? -1 : nest.order.back();
    if (last >= 0) length_ = within_ = tiles[slot(last)];
    for (const std::uint8_t index : dims_) {
      stride_ *= extents_[index];
      if (index != last) continue;
      ++stride_;
      within_ = extents_[index] - firsts_[index];
    }
    find(0);
  }

  std::int64_t at(std::int64_t element) {
    std::int64_t column = element - begin_;
    if (column < 0 || column >= length_) {
      find(element / length_);
      column = element - begin_;
    }
    return begins_at_ < 0 || column >= within_ ? -1 : begins_at_ + column * stride_;
  }

 private:
  void find(std::int64_t row) {
    const Extents& place = rows_.at(row);
    begin_ = row * length_;
    begins_at_ = 0;
    for (const std::uint8_t index : dims_) {
      const std::int64_t at = firsts_[index] + place[index];
      if (at >= extents_[index]) {
        begins_at_ = -1;
        return;
      }
      begins_at_ = begins_at_ * extents_[index] + at;
    }
  }

  TileWalk rows_;
  const std::vector<std::uint8_t>& dims_;
  const Extents &extents_, &firsts_;
  std::int64_t length_ = 1, within_ = 1;    ///< elements of a row; of them, in the tensor
  std::int64_t stride_ = 0;                 ///< from one to the next
  std::int64_t begin_ = 0, begins_at_ = 0;  ///< the row's first element, and where that lies
};

}  // namespace workbook::opt
