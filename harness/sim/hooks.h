// What both files of hooks share.
#pragma once

#include <cstdint>

#include "diagnosis.h"

namespace workbook::sim {

/// Tells the diagnosis of an access; nothing while host or engine code runs.
inline void note_access(const volatile void* address, std::uint32_t bytes, runs::Access kind, Pc pc) {
  Worker* worker = this_worker;
  if (worker == nullptr || worker->current == nullptr) return;
  Diagnosis::get().access(*worker, reinterpret_cast<std::uintptr_t>(address), bytes, kind, pc);
}

}  // namespace workbook::sim

#define WORKBOOK_PC reinterpret_cast<::workbook::sim::Pc>(__builtin_return_address(0))
