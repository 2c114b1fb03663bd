// What malloc() and new in kernels take from and free() and delete give back: a heap of the device's own,
// above the arena's allocations. Addresses are not used again as long as there are others, so that what was
// freed is known for long.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

#include "arena.h"

namespace workbook::sim {

class DeviceHeap {
 public:
  static DeviceHeap& get();

  struct Chunk {
    std::uint64_t offset = 0;  ///< from the arena's start; 0: of no chunk
    std::uint64_t bytes = 0;
    std::uintptr_t made_at = 0, freed_at = 0;  ///< return addresses
    bool live = false;
  };

  /// Null when the limit is met. From several workers at once.
  void* allocate(std::size_t bytes, std::uintptr_t made_at);
  enum class Freed : std::uint8_t { yes, twice, never_given };
  Freed release(void* pointer, std::uintptr_t freed_at);
  /// As if the process began, the limit included.
  void clear();

  /// The chunk, live or freed, that `offset` lies in or beside; null: none.
  const Chunk* find(std::uint64_t offset) const;
  static bool contains(std::uint64_t offset) { return offset - kArenaBytes < kHeapSpan; }
  /// A chunk in the words of the arena.
  static Allocation described(const Chunk& chunk);

  /// cudaLimitMallocHeapSize; false: a kernel has used the heap already.
  bool set_limit(std::size_t bytes);
  std::size_t limit() const { return limit_; }
  /// While set, the span alone is the limit: for a library whose temporary memory a GPU takes elsewhere.
  void lift_limit(bool lifted) { lifted_ = lifted; }
  /// Whether anything was refused for want of room.
  bool was_full() const { return was_full_; }

  template <class Visit>
  void for_each_live(Visit visit) {
    const std::lock_guard lock(mutex_);
    for (std::uint32_t i = 1; i <= chunks_; ++i)
      if (chunk_[i].live) visit(chunk_[i]);
  }

 private:
  static constexpr std::size_t kDefaultLimit = std::size_t{8} << 20;  ///< CUDA C++ Programming Guide
  static constexpr std::size_t kGranule = 16;                         ///< what every pointer is a multiple of
  DeviceHeap();
  static std::size_t span_of(std::size_t bytes);
  std::uint32_t take_place(std::size_t span);

  std::mutex mutex_;
  Chunk* chunk_ = nullptr;          ///< from 1 on
  std::uint32_t* owner_ = nullptr;  ///< by granule: chunk
  std::atomic<std::uint32_t> chunks_{0};
  std::uint64_t next_ = 0;                                  ///< bytes of the span that were ever given
  std::map<std::size_t, std::deque<std::uint32_t>> freed_;  ///< by span, oldest first
  std::size_t limit_ = kDefaultLimit, used_ = 0;
  std::atomic<bool> was_full_{false}, lifted_{false};
};

}  // namespace workbook::sim
