// CUDA's built-in vector types: char1 to double4, dim3, and their make_ functions.
// Alignments are those of the CUDA C++ Programming Guide, "Built-in Vector Types".
//
// A vector of 2 to 16 bytes moves as ONE access, as the hardware moves it. The thread sanitizer's
// instrumentation would see four loads of four bytes, because the optimiser takes small structs apart before
// it. On g++ a struct with a volatile member is left whole: such a member hides, unused, in a union with the
// last element, and the types stay trivially copyable aggregates; only assignment from a temporary needs a
// template that moves the bytes at once. clang takes apart even those, so there copying goes through a vector
// type. The g++ build without instrumentation has plain structs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "attributes.h"

namespace workbook::sim {

/// A type of that many bytes whose loads and stores are single accesses and may alias anything.
template <std::size_t kBytes>
struct Whole;
template <>
struct Whole<2> {
  typedef std::uint16_t type __attribute__((may_alias));
};
template <>
struct Whole<4> {
  typedef std::uint32_t type __attribute__((may_alias));
};
template <>
struct Whole<8> {
  typedef std::uint64_t type __attribute__((may_alias));
};
template <>
struct Whole<16> {
  typedef float type __attribute__((vector_size(16), may_alias));
};

/// *to = *from as one access on either side; two for vectors of 32 bytes.
template <class T>
WORKBOOK_SIM_INLINE void move_whole(T* to, const T* from) {
  using Word = typename Whole<(sizeof(T) < 16 ? sizeof(T) : 16)>::type;
  auto* target = reinterpret_cast<Word*>(to);
  const auto* source = reinterpret_cast<const Word*>(from);
  target[0] = source[0];
  if constexpr (sizeof(T) == 32) target[1] = source[1];
}

}  // namespace workbook::sim

#if defined(__clang__)
namespace workbook::sim {

/// *to = *from through what clang does not take apart again: vectors of the elements' own type for floats,
/// but another type for integers.
template <class Element, class T>
WORKBOOK_SIM_INLINE void move_vector(T* to, const T* from) {
  if constexpr (std::is_integral_v<Element>) return move_whole(to, from);
  constexpr std::size_t kBytes = sizeof(T) < 16 ? sizeof(T) : 16;
  typedef Element Vector __attribute__((vector_size(kBytes), may_alias));
  auto* target = reinterpret_cast<Vector*>(to);
  const auto* source = reinterpret_cast<const Vector*>(from);
  target[0] = source[0];
  if constexpr (sizeof(T) == 32) target[1] = source[1];
}

}  // namespace workbook::sim

// NAME is no aggregate here, so it takes braces with one to all elements through an initializer list.
#define WORKBOOK_SIM_VECTOR2(NAME, TYPE, ALIGN)                                              \
  struct alignas(ALIGN) NAME {                                                               \
    TYPE x, y;                                                                               \
    NAME() = default;                                                                        \
    constexpr NAME(TYPE x_, TYPE y_) : x(x_), y(y_) {}                                       \
    constexpr NAME(std::initializer_list<TYPE> list)                                         \
        : x(list.begin()[0]), y(list.size() > 1 ? list.begin()[1] : static_cast<TYPE>(0)) {} \
    constexpr WORKBOOK_SIM_INLINE NAME(const NAME& other) { *this = other; }                 \
    constexpr WORKBOOK_SIM_INLINE NAME& operator=(const NAME& other) {                       \
      if (std::is_constant_evaluated()) {                                                    \
        x = other.x;                                                                         \
        y = other.y;                                                                         \
      } else {                                                                               \
        workbook::sim::move_vector<TYPE>(this, &other);                                      \
      }                                                                                      \
      return *this;                                                                          \
    }                                                                                        \
  };                                                                                         \
  constexpr WORKBOOK_SIM_INLINE NAME make_##NAME(TYPE x, TYPE y) { return NAME(x, y); }
#define WORKBOOK_SIM_VECTOR4(NAME, TYPE, ALIGN)                                        \
  struct alignas(ALIGN) NAME {                                                         \
    TYPE x, y, z, w;                                                                   \
    NAME() = default;                                                                  \
    constexpr NAME(TYPE x_, TYPE y_, TYPE z_, TYPE w_) : x(x_), y(y_), z(z_), w(w_) {} \
    constexpr NAME(std::initializer_list<TYPE> list)                                   \
        : x(list.begin()[0]),                                                          \
          y(list.size() > 1 ? list.begin()[1] : static_cast<TYPE>(0)),                 \
          z(list.size() > 2 ? list.begin()[2] : static_cast<TYPE>(0)),                 \
          w(list.size() > 3 ? list.begin()[3] : static_cast<TYPE>(0)) {}               \
    constexpr WORKBOOK_SIM_INLINE NAME(const NAME& other) { *this = other; }           \
    constexpr WORKBOOK_SIM_INLINE NAME& operator=(const NAME& other) {                 \
      if (std::is_constant_evaluated()) {                                              \
        x = other.x;                                                                   \
        y = other.y;                                                                   \
        z = other.z;                                                                   \
        w = other.w;                                                                   \
      } else {                                                                         \
        workbook::sim::move_vector<TYPE>(this, &other);                                \
      }                                                                                \
      return *this;                                                                    \
    }                                                                                  \
  };                                                                                   \
  constexpr WORKBOOK_SIM_INLINE NAME make_##NAME(TYPE x, TYPE y, TYPE z, TYPE w) { return NAME(x, y, z, w); }

#define WORKBOOK_SIM_VECTOR3(NAME, TYPE)                                          \
  struct NAME {                                                                   \
    TYPE x, y, z;                                                                 \
    NAME() = default;                                                             \
    constexpr NAME(TYPE x_, TYPE y_, TYPE z_) : x(x_), y(y_), z(z_) {}            \
    constexpr NAME(std::initializer_list<TYPE> list)                              \
        : x(list.begin()[0]),                                                     \
          y(list.size() > 1 ? list.begin()[1] : static_cast<TYPE>(0)),            \
          z(list.size() > 2 ? list.begin()[2] : static_cast<TYPE>(0)) {}          \
    constexpr WORKBOOK_SIM_INLINE NAME(const NAME& o) : x(o.x), y(o.y), z(o.z) {} \
    constexpr WORKBOOK_SIM_INLINE NAME& operator=(const NAME& other) {            \
      x = other.x;                                                                \
      y = other.y;                                                                \
      z = other.z;                                                                \
      return *this;                                                               \
    }                                                                             \
  };
// For other structs of that kind: their last member, and their copying.
#define WORKBOOK_SIM_LAST_MEMBER(TYPE, NAME, GUARD) TYPE NAME
#define WORKBOOK_SIM_MOVES_WHOLE(NAME)                                                     \
  WORKBOOK_SIM_INLINE NAME(const NAME& other) { workbook::sim::move_whole(this, &other); } \
  WORKBOOK_SIM_INLINE NAME& operator=(const NAME& other) {                                 \
    workbook::sim::move_whole(this, &other);                                               \
    return *this;                                                                          \
  }

#elif defined(__SANITIZE_THREAD__)
#define WORKBOOK_SIM_LAST_MEMBER(TYPE, NAME, GUARD) \
  union {                                           \
    TYPE NAME;                                      \
    volatile GUARD workbook_guard;                  \
  }
#define WORKBOOK_SIM_MOVES_WHOLE(NAME)                                   \
  constexpr NAME& operator=(const NAME&) = default;                      \
  template <class Same = NAME>                                           \
  requires std::same_as<Same, NAME>                                      \
  constexpr WORKBOOK_SIM_INLINE NAME& operator=(Same&& other) {          \
    if (std::is_constant_evaluated())                                    \
      *this = static_cast<const NAME&>(other);                           \
    else                                                                 \
      workbook::sim::move_whole(this, static_cast<const NAME*>(&other)); \
    return *this;                                                        \
  }
// The tuple protocol lets `auto [x, y] = v;` past the union.
#define WORKBOOK_SIM_VECTOR2(NAME, TYPE, ALIGN)                   \
  struct alignas(ALIGN) NAME {                                    \
    TYPE x;                                                       \
    WORKBOOK_SIM_LAST_MEMBER(TYPE, y, TYPE);                      \
    WORKBOOK_SIM_MOVES_WHOLE(NAME)                                \
    template <std::size_t kIndex>                                 \
    constexpr TYPE& get() {                                       \
      if constexpr (kIndex == 0)                                  \
        return x;                                                 \
      else                                                        \
        return y;                                                 \
    }                                                             \
    template <std::size_t kIndex>                                 \
    constexpr const TYPE& get() const {                           \
      return const_cast<NAME*>(this)->get<kIndex>();              \
    }                                                             \
  };                                                              \
  template <>                                                     \
  struct std::tuple_size<NAME> : integral_constant<size_t, 2> {}; \
  template <std::size_t kIndex>                                   \
  struct std::tuple_element<kIndex, NAME> {                       \
    using type = TYPE;                                            \
  };                                                              \
  constexpr WORKBOOK_SIM_INLINE NAME make_##NAME(TYPE x, TYPE y) { return {x, {y}}; }
#define WORKBOOK_SIM_VECTOR4(NAME, TYPE, ALIGN)                   \
  struct alignas(ALIGN) NAME {                                    \
    TYPE x, y, z;                                                 \
    WORKBOOK_SIM_LAST_MEMBER(TYPE, w, TYPE);                      \
    WORKBOOK_SIM_MOVES_WHOLE(NAME)                                \
    template <std::size_t kIndex>                                 \
    constexpr TYPE& get() {                                       \
      if constexpr (kIndex == 0)                                  \
        return x;                                                 \
      else if constexpr (kIndex == 1)                             \
        return y;                                                 \
      else if constexpr (kIndex == 2)                             \
        return z;                                                 \
      else                                                        \
        return w;                                                 \
    }                                                             \
    template <std::size_t kIndex>                                 \
    constexpr const TYPE& get() const {                           \
      return const_cast<NAME*>(this)->get<kIndex>();              \
    }                                                             \
  };                                                              \
  template <>                                                     \
  struct std::tuple_size<NAME> : integral_constant<size_t, 4> {}; \
  template <std::size_t kIndex>                                   \
  struct std::tuple_element<kIndex, NAME> {                       \
    using type = TYPE;                                            \
  };                                                              \
  constexpr WORKBOOK_SIM_INLINE NAME make_##NAME(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, {w}}; }

#else
#define WORKBOOK_SIM_LAST_MEMBER(TYPE, NAME, GUARD) TYPE NAME
#define WORKBOOK_SIM_MOVES_WHOLE(NAME)
#define WORKBOOK_SIM_VECTOR2(NAME, TYPE, ALIGN) \
  struct alignas(ALIGN) NAME {                  \
    TYPE x, y;                                  \
  };                                            \
  constexpr WORKBOOK_SIM_INLINE NAME make_##NAME(TYPE x, TYPE y) { return {x, y}; }
#define WORKBOOK_SIM_VECTOR4(NAME, TYPE, ALIGN) \
  struct alignas(ALIGN) NAME {                  \
    TYPE x, y, z, w;                            \
  };                                            \
  constexpr WORKBOOK_SIM_INLINE NAME make_##NAME(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }
#endif

#ifndef WORKBOOK_SIM_VECTOR3
#define WORKBOOK_SIM_VECTOR3(NAME, TYPE) \
  struct NAME {                          \
    TYPE x, y, z;                        \
  };
#endif

// A vector of three is three accesses on the hardware too: its size is no power of two.
#define WORKBOOK_SIM_VECTOR(NAME, TYPE, ALIGN2, ALIGN4)                                              \
  struct NAME##1 {                                                                                   \
    TYPE x;                                                                                          \
  };                                                                                                 \
  WORKBOOK_SIM_VECTOR3(NAME##3, TYPE)                                                                \
  constexpr WORKBOOK_SIM_INLINE NAME##1 make_##NAME##1(TYPE x) { return {x}; }                       \
  constexpr WORKBOOK_SIM_INLINE NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; } \
  WORKBOOK_SIM_VECTOR2(NAME##2, TYPE, ALIGN2)                                                        \
  WORKBOOK_SIM_VECTOR4(NAME##4, TYPE, ALIGN4)

WORKBOOK_SIM_VECTOR(char, signed char, 2, 4)
WORKBOOK_SIM_VECTOR(uchar, unsigned char, 2, 4)
WORKBOOK_SIM_VECTOR(short, short, 4, 8)
WORKBOOK_SIM_VECTOR(ushort, unsigned short, 4, 8)
WORKBOOK_SIM_VECTOR(int, int, 8, 16)
WORKBOOK_SIM_VECTOR(uint, unsigned int, 8, 16)
WORKBOOK_SIM_VECTOR(long, long, 16, 16)
WORKBOOK_SIM_VECTOR(ulong, unsigned long, 16, 16)
WORKBOOK_SIM_VECTOR(longlong, long long, 16, 16)
WORKBOOK_SIM_VECTOR(ulonglong, unsigned long long, 16, 16)
WORKBOOK_SIM_VECTOR(float, float, 8, 16)
WORKBOOK_SIM_VECTOR(double, double, 16, 16)
// CUDA 13 names the alignment of vectors of 32 bytes.
WORKBOOK_SIM_VECTOR4(double4_16a, double, 16)
WORKBOOK_SIM_VECTOR4(double4_32a, double, 32)
WORKBOOK_SIM_VECTOR4(long4_16a, long, 16)
WORKBOOK_SIM_VECTOR4(long4_32a, long, 32)
WORKBOOK_SIM_VECTOR4(ulong4_16a, unsigned long, 16)
WORKBOOK_SIM_VECTOR4(ulong4_32a, unsigned long, 32)
WORKBOOK_SIM_VECTOR4(longlong4_16a, long long, 16)
WORKBOOK_SIM_VECTOR4(longlong4_32a, long long, 32)
WORKBOOK_SIM_VECTOR4(ulonglong4_16a, unsigned long long, 16)
WORKBOOK_SIM_VECTOR4(ulonglong4_32a, unsigned long long, 32)

#undef WORKBOOK_SIM_VECTOR
#undef WORKBOOK_SIM_VECTOR2
#undef WORKBOOK_SIM_VECTOR3
#undef WORKBOOK_SIM_VECTOR4

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
