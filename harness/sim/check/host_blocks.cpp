#include "host_blocks.h"

#include <malloc.h>

namespace workbook::sim {
namespace {

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
  count_ = blocks_.size();
}

std::optional<std::size_t> HostBlocks::gave_back(void* block) {
  if (block == nullptr || entered || count_ == 0) return std::nullopt;
  const Entered here;
  const std::lock_guard lock(mutex_);
  const auto gone = blocks_.extract(reinterpret_cast<std::uintptr_t>(block));
  count_ = blocks_.size();
  return gone.empty() ? std::nullopt : std::optional(gone.mapped().bytes);
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
