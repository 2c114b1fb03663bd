#include "words.h"

#include <algorithm>

namespace workbook::sim {

Cell* image_cells() {
  static Cell* const cells = [] {
    const std::size_t words = writable_image_bytes() / 4 + 1;
    auto* first = static_cast<Cell*>(reserve_memory(words * sizeof(Cell)));
    for (std::size_t i = 0; i < words; ++i) first[i].init_mask = 0xf;
    return first;
  }();
  return cells;
}

bool is_partly_written(const Scene& scene, std::uintptr_t address, std::size_t bytes) {
  if (scene.is_shared(address) && scene.is_shared(address + bytes - 1)) {
    const std::uint64_t offset = address - scene.shared_low;
    const Cell* const cells = scene.shared_cells.data();
    return std::any_of(cells + offset / 4, cells + (offset + bytes + 3) / 4, [&](const Cell& c) {
      return c.init_mask != 0 && c.w_gen == scene.worker.block_serial;
    });
  }
  if (!Arena::contains(address) || !Arena::contains(address + bytes)) return false;
  const std::uint64_t offset = address - Arena::base();
  for (std::uint64_t word = offset / 4; word < (offset + bytes + 3) / 4; ++word)
    if (Arena::get().shadow().initialised(word) != 0) return true;
  return false;
}

}  // namespace workbook::sim
