// What pointers that the host API is given point to, and the findings about those that do not fit.
#pragma once

#include <cstddef>

#include "sim/engine/arena.h"
#include "sim/runtime/call.h"

namespace workbook::sim {

enum class Side {
  null,
  pageable,  ///< ordinary host memory, or a static variable of either side
  pinned,    ///< also registered memory
  managed,
  device,
  freed,       ///< device memory that was freed
  heap,        ///< what malloc() and new give in kernels
  unallocated  ///< in the device's address range, but of no allocation
};

struct Pointed {
  Side side;
  Allocation* allocation = nullptr;   ///< live; null for pageable and registered memory
  const Allocation* freed = nullptr;  ///< with Side::freed
};

Pointed point_to(const void* pointer);
/// Ordinary memory of the host: no variable of the device.
bool is_pageable(const void* pointer);

/// Rows of bytes in memory: one for a plain range.
struct Range {
  const void* start;
  std::size_t width;
  std::size_t height = 1;
  std::size_t pitch = 0;  ///< bytes from row to row

  std::size_t span() const { return width == 0 || height == 0 ? 0 : pitch * (height - 1) + width; }
};

/// While it lives, work of earlier calls is done for the calling thread, whose program's stack ends there:
/// what lies beyond was a variable of a function that has returned.
class ProgramFrame {
 public:
  explicit ProgramFrame(std::uintptr_t frame);
  ~ProgramFrame();
  ProgramFrame(const ProgramFrame&) = delete;
  ProgramFrame& operator=(const ProgramFrame&) = delete;

 private:
  std::uintptr_t outer_;
};

enum class Use { reads, writes };

/// Whether the whole range may be used; where not, adds a finding and the call must not touch it.
bool may_use(const Call& call, const Range& range, Use use);
/// cudaSuccess when the two pointers fit `kind`; else adds a finding.
cudaError_t check_direction(const Call& call, const void* to, const void* from, cudaMemcpyKind kind);

/// Where `pointer` is what host code has under the name of a device's variable, which is host memory: adds a
/// finding. `instead`: the call that takes the variable itself.
bool check_no_host_copy(const Call& call, const void* pointer, const char* instead);

/// Whether a kernel could write through the pointer; else adds a finding: it is host memory.
bool check_device_side(const Call& call, const void* pointer);

/// Tells the diagnosis that work of a stream uses the range, for the order of streams.
void note_use(const Call& call, const Range& range, Use use);

/// Tells the diagnosis that the host API wrote the range.
void mark_written(const Range& range);

}  // namespace workbook::sim
