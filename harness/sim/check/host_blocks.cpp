#include "host_blocks.h"

#include <malloc.h>

namespace workbook::sim {
namespace {

constexpr std::size_t kMostKept = 256, kMostKeptBytes = std::size_t{16} << 20;

thread_local bool entered = false;  ///< the map's own memory comes from the same functions

struct Entered {
  Entered() { entered = true; }
  ~Entered() { entered = false; }
};

}  // namespace

HostBlocks& HostBlocks::get() {
  static HostBlocks& all = *new HostBlocks;
  return all;
}

void HostBlocks::took(void* block, std::size_t bytes) {
  if (block == nullptr || entered) return;
  const Entered here;
  const std::size_t usable = malloc_usable_size(block);
  const std::lock_guard lock(mutex_);
  blocks_.insert_or_assign(reinterpret_cast<std::uintptr_t>(block), Size{bytes, usable});
  count_ = blocks_.size() + kept_.size();
}

std::optional<std::size_t> HostBlocks::gave_back(void* block) {
  if (block == nullptr || entered || count_ == 0) return std::nullopt;
  const Entered here;
  const std::lock_guard lock(mutex_);
  const auto gone = blocks_.extract(reinterpret_cast<std::uintptr_t>(block));
  count_ = blocks_.size() + kept_.size();
  return gone.empty() ? std::nullopt : std::optional(gone.mapped().bytes);
}

bool HostBlocks::keeps(void* block, std::size_t bytes, void (*release)(void*), Pc pc) {
  if (entered || bytes == 0 || bytes > kMostKeptBytes) return false;
  const Entered here;
  const std::lock_guard lock(mutex_);
  const auto at = reinterpret_cast<std::uintptr_t>(block);
  kept_.insert_or_assign(at, Kept{{bytes, pc}, release});
  oldest_.push_back(at);
  kept_bytes_ += bytes;
  while (oldest_.size() > kMostKept || kept_bytes_ > kMostKeptBytes) {
    const auto gone = kept_.extract(oldest_.front());
    oldest_.pop_front();
    kept_bytes_ -= gone.mapped().freed.bytes;
    gone.mapped().release(reinterpret_cast<void*>(gone.key()));
  }
  count_ = blocks_.size() + kept_.size();
  return true;
}

std::optional<HostBlocks::Freed> HostBlocks::find_freed(std::uintptr_t address) {
  if (entered || count_ == 0) return std::nullopt;
  const Entered here;
  const std::lock_guard lock(mutex_);
  auto block = kept_.upper_bound(address);
  if (block == kept_.begin()) return std::nullopt;
  --block;
  if (address - block->first >= block->second.freed.bytes) return std::nullopt;
  return block->second.freed;
}

std::optional<HostBlocks::Block> HostBlocks::find(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  auto block = blocks_.upper_bound(address);
  if (block == blocks_.begin()) return std::nullopt;
  --block;
  const auto& [begin, size] = *block;
  if (address - begin >= size.usable || malloc_usable_size(reinterpret_cast<void*>(begin)) != size.usable)
    return std::nullopt;
  return Block{begin, size.bytes};
}

}  // namespace workbook::sim
