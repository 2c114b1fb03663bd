// Accesses past an array of the thread's own that was handed on by its address (workbook_sim/red_zones.h).
#pragma once

#include <cstdint>
#include <cstring>

#include "check.h"
#include "scene.h"
#include "workbook_sim/red_zones.h"

namespace workbook::sim {

/// Whether what lies at an address of the running thread's stack, at its begin or its end, looks like a red
/// zone.
template <class Part>
WORKBOOK_HOT bool looks_red(std::uintptr_t address) {
  Part part;
  std::memcpy(&part, reinterpret_cast<const void*>(address), sizeof part);
  return part == static_cast<Part>(kRedWord);
}
WORKBOOK_HOT bool may_be_red(std::uintptr_t address, std::uint32_t bytes) {
  if (bytes >= 4) return looks_red<std::uint32_t>(address) || looks_red<std::uint32_t>(address + bytes - 4);
  return bytes == 1 ? looks_red<std::uint8_t>(address) : looks_red<std::uint16_t>(address);
}

/// Tells of it where it is one.
void see_red_zone(const Scene& scene, std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc);

}  // namespace workbook::sim
