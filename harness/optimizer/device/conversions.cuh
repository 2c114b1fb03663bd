// Between what memory holds and float.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

// Tensors in memory hold half, bfloat16 or float; what is computed is float.
template <class T>
__device__ inline float to_float(T value) {
  if constexpr (std::is_same_v<T, half>)
    return __half2float(value);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>)
    return __bfloat162float(value);
  else
    return value;
}
template <class T>
__device__ inline T from_float(float value) {
  if constexpr (std::is_same_v<T, half>)
    return __float2half(value);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>)
    return __float2bfloat16(value);
  else
    return value;
}
