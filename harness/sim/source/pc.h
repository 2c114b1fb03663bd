// A place of the program, by the address that a call there returns to.
#pragma once

#include <cstdint>

namespace workbook::sim {

using Pc = std::uintptr_t;  ///< return address of a call the compiler or a macro put into the kernel

}  // namespace workbook::sim

/// The place that the calling function was called from.
#define WORKBOOK_PC reinterpret_cast<::workbook::sim::Pc>(__builtin_return_address(0))
