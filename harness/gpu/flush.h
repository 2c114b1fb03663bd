// Emptying the L2 of everything a timed launch will touch.
#pragma once

#include <cuda_runtime.h>

#include "gpu/handles.h"

namespace workbook::gpu {

/// Reads more memory than any L2 holds. Reading, and not zeroing: written lines would have to go out to DRAM
/// during the timed launch that displaces them.
class CacheFlush {
 public:
  CacheFlush();
  void enqueue(cudaStream_t stream) const;

 private:
  DeviceMemory memory_;
};

}  // namespace workbook::gpu
