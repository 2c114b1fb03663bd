// cuda::aligned_size_t: a number of bytes with a promise about it and the pointers that come with it.
#pragma once

#include <cstddef>

namespace cuda {

template <::std::size_t kAlignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = kAlignment;
  ::std::size_t value;
  constexpr explicit aligned_size_t(::std::size_t bytes) : value(bytes) {}
  constexpr operator ::std::size_t() const { return value; }
};

}  // namespace cuda
