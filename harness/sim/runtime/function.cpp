// Kernels as objects: attributes and occupancy.
#include "workbook_sim/runtime/function.h"

#include <algorithm>

#include "clock/occupancy.h"
#include "sim/engine/engine.h"
#include "sim/engine/kernel_info.h"
#include "sim/runtime/call.h"

namespace workbook::sim {
namespace {

bool is_kernel(const void* function) { return function != nullptr && !kernel_info(function).name.empty(); }

std::size_t shared_limit() { return static_cast<std::size_t>(current_gpu().shared_kb_per_block) * 1024; }

Residency residency(const void* kernel, int block_size, std::size_t dynamic_bytes) {
  const KernelInfo& info = kernel_info(kernel);
  if (block_size > info.max_threads) return {0, "threads"};
  return blocks_per_sm(
      current_gpu(), {static_cast<unsigned>(block_size), info.static_shared + dynamic_bytes, info.registers});
}

}  // namespace

cudaError_t max_active_blocks(int* blocks, const void* kernel, int block_size, std::size_t dynamic_bytes) {
  if (blocks == nullptr || block_size <= 0) return finish(cudaErrorInvalidValue);
  if (!is_kernel(kernel)) return finish(cudaErrorInvalidDeviceFunction);
  *blocks = residency(kernel, block_size, dynamic_bytes).blocks;
  return finish(cudaSuccess);
}

cudaError_t max_potential_block_size(int* min_grid_size, int* block_size, const void* kernel,
                                     std::size_t (*shared_bytes)(const void* context, int threads),
                                     const void* context, int limit) {
  if (min_grid_size == nullptr || block_size == nullptr) return finish(cudaErrorInvalidValue);
  if (!is_kernel(kernel)) return finish(cudaErrorInvalidDeviceFunction);
  const int most = kernel_info(kernel).max_threads;
  if (limit <= 0 || limit > most) limit = most;
  int best_threads = 0;
  // From the largest block down by whole warps: of sizes that fill the GPU alike, the largest is answered.
  for (int size = (limit + kWarpSize - 1) / kWarpSize * kWarpSize; size > 0; size -= kWarpSize) {
    const int threads = std::min(size, limit);
    const int blocks = residency(kernel, threads, shared_bytes(context, threads)).blocks;
    if (blocks * threads <= best_threads) continue;
    best_threads = blocks * threads;
    *block_size = threads;
    *min_grid_size = blocks * current_gpu().sms;
  }
  return finish(best_threads > 0 ? cudaSuccess : cudaErrorLaunchOutOfResources);
}

}  // namespace workbook::sim

using namespace workbook::sim;

cudaError_t cudaFuncSetAttribute(AnyKernel kernel, cudaFuncAttribute attribute, int value) {
  if (!is_kernel(kernel.function)) return finish(cudaErrorInvalidDeviceFunction);
  KernelInfo& info = kernel_info(kernel.function);
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || static_cast<std::size_t>(value) + info.static_shared > shared_limit())
        return finish(cudaErrorInvalidValue);
      info.dynamic_asked = static_cast<std::size_t>(value);
      return finish(cudaSuccess);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      return finish(value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess);
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      info.large_clusters = value != 0;
      return finish(cudaSuccess);
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      return finish(cudaSuccess);
    case cudaFuncAttributeClusterDimMustBeSet:
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
      return finish(cudaErrorNotSupported);
  }
  return finish(cudaErrorInvalidValue);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, AnyKernel kernel) {
  if (attributes == nullptr) return finish(cudaErrorInvalidValue);
  if (!is_kernel(kernel.function)) return finish(cudaErrorInvalidDeviceFunction);
  const KernelInfo& info = kernel_info(kernel.function);
  *attributes = {};
  attributes->sharedSizeBytes = info.static_shared;
  attributes->maxThreadsPerBlock = info.max_threads;
  attributes->numRegs = info.registers;
  attributes->ptxVersion = attributes->binaryVersion = current_gpu().major * 10 + current_gpu().minor;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(info.dynamic_limit());
  attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
  attributes->nonPortableClusterSizeAllowed = info.large_clusters;
  return finish(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(AnyKernel kernel, cudaFuncCache) {
  return finish(is_kernel(kernel.function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaFuncGetName(const char** name, AnyKernel kernel) {
  if (name == nullptr) return finish(cudaErrorInvalidValue);
  if (!is_kernel(kernel.function)) return finish(cudaErrorInvalidDeviceFunction);
  *name = kernel_info(kernel.function).name.c_str();
  return finish(cudaSuccess);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamic_bytes, AnyKernel kernel,
                                                      int blocks, int block_size) {
  if (dynamic_bytes == nullptr || blocks <= 0 || block_size <= 0) return finish(cudaErrorInvalidValue);
  if (!is_kernel(kernel.function)) return finish(cudaErrorInvalidDeviceFunction);
  if (residency(kernel.function, block_size, 0).blocks < blocks) return finish(cudaErrorInvalidValue);
  *dynamic_bytes = shared_bytes_for(current_gpu(), blocks, kernel_info(kernel.function).static_shared);
  return finish(cudaSuccess);
}
