// Kernels as objects: their attributes, and how many of their blocks fit on a multiprocessor.
#pragma once

#include "device.h"

enum cudaFuncAttribute : int {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15
};
enum cudaSharedCarveout : int {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxShared = 100,
  cudaSharedmemCarveoutMaxL1 = 0
};
struct cudaFuncAttributes {
  std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;  ///< estimated: 32, or fewer where __launch_bounds__ asks for it
  int ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout,
      clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth,
      clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
};
inline constexpr unsigned int cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1;

namespace workbook::sim {

/// A kernel given as a function or as the `void*` that C programs cast it to.
struct AnyKernel {
  const void* function;
  template <class... Params>
  AnyKernel(void (*kernel)(Params...)) : function(reinterpret_cast<const void*>(kernel)) {}
  AnyKernel(const void* kernel) : function(kernel) {}
};

cudaError_t max_active_blocks(int* blocks, const void* kernel, int block_size,
                              std::size_t dynamic_shared_bytes);
/// `shared_bytes(context, threads)` is the dynamic shared memory that a block of so many threads asks for.
cudaError_t max_potential_block_size(int* min_grid_size, int* block_size, const void* kernel,
                                     std::size_t (*shared_bytes)(const void* context, int threads),
                                     const void* context, int block_size_limit);

}  // namespace workbook::sim

/// Beyond 227 KiB of dynamic shared memory: cudaErrorInvalidValue. The carveout and the cluster's scheduling
/// are hints without effect.
cudaError_t cudaFuncSetAttribute(workbook::sim::AnyKernel kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, workbook::sim::AnyKernel kernel);
cudaError_t cudaFuncSetCacheConfig(workbook::sim::AnyKernel kernel, cudaFuncCache config);
/// "scale<float>", kept by the runtime.
cudaError_t cudaFuncGetName(const char** name, workbook::sim::AnyKernel kernel);

inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, workbook::sim::AnyKernel kernel,
                                                                 int block_size, std::size_t dynamic_bytes) {
  return workbook::sim::max_active_blocks(blocks, kernel.function, block_size, dynamic_bytes);
}
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                          workbook::sim::AnyKernel kernel,
                                                                          int block_size,
                                                                          std::size_t dynamic_bytes,
                                                                          unsigned int /*flags*/) {
  return workbook::sim::max_active_blocks(blocks, kernel.function, block_size, dynamic_bytes);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamic_bytes,
                                                      workbook::sim::AnyKernel kernel, int blocks,
                                                      int block_size);

/// The block size with the most resident threads, and the smallest grid that fills the GPU with it.
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size,
                                                      workbook::sim::AnyKernel kernel,
                                                      std::size_t dynamic_bytes = 0,
                                                      int block_size_limit = 0) {
  return workbook::sim::max_potential_block_size(
      min_grid_size, block_size, kernel.function,
      [](const void* context, int) { return *static_cast<const std::size_t*>(context); }, &dynamic_bytes,
      block_size_limit);
}
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid_size, int* block_size,
                                                               workbook::sim::AnyKernel kernel,
                                                               std::size_t dynamic_bytes = 0,
                                                               int block_size_limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(min_grid_size, block_size, kernel, dynamic_bytes,
                                            block_size_limit);
}
template <class SharedBytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size, int* block_size,
                                                           workbook::sim::AnyKernel kernel,
                                                           SharedBytes shared_bytes,
                                                           int block_size_limit = 0) {
  return workbook::sim::max_potential_block_size(
      min_grid_size, block_size, kernel.function,
      [](const void* context, int threads) {
        return static_cast<std::size_t>((*static_cast<const SharedBytes*>(context))(threads));
      },
      &shared_bytes, block_size_limit);
}
