// Where the elements of a tile lie that a warp group's product (wgmma) is given by its descriptor: PTX ISA,
// "Asynchronous warpgroup level matrix shared memory layout". A tile is read by chunks of 16 bytes.
#pragma once

#include <cstdint>

namespace workbook::sim {

struct GroupTile {
  std::uint32_t start, leading, stride;  ///< bytes
  std::uint32_t base;                    ///< where the pattern of a swizzle begins, in rows of 128 bytes
  std::uint32_t width;                   ///< bytes of a swizzled row: 128, 64, 32; 16: there is no swizzle

  /// A descriptor has 18 bits of an address. Here the shared memory of all kernels lies in one row, and what
  /// is meant is the first such address from `low` on.
  explicit constexpr GroupTile(std::uint64_t descriptor, std::uint32_t low = 0)
      : start(low + ((field(descriptor, 0) - low) & 0x3ffffu)),
        leading(field(descriptor, 16)),
        stride(field(descriptor, 32)),
        base(static_cast<std::uint32_t>(descriptor >> 49 & 7u)),
        width(descriptor >> 62 == 0 ? 16u : 256u >> (descriptor >> 62)) {}

  /// Elements lie along k: chunk `half`, 0 or 1, of a row of 32 bytes.
  constexpr std::uint32_t along_k(std::uint32_t row, std::uint32_t half) const {
    const std::uint32_t apart = width == 16 ? leading : 16;
    return swizzled(start + row / 8 * stride + row % 8 * width + half * apart);
  }
  /// Elements lie along m or n, 8 of them in a chunk.
  constexpr std::uint32_t across(std::uint32_t chunk, std::uint32_t k) const {
    const std::uint32_t in_row = width / 16, group = chunk / in_row;
    const std::uint32_t place = chunk % in_row * 16 + k % 8 * width;
    return swizzled(start + place +
                    (width == 16 ? group * stride + k / 8 * leading : group * leading + k / 8 * stride));
  }

 private:
  static constexpr std::uint32_t field(std::uint64_t descriptor, int from) {
    return static_cast<std::uint32_t>(descriptor >> from & 0x3fffu) << 4;
  }
  constexpr std::uint32_t swizzled(std::uint32_t at) const {
    return at ^ (((at >> 7) - base) & (width / 16 - 1)) << 4;
  }
};

}  // namespace workbook::sim
