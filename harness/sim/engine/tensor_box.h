// What a CUtensorMap of the simulator holds.
#pragma once

#include <cstdint>

namespace workbook::sim {

struct TensorBox {
  static constexpr std::uint32_t kMagic = 0x7e450b0cu;
  static constexpr int kMostRank = 5;
  std::uint32_t magic;
  std::uint8_t rank, element_bytes;
  std::uint8_t width;                    ///< bytes of a swizzled row; 16: there is no swizzle
  std::uint8_t steps[kMostRank];         ///< elements from one to the next that is copied
  std::uint16_t box[kMostRank];          ///< elements, of which one in `steps` is copied
  std::uint32_t last[kMostRank];         ///< of the tensor's extents, less 1
  std::uint64_t strides[kMostRank - 1];  ///< bytes, of all dimensions but the first
  std::uint64_t address;

  std::uint32_t count(int dimension) const {
    return (std::uint32_t{box[dimension]} + steps[dimension] - 1) / steps[dimension];
  }
  std::uint32_t row_bytes() const { return std::uint32_t{box[0]} * element_bytes; }
  std::uint32_t bytes() const {
    std::uint32_t rows = 1;
    for (int d = 1; d < rank; ++d) rows *= count(d);
    return rows * row_bytes();
  }
};
static_assert(sizeof(TensorBox) <= 128);

}  // namespace workbook::sim
