// cub::DeviceSelect, DevicePartition, DeviceRunLengthEncode, DeviceHistogram, DeviceSegmentedReduce and
// DeviceReduce::ReduceByKey, as simulated kernels.
#pragma once

#include <limits>

#include "device_for.h"

namespace cub::device_parts {

/// What is read from it is computed: function(i).
template <class Function>
struct Computed {
  Function function;
  auto operator[](long long i) const { return function(i); }
  auto operator*() const { return function(0); }
};
template <class Function>
Computed(Function) -> Computed<Function>;

/// places[i] = how many of flag(0) to flag(i) hold.
template <class Flag>
void count_flags(void* scan_storage, std::size_t bytes, int* places, long long n, Flag flag,
                 cudaStream_t stream) {
  const Computed flags{[flag](long long i) { return flag(i) ? 1 : 0; }};
  device_scan<int>(scan_storage, bytes, flags, places, n, cub::Sum(), 0, false, false, stream);
}
inline std::size_t bytes_of_scan(long long n) {
  return sizeof(int) * static_cast<std::size_t>((n + kDeviceBlock - 1) / kDeviceBlock) + 1;
}

/// Keeps in order what flag(i) says; the rest, where it is wanted, comes behind in reverse.
template <class In, class Out, class Count, class Flag>
cudaError_t select(void* storage, std::size_t& bytes, In in, Out out, Count count, long long n, Flag flag,
                   bool keeps_rest, cudaStream_t stream) {
  Storage parts(storage);
  const std::size_t scan_bytes = bytes_of_scan(n);
  int* const places = parts.take<int>(n);
  char* const scan = parts.take<char>(static_cast<long long>(scan_bytes));
  if (asks_for_storage(storage, bytes, parts.used())) return cudaSuccess;
  if (n > 0) count_flags(scan, scan_bytes, places, n, flag, stream);
  run_for("cub::DeviceSelectKernel", n, stream, [=](long long i) {
    const bool chosen = flag(i);
    if (chosen) out[places[i] - 1] = in[i];
    if (!chosen && keeps_rest) out[n - 1 - (i - places[i])] = in[i];
  });
  run_for("cub::DeviceSelectCountKernel", 1, stream, [=](long long) { *count = n == 0 ? 0 : places[n - 1]; });
  return cudaPeekAtLastError();
}

/// For each run of equal keys: finish(run, its first place, the place behind its last).
template <class Keys, class Unique, class Count, class Finish>
cudaError_t for_runs(void* storage, std::size_t& bytes, Keys keys, Unique unique, Count count, long long n,
                     Finish finish, cudaStream_t stream) {
  Storage parts(storage);
  const std::size_t scan_bytes = bytes_of_scan(n);
  int* const places = parts.take<int>(n);
  int* const starts = parts.take<int>(n + 1);
  char* const scan = parts.take<char>(static_cast<long long>(scan_bytes));
  if (asks_for_storage(storage, bytes, parts.used())) return cudaSuccess;
  const auto begins = [keys](long long i) { return i == 0 || !(keys[i] == keys[i - 1]); };
  if (n > 0) count_flags(scan, scan_bytes, places, n, begins, stream);
  run_for("cub::DeviceRunLengthEncodeKernel", n, stream, [=](long long i) {
    const int run = places[i] - 1;
    if (begins(i)) {
      unique[run] = keys[i];
      starts[run] = static_cast<int>(i);
    }
    if (i == n - 1) {
      starts[run + 1] = static_cast<int>(n);
      *count = run + 1;
    }
  });
  run_for("cub::DeviceReduceByKeyKernel", n, stream, [=](long long run) {
    if (run < places[n - 1]) finish(run, starts[run], starts[run + 1]);
  });
  return cudaPeekAtLastError();
}

}  // namespace cub::device_parts

namespace cub {

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Count count,
                             long long n, cudaStream_t stream = nullptr) {
    const auto flag = [flags](long long i) { return static_cast<bool>(flags[i]); };
    return device_parts::select(storage, bytes, in, out, count, n, flag, false, stream);
  }
  template <class In, class Out, class Count, class Predicate>
  static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Count count, long long n,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    const auto flag = [in, predicate](long long i) { return static_cast<bool>(predicate(in[i])); };
    return device_parts::select(storage, bytes, in, out, count, n, flag, false, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Unique(void* storage, std::size_t& bytes, In in, Out out, Count count, long long n,
                            cudaStream_t stream = nullptr) {
    const auto flag = [in](long long i) { return i == 0 || !(in[i] == in[i - 1]); };
    return device_parts::select(storage, bytes, in, out, count, n, flag, false, stream);
  }
};

struct DevicePartition {
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Count count,
                             long long n, cudaStream_t stream = nullptr) {
    const auto flag = [flags](long long i) { return static_cast<bool>(flags[i]); };
    return device_parts::select(storage, bytes, in, out, count, n, flag, true, stream);
  }
  template <class In, class Out, class Count, class Predicate>
  static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Count count, long long n,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    const auto flag = [in, predicate](long long i) { return static_cast<bool>(predicate(in[i])); };
    return device_parts::select(storage, bytes, in, out, count, n, flag, true, stream);
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Count>
  static cudaError_t Encode(void* storage, std::size_t& bytes, In in, Unique unique, Lengths lengths,
                            Count count, long long n, cudaStream_t stream = nullptr) {
    const auto finish = [lengths](long long run, int begin, int end) { lengths[run] = end - begin; };
    return device_parts::for_runs(storage, bytes, in, unique, count, n, finish, stream);
  }
};

/// Bins of equal width, or between given borders; each sample is counted by an atomic operation.
struct DeviceHistogram {
  template <class Samples, class Counter, class Level>
  static cudaError_t HistogramEven(void* storage, std::size_t& bytes, Samples samples, Counter* histogram,
                                   int levels, Level lower, Level upper, long long n,
                                   cudaStream_t stream = nullptr) {
    return count(storage, bytes, samples, histogram, levels - 1, n, stream, [=](auto sample) {
      if (!(sample >= lower && sample < upper)) return -1;
      const double part = (static_cast<double>(sample) - static_cast<double>(lower)) * (levels - 1) /
                          (static_cast<double>(upper) - static_cast<double>(lower));
      return std::min(static_cast<int>(part), levels - 2);
    });
  }
  template <class Samples, class Counter, class Level>
  static cudaError_t HistogramRange(void* storage, std::size_t& bytes, Samples samples, Counter* histogram,
                                    int levels, const Level* borders, long long n,
                                    cudaStream_t stream = nullptr) {
    return count(storage, bytes, samples, histogram, levels - 1, n, stream, [=](auto sample) {
      for (int bin = 0; bin + 1 < levels; ++bin)
        if (sample >= borders[bin] && sample < borders[bin + 1]) return bin;
      return -1;
    });
  }

 private:
  template <class Samples, class Counter, class Bin>
  static cudaError_t count(void* storage, std::size_t& bytes, Samples samples, Counter* histogram, int bins,
                           long long n, cudaStream_t stream, Bin bin_of) {
    if (device_parts::asks_for_storage(storage, bytes, 1)) return cudaSuccess;
    device_parts::run_for("cub::DeviceHistogramInitKernel", bins, stream,
                          [=](long long bin) { histogram[bin] = 0; });
    device_parts::run_for("cub::DeviceHistogramSweepKernel", n, stream, [=](long long i) {
      if (const int bin = bin_of(samples[i]); bin >= 0) atomicAdd(histogram + bin, Counter{1});
    });
    return cudaPeekAtLastError();
  }
};

/// A thread for each segment.
struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Operation, class T>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, long long segments,
                            Begin begin, End end, Operation operation, T initial,
                            cudaStream_t stream = nullptr) {
    if (device_parts::asks_for_storage(storage, bytes, 1)) return cudaSuccess;
    device_parts::run_for("cub::DeviceSegmentedReduceKernel", segments, stream, [=](long long segment) {
      T sum = initial;
      for (auto i = begin[segment]; i < end[segment]; ++i) sum = operation(sum, in[i]);
      out[segment] = sum;
    });
    return cudaPeekAtLastError();
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begin begin,
                         End end, cudaStream_t stream = nullptr) {
    using T = device_parts::ValueOf<Out>;
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Sum(), T{}, stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begin begin,
                         End end, cudaStream_t stream = nullptr) {
    using T = device_parts::ValueOf<In>;
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Min(), std::numeric_limits<T>::max(),
                  stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begin begin,
                         End end, cudaStream_t stream = nullptr) {
    using T = device_parts::ValueOf<In>;
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Max(), std::numeric_limits<T>::lowest(),
                  stream);
  }
};

template <class Keys, class Unique, class Values, class Sums, class Count, class Operation>
cudaError_t DeviceReduce::ReduceByKey(void* storage, std::size_t& bytes, Keys keys, Unique unique,
                                      Values values, Sums sums, Count count, Operation operation, long long n,
                                      cudaStream_t stream) {
  const auto finish = [=](long long run, int begin, int end) {
    device_parts::ValueOf<Sums> sum = values[begin];
    for (int i = begin + 1; i < end; ++i) sum = operation(sum, values[i]);
    sums[run] = sum;
  };
  return device_parts::for_runs(storage, bytes, keys, unique, count, n, finish, stream);
}

}  // namespace cub
