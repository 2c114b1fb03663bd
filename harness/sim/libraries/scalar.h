// alpha and beta, as libraries are given them.
#pragma once

#include <optional>

#include "sim/runtime/pointers.h"
#include "workbook_sim/libraries/blas_types.h"

namespace workbook::sim {

/// Whether a factor, or a place for a result, lies where the handle's pointer mode says; else adds a finding.
bool check_factor(const Call& call, const void* at, bool on_device);

/// A factor. What lies on the host is read at the call; what lies on the device when the work runs, so that a
/// graph reads it anew at each launch.
class Scalar {
 public:
  explicit Scalar(double value) : value_(value) {}
  /// `at` is not null, and where it is said to lie.
  Scalar(const Call& call, const void* at, cudaDataType type, bool on_device);

  double value() const;
  /// For good: what its factor stands before is never read.
  bool is_always_zero() const { return on_device_ == nullptr && value_ == 0; }
  /// What work reads of device memory for it.
  std::optional<Range> range() const;

 private:
  double value_ = 0;
  const void* on_device_ = nullptr;
  cudaDataType type_ = CUDA_R_32F;
};

}  // namespace workbook::sim
