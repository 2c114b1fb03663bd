// cub::DeviceRadixSort and DeviceMergeSort, as simulated kernels. As with device.h, launches and bytes are
// those of plain algorithms, not of CUB's.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "device_select.h"

extern "C" {
/// A call of a library leaves anything in an array of the device: what it computes is in `result`.
void workbook_sim_leaves_scratch(const void* begin, std::size_t bytes, const char* call, const char* result);
/// The call sorts so many bytes from one array to another: a finding where they overlap.
void workbook_sim_sorts_apart(const void* from, const void* to, std::size_t bytes, const char* call);
}

namespace cub {

/// Two arrays of which one holds the data; sorting leaves it in Current().
template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

}  // namespace cub

namespace cub::device_parts {

/// Whether an array of the keys that is sorted by these bits comes to lie where it was: as many passes as
/// there are bytes go to and fro, and a small one takes a single pass.
template <class Key>
constexpr bool comes_back(long long n, int bits) {
  constexpr long long kSinglePass = 256 * 19 * 4 / (sizeof(Key) > 4 ? sizeof(Key) : 4);
  return n > kSinglePass && (bits + 7) / 8 % 2 == 0;
}

/// One of the two arrays to sort from, which then are Alternate() and Current().
template <class T>
cudaError_t begin_sort(DoubleBuffer<T>& data, long long n, bool back, cudaStream_t stream) {
  if (!back) return cudaSuccess;
  const cudaError_t error =
      cudaMemcpyAsync(data.Alternate(), data.Current(), static_cast<std::size_t>(n) * sizeof(T),
                      cudaMemcpyDeviceToDevice, stream);
  data.selector ^= 1;
  return error;
}
/// The sorted data are in Alternate().
template <class T>
void end_sort(DoubleBuffer<T>& data, long long n, cudaStream_t stream) {
  data.selector ^= 1;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone)
    workbook_sim_leaves_scratch(data.Alternate(), static_cast<std::size_t>(n) * sizeof(T),
                                "cub::DeviceRadixSort", "the DoubleBuffer's Current()");
}

/// A key's bits as a number without sign whose order is the keys'.
template <class Key>
auto ordered_bits(Key key) {
  using Bits = std::conditional_t<
      sizeof(Key) == 1, std::uint8_t,
      std::conditional_t<sizeof(Key) == 2, std::uint16_t,
                         std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>>>;
  constexpr Bits kTop = static_cast<Bits>(Bits{1} << (sizeof(Key) * 8 - 1));
  Bits bits = std::bit_cast<Bits>(key);
  if constexpr (std::is_integral_v<Key>)
    return std::is_signed_v<Key> ? static_cast<Bits>(bits ^ kTop) : bits;
  else  // a floating-point number; -0 is 0
    return bits == kTop ? kTop
                        : static_cast<Bits>((bits & kTop) != 0 ? static_cast<Bits>(~bits) : (bits ^ kTop));
}

constexpr int kDigitBits = 4, kDigits = 1 << kDigitBits, kItemsOfSorter = 64;

template <class Key>
int digit_of(Key key, int bit, int bits, bool descending) {
  const unsigned digit =
      static_cast<unsigned>(static_cast<std::uint64_t>(ordered_bits(key)) >> bit) & ((1u << bits) - 1u);
  return static_cast<int>(descending ? (1u << bits) - 1u - digit : digit);
}

/// One stable pass over a digit: each thread counts its own 64 items, and puts them where the counts say.
template <class Key, class Value>
void sort_pass(const Key* keys, Key* keys_out, const Value* values, Value* values_out, long long n, int bit,
               int bits, bool descending, int* counts, void* scan, std::size_t scan_bytes,
               cudaStream_t stream) {
  const long long sorters = (n + kItemsOfSorter - 1) / kItemsOfSorter;
  run_for("cub::DeviceRadixSortHistogramKernel", sorters, stream, [=](long long s) {
    int mine[kDigits] = {};
    for (long long i = s * kItemsOfSorter; i < std::min(n, (s + 1) * kItemsOfSorter); ++i)
      ++mine[digit_of(keys[i], bit, bits, descending)];
    for (int d = 0; d < kDigits; ++d) counts[d * sorters + s] = mine[d];
  });
  device_scan<int>(scan, scan_bytes, counts, counts + kDigits * sorters, kDigits * sorters, cub::Sum(), 0,
                   true, true, stream);
  run_for("cub::DeviceRadixSortOnesweepKernel", sorters, stream, [=](long long s) {
    int place[kDigits];
    for (int d = 0; d < kDigits; ++d) place[d] = counts[(kDigits + d) * sorters + s];
    for (long long i = s * kItemsOfSorter; i < std::min(n, (s + 1) * kItemsOfSorter); ++i) {
      const Key key = keys[i];
      const int to = place[digit_of(key, bit, bits, descending)]++;
      keys_out[to] = key;
      if constexpr (!std::is_same_v<Value, NullType>) values_out[to] = values[i];
    }
  });
}

/// From the first buffers to the second by way of the storage; the input stays as it is.
template <class Key, class Value>
cudaError_t radix_sort(void* storage, std::size_t& bytes, const Key* keys, Key* keys_out, const Value* values,
                       Value* values_out, long long n, int begin_bit, int end_bit, bool descending,
                       cudaStream_t stream) {
  Storage parts(storage);
  const long long counters = kDigits * ((n + kItemsOfSorter - 1) / kItemsOfSorter);
  const std::size_t scan_bytes = bytes_of_scan(counters);
  int* const counts = parts.take<int>(2 * counters);
  char* const scan = parts.take<char>(static_cast<long long>(scan_bytes));
  Key* const other_keys = parts.take<Key>(n);
  Value* const other_values = parts.take<Value>(n);
  if (asks_for_storage(storage, bytes, parts.used())) return cudaSuccess;
  workbook_sim_sorts_apart(keys, keys_out, static_cast<std::size_t>(n) * sizeof(Key), "cub::DeviceRadixSort");
  if constexpr (!std::is_same_v<Value, NullType>)
    workbook_sim_sorts_apart(values, values_out, static_cast<std::size_t>(n) * sizeof(Value),
                             "cub::DeviceRadixSort");
  const int passes = std::max(1, (end_bit - begin_bit + kDigitBits - 1) / kDigitBits);
  for (int pass = 0; pass < passes && n > 0; ++pass) {
    const bool to_out = (passes - 1 - pass) % 2 == 0;
    const int bit = begin_bit + pass * kDigitBits, bits = std::clamp(end_bit - bit, 0, kDigitBits);
    sort_pass(pass == 0 ? keys
              : to_out  ? other_keys
                        : keys_out,
              to_out ? keys_out : other_keys,
              pass == 0 ? values
              : to_out  ? other_values
                        : values_out,
              to_out ? values_out : other_values, n, bit, bits, descending, counts, scan, scan_bytes, stream);
  }
  return cudaPeekAtLastError();
}

/// Merges runs of twice the length each time; stable.
template <class Key, class Value, class Less>
cudaError_t merge_sort(void* storage, std::size_t& bytes, Key* keys, Value* values, long long n, Less less,
                       cudaStream_t stream) {
  Storage parts(storage);
  Key* const other_keys = parts.take<Key>(n);
  Value* const other_values = parts.take<Value>(n);
  if (asks_for_storage(storage, bytes, parts.used())) return cudaSuccess;
  constexpr bool kPairs = !std::is_same_v<Value, NullType>;
  for (long long run = 1; run < n; run *= 2) {
    run_for("cub::DeviceMergeSortMergeKernel", (n + 2 * run - 1) / (2 * run), stream, [=](long long pair) {
      const long long begin = pair * 2 * run, middle = std::min(n, begin + run),
                      end = std::min(n, middle + run);
      long long left = begin, right = middle;
      for (long long to = begin; to < end; ++to) {
        const bool takes_right = left >= middle || (right < end && less(keys[right], keys[left]));
        const long long from = takes_right ? right++ : left++;
        other_keys[to] = keys[from];
        if constexpr (kPairs) other_values[to] = values[from];
      }
    });
    run_for("cub::DeviceMergeSortCopyKernel", n, stream, [=](long long i) {
      keys[i] = other_keys[i];
      if constexpr (kPairs) values[i] = other_values[i];
    });
  }
  return cudaPeekAtLastError();
}

}  // namespace cub::device_parts

namespace cub {

// The end of the bits is that of the key's, where a call does not say it.
#define WORKBOOK_SIM_CUB_SORT(NAME, DESCENDING)                                                             \
  template <class Key, class Count>                                                                         \
  static cudaError_t SortKeys##NAME(void* storage, std::size_t& bytes, const Key* in, Key* out, Count n,    \
                                    int begin_bit = 0, int end_bit = sizeof(Key) * 8,                       \
                                    cudaStream_t stream = nullptr) {                                        \
    return device_parts::radix_sort<Key, NullType>(storage, bytes, in, out, nullptr, nullptr, n, begin_bit, \
                                                   end_bit, DESCENDING, stream);                            \
  }                                                                                                         \
  template <class Key, class Value, class Count>                                                            \
  static cudaError_t SortPairs##NAME(void* storage, std::size_t& bytes, const Key* in, Key* out,            \
                                     const Value* values, Value* values_out, Count n, int begin_bit = 0,    \
                                     int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr) {        \
    return device_parts::radix_sort(storage, bytes, in, out, values, values_out, n, begin_bit, end_bit,     \
                                    DESCENDING, stream);                                                    \
  }                                                                                                         \
  template <class Key, class Count>                                                                         \
  static cudaError_t SortKeys##NAME(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys, Count n,    \
                                    int begin_bit = 0, int end_bit = sizeof(Key) * 8,                       \
                                    cudaStream_t stream = nullptr) {                                        \
    if (storage == nullptr)                                                                                 \
      return SortKeys##NAME(storage, bytes, keys.Current(), keys.Alternate(), n, begin_bit, end_bit,        \
                            stream);                                                                        \
    const bool back = device_parts::comes_back<Key>(static_cast<long long>(n), end_bit - begin_bit);        \
    cudaError_t error = device_parts::begin_sort(keys, static_cast<long long>(n), back, stream);            \
    if (error == cudaSuccess)                                                                               \
      error =                                                                                               \
          SortKeys##NAME(storage, bytes, keys.Current(), keys.Alternate(), n, begin_bit, end_bit, stream);  \
    device_parts::end_sort(keys, static_cast<long long>(n), stream);                                        \
    return error;                                                                                           \
  }                                                                                                         \
  template <class Key, class Value, class Count>                                                            \
  static cudaError_t SortPairs##NAME(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys,            \
                                     DoubleBuffer<Value>& values, Count n, int begin_bit = 0,               \
                                     int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr) {        \
    if (storage == nullptr)                                                                                 \
      return SortPairs##NAME(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),            \
                             values.Alternate(), n, begin_bit, end_bit, stream);                            \
    const bool back = device_parts::comes_back<Key>(static_cast<long long>(n), end_bit - begin_bit);        \
    cudaError_t error = device_parts::begin_sort(keys, static_cast<long long>(n), back, stream);            \
    if (error == cudaSuccess)                                                                               \
      error = device_parts::begin_sort(values, static_cast<long long>(n), back, stream);                    \
    if (error == cudaSuccess)                                                                               \
      error = SortPairs##NAME(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),           \
                              values.Alternate(), n, begin_bit, end_bit, stream);                           \
    device_parts::end_sort(keys, static_cast<long long>(n), stream);                                        \
    device_parts::end_sort(values, static_cast<long long>(n), stream);                                      \
    return error;                                                                                           \
  }
struct DeviceRadixSort {
  WORKBOOK_SIM_CUB_SORT(, false)
  WORKBOOK_SIM_CUB_SORT(Descending, true)
};
#undef WORKBOOK_SIM_CUB_SORT

struct DeviceMergeSort {
  template <class Key, class Less>
  static cudaError_t SortKeys(void* storage, std::size_t& bytes, Key* keys, long long n, Less less,
                              cudaStream_t stream = nullptr) {
    return device_parts::merge_sort<Key, NullType>(storage, bytes, keys, nullptr, n, less, stream);
  }
  template <class Key, class Value, class Less>
  static cudaError_t SortPairs(void* storage, std::size_t& bytes, Key* keys, Value* values, long long n,
                               Less less, cudaStream_t stream = nullptr) {
    return device_parts::merge_sort(storage, bytes, keys, values, n, less, stream);
  }
  template <class Key, class Less>
  static cudaError_t StableSortKeys(void* storage, std::size_t& bytes, Key* keys, long long n, Less less,
                                    cudaStream_t stream = nullptr) {
    return SortKeys(storage, bytes, keys, n, less, stream);
  }
  template <class Key, class Value, class Less>
  static cudaError_t StableSortPairs(void* storage, std::size_t& bytes, Key* keys, Value* values, long long n,
                                     Less less, cudaStream_t stream = nullptr) {
    return SortPairs(storage, bytes, keys, values, n, less, stream);
  }
};

}  // namespace cub
