// What both files of hooks share.
#pragma once

#include <cstdint>

#include "checker.h"
#include "diagnosis.h"
#include "sim/engine/host_copies.h"

namespace workbook::sim {

/// Reports host code that follows a device pointer.
void note_host_access(std::uintptr_t address, runs::Access kind, Pc pc);

/// Tells the checker of an access to several words.
void note_range(const void* address, std::size_t bytes, bool writes, Pc pc);

/// Tells the checker of an access. Host code only learns that device memory is not its own.
template <runs::Access kKind>
inline void note_access(const volatile void* address, std::uint32_t bytes, Pc pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  Worker* const worker = this_worker;
  if (worker != nullptr && worker->current != nullptr)
    return checker_of(*worker).access<kKind>(at, bytes, pc);
  if (Arena::contains(at) || is_host_copy(at)) note_host_access(at, kKind, pc);
}

}  // namespace workbook::sim
