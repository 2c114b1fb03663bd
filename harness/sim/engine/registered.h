// Host memory that cudaHostRegister() made known to the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace workbook::sim {

/// Whether a kernel may follow this pointer into the program's own memory.
bool is_registered(std::uintptr_t address);

/// By address: bytes.
std::map<std::uintptr_t, std::size_t>& registered_ranges();

}  // namespace workbook::sim
