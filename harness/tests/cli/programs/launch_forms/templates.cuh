#pragma once

namespace elsewhere {
template <class T, int kValue = 77>
__global__ void from_header(T* out) {
  *out = kValue;
}
}  // namespace elsewhere
