// What cuBLAS's routines on vectors and small matrices share: operands, and running a loop as one launch.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/libraries/cublas_handle.h"

namespace workbook::sim {

template <class T>
struct Vector {
  T* data;
  int n, stride;
  T& operator[](int i) const { return data[static_cast<std::ptrdiff_t>(i) * stride]; }
  Range range() const {
    return {data, sizeof(T), static_cast<std::size_t>(n), static_cast<std::size_t>(stride) * sizeof(T)};
  }
};

/// What one routine on vectors needs beside its loop.
struct Routine {
  Call call;
  cublasHandle_t handle;
  std::vector<Range> reads, writes;
  double flops;
  std::vector<Scaled> scaled = {};
  const void* result = nullptr;  ///< of a reduction: on the host or the device, as the pointer mode says
  std::size_t result_bytes = 0;
  std::vector<Range> lists = {};  ///< LibraryLaunch::lists, and follow
  std::function<void(LibraryLaunch&)> follow = {};
};

/// CUBLAS_STATUS_INVALID_VALUE for an operand whose elements do not follow each other.
cublasStatus_t run_routine(Routine r, const std::function<void()>& compute);

template <class T>
Range matrix_range(const T* a, int rows, int cols, int ld) {
  return {a, static_cast<std::size_t>(rows) * sizeof(T), static_cast<std::size_t>(cols),
          static_cast<std::size_t>(ld) * sizeof(T)};
}

}  // namespace workbook::sim
