// How much shared memory there is, for launches whose blocks take what they can get (launches.cu).
#pragma once

#include <cuda_runtime.h>

namespace workbook {

/// Bytes that a block of the current device may have, where its kernel has asked for more than 48 KiB
/// (cudaFuncAttributeMaxDynamicSharedMemorySize).
inline int most_shared_bytes() {
  int device = 0, bytes = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return bytes;
}

}  // namespace workbook
