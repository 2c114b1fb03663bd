#include "arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace workbook::sim {
namespace {

constexpr std::size_t kGuardPages = 4;  // an index that is off by a row of 4096 floats still lands in a guard

void* reserve(std::size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return p;
}

constexpr std::size_t pages(std::size_t bytes) { return (bytes + 4095) / 4096; }

}  // namespace

std::uintptr_t Arena::base_ = std::uintptr_t{0xffff} << 48;  // no address of a program is near it

Arena& Arena::get() {
  static Arena arena;
  return arena;
}

Arena::Arena() {
  base_ = reinterpret_cast<std::uintptr_t>(reserve(kArenaBytes));
  shadow_ = static_cast<Cell*>(reserve(kArenaBytes / 4 * sizeof(Cell)));
  sectors_ = static_cast<std::uint8_t*>(reserve(kArenaBytes / kSectorBytes));
  owner_ = static_cast<std::uint32_t*>(reserve(kArenaBytes / kPageBytes * sizeof(std::uint32_t)));
  next_ = kGuardPages * kPageBytes;
}

void* Arena::allocate(std::size_t bytes) {
  const std::size_t span = (pages(bytes) + kGuardPages) * kPageBytes;
  if (bytes == 0 || next_ + span > kArenaBytes) return nullptr;
  auto allocation = std::make_unique<Allocation>();
  allocation->offset = next_;
  allocation->bytes = bytes;
  allocation->shape = {static_cast<std::int64_t>(bytes / 4)};
  for (std::size_t page = 0; page < pages(bytes); ++page)
    owner_[next_ / kPageBytes + page] = static_cast<std::uint32_t>(allocations_.size() + 1);
  void* pointer = reinterpret_cast<void*>(base_ + next_);
  if (poison) std::memset(pointer, 0xff, pages(bytes) * kPageBytes);
  next_ += span;
  allocations_.push_back(std::move(allocation));
  return pointer;
}

bool Arena::release(void* pointer) {
  Allocation* found = find_start(pointer);
  if (found == nullptr) return false;
  found->live = false;
  for (std::size_t page = 0; page < pages(found->bytes); ++page)
    owner_[found->offset / kPageBytes + page] = 0;
  return true;
}

void Arena::release_all() {
  // Gives memory and shadow back to the system, so that the next case starts from zeroed cells.
  madvise(reinterpret_cast<void*>(base_), next_, MADV_DONTNEED);
  madvise(shadow_, next_ / 4 * sizeof(Cell), MADV_DONTNEED);
  madvise(sectors_, next_ / kSectorBytes, MADV_DONTNEED);
  madvise(owner_, next_ / kPageBytes * sizeof(std::uint32_t), MADV_DONTNEED);
  allocations_.clear();
  next_ = kGuardPages * kPageBytes;
}

Allocation* Arena::nearest(std::uint64_t offset, std::uint64_t distance) {
  Allocation* best = nullptr;
  for (const auto& a : allocations_) {
    if (!a->live) continue;
    const std::uint64_t gap = offset < a->offset               ? a->offset - offset
                              : offset >= a->offset + a->bytes ? offset - (a->offset + a->bytes)
                                                               : 0;
    if (gap < distance) {
      distance = gap;
      best = a.get();
    }
  }
  return best;
}

Allocation* Arena::find_start(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!contains(address)) return nullptr;
  Allocation* a = find(offset_of(address));
  return a != nullptr && a->offset == offset_of(address) ? a : nullptr;
}

void Arena::mark_initialised(std::uint64_t offset, std::size_t bytes) {
  const std::uint64_t end = offset + bytes;
  for (std::uint64_t word = offset & ~std::uint64_t{3}; word < end; word += 4) {
    const auto from = static_cast<unsigned>(word < offset ? offset - word : 0);
    const auto to = static_cast<unsigned>(std::min<std::uint64_t>(4, end - word));
    shadow_[word / 4].init_mask |= (0xfu << from) & (0xfu >> (4 - to)) & 0xfu;
  }
}

void Arena::clear_sectors() {
  for (const auto& a : allocations_) {
    if (!a->live) continue;
    if (a->sectors_read + a->sectors_written > 0)
      std::memset(&sectors_[a->offset / kSectorBytes], 0, pages(a->bytes) * kPageBytes / kSectorBytes);
    a->sectors_read = a->sectors_written = 0;
  }
}

std::string describe_element(const Allocation& a, std::uint64_t offset) {
  const std::string name = a.name.empty() ? "an allocation of " + std::to_string(a.bytes) + " bytes" : a.name;
  const auto element = (static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(a.offset)) /
                       static_cast<std::int64_t>(a.element_bytes);
  if (offset < a.offset || offset >= a.offset + a.bytes || a.name.empty() || a.shape.size() < 2)
    return name + "[" + std::to_string(element) + "]";
  std::string indices;
  std::int64_t rest = element;
  for (std::size_t d = a.shape.size(); d-- > 0;) {
    indices = "[" + std::to_string(rest % a.shape[d]) + "]" + indices;
    rest /= a.shape[d];
  }
  return name + indices;
}

}  // namespace workbook::sim
