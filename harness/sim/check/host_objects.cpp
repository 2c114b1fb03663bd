#include "host_objects.h"

#include <cstring>

#include "sim/engine/arena.h"
#include "sim/source/symbols.h"

namespace workbook::sim {

HostObjects& HostObjects::get() {
  static HostObjects& all = *new HostObjects;
  return all;
}

void HostObjects::made(std::uintptr_t address, Pc pc) {
  const std::lock_guard lock(mutex_);
  objects_[address] = pc;
  any_ = true;
}

void HostObjects::made_on_device(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  objects_.erase(address);
}

void HostObjects::copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, Pc pc) {
  constexpr std::size_t kWord = sizeof(std::uintptr_t);
  if (!Arena::contains(to) || !has_virtual_tables()) return;
  const std::lock_guard lock(mutex_);
  objects_.erase(objects_.lower_bound(to), objects_.lower_bound(to + bytes));
  const bool from_device = Arena::contains(from);
  for (std::size_t i = (kWord - to % kWord) % kWord; i + kWord <= bytes; i += kWord) {
    std::uintptr_t word;
    std::memcpy(&word, reinterpret_cast<const void*>(to + i), kWord);
    if (!is_virtual_table(word)) continue;
    if (from_device && !objects_.contains(from + i)) continue;  // a kernel made that one
    objects_[to + i] = pc;
    any_ = true;
  }
}

std::optional<Pc> HostObjects::find(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(address);
  return found == objects_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace workbook::sim
