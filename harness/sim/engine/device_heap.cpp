#include "device_heap.h"

#include <algorithm>
#include <cstring>

namespace workbook::sim {

DeviceHeap& DeviceHeap::get() {
  static DeviceHeap& heap = *new DeviceHeap;
  return heap;
}

DeviceHeap::DeviceHeap()
    : chunk_(static_cast<Chunk*>(reserve_memory((kHeapSpan / (3 * kGranule) + 1) * sizeof(Chunk)))),
      owner_(static_cast<std::uint32_t*>(reserve_memory(kHeapSpan / kGranule * sizeof(std::uint32_t)))) {}

/// In front of it one granule, and behind it as much as it has itself, up to a page, are nobody's.
std::size_t DeviceHeap::span_of(std::size_t bytes) {
  const std::size_t own = (bytes + kGranule - 1) / kGranule * kGranule;
  return kGranule + own + std::min<std::size_t>(own, 4096);
}

std::uint32_t DeviceHeap::take_place(std::size_t span) {
  if (next_ + span <= kHeapSpan) {
    const std::uint32_t number = chunks_ + 1;
    chunk_[number].offset = kArenaBytes + next_ + kGranule;
    std::fill_n(owner_ + next_ / kGranule, span / kGranule, number);
    next_ += span;
    chunks_ = number;
    return number;
  }
  const auto freed = freed_.find(span);
  if (freed == freed_.end() || freed->second.empty()) return 0;
  const std::uint32_t number = freed->second.front();
  freed->second.pop_front();
  return number;
}

void* DeviceHeap::allocate(std::size_t bytes, std::uintptr_t made_at) {
  if (bytes == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  const std::size_t cost = (bytes + kGranule - 1) / kGranule * kGranule + kGranule;  // with its header
  const bool room = lifted_ || (bytes <= limit_ && used_ + cost <= limit_);
  const std::uint32_t number = room ? take_place(span_of(bytes)) : 0;
  if (number == 0) {
    was_full_ = true;
    return nullptr;
  }
  used_ += cost;
  Chunk& chunk = chunk_[number];
  chunk.bytes = bytes;
  chunk.made_at = made_at;
  chunk.freed_at = 0;
  chunk.live = true;
  Arena& arena = Arena::get();
  arena.shadow().forget(chunk.offset, (bytes + 3) / 4 * 4);
  void* const pointer = reinterpret_cast<void*>(arena.address_of(chunk.offset));
  if (arena.poison) std::memset(pointer, 0xff, bytes);
  return pointer;
}

DeviceHeap::Freed DeviceHeap::release(void* pointer, std::uintptr_t freed_at) {
  const std::uint64_t offset = Arena::get().offset_of(reinterpret_cast<std::uintptr_t>(pointer));
  const std::lock_guard lock(mutex_);
  Chunk* const chunk = const_cast<Chunk*>(find(offset));
  if (chunk == nullptr || chunk->offset != offset) return Freed::never_given;
  if (!chunk->live) return Freed::twice;
  chunk->live = false;
  chunk->freed_at = freed_at;
  used_ -= (chunk->bytes + kGranule - 1) / kGranule * kGranule + kGranule;
  freed_[span_of(chunk->bytes)].push_back(static_cast<std::uint32_t>(chunk - chunk_));
  return Freed::yes;
}

const DeviceHeap::Chunk* DeviceHeap::find(std::uint64_t offset) const {
  if (!contains(offset)) return nullptr;
  const std::uint32_t number = __atomic_load_n(&owner_[(offset - kArenaBytes) / kGranule], __ATOMIC_ACQUIRE);
  return number == 0 ? nullptr : &chunk_[number];
}

void DeviceHeap::clear() {
  const std::lock_guard lock(mutex_);
  if (next_ > 0) {
    Arena::get().shadow().forget(kArenaBytes, next_);
    drop_memory(reinterpret_cast<void*>(Arena::base() + kArenaBytes), next_);
    drop_memory(owner_, next_ / kGranule * sizeof(std::uint32_t));
    drop_memory(chunk_, (chunks_ + std::size_t{1}) * sizeof(Chunk));
  }
  next_ = used_ = 0;
  chunks_ = 0;
  freed_.clear();
  limit_ = kDefaultLimit;
  was_full_ = false;
}

bool DeviceHeap::set_limit(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (next_ > 0) return false;
  limit_ = std::min(bytes, kHeapSpan);
  return true;
}

Allocation DeviceHeap::described(const Chunk& chunk) {
  Allocation a;
  a.offset = chunk.offset;
  a.bytes = chunk.bytes;
  a.live = chunk.live;
  a.of_heap = true;
  a.made_at = chunk.made_at;
  a.freed_at = chunk.freed_at;
  return a;
}

}  // namespace workbook::sim
