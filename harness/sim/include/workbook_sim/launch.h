// Kernel launches, for `kernel<<<...>>>(...)` (kernel_call.h) and cudaLaunchKernelEx.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "runtime_api.h"
#include "vector_types.h"

namespace workbook::sim {

struct LaunchConfig {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  LaunchConfig(dim3 grid_, dim3 block_, std::size_t shared_bytes_ = 0, cudaStream_t stream_ = nullptr)
      : grid(grid_), block(block_), shared_bytes(shared_bytes_), stream(stream_) {}
};

/// A kernel with its arguments bound; `invoke(arguments)` runs it once as the current simulated thread.
struct BoundKernel {
  const char* name;
  const void* function;  ///< identifies the kernel for cudaFuncSetAttribute
  void (*invoke)(const void* arguments);
  const void* arguments;
  std::size_t arguments_bytes;
};

/// Validates the configuration and runs the grid to its end; errors go to cudaGetLastError().
void submit(const LaunchConfig& config, const BoundKernel& kernel);

template <class... Params>
struct Launcher {
  const char* name;
  LaunchConfig config;
  void (*kernel)(Params...);

  void operator()(Params... arguments) const {
    struct Bound {
      void (*kernel)(Params...);
      std::tuple<Params...> arguments;
    };
    const Bound bound{kernel, std::tuple<Params...>(arguments...)};
    submit(config, {name, reinterpret_cast<const void*>(kernel),
                    [](const void* pointer) {
                      const auto& b = *static_cast<const Bound*>(pointer);
                      std::apply(b.kernel, b.arguments);
                    },
                    &bound, sizeof bound});
  }
};

template <class... Params>
Launcher<Params...> launch(const char* name, const LaunchConfig& config, void (*kernel)(Params...)) {
  return {name, config, kernel};
}

}  // namespace workbook::sim

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes = 0;
  cudaStream_t stream = nullptr;
  // No attribute is simulated yet: numAttrs must be 0.
  void* attrs = nullptr;
  unsigned int numAttrs = 0;
};

template <class... Params, class... Args>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Params...), Args&&... args) {
  if (config == nullptr || config->numAttrs != 0) return cudaErrorInvalidValue;
  workbook::sim::launch("kernel",
                        {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream},
                        kernel)(std::forward<Args>(args)...);
  return cudaPeekAtLastError();
}

#include "kernel_call.h"
