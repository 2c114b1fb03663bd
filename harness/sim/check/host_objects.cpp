#include "host_objects.h"

#include <cstring>

#include "diagnosis.h"
#include "sim/engine/arena.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

std::uintptr_t word_at(std::uintptr_t address) {
  std::uintptr_t word;
  std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word;
}

bool is_shared_with_host(std::uintptr_t address) {
  if (!Arena::contains(address)) return false;
  const std::uint64_t offset = Arena::get().offset_of(address);
  const Allocation* const a = offset < kArenaBytes ? Arena::get().find(offset) : nullptr;
  return a != nullptr && a->on_host();
}

}  // namespace

std::atomic<bool> HostObjects::any_of_kernels_{false};

HostObjects& HostObjects::get() {
  static HostObjects& all = *new HostObjects;
  return all;
}

void HostObjects::made(std::uintptr_t address, Pc pc) {
  const bool on_device = Arena::contains(address);
  if (!on_device && !any_of_kernels()) return;
  const std::lock_guard lock(mutex_);
  of_kernels_.erase(address);
  if (!on_device) return;
  objects_[address] = pc;
  any_ = true;
}

void HostObjects::made_on_device(std::uintptr_t address, Pc pc) {
  const bool shared = is_shared_with_host(address);
  if (!any() && !shared) return;
  const std::lock_guard lock(mutex_);
  objects_.erase(address);
  if (!shared) return;
  of_kernels_[address] = pc;
  any_of_kernels_ = true;
}

void HostObjects::copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, Pc pc) {
  constexpr std::size_t kWord = sizeof(std::uintptr_t);
  const bool from_device = Arena::contains(from), to_device = Arena::contains(to);
  if (!has_virtual_tables() || (!to_device && !from_device)) return;
  const bool for_host = !to_device || is_shared_with_host(to);
  const std::lock_guard lock(mutex_);
  for (Objects* known : {&objects_, &of_kernels_})
    known->erase(known->lower_bound(to), known->lower_bound(to + bytes));
  for (std::size_t i = (kWord - to % kWord) % kWord; i + kWord <= bytes; i += kWord) {
    if (!is_virtual_table(word_at(to + i))) continue;
    const bool of_host =
        from_device ? objects_.contains(from + i) : !of_kernels_.contains(from + i);  // else a kernel's
    if (of_host && to_device) {
      objects_[to + i] = pc;
      any_ = true;
    } else if (!of_host && for_host) {
      of_kernels_[to + i] = pc;
      any_of_kernels_ = true;
    }
  }
}

std::optional<Pc> HostObjects::find(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(address);
  return found == objects_.end() ? std::nullopt : std::optional(found->second);
}

void HostObjects::read_on_host(std::uintptr_t address, Pc pc) {
  Pc from = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = of_kernels_.find(address);
    // Memory that was given back may hold anything since.
    if (found == of_kernels_.end() || !is_virtual_table(word_at(address))) return;
    from = found->second;
  }
  Diagnosis::get().findings.add(runs::FindingClass::host_deref, pc, from, [](runs::Finding& f) {
    f.message =
        "the host calls a virtual function of an object that a kernel made: its table of functions is the "
        "device's, and the program ends here with a segmentation fault.";
    f.advice =
        "Let a kernel call it and copy what it returns; or copy the object's data members alone, and make an "
        "object of the host's own from them.";
  });
}

}  // namespace workbook::sim
