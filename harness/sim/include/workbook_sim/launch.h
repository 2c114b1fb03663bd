// Kernel launches, for `kernel<<<...>>>(...)` (kernel_call.h) and the launching functions of the host API
// (runtime/launch.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "attributes.h"
#include "runtime_api.h"
#include "vector_types.h"

namespace workbook::sim {

struct LaunchConfig {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;  ///< all blocks run at the same time, and grid.sync() works
  uint3 cluster{1, 1, 1};    ///< blocks of a cluster
  bool dependent = false;    ///< programmatic stream serialization
  const char* file;          ///< where the program launches; what findings about the configuration name
  int line;
  LaunchConfig(dim3 grid_, dim3 block_, std::size_t shared_bytes_ = 0, cudaStream_t stream_ = nullptr,
               const char* file_ = __builtin_FILE(), int line_ = __builtin_LINE())
      : grid(grid_), block(block_), shared_bytes(shared_bytes_), stream(stream_), file(file_), line(line_) {}
};

/// Threads of a block that lie beside each other along x, run one after another by a plain loop.
struct ThreadRow {
  std::uint32_t end;             ///< one past the last
  volatile std::uint32_t limit;  ///< the engine lowers it: whoever is not among these is not begun here
  unsigned int* index;           ///< threadIdx.x

  template <class Call>
  WORKBOOK_SIM_UNTRACED_INLINE void run(Call call) {
    unsigned int& x = *index;
    for (std::uint32_t next = 0, last = end; next < last; ++next) {
      x = next;  // before the limit is looked at: whoever lowers it knows whose turn it is
      if (next >= limit) break;
      call();
    }
  }
};

/// How kernels of one list of parameters are called, and what a copy of their arguments takes.
struct KernelSignature {
  void (*call)(const void* function, void** arguments);  ///< once, as the current simulated thread
  /// Once for each thread of the row; null in the diagnosing build.
  void (*call_row)(const void* function, void** arguments, ThreadRow& row);
  struct Parameter {
    std::size_t bytes, alignment;
    bool is_reference = false;
  };
  const Parameter* parameters;
  std::size_t count;
  bool is_list = true;  ///< false: the one parameter is the whole call, kept as a closure
};

/// A kernel with its arguments: `arguments` points to each, as CUDA's own launch functions have them.
struct BoundKernel {
  const char* name;      ///< null: the function's own
  const void* function;  ///< the kernel's address, or, where a template's arguments are deduced, its name
  const KernelSignature* signature;
  void** arguments;  ///< what they point to may be copied byte by byte, as CUDA does

  void run() const { signature->call(function, arguments); }
  /// Whether the address is of an argument, or of a pointer to one.
  bool is_argument(std::uintptr_t address) const {
    const auto within = [address](const void* begin, std::size_t bytes) {
      return address - reinterpret_cast<std::uintptr_t>(begin) < bytes;
    };
    if (within(arguments, signature->count * sizeof *arguments)) return true;
    for (std::size_t i = 0; i < signature->count; ++i)
      if (within(arguments[i], signature->parameters[i].bytes)) return true;
    return false;
  }
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

/// A parameter of class type is passed to a thread as the bytes that the host copied, as CUDA does: no thread
/// constructs or destroys one. Such types are passed by address as the ABI has it; others as they are.
template <class T>
inline constexpr bool is_passed_by_address =
    std::is_class_v<T> &&
    !(std::is_trivially_destructible_v<T> &&
      (std::is_trivially_copy_constructible_v<T> || !std::is_copy_constructible_v<T>)&&(
          std::is_trivially_move_constructible_v<T> || !std::is_move_constructible_v<T>));
template <class T, bool kByAddress = is_passed_by_address<T>>
struct Passed {
  using Type = T;
  WORKBOOK_SIM_UNTRACED_INLINE Type value(void* from) {
    return static_cast<Type>(*static_cast<std::remove_reference_t<T>*>(from));
  }
};
template <class T>
struct Passed<T, true> {
  using Type = T&;
  alignas(T) unsigned char bytes[sizeof(T)];
  WORKBOOK_SIM_UNTRACED_INLINE T& value(void* from) {
    __builtin_memcpy(bytes, from, sizeof(T));
    return *reinterpret_cast<T*>(bytes);
  }
};

/// Not instrumented: fetching its arguments is no access of the kernel's.
template <class Indices, class... Params>
struct KernelCaller;
template <std::size_t... I, class... Params>
struct KernelCaller<std::index_sequence<I...>, Params...> {
  WORKBOOK_SIM_UNTRACED static void call(const void* function, void** arguments) {
    using Function = void (*)(typename Passed<Params>::Type...);
    reinterpret_cast<Function>(const_cast<void*>(function))(Passed<Params>{}.value(arguments[I])...);
  }
  static void call_row(const void* function, void** arguments, ThreadRow& row) {
    row.run([=] { call(function, arguments); });
  }
};
template <class Closure>
void call_closure(const void*, void** arguments) {
  (*static_cast<Closure*>(arguments[0]))();
}
template <class Closure>
void call_closure_row(const void*, void** arguments, ThreadRow& row) {
  row.run([=] { (*static_cast<Closure*>(arguments[0]))(); });
}

/// What only the fast build has.
#if WORKBOOK_SIM_IS_TRACED
#define WORKBOOK_SIM_ROW(...) nullptr
#else
#define WORKBOOK_SIM_ROW(...) __VA_ARGS__
#endif

template <class... Params>
inline constexpr KernelSignature::Parameter parameters_of[] = {
    {sizeof(Params), alignof(Params), std::is_reference_v<Params>}..., {0, 1}};
template <class... Params>
inline constexpr KernelSignature signature_of = {
    &KernelCaller<std::index_sequence_for<Params...>, Params...>::call,
    WORKBOOK_SIM_ROW(&KernelCaller<std::index_sequence_for<Params...>, Params...>::call_row),
    parameters_of<Params...>, sizeof...(Params)};
template <class Closure>
inline constexpr KernelSignature closure_of = {
    &call_closure<Closure>, WORKBOOK_SIM_ROW(&call_closure_row<Closure>), parameters_of<Closure>, 1, false};
#undef WORKBOOK_SIM_ROW

/// The same for a kernel that the launch names, which the compiler can then inline into the loop of a row: no
/// function is called for a thread. `Call` calls it and keeps nothing.
template <class Call, class Indices, class... Params>
struct NamedKernel;
template <class Call, std::size_t... I, class... Params>
struct NamedKernel<Call, std::index_sequence<I...>, Params...> {
  struct Nothing {};
  static void call_row(const void*, void** arguments, ThreadRow& row) {
    call_each(row, *static_cast<Params*>(arguments[I])...);
  }
  static void call_each(ThreadRow& row, Params... given) {
    const Call call = __builtin_bit_cast(Call, Nothing{});
    row.run([&] { call(given...); });
  }
};
template <class Call, class... Params>
constexpr KernelSignature named_signature() {
  KernelSignature signature = signature_of<Params...>;
#if !WORKBOOK_SIM_IS_TRACED
  if constexpr (std::is_empty_v<Call> && std::is_trivially_copyable_v<Call> &&
                !((is_passed_by_address<Params> || std::is_reference_v<Params>) || ...))
    signature.call_row = &NamedKernel<Call, std::index_sequence_for<Params...>, Params...>::call_row;
#endif
  return signature;
}
template <class Call, class... Params>
inline constexpr KernelSignature named_signature_of = named_signature<Call, Params...>();

template <class... Params>
struct Launcher {
  const char* name;
  LaunchConfig config;
  void (*kernel)(Params...);
  const KernelSignature* signature = &signature_of<Params...>;

  /// The one copy that a launch makes of its arguments.
  void operator()(Params... arguments) const { submit_with(arguments...); }

  WORKBOOK_SIM_UNTRACED cudaError_t submit_with(std::remove_reference_t<Params>&... arguments) const {
    void* pointers[] = {const_cast<void*>(static_cast<const volatile void*>(&arguments))..., nullptr};
    return submit(config, {name, reinterpret_cast<const void*>(kernel), signature, pointers});
  }
};

template <class... Params>
Launcher<Params...> launch(const char* name, const LaunchConfig& config, void (*kernel)(Params...)) {
  return {name, config, kernel};
}

/// A launch that only a closure can make: of a template or with default arguments, as the call selects.
template <class Closure>
cudaError_t launch_closure(const char* name, const void* function, const LaunchConfig& config,
                           Closure closure) {
  void* pointers[] = {&closure, nullptr};
  return submit(config, {name, function, &closure_of<Closure>, pointers});
}

}  // namespace workbook::sim
