// What printf() of device code becomes (harness/translate/device_printf.h): the engine learns of what types
// the arguments are, and can tell where the format says otherwise.
#pragma once

#include <cstddef>
#include <type_traits>

#include "attributes.h"

namespace workbook::sim {

/// How an argument goes through `...`.
enum class Printed : unsigned char { integer4, integer8, real, text, pointer, other };

template <class T>
constexpr Printed printed() {
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) <= sizeof(double) ? Printed::real : Printed::other;
  else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
    return sizeof(T) <= 4 ? Printed::integer4 : sizeof(T) == 8 ? Printed::integer8 : Printed::other;
  else if constexpr (std::is_pointer_v<T>)
    return sizeof(std::conditional_t<std::is_object_v<std::remove_pointer_t<T>>, std::remove_pointer_t<T>,
                                     int>) == 1
               ? Printed::text
               : Printed::pointer;
  else
    return std::is_null_pointer_v<T> ? Printed::pointer : Printed::other;
}

}  // namespace workbook::sim

extern "C" {
/// printf(), of the host as well. `kinds`: of the `count` arguments behind the format.
int workbook_sim_printf(const workbook::sim::Printed* kinds, std::size_t count, const char* format, ...);
}

namespace workbook::sim {

template <class... T>
WORKBOOK_SIM_INLINE int device_printf(const char* format, T... values) {
  static constexpr Printed kKinds[sizeof...(T) + 1] = {printed<T>()...};
  return workbook_sim_printf(kKinds, sizeof...(T), format, values...);
}

}  // namespace workbook::sim
