// Launches that begin while the one before them ends.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

// Stands first in a kernel of launch_behind(): behind it, all that earlier launches wrote is there.
__device__ inline void wait_for_launches() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

template <class T>
struct Given {
  using Type = T;  // not deduced from what is given
};
// The stream's launch before need not have ended; kernels compiled for GPUs before Hopper do not wait, and
// begin when it has.
template <class... Parameters>
inline void launch_behind(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes,
                          cudaStream_t stream, typename Given<Parameters>::Type... arguments) {
  cudaFuncAttributes compiled{};
  if (cudaFuncGetAttributes(&compiled, kernel) != cudaSuccess) return;
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = compiled.ptxVersion >= 90 ? 1 : 0;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}
