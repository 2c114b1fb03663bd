// One copy of a workload's tensors on the GPU, each between guard zones, in a single allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/backend.h"
#include "gpu/handles.h"

namespace workbook::gpu {

/// A tensor next to which guard words changed.
struct Damage {
  int tensor = 0;  ///< runs::TensorInfo::id
  std::int64_t element =
      0;  ///< where the first of them lies, counted from the tensor's start: negative before it
  std::int64_t count = 0;  ///< changed words in that guard zone
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

  std::size_t bytes() const { return words_ * sizeof(std::uint32_t); }
  /// Device pointers by tensor id.
  std::vector<float*> pointers() const;
  std::vector<float> download(int tensor) const;

  /// Guard zones that changed since they were last written, which this does again: the next launch is not
  /// blamed for them.
  std::vector<Damage> take_damage();

 private:
  struct Span {
    std::size_t begin = 0, end = 0;  ///< in words
  };
  std::uint32_t* word(std::size_t index) const { return static_cast<std::uint32_t*>(memory_.get()) + index; }

  std::vector<Span> tensors_;  ///< by id
  std::size_t words_ = 0;
  DeviceMemory memory_;
};

}  // namespace workbook::gpu
