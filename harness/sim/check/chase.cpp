#include "chase.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "sim/engine/arena.h"

namespace workbook::sim {
namespace {

/// The word behind those before it in the array of this one that its value is the index of; nothing where it
/// has none.
std::optional<std::uint32_t> word_of_value(std::uint32_t word) {
  const std::uint64_t offset = std::uint64_t{word} * 4;
  if (offset >= kArenaBytes) return {};
  const Allocation* array = Arena::get().find(offset);
  if (array == nullptr || offset + 4 > array->offset + array->bytes) return {};
  std::uint32_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(Arena::get().address_of(offset)), sizeof value);
  if (value >= array->bytes / 4) return {};
  return static_cast<std::uint32_t>(array->offset / 4) + value;
}

}  // namespace

Chase::Index Chase::see(Place place, std::uint32_t word) {
  since_ += since_ < kMost;
  if (place.bytes() != 4) return Index::is_not_loaded;
  Index index = Index::is_not_loaded;
  const std::uint32_t looked_at = noted_at_[number_of(place.bits(), word)] == 0 ? 0 : std::min(noted_, kMost);
  for (std::uint32_t i = 0; i < looked_at; ++i)
    if (next_[i].place == place.bits() && next_[i].word == word)
      index = std::max(index, next_[i].group == group_ ? Index::is_under_way : Index::has_arrived);
  if (index != Index::is_not_loaded) since_ = 0;
  const std::uint32_t group = group_ + (index == Index::is_under_way);
  if (const auto next = word_of_value(word)) {
    Next& oldest = next_[noted_ % kMost];
    if (noted_++ >= kMost) --noted_at_[number_of(oldest.place, oldest.word)];
    oldest = {place.bits(), *next, group};
    ++noted_at_[number_of(oldest.place, oldest.word)];
  }
  return index;
}

}  // namespace workbook::sim
