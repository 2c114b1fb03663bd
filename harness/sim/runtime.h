// State of the simulated runtime that launches need.
#pragma once

#include <cstddef>

#include "workbook_sim/runtime_api.h"

namespace workbook::sim {

void set_last_error(cudaError_t error);
/// Bytes of shared memory a block of this kernel may use: 48 KiB unless cudaFuncSetAttribute raised it.
std::size_t dynamic_shared_limit(const void* function);

}  // namespace workbook::sim
