// cub::DeviceTransform, as one simulated kernel whose threads take the items of a tile a block apart. CUB's
// own chooses by the GPU how wide its accesses are and whether copies go through shared memory: the bytes are
// the same, its requests are not.
#pragma once

#include <cstddef>
#include <cuda/std/tuple>
#include <utility>

#include "../launch.h"
#include "common.h"

// Not in namespace workbook: the engine takes variables of that name for its own, not for shared memory.
namespace cub::device_parts {

constexpr int kTransformBlock = 256, kTransformItems = 8;

template <class Out, class Operation, class... In>
void TransformKernel(Out out, long long n, Operation operation, In... in) {
  const long long first =
      static_cast<long long>(blockIdx.x) * kTransformBlock * kTransformItems + threadIdx.x;
  for (int k = 0; k < kTransformItems; ++k)
    if (const long long i = first + k * kTransformBlock; i < n) out[i] = operation(in[i]...);
}

template <class Out, class Operation, class... In>
cudaError_t transform(Out out, long long n, Operation operation, cudaStream_t stream, In... in) {
  if (n == 0) return cudaSuccess;  // no launch
  constexpr long long kTile = kTransformBlock * kTransformItems;
  workbook::sim::launch(
      "cub::transform_kernel",
      workbook::sim::LaunchConfig(static_cast<unsigned>((n + kTile - 1) / kTile), kTransformBlock, 0, stream),
      &TransformKernel<Out, Operation, In...>)(out, n, operation, in...);
  return cudaPeekAtLastError();
}

}  // namespace cub::device_parts

namespace cub {

struct DeviceTransform {
  template <class... In, class Out, class Operation>
  static cudaError_t Transform(::cuda::std::tuple<In...> inputs, Out output, long long n, Operation operation,
                               cudaStream_t stream = nullptr) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return device_parts::transform(output, n, operation, stream, ::cuda::std::get<I>(inputs)...);
    }
    (std::index_sequence_for<In...>());
  }
  template <class In, class Out, class Operation>
  static cudaError_t Transform(In input, Out output, long long n, Operation operation,
                               cudaStream_t stream = nullptr) {
    return device_parts::transform(output, n, operation, stream, input);
  }
};

}  // namespace cub
