#include "words.h"

#include <algorithm>

#include "sim/engine/host_copies.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

/// Of the bytes that a variable has in the cells of static data.
template <class Visit>
void each_image_byte(Cell* cells, std::uintptr_t address, std::size_t bytes, Visit visit) {
  const std::uintptr_t begin = address - writable_image_begin();
  for (std::uintptr_t at = begin; at < begin + bytes; ++at) visit(cells[at / 4], 1u << at % 4);
}

/// Constants that have no value in the program's text.
void leave_constants_unset(Cell* cells) {
  for_each_device_variable([&](const HostCopy& variable) {
    if (variable.kind != VariableKind::unset_constant ||
        variable.variable - writable_image_begin() >= writable_image_bytes())
      return;
    each_image_byte(cells, variable.variable, variable.bytes, [](Cell& cell, unsigned int byte) {
      cell.init_mask = static_cast<std::uint8_t>(cell.init_mask & ~byte & 0xfu);
    });
  });
}

}  // namespace

void mark_image_written(std::uintptr_t address, std::size_t bytes) {
  if (address - writable_image_begin() >= writable_image_bytes()) return;
  each_image_byte(image_cells(), address, bytes, [](Cell& cell, unsigned int byte) {
    cell.init_mask = static_cast<std::uint8_t>((cell.init_mask | byte) & 0xfu);
  });
}

bool is_image_partly_written(std::uintptr_t address, std::size_t bytes) {
  bool any = false;
  each_image_byte(image_cells(), address, bytes,
                  [&](const Cell& cell, unsigned int byte) { any |= (cell.init_mask & byte) != 0; });
  return any;
}

Cell* image_cells() {
  static Cell* const cells = [] {
    const std::size_t words = writable_image_bytes() / 4 + 1;
    auto* first = static_cast<Cell*>(reserve_memory(words * sizeof(Cell)));
    for (std::size_t i = 0; i < words; ++i) first[i].init_mask = 0xf;
    leave_constants_unset(first);
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
