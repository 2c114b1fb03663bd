// cub::DeviceReduce and cub::DeviceScan, as simulated kernels: partial sums of the blocks, then what makes
// them whole. The launches and bytes are those of a plain two-pass algorithm, not CUB's single-pass ones.
#pragma once

#include <algorithm>
#include <iterator>

#include "../launch.h"
#include "block_reduce.h"
#include "block_scan.h"

// Not in namespace workbook: the engine takes variables of that name for its own, not for shared memory.
namespace cub::device_parts {

using workbook::sim::launch;
using workbook::sim::LaunchConfig;

constexpr int kDeviceBlock = 256, kDeviceTile = 4 * kDeviceBlock, kMostPartials = 512;

template <class Iterator>
using ValueOf = std::remove_cvref_t<decltype(*std::declval<Iterator>())>;

/// The two-call idiom: without storage, says how much it needs and returns true.
inline bool asks_for_storage(void* storage, std::size_t& bytes, std::size_t needed) {
  if (storage != nullptr) return false;
  bytes = needed == 0 ? 1 : needed;
  return true;
}

inline int blocks_for(long long items) {
  return static_cast<int>(std::clamp<long long>((items + kDeviceTile - 1) / kDeviceTile, 1, kMostPartials));
}

// ---- reduction

/// partials[block] = the sum of every gridDim-th tile of the input; blocks without items leave theirs.
template <class In, class T, class Transform, class Operation>
void DeviceReduceKernel(In in, T* partials, long long n, Transform transform, Operation operation) {
  using Block = cub::BlockReduce<T, kDeviceBlock>;
  __shared__ typename Block::TempStorage storage;
  T sum{};
  bool any = false;
  const long long step = static_cast<long long>(gridDim.x) * kDeviceBlock;
  for (long long i = static_cast<long long>(blockIdx.x) * kDeviceBlock + threadIdx.x; i < n; i += step) {
    const T item = transform(in[i], i);
    sum = any ? operation(sum, item) : item;
    any = true;
  }
  const long long left = n - static_cast<long long>(blockIdx.x) * kDeviceBlock;
  const int valid = static_cast<int>(std::clamp<long long>(left, 0, kDeviceBlock));
  sum = Block(storage).Reduce(sum, operation, valid);
  if (threadIdx.x == 0 && valid > 0) partials[blockIdx.x] = sum;
}

template <class T, class Out, class Operation>
void DeviceReduceSingleTileKernel(const T* partials, int count, Out out, T initial, bool empty,
                                  Operation operation) {
  using Block = cub::BlockReduce<T, kDeviceBlock>;
  __shared__ typename Block::TempStorage storage;
  T sum{};
  bool any = false;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kDeviceBlock) {
    sum = any ? operation(sum, partials[i]) : partials[i];
    any = true;
  }
  sum = Block(storage).Reduce(sum, operation, std::min(count, kDeviceBlock));
  if (threadIdx.x == 0) *out = empty ? initial : operation(initial, sum);
}

struct AsIs {
  template <class T>
  WORKBOOK_SIM_INLINE const T& operator()(const T& item, long long) const {
    return item;
  }
};
template <class Pair>
struct WithPlace {
  template <class T>
  WORKBOOK_SIM_INLINE Pair operator()(const T& item, long long place) const {
    return {static_cast<int>(place), item};
  }
};

template <class T, class In, class Out, class Transform, class Operation>
cudaError_t device_reduce(void* storage, std::size_t& bytes, In in, Out out, long long n, Operation operation,
                          T initial, Transform transform, cudaStream_t stream) {
  const int blocks = blocks_for(n);
  if (asks_for_storage(storage, bytes, sizeof(T) * static_cast<std::size_t>(blocks))) return cudaSuccess;
  auto* partials = static_cast<T*>(storage);
  if (n > 0)
    launch("cub::DeviceReduceKernel", LaunchConfig(static_cast<unsigned>(blocks), kDeviceBlock, 0, stream),
           &DeviceReduceKernel<In, T, Transform, Operation>)(in, partials, n, transform, operation);
  const int partial_count =
      static_cast<int>(std::min<long long>(blocks, (n + kDeviceBlock - 1) / kDeviceBlock));
  launch("cub::DeviceReduceSingleTileKernel", LaunchConfig(1, kDeviceBlock, 0, stream),
         &DeviceReduceSingleTileKernel<T, Out, Operation>)(partials, partial_count, out, initial, n == 0,
                                                           operation);
  return cudaPeekAtLastError();
}

// ---- scan: the tiles' sums, their scan by one block, and the tiles again with what comes before them

template <class In, class T, class Operation>
void DeviceScanTileKernel(In in, T* sums, long long n, Operation operation) {
  using Block = cub::BlockReduce<T, kDeviceBlock>;
  __shared__ typename Block::TempStorage storage;
  const long long first = static_cast<long long>(blockIdx.x) * kDeviceBlock;
  const int valid = static_cast<int>(std::clamp<long long>(n - first, 0, kDeviceBlock));
  T item{};
  if (static_cast<int>(threadIdx.x) < valid) item = in[first + threadIdx.x];
  const T sum = Block(storage).Reduce(item, operation, valid);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <class T, class Operation>
void DeviceScanSumsKernel(T* sums, int count, Operation operation) {
  using Block = cub::BlockScan<T, kDeviceBlock>;
  __shared__ typename Block::TempStorage storage;
  __shared__ typename workbook::sim::Room<T, 1> before;
  for (int first = 0; first < count; first += kDeviceBlock) {
    const int i = first + static_cast<int>(threadIdx.x);
    T item{}, aggregate;
    if (i < count) item = sums[i];
    T scanned;
    Block(storage).InclusiveScan(item, scanned, operation, aggregate);
    if (first > 0) scanned = operation(*before.data(), scanned);
    if (i < count) sums[i] = scanned;
    __syncthreads();
    if (i == std::min(first + kDeviceBlock, count) - 1) *before.data() = scanned;
    __syncthreads();
  }
}

template <class In, class Out, class T, class Operation>
void DeviceScanKernel(In in, Out out, const T* sums, long long n, Operation operation, T initial,
                      bool has_initial, bool exclusive) {
  using Block = cub::BlockScan<T, kDeviceBlock>;
  __shared__ typename Block::TempStorage storage;
  const long long i = static_cast<long long>(blockIdx.x) * kDeviceBlock + threadIdx.x;
  T item{}, result;
  if (i < n) item = in[i];
  if (exclusive)
    Block(storage).ExclusiveScan(item, result, operation);
  else
    Block(storage).InclusiveScan(item, result, operation);
  if (i >= n) return;
  if (blockIdx.x > 0) {
    const T earlier = sums[blockIdx.x - 1];
    result = exclusive && threadIdx.x == 0 ? earlier : operation(earlier, result);
  }
  if (has_initial) result = exclusive && i == 0 ? initial : operation(initial, result);
  out[i] = result;
}

template <class T, class In, class Out, class Operation>
cudaError_t device_scan(void* storage, std::size_t& bytes, In in, Out out, long long n, Operation operation,
                        T initial, bool has_initial, bool exclusive, cudaStream_t stream) {
  const int blocks = static_cast<int>((n + kDeviceBlock - 1) / kDeviceBlock);
  if (asks_for_storage(storage, bytes, sizeof(T) * static_cast<std::size_t>(blocks))) return cudaSuccess;
  if (n == 0) return cudaSuccess;
  auto* sums = static_cast<T*>(storage);
  const LaunchConfig all(static_cast<unsigned>(blocks), kDeviceBlock, 0, stream),
      one(1, kDeviceBlock, 0, stream);
  if (blocks > 1) {
    launch("cub::DeviceScanTileKernel", all, &DeviceScanTileKernel<In, T, Operation>)(in, sums, n, operation);
    launch("cub::DeviceScanSumsKernel", one, &DeviceScanSumsKernel<T, Operation>)(sums, blocks, operation);
  }
  launch("cub::DeviceScanKernel", all, &DeviceScanKernel<In, Out, T, Operation>)(
      in, out, sums, n, operation, initial, has_initial, exclusive);
  return cudaPeekAtLastError();
}

}  // namespace cub::device_parts

namespace cub {

struct DeviceReduce {
  template <class In, class Out, class T, class Operation>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, long long n,
                            Operation operation, T initial, cudaStream_t stream = nullptr) {
    return device_parts::device_reduce<T>(storage, bytes, in, out, n, operation, initial,
                                          device_parts::AsIs(), stream);
  }
  template <class In, class Out>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, long long n,
                         cudaStream_t stream = nullptr) {
    using T = device_parts::ValueOf<Out>;
    return Reduce(storage, bytes, in, out, n, cub::Sum(), T{}, stream);
  }
  template <class In, class Out>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, long long n,
                         cudaStream_t stream = nullptr) {
    using T = device_parts::ValueOf<In>;
    return Reduce(storage, bytes, in, out, n, cub::Min(), std::numeric_limits<T>::max(), stream);
  }
  template <class In, class Out>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, long long n,
                         cudaStream_t stream = nullptr) {
    using T = device_parts::ValueOf<In>;
    return Reduce(storage, bytes, in, out, n, cub::Max(), std::numeric_limits<T>::lowest(), stream);
  }
  template <class In, class Out>
  static cudaError_t ArgMin(void* storage, std::size_t& bytes, In in, Out out, int n,
                            cudaStream_t stream = nullptr) {
    using Pair = KeyValuePair<int, device_parts::ValueOf<In>>;
    return device_parts::device_reduce<Pair>(storage, bytes, in, out, n, cub::ArgMin(),
                                             Pair{1, std::numeric_limits<typename Pair::Value_>::max()},
                                             device_parts::WithPlace<Pair>(), stream);
  }
  template <class In, class Out>
  static cudaError_t ArgMax(void* storage, std::size_t& bytes, In in, Out out, int n,
                            cudaStream_t stream = nullptr) {
    using Pair = KeyValuePair<int, device_parts::ValueOf<In>>;
    return device_parts::device_reduce<Pair>(storage, bytes, in, out, n, cub::ArgMax(),
                                             Pair{1, std::numeric_limits<typename Pair::Value_>::lowest()},
                                             device_parts::WithPlace<Pair>(), stream);
  }
  /// Of each run of equal keys one key and the sum of its values (device_select.h).
  template <class Keys, class Unique, class Values, class Sums, class Count, class Operation>
  static cudaError_t ReduceByKey(void* storage, std::size_t& bytes, Keys keys, Unique unique, Values values,
                                 Sums sums, Count count, Operation operation, long long n,
                                 cudaStream_t stream = nullptr);
};

struct DeviceScan {
  template <class In, class Out>
  static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out, long long n,
                                  cudaStream_t stream = nullptr) {
    return InclusiveScan(storage, bytes, in, out, cub::Sum(), n, stream);
  }
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out, long long n,
                                  cudaStream_t stream = nullptr) {
    using T = device_parts::ValueOf<In>;
    return ExclusiveScan(storage, bytes, in, out, cub::Sum(), T{}, n, stream);
  }
  template <class In, class Out, class Operation>
  static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Operation operation,
                                   long long n, cudaStream_t stream = nullptr) {
    using T = device_parts::ValueOf<In>;
    return device_parts::device_scan<T>(storage, bytes, in, out, n, operation, T{}, false, false, stream);
  }
  template <class In, class Out, class Operation, class T>
  static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Operation operation,
                                   T initial, long long n, cudaStream_t stream = nullptr) {
    return device_parts::device_scan<T>(storage, bytes, in, out, n, operation, initial, true, true, stream);
  }
  // In place.
  template <class Data>
  static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, Data data, long long n,
                                  cudaStream_t stream = nullptr) {
    return InclusiveSum(storage, bytes, data, data, n, stream);
  }
  template <class Data>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, Data data, long long n,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveSum(storage, bytes, data, data, n, stream);
  }
};

}  // namespace cub
