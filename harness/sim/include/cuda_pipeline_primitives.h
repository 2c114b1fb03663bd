// The simulator's <cuda_pipeline_primitives.h>.
#pragma once

#include <cstddef>

#include "cuda_runtime.h"

/// Copies 4, 8 or 16 bytes to shared memory, the last `zero_bytes` of which become zero.
WORKBOOK_SIM_INLINE void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                                 std::size_t zero_bytes = 0) {
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zero_bytes > bytes)
    workbook_sim_refuse("__pipeline_memcpy_async() copies 4, 8 or 16 bytes");
  workbook_sim_async_copy(to, from, bytes - zero_bytes, zero_bytes, nullptr);
}
WORKBOOK_SIM_INLINE void __pipeline_commit() { workbook_sim_async_commit(); }
WORKBOOK_SIM_INLINE void __pipeline_wait_prior(std::size_t pending) {
  workbook_sim_async_wait(static_cast<unsigned int>(pending));
}
