// The host API's ways to launch a kernel that is given as a function: cudaLaunchKernel and its kin.
#pragma once

#include <cstddef>
#include <utility>

#include "../engine_api.h"
#include "../launch.h"
#include "function.h"
#include "graph.h"

enum cudaLaunchAttributeID : int {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributePriority = 8,
  cudaLaunchAttributePreferredSharedMemoryCarveout = 14
};
enum cudaClusterSchedulingPolicy : int {
  cudaClusterSchedulingPolicyDefault = 0,
  cudaClusterSchedulingPolicySpread = 1,
  cudaClusterSchedulingPolicyLoadBalancing = 2
};
union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  struct {
    unsigned int x, y, z;
  } clusterDim;
  cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  int priority;
  unsigned int sharedMemCarveout;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
/// Cooperative launches and clusters are simulated. Programmatic stream serialization is accepted: kernels of
/// a stream run one after another, which every such program must allow. The others are hints without effect.
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes = 0;
  cudaStream_t stream = nullptr;
  cudaLaunchAttribute* attrs = nullptr;
  unsigned int numAttrs = 0;
};

namespace workbook::sim {

/// Reads the attributes; cudaErrorInvalidValue for one that does not exist.
cudaError_t read_config(const cudaLaunchConfig_t* from, LaunchConfig& to);

void register_signature(const void* function, const KernelSignature& signature);

/// A kernel, and how to launch it. Made from a function; from a `void*` only where the program's sources made
/// that function known to register_kernel().
struct LaunchableKernel {
  const void* function = nullptr;
  const KernelSignature* signature = nullptr;
  LaunchableKernel() = default;
  template <class... Params>
  LaunchableKernel(void (*kernel)(Params...))
      : function(reinterpret_cast<const void*>(kernel)), signature(&signature_of<Params...>) {}
  LaunchableKernel(const void* kernel);
  cudaError_t operator()(const LaunchConfig& config, void** arguments) const;
};

/// For kernels that a program casts to `void*` before it launches them. Returns true, so that a variable can
/// call it before main().
template <class... Params>
bool register_kernel(void (*kernel)(Params...)) {
  register_signature(reinterpret_cast<const void*>(kernel), signature_of<Params...>);
  return true;
}

}  // namespace workbook::sim

template <class... Params, class... Args>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Params...), Args&&... args) {
  workbook::sim::LaunchConfig read{1, 1};
  if (const cudaError_t error = workbook::sim::read_config(config, read); error != cudaSuccess)
    return workbook::sim::finish_launch(error);
  return [&](Params... params) {
    return workbook::sim::launch(nullptr, read, kernel).submit_with(params...);
  }(std::forward<Args>(args)...);
}
/// The kernel is a function or one registered by its sources; other pointers: cudaErrorInvalidDeviceFunction.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, workbook::sim::LaunchableKernel kernel,
                                void** arguments);
cudaError_t cudaLaunchKernel(workbook::sim::LaunchableKernel kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr);
/// More blocks than fit on the GPU at the same time: cudaErrorCooperativeLaunchTooLarge.
cudaError_t cudaLaunchCooperativeKernel(workbook::sim::LaunchableKernel kernel, dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr);
/// Clusters of this configuration that the GPU holds at the same time.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, workbook::sim::AnyKernel kernel,
                                           const cudaLaunchConfig_t* config);

struct cudaKernelNodeParams {
  workbook::sim::LaunchableKernel func;
  dim3 gridDim, blockDim;
  unsigned int sharedMemBytes = 0;
  void** kernelParams = nullptr;  ///< copied when the node is added; of the node's own copy when asked for
  void** extra = nullptr;         ///< must be null
};
extern "C" {
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaKernelNodeParams* parameters);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters);
/// The arguments that it points to are the node's, until that is destroyed or given others. To launch them as
/// another node, a kernel that was captured must be one that cudaLaunchKernel() would launch.
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters);
}

// Programmatic dependent launch: kernels of a stream run one after another here, so that what a kernel waits
// for has ended when it begins; what comes before its wait is judged as if it had not.
inline void cudaGridDependencySynchronize() {
  workbook_sim_grid_dependency("cudaGridDependencySynchronize()", true);
}
inline void cudaTriggerProgrammaticLaunchCompletion() {
  workbook_sim_grid_dependency("cudaTriggerProgrammaticLaunchCompletion()", false);
}
