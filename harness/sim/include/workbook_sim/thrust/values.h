// How Thrust's algorithms get on the simulated device (algorithms.h), and single values of its memory.
#pragma once

#include <cuda_runtime.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/detail/seq.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/cuda/detail/cross_system.h>
#include <thrust/system/cuda/detail/par.h>
#include <thrust/system/cuda/detail/util.h>

#include <memory>
#include <new>
#include <type_traits>

extern "C" {
bool workbook_sim_in_kernel();
/// Around a launch of Thrust's: temporary memory that it takes from the heap has no limit.
void workbook_sim_heap_without_limit(bool begins);
/// A call of a library leaves anything in an array of the device: what it computes is in `result`.
void workbook_sim_leaves_scratch(const void* begin, std::size_t bytes, const char* call, const char* result);
/// For the diagnosis alone: the call, of the host's, adds floating-point numbers to a start that is an
/// integer.
void workbook_sim_sums_as_integer(const char* call);
}

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace simulated {

/// A kernel cannot write the host's memory; its result goes back unseen, byte by byte as its arguments came.
WORKBOOK_SIM_UNTRACED void hand_back(unsigned char* to, const void* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<const unsigned char*>(from)[i];
}

/// f() as a thread of the device, or, where a kernel calls, as that.
template <class Exec, class F>
auto on_device(execution_policy<Exec>& exec, const char* name, F f) {
  using R = decltype(f());
  if (workbook_sim_in_kernel()) return f();
  const workbook::sim::LaunchConfig config(1, 1, 0, stream(exec));
  const auto run = [&](auto closure) {
    workbook_sim_heap_without_limit(true);
    workbook::sim::launch_closure(name, name, config, closure);
    workbook_sim_heap_without_limit(false);
    throw_on_error(synchronize_optional(exec), name);
  };
  if constexpr (std::is_void_v<R>) {
    run([f]() mutable { f(); });
  } else {
    alignas(R) unsigned char place[sizeof(R)] = {};
    unsigned char* const to = place;
    run([f, to]() mutable {
      const R result = f();
      hand_back(to, &result, sizeof result);
    });
    return R(*reinterpret_cast<R*>(place));
  }
}

/// f(i) for each i below n, neighbours in threads of their own; where a kernel calls, in turn.
template <class Exec, class F>
void each_on_device(execution_policy<Exec>& exec, const char* name, long long n, F f) {
  if (n <= 0) return;
  if (workbook_sim_in_kernel()) {
    for (long long i = 0; i < n; ++i) f(i);
    return;
  }
  constexpr long long kBlock = 256, kItems = 8, kTile = kBlock * kItems;
  const workbook::sim::LaunchConfig config(static_cast<unsigned>((n + kTile - 1) / kTile), kBlock, 0,
                                           stream(exec));
  workbook_sim_heap_without_limit(true);
  workbook::sim::launch_closure(name, name, config, [=] {
    const long long first = static_cast<long long>(blockIdx.x) * kTile + threadIdx.x;
    for (long long i = first; i < n && i < first + kTile; i += kBlock) f(i);
  });
  workbook_sim_heap_without_limit(false);
  throw_on_error(synchronize_optional(exec), name);
}

/// Bytes from anywhere to anywhere.
template <class Exec>
void move_bytes(execution_policy<Exec>& exec, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const cudaStream_t on = stream(exec);
  throw_on_error(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, on), "copy failed");
  throw_on_error(cudaStreamSynchronize(on), "copy failed");
}

/// Memory for `n` values, of the host or of the device.
template <class T>
struct HostPlace {
  explicit HostPlace(std::size_t n) : data(static_cast<T*>(std::malloc(n * sizeof(T)))) {}
  HostPlace(const HostPlace&) = delete;
  HostPlace& operator=(const HostPlace&) = delete;
  ~HostPlace() { std::free(data); }
  T* data;
};
template <class T>
struct DevicePlace {
  explicit DevicePlace(std::size_t n) { throw_on_error(cudaMalloc(&data, n * sizeof(T)), "out of memory"); }
  DevicePlace(const DevicePlace&) = delete;
  DevicePlace& operator=(const DevicePlace&) = delete;
  ~DevicePlace() { static_cast<void>(cudaFree(data)); }
  T* data = nullptr;
};

template <class Iterator>
using Value = thrust::detail::it_value_t<Iterator>;

}  // namespace simulated

// ---- single values

template <class Derived, class Pointer>
simulated::Value<Pointer> get_value(execution_policy<Derived>& exec, Pointer pointer) {
  if (workbook_sim_in_kernel()) return *thrust::raw_pointer_cast(pointer);
  using T = simulated::Value<Pointer>;
  simulated::HostPlace<T> place(1);
  simulated::move_bytes(exec, place.data, thrust::raw_pointer_cast(pointer), sizeof(T));
  return *place.data;
}
template <class Derived, class To, class From>
void assign_value(execution_policy<Derived>& exec, To to, From from) {
  if (workbook_sim_in_kernel()) {
    *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
    return;
  }
  using T = simulated::Value<To>;
  if constexpr (std::is_same_v<T, simulated::Value<From>>) {
    simulated::move_bytes(exec, thrust::raw_pointer_cast(to), thrust::raw_pointer_cast(from), sizeof(T));
  } else {
    simulated::HostPlace<simulated::Value<From>> read(1);
    simulated::move_bytes(exec, read.data, thrust::raw_pointer_cast(from), sizeof *read.data);
    simulated::HostPlace<T> written(1);
    ::new (written.data) T(*read.data);
    simulated::move_bytes(exec, thrust::raw_pointer_cast(to), written.data, sizeof(T));
  }
}
template <class System1, class System2, class To, class From>
void assign_value(cross_system<System1, System2>& systems, To to, From from) {
  tag device;
  static_cast<void>(systems);
  assign_value(device, to, from);
}
template <class Derived, class A, class B>
void iter_swap(execution_policy<Derived>& exec, A a, B b) {
  auto* const x = thrust::raw_pointer_cast(a);
  auto* const y = thrust::raw_pointer_cast(b);
  simulated::on_device(exec, "thrust::iter_swap", [x, y] {
    const auto kept = *x;
    *x = *y;
    *y = kept;
  });
}

}  // namespace cuda_cub
THRUST_NAMESPACE_END
