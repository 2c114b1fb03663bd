// From the number of an element of a nest's tile to where it lies: for whoever counts its accesses one by
// one.
#pragma once

#include "optimizer/forms/nests/shape.h"

namespace workbook::opt {

/// The coordinates in a tile of its elements; quick where one follows the other.
class TileWalk {
 public:
  TileWalk(const Nest& nest, const Extents& tiles) : order_(nest.order), tiles_(tiles) {}

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
    for (std::size_t dim = order_.size(); dim-- > 0;) {
      std::int32_t& at = place_[order_[dim]];
      if (++at < tiles_[order_[dim]]) return;
      at = 0;
    }
  }
  void jump(std::int64_t element) {
    for (std::size_t dim = order_.size(); dim-- > 0;) {
      const std::int64_t extent = tiles_[order_[dim]];
      place_[order_[dim]] = static_cast<std::int32_t>(element % extent);
      element /= extent;
    }
  }

  const std::vector<std::uint8_t>& order_;
  const Extents& tiles_;
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
      : order_(nest.order), tiles_(tiles), dims_(dims), extents_(extents), firsts_(firsts) {
    if (!order_.empty()) length_ = within_ = tiles_[order_.back()];
    for (const std::uint8_t index : dims_) {
      stride_ *= extents_[index];
      if (order_.empty() || index != order_.back()) continue;
      ++stride_;
      within_ = extents_[index] - firsts_[index];
    }
    find();
  }

  std::int64_t at(std::int64_t element) {
    std::int64_t column = element - begin_;
    if (column < 0 || column >= length_) {
      if (column == length_)
        next_row();
      else
        jump(element / length_);
      column = element - begin_;
    }
    return begins_at_ < 0 || column >= within_ ? -1 : begins_at_ + column * stride_;
  }

 private:
  void next_row() {
    begin_ += length_;
    for (std::size_t dim = order_.size() - 1; dim-- > 0;) {
      std::int32_t& at = place_[order_[dim]];
      if (++at < tiles_[order_[dim]]) break;
      at = 0;
    }
    find();
  }
  void jump(std::int64_t row) {
    begin_ = row * length_;
    for (std::size_t dim = order_.size() - 1; dim-- > 0;) {
      const std::int64_t extent = tiles_[order_[dim]];
      place_[order_[dim]] = static_cast<std::int32_t>(row % extent);
      row /= extent;
    }
    find();
  }
  void find() {
    begins_at_ = 0;
    for (const std::uint8_t index : dims_) {
      const std::int64_t at = firsts_[index] + place_[index];
      if (at >= extents_[index]) {
        begins_at_ = -1;
        return;
      }
      begins_at_ = begins_at_ * extents_[index] + at;
    }
  }

  const std::vector<std::uint8_t>& order_;
  const Extents& tiles_;
  const std::vector<std::uint8_t>& dims_;
  const Extents &extents_, &firsts_;
  std::int64_t length_ = 1, within_ = 1;    ///< elements of a row; of them, in the tensor
  std::int64_t stride_ = 0;                 ///< from one to the next
  Extents place_{};                         ///< of the row at hand
  std::int64_t begin_ = 0, begins_at_ = 0;  ///< its first element, and where that lies
};

}  // namespace workbook::opt
