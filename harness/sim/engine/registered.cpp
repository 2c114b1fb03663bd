#include "registered.h"

namespace workbook::sim {

std::map<std::uintptr_t, std::size_t>& registered_ranges() {
  static auto& ranges = *new std::map<std::uintptr_t, std::size_t>;
  return ranges;
}

bool is_registered(std::uintptr_t address) {
  const auto& ranges = registered_ranges();
  auto after = ranges.upper_bound(address);
  if (after == ranges.begin()) return false;
  --after;
  return address - after->first < after->second;
}

}  // namespace workbook::sim
