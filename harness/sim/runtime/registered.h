// Host memory that cudaHostRegister() made known to the device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace workbook::sim {

/// Whether a kernel may follow this pointer into the program's own memory.
bool is_registered(std::uintptr_t address);

}  // namespace workbook::sim
