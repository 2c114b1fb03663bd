// Thrust's algorithms on the simulated device. Thrust's headers come from the toolkit, or from PyPI's
// nvidia-cuda-cccl; of the CUDA system they leave to nvcc what launches kernels, and that is here. A
// primitive is one launch of one thread that runs Thrust's own sequential algorithm, so that every access is
// checked and every functor runs on the device; the others Thrust builds from these. The modelled time is
// that of one thread, and says nothing about a GPU. What is defined for each element alone (for_each, and so
// transform, scatter and others) runs in many threads: an element that two of them use is a race.
#pragma once

#include <thrust/detail/function.h>
#include <thrust/pair.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include "values.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace simulated {

template <class Iterator>
inline constexpr bool kContiguous = thrust::is_contiguous_iterator_v<Iterator>;
template <class System>
inline constexpr bool kIsHost =
    std::is_convertible_v<System*, thrust::system::cpp::detail::execution_policy<System>*>;

/// Sums have the type of their start value, also where that is an int for floats.
template <class In, class Start>
void see_start(const char* call) {
  if constexpr (std::is_floating_point_v<Value<In>> && std::is_integral_v<Start>)
    if (!workbook_sim_in_kernel()) workbook_sim_sums_as_integer(call);
}
template <class... Args>
void see_reduce(const Args&...) {}
template <class In, class Start, class... More>
void see_reduce(const In&, const In&, const Start&, const More&...) {
  see_start<In, Start>("thrust::reduce");
}
template <class... Args>
void see_exclusive_scan(const Args&...) {}
template <class In, class Out, class Start, class... More>
void see_exclusive_scan(const In&, const In&, const Out&, const Start&, const More&...) {
  see_start<In, Start>("thrust::exclusive_scan");
}

/// Elements from `end` to `last` hold anything from here on.
template <class In>
void leave_rest(const In& end, const In& last, const char* call) {
  if constexpr (kContiguous<In>)
    if (!workbook_sim_in_kernel() && end != last)
      workbook_sim_leaves_scratch(thrust::raw_pointer_cast(&*end),
                                  static_cast<std::size_t>(last - end) * sizeof(Value<In>), call,
                                  "the elements before the end that it returns");
}
template <class In, class Values>
void leave_rest(const thrust::pair<In, Values>& ends, const In& last, const char* call) {
  leave_rest(ends.second, ends.second + (last - ends.first), call);
  leave_rest(ends.first, last, call);
}

}  // namespace simulated

// What Thrust's sequential system can do with these arguments; ADL finds it by the policy.
#define WORKBOOK_THRUST_SEEN(NAME, ...)                                                \
  template <class Derived, class... Args>                                              \
  requires requires(thrust::detail::seq_t & seq, Args... args) { NAME(seq, args...); } \
  auto NAME(execution_policy<Derived>& exec, Args... args) {                           \
    __VA_ARGS__;                                                                       \
    return simulated::on_device(exec, "thrust::" #NAME, [=]() mutable {                \
      thrust::detail::seq_t seq;                                                       \
      return NAME(seq, args...);                                                       \
    });                                                                                \
  }
#define WORKBOOK_THRUST(NAME) WORKBOOK_THRUST_SEEN(NAME, )
WORKBOOK_THRUST(adjacent_difference)
WORKBOOK_THRUST(binary_search)
WORKBOOK_THRUST(copy_if)
WORKBOOK_THRUST(copy_n)
WORKBOOK_THRUST_SEEN(exclusive_scan, simulated::see_exclusive_scan(args...))
WORKBOOK_THRUST(exclusive_scan_by_key)
WORKBOOK_THRUST(find_if)
WORKBOOK_THRUST(inclusive_scan)
WORKBOOK_THRUST(inclusive_scan_by_key)
WORKBOOK_THRUST(is_partitioned)
WORKBOOK_THRUST(lower_bound)
WORKBOOK_THRUST(max_element)
WORKBOOK_THRUST(merge)
WORKBOOK_THRUST(merge_by_key)
WORKBOOK_THRUST(min_element)
WORKBOOK_THRUST(minmax_element)
WORKBOOK_THRUST(partition)
WORKBOOK_THRUST(partition_copy)
WORKBOOK_THRUST_SEEN(reduce, simulated::see_reduce(args...))
WORKBOOK_THRUST(reduce_by_key)
WORKBOOK_THRUST(remove_copy)
WORKBOOK_THRUST(remove_copy_if)
WORKBOOK_THRUST(set_difference)
WORKBOOK_THRUST(set_intersection)
WORKBOOK_THRUST(set_symmetric_difference)
WORKBOOK_THRUST(set_union)
WORKBOOK_THRUST(stable_partition)
WORKBOOK_THRUST(stable_partition_copy)
WORKBOOK_THRUST(stable_sort)
WORKBOOK_THRUST(stable_sort_by_key)
WORKBOOK_THRUST(unique_by_key_copy)
WORKBOOK_THRUST(unique_copy)
WORKBOOK_THRUST(unique_count)
WORKBOOK_THRUST(upper_bound)
#undef WORKBOOK_THRUST
#undef WORKBOOK_THRUST_SEEN

// The same, of what moves the elements that stay to the front and gives their end: behind it lies anything.
#define WORKBOOK_THRUST_KEEPS(NAME)                                               \
  template <class Derived, class In, class... Args>                               \
  requires requires(thrust::detail::seq_t & seq, In first, Args... args) {        \
    NAME(seq, first, first, args...);                                             \
  }                                                                               \
  auto NAME(execution_policy<Derived>& exec, In first, In last, Args... args) {   \
    const auto end = simulated::on_device(exec, "thrust::" #NAME, [=]() mutable { \
      thrust::detail::seq_t seq;                                                  \
      return NAME(seq, first, last, args...);                                     \
    });                                                                           \
    simulated::leave_rest(end, last, "thrust::" #NAME);                           \
    return end;                                                                   \
  }
WORKBOOK_THRUST_KEEPS(remove)
WORKBOOK_THRUST_KEEPS(remove_if)
WORKBOOK_THRUST_KEEPS(unique)
WORKBOOK_THRUST_KEEPS(unique_by_key)
#undef WORKBOOK_THRUST_KEEPS

// ---- of each element alone

template <class Derived, class In, class Size, class F>
In for_each_n(execution_policy<Derived>& exec, In first, Size count, F f) {
  simulated::each_on_device(exec, "thrust::for_each", static_cast<long long>(count), [=](long long i) {
    thrust::detail::wrapped_function<F, void> of_element{f};
    of_element(*(first + static_cast<std::ptrdiff_t>(i)));
  });
  return first + static_cast<std::ptrdiff_t>(count);
}
template <class Derived, class In, class F>
In for_each(execution_policy<Derived>& exec, In first, In last, F f) {
  return cuda_cub::for_each_n(exec, first, ::cuda::std::distance(first, last), f);
}
template <class Derived, class In, class Out>
Out copy(execution_policy<Derived>& exec, In first, In last, Out result) {
  if constexpr (simulated::kContiguous<In> && simulated::kContiguous<Out>) {
    return simulated::on_device(exec, "thrust::copy", [=]() mutable {
      thrust::detail::seq_t seq;
      return copy(seq, first, last, result);
    });
  } else {
    const auto count = static_cast<std::ptrdiff_t>(::cuda::std::distance(first, last));
    simulated::each_on_device(exec, "thrust::copy", count, [=](long long i) {
      *(result + static_cast<std::ptrdiff_t>(i)) = *(first + static_cast<std::ptrdiff_t>(i));
    });
    return result + count;
  }
}

// ---- between host and device

template <class From, class To, class In, class Out>
Out copy(cross_system<From, To>&, In first, In last, Out result) {
  tag device;
  const auto n = static_cast<std::size_t>(::cuda::std::distance(first, last));
  if (n == 0) return result;
  using T = simulated::Value<In>;
  using U = simulated::Value<Out>;
  if constexpr (simulated::kContiguous<In> && simulated::kContiguous<Out> && std::is_same_v<T, U>) {
    simulated::move_bytes(device, thrust::raw_pointer_cast(&*result), thrust::raw_pointer_cast(&*first),
                          n * sizeof(T));
    return result + static_cast<std::ptrdiff_t>(n);
  } else if constexpr (simulated::kIsHost<From>) {
    simulated::HostPlace<U> values(n);
    for (std::size_t i = 0; i < n; ++i, ++first) ::new (values.data + i) U(*first);
    simulated::DevicePlace<U> there(n);
    simulated::move_bytes(device, there.data, values.data, n * sizeof(U));
    return copy(device, there.data, there.data + n, result);
  } else {
    simulated::DevicePlace<T> there(n);
    copy(device, first, last, there.data);
    simulated::HostPlace<T> values(n);
    simulated::move_bytes(device, values.data, there.data, n * sizeof(T));
    for (std::size_t i = 0; i < n; ++i, ++result) *result = values.data[i];
    return result;
  }
}
template <class From, class To, class In, class Size, class Out>
Out copy_n(cross_system<From, To>& systems, In first, Size n, Out result) {
  In last = first;
  ::cuda::std::advance(last, n);
  return copy(systems, first, last, result);
}

}  // namespace cuda_cub
THRUST_NAMESPACE_END
