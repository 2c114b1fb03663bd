#include "host_copies.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "shadow.h"
#include "workbook_sim/two_spaces.h"

namespace workbook::sim {

std::uintptr_t host_copies_begin = std::uintptr_t{0xffff} << 48;

namespace {

constexpr std::size_t kAlignment = 256;

struct HostCopies {
  static HostCopies& get() {
    static HostCopies& all = *new HostCopies;
    return all;
  }
  std::mutex mutex;
  std::map<std::uintptr_t, HostCopy> variables;      ///< by the device's address
  std::map<std::uintptr_t, const HostCopy*> copies;  ///< by the copy's
  std::size_t used = 0;
  std::atomic<bool> managed{false};
};

/// As the variable is before the program begins: the host's has the same initial value.
void make_copy(HostCopies& all, HostCopy& of) {
  if (host_copies_begin >> 48 != 0)
    host_copies_begin = reinterpret_cast<std::uintptr_t>(reserve_memory(kHostCopySpan));
  if (all.used + of.bytes + kAlignment > kHostCopySpan) return;
  of.copy = host_copies_begin + all.used;
  all.used += (of.bytes + 2 * kAlignment - 1) / kAlignment * kAlignment;
  std::memcpy(reinterpret_cast<void*>(of.copy), reinterpret_cast<const void*>(of.variable), of.bytes);
  all.copies.emplace(of.copy, &of);
}

}  // namespace

const HostCopy* find_host_copy(std::uintptr_t address) {
  if (!is_host_copy(address)) return nullptr;
  HostCopies& all = HostCopies::get();
  const std::lock_guard lock(all.mutex);
  const auto after = all.copies.upper_bound(address);
  return after == all.copies.begin() ? nullptr : std::prev(after)->second;
}

const HostCopy* find_device_variable(std::uintptr_t address) {
  HostCopies& all = HostCopies::get();
  const std::lock_guard lock(all.mutex);
  const auto after = all.variables.upper_bound(address);
  if (after == all.variables.begin()) return nullptr;
  const HostCopy& before = std::prev(after)->second;
  return address < before.variable + before.bytes ? &before : nullptr;
}

void for_each_device_variable(const std::function<void(const HostCopy&)>& visit) {
  HostCopies& all = HostCopies::get();
  std::vector<HostCopy> variables;  // whoever visits them may ask for all of them, too
  {
    const std::lock_guard lock(all.mutex);
    for (const auto& [address, variable] : all.variables) variables.push_back(variable);
  }
  for (const HostCopy& variable : variables) visit(variable);
}

bool has_managed_variables() { return HostCopies::get().managed; }

std::string describe(const HostCopy& of, std::uintptr_t address) {
  constexpr std::size_t kElement = 4;
  return of.bytes <= 2 * kElement ? of.name
                                  : of.name + "[" + std::to_string((address - of.copy) / kElement) + "]";
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

void workbook_sim_register_variable(const volatile void* variable, std::size_t bytes, const char* name,
                                    int kind) {
  HostCopies& all = HostCopies::get();
  const std::lock_guard lock(all.mutex);
  const auto address = reinterpret_cast<std::uintptr_t>(variable);
  const auto [place, fresh] =
      all.variables.try_emplace(address, HostCopy{name, address, bytes, VariableKind(kind)});
  const auto* const first = reinterpret_cast<const unsigned char*>(address);
  if (place->second.kind == VariableKind::unset_constant &&
      std::any_of(first, first + bytes, [](unsigned char byte) { return byte != 0; }))
    place->second.kind = VariableKind::constant;  // its constructor says what it is
  if (place->second.kind == VariableKind::managed) {
    all.managed = true;
    return;
  }
  constexpr std::size_t kSmall = 4096;
  // Made now, while it has its first value; one of a large variable only if the host ever names it.
  if (fresh && bytes <= kSmall) make_copy(all, place->second);
}

void* workbook_sim_host_copy(const volatile void* variable) {
  HostCopies& all = HostCopies::get();
  const std::lock_guard lock(all.mutex);
  const auto address = reinterpret_cast<std::uintptr_t>(variable);
  const auto found = all.variables.find(address);
  if (found == all.variables.end() || found->second.kind == VariableKind::managed)
    return const_cast<void*>(variable);
  if (found->second.copy == 0) make_copy(all, found->second);
  return reinterpret_cast<void*>(found->second.copy == 0 ? address : found->second.copy);
}

const void* workbook_sim_device_variable(const void* symbol) {
  const auto address = reinterpret_cast<std::uintptr_t>(symbol);
  const HostCopy* const copy = find_host_copy(address);
  return copy == nullptr ? symbol : reinterpret_cast<const void*>(copy->variable + (address - copy->copy));
}

}  // extern "C"
