// The extents of a shared array, left in the program for the simulator to find by name
// (harness/sim/source/symbols.cpp): findings say tile[3][5] and not tile[53].
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace workbook::sim {

struct SharedShape {
  std::uint32_t element_bytes;
  std::uint32_t rank;       ///< 0: one value, or an array whose size is the launch's
  std::uint32_t extent[4];  ///< outermost first; of more than four dimensions the first four
};

template <class T>
constexpr SharedShape shared_shape() {
  SharedShape shape{sizeof(std::remove_all_extents_t<T>), 0, {}};
  if constexpr (std::extent_v<T, 0> != 0) {
    shape.rank = std::rank_v<T> < 4 ? std::rank_v<T> : 4;
    const std::size_t extents[] = {std::extent_v<T, 0>, std::extent_v<T, 1>, std::extent_v<T, 2>,
                                   std::extent_v<T, 3>};
    for (std::uint32_t d = 0; d < shape.rank; ++d) shape.extent[d] = static_cast<std::uint32_t>(extents[d]);
  }
  return shape;
}

}  // namespace workbook::sim

/// Written by the rewriter after the declaration of a shared variable.
#define WORKBOOK_SIM_SHAPE(name)                                                                    \
  [[maybe_unused, gnu::used]] static constexpr ::workbook::sim::SharedShape workbook_shape_##name = \
      ::workbook::sim::shared_shape<decltype(name)>()
