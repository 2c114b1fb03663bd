// One copy of a workload's tensors on the GPU, each between guard zones, in a single allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/backend.h"
#include "gpu/handles.h"

namespace workbook::gpu {

/// A tensor next to which the guard zone changed.
struct Damage {
  int tensor = 0;  ///< runs::TensorInfo::id
  std::int64_t element =
      0;  ///< where the first of them lies, counted from the tensor's start: negative before it
  std::int64_t count = 0;  ///< changed elements in that guard zone
};

class TensorSet {
 public:
  /// Uploads the inputs and poisons the rest. `guard_bytes` lie before the first tensor, between
  /// neighbours and after the last, a tensor's zone starting right at its last element.
  TensorSet(const core::Workload& workload, std::size_t guard_bytes);

  /// Another copy of `other`'s present contents.
  TensorSet(const TensorSet& other);
  TensorSet& operator=(const TensorSet&) = delete;
  TensorSet(TensorSet&&) = default;
  TensorSet& operator=(TensorSet&&) = delete;

  std::size_t bytes() const { return bytes_; }
  /// Device pointers by tensor id.
  std::vector<void*> pointers() const;
  core::Bytes download(int tensor) const;

  /// Puts the contents of `other`, a copy of the same workload's tensors, in place of its own; on the stream.
  void restore_from(const TensorSet& other, cudaStream_t stream);

  /// Guard zones that changed since they were last written, which this does again: the next launch is not
  /// blamed for them.
  std::vector<Damage> take_damage();

 private:
  struct Span {
    std::size_t begin = 0, end = 0;  ///< in bytes
    std::size_t element = 1;         ///< bytes of one
  };
  std::byte* at(std::size_t offset) const { return static_cast<std::byte*>(memory_.get()) + offset; }

  std::vector<Span> tensors_;  ///< by id
  std::size_t bytes_ = 0;
  DeviceMemory memory_;
};

}  // namespace workbook::gpu
