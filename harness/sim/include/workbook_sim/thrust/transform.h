// thrust::transform of one and of two inputs: cub::DeviceTransform's launch, as the device's policies ask for
// it, or a loop of the host. Without a policy, plain pointers are the host's, as Thrust has it: device memory
// is then read by the host.
#pragma once

#include <stdexcept>

#include "../cub/transform.h"
#include "policy.h"

namespace thrust {

/// What the device's algorithms end with: errors are thrown, and the host waits where the policy says so.
inline void finish(const device_policy& policy, cudaError_t error) {
  if (error == cudaSuccess && policy.waits) error = cudaStreamSynchronize(policy.stream);
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <class In, class Out, class Operation>
Out transform(const device_policy& policy, In first, In last, Out out, Operation operation) {
  finish(policy, cub::device_parts::transform(out, last - first, operation, policy.stream, first));
  return out + (last - first);
}
template <class In, class Second, class Out, class Operation>
Out transform(const device_policy& policy, In first, In last, Second second, Out out, Operation operation) {
  finish(policy, cub::device_parts::transform(out, last - first, operation, policy.stream, first, second));
  return out + (last - first);
}

template <class In, class Out, class Operation>
Out transform(const host_policy&, In first, In last, Out out, Operation operation) {
  for (; first != last; ++first, ++out) *out = operation(*first);
  return out;
}
template <class In, class Second, class Out, class Operation>
Out transform(const host_policy&, In first, In last, Second second, Out out, Operation operation) {
  for (; first != last; ++first, ++second, ++out) *out = operation(*first, *second);
  return out;
}

template <class In, class Out, class Operation>
Out transform(In first, In last, Out out, Operation operation) {
  return transform(host, first, last, out, operation);
}
template <class In, class Second, class Out, class Operation>
Out transform(In first, In last, Second second, Out out, Operation operation) {
  return transform(host, first, last, second, out, operation);
}

}  // namespace thrust
