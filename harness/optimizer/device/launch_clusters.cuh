// Launches whose blocks come in clusters, on Hopper.
#pragma once

#include "optimizer/device/launch_behind.cuh"

// Whether the kernel was compiled with what blocks of a cluster send each other: not for GPUs before Hopper.
template <class... Parameters>
inline bool has_clusters(void (*kernel)(Parameters...)) {
  cudaFuncAttributes compiled{};
  return cudaFuncGetAttributes(&compiled, kernel) == cudaSuccess && compiled.ptxVersion >= 90;
}
// As <<<>>>, or as launch_behind(); `blocks` along z are a cluster.
template <class... Parameters>
inline void launch_clusters(void (*kernel)(Parameters...), unsigned blocks, bool behind, dim3 grid,
                            dim3 block, std::size_t shared_bytes, cudaStream_t stream,
                            typename Given<Parameters>::Type... arguments) {
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = blocks;
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = behind ? 2 : 1;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}
