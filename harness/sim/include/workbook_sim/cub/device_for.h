// What the simulated kernels of cub::Device... have in common, and cub::DeviceFor.
#pragma once

#include "device.h"

namespace cub::device_parts {

/// Shares out the storage of a call; with a null storage it only counts.
class Storage {
 public:
  explicit Storage(void* begin) : begin_(static_cast<char*>(begin)) {}
  template <class T>
  T* take(long long count) {
    used_ = (used_ + 255) / 256 * 256;
    T* const place = begin_ == nullptr ? nullptr : reinterpret_cast<T*>(begin_ + used_);
    used_ += sizeof(T) * static_cast<std::size_t>(count);
    return place;
  }
  std::size_t used() const { return used_; }

 private:
  char* begin_;
  std::size_t used_ = 0;
};

inline LaunchConfig for_each(long long items, cudaStream_t stream) {
  return LaunchConfig(static_cast<unsigned>((items + kDeviceBlock - 1) / kDeviceBlock), kDeviceBlock, 0,
                      stream);
}

template <class Body>
void DeviceForKernel(long long n, Body body) {
  const long long i = static_cast<long long>(blockIdx.x) * kDeviceBlock + threadIdx.x;
  if (i < n) body(i);
}
/// body(i) in a thread of its own for each i.
template <class Body>
void run_for(const char* name, long long n, cudaStream_t stream, Body body) {
  if (n > 0) launch(name, for_each(n, stream), &DeviceForKernel<Body>)(n, body);
}

}  // namespace cub::device_parts

namespace cub {

struct DeviceFor {
  template <class Count, class Operation>
  static cudaError_t Bulk(Count n, Operation operation, cudaStream_t stream = nullptr) {
    device_parts::run_for("cub::DeviceForKernel", static_cast<long long>(n), stream,
                          [=](long long i) { operation(static_cast<Count>(i)); });
    return cudaPeekAtLastError();
  }
  template <class Iterator, class Count, class Operation>
  static cudaError_t ForEachN(Iterator first, Count n, Operation operation, cudaStream_t stream = nullptr) {
    device_parts::run_for("cub::DeviceForKernel", static_cast<long long>(n), stream,
                          [=](long long i) { operation(first[i]); });
    return cudaPeekAtLastError();
  }
  template <class Iterator, class Operation>
  static cudaError_t ForEach(Iterator first, Iterator last, Operation operation,
                             cudaStream_t stream = nullptr) {
    return ForEachN(first, last - first, operation, stream);
  }
};

}  // namespace cub
