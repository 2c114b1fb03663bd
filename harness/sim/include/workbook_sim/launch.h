// Kernel launches, for `kernel<<<...>>>(...)` (kernel_call.h) and the launching functions of the host API
// (runtime/launch.h).
#pragma once

#include <cstddef>
#include <utility>

#include "runtime_api.h"
#include "vector_types.h"

namespace workbook::sim {

struct LaunchConfig {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;  ///< all blocks run at the same time, and grid.sync() works
  uint3 cluster{1, 1, 1};    ///< blocks of a cluster
  const char* file;          ///< where the program launches; what findings about the configuration name
  int line;
  LaunchConfig(dim3 grid_, dim3 block_, std::size_t shared_bytes_ = 0, cudaStream_t stream_ = nullptr,
               const char* file_ = __builtin_FILE(), int line_ = __builtin_LINE())
      : grid(grid_), block(block_), shared_bytes(shared_bytes_), stream(stream_), file(file_), line(line_) {}
};

/// A kernel with its arguments bound; `invoke(arguments)` runs it once as the current simulated thread.
struct BoundKernel {
  const char* name;      ///< null: the function's own
  const void* function;  ///< the kernel's address, or, where a template's arguments are deduced, its name
  void (*invoke)(const void* arguments);
  const void* arguments;  ///< may be copied byte by byte, as CUDA does
  std::size_t arguments_bytes;
  // For nodes of graphs; null and 0 where the kernel was launched with fewer arguments than it has, or by its
  // name alone.
  void (*point_to)(void* arguments, void** pointers) = nullptr;  ///< each of `parameters` arguments
  std::size_t parameters = 0;
  cudaError_t (*launcher)(const void* function, const LaunchConfig& config, void** arguments) = nullptr;
};

/// Validates the configuration and runs the grid to its end, or records it where the stream captures. Errors
/// are returned and go to cudaGetLastError().
cudaError_t submit(const LaunchConfig& config, const BoundKernel& kernel);
/// Keeps the error for cudaGetLastError(), and returns it.
cudaError_t finish_launch(cudaError_t error);

/// What a kernel's __launch_bounds__ say, by its name without template arguments; a variable of this type
/// makes it known before main().
struct LaunchBounds {
  LaunchBounds(const char* kernel, int max_threads, int min_blocks = 0);
};

/// The arguments of a launch, one below the other. Not std::tuple: every program would instantiate it.
template <std::size_t I, class T>
struct Argument {
  T value;
};
template <class Indices, class... Params>
struct Arguments;
template <std::size_t... I, class... Params>
struct Arguments<std::index_sequence<I...>, Params...> : Argument<I, Params>... {
  void call(void (*kernel)(Params...)) const {
    kernel(static_cast<const Argument<I, Params>&>(*this).value...);
  }
  void point_to(void** pointers) { ((pointers[I] = &static_cast<Argument<I, Params>&>(*this).value), ...); }
};

template <class... Params>
cudaError_t launch_pointers(const void* function, const LaunchConfig& config, void** arguments);

template <class... Params>
struct Launcher {
  const char* name;
  LaunchConfig config;
  void (*kernel)(Params...);

  void operator()(Params... arguments) const { submit_with(arguments...); }

  cudaError_t submit_with(Params... arguments) const {
    struct Bound {
      void (*kernel)(Params...);
      Arguments<std::index_sequence_for<Params...>, Params...> arguments;
    };
    const Bound bound{kernel, {{arguments}...}};
    return submit(config, {name, reinterpret_cast<const void*>(kernel),
                           [](const void* pointer) {
                             const auto& b = *static_cast<const Bound*>(pointer);
                             b.arguments.call(b.kernel);
                           },
                           &bound, sizeof bound,
                           [](void* pointer, void** pointers) {
                             static_cast<Bound*>(pointer)->arguments.point_to(pointers);
                           },
                           sizeof...(Params), &launch_pointers<Params...>});
  }
};

template <class... Params>
Launcher<Params...> launch(const char* name, const LaunchConfig& config, void (*kernel)(Params...)) {
  return {name, config, kernel};
}

}  // namespace workbook::sim

#include "kernel_call.h"
#include "runtime/launch.h"
