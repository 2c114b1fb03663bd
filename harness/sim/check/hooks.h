// What both files of hooks share.
#pragma once

#include <cstdint>

#include "checker.h"
#include "diagnosis.h"
#include "host_objects.h"
#include "sim/engine/host_copies.h"
#include "stream_order.h"
#include "unset_copies.h"

namespace workbook::sim {

/// Reports host code that follows a device pointer, or that names a variable of the device. False: it did.
bool note_host_access(std::uintptr_t address, runs::Access kind, Pc pc);

/// An access of the host's, as work of streams concerns it. `signal`: by an atomic or of a volatile object.
inline void order_host(std::uintptr_t address, std::size_t bytes, runs::Access kind, bool signal, Pc pc) {
  const bool judged = Arena::contains(address) || is_host_copy(address);
  if (judged ? note_host_access(address, kind, pc) : StreamOrder::is_watched(address))
    StreamOrder::get().see_host(address, bytes, kind != runs::Access::read, signal, pc);
}
inline void note_host(std::uintptr_t address, std::size_t bytes, runs::Access kind, bool signal, Pc pc) {
  if (signal && HostThreads::any()) StreamOrder::get().synchronise_thread(kind != runs::Access::read);
  order_host(address, bytes, kind, signal, pc);
  if (kind == runs::Access::read && bytes == sizeof(void*) && HostObjects::any_of_kernels())
    HostObjects::get().read_on_host(address, pc);
  if (UnsetCopies::concerns(address, bytes)) {
    if (kind == runs::Access::read)
      UnsetCopies::get().read(address, bytes, pc);
    else
      UnsetCopies::get().written(address, bytes);
  }
}

/// Tells the checker of an access to several words.
void note_range(const void* address, std::size_t bytes, bool writes, Pc pc);

/// Tells the checker of an access. Host code only learns that device memory is not its own.
template <runs::Access kKind>
inline void note_access(const volatile void* address, std::uint32_t bytes, Pc pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  Worker* const worker = this_worker;
  if (worker != nullptr && worker->current != nullptr)
    return checker_of(*worker).access<kKind>(at, bytes, pc);
  note_host(at, bytes, kKind, kKind == runs::Access::atomic, pc);
}

template <runs::Access kKind, std::uint32_t kBytes>
[[gnu::noinline]] void note_host_plain(std::uintptr_t address, Pc pc) {
  note_host(address, kBytes, kKind, false, pc);
}

/// The same for what most accesses are.
template <runs::Access kKind, std::uint32_t kBytes>
[[gnu::always_inline]] inline void note_plain(const volatile void* address, Pc pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  Worker* const worker = this_worker;
  if (worker != nullptr && worker->current != nullptr) [[likely]]
    return checker_of(*worker).quick_access<kKind, kBytes>(at, pc);
  note_host_plain<kKind, kBytes>(at, pc);
}

}  // namespace workbook::sim
