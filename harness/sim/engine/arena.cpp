#include "arena.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "device_heap.h"
#include "sim/source/source_text.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kGuardPages = 16;
constexpr std::size_t kMostGuardBytes = std::size_t{16} << 20;
constexpr std::size_t kSpareBytes = std::size_t{1} << 30;  // addresses that only keep allocations apart
constexpr std::size_t kRemembered = 1024;  // freed allocations whose pages wait before they are used again

}  // namespace

void* reserve_memory(std::size_t bytes, bool usable) {
  void* p = mmap(nullptr, bytes, usable ? PROT_READ | PROT_WRITE : PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p != MAP_FAILED) return p;
  const int error = errno;
  std::fprintf(stderr,
               "The simulator sets addresses aside, of which it uses few, and this machine\n"
               "refuses %zu MiB of them: %s.\n"
               "Is there a limit (`ulimit -v`), or does `sysctl vm.overcommit_memory` say 2?\n"
               "The simulator needs 0 or 1 there, and no limit.\n",
               bytes >> 20, std::strerror(error));
  constexpr int kHarnessFault = 5;
  for (;;)
    syscall(SYS_exit_group, kHarnessFault);  // no destructor, and no report, which would come back here
}

void drop_memory(void* pointer, std::size_t bytes) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));  // 4, 16 or 64 KiB on AArch64
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer), end = begin + bytes;
  const std::uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
  if (first >= last || madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED) != 0) {
    std::memset(pointer, 0, bytes);
    return;
  }
  std::memset(pointer, 0, first - begin);
  std::memset(reinterpret_cast<void*>(last), 0, end - last);
}

namespace {

constexpr std::size_t pages(std::size_t bytes) { return (bytes + 4095) / 4096; }

}  // namespace

// Pages of the allocation and of nobody behind it: an index that is twice too large still lands there, not in
// a neighbour. The first allocations of a program, which are mostly all, are as far apart as the spare
// addresses allow: 64 MiB, then less and less.
std::size_t Arena::take_span(std::size_t bytes) {
  const std::size_t least =
      (pages(bytes) + kGuardPages + pages(std::min(bytes, kMostGuardBytes))) * kPageBytes;
  const std::size_t apart = far_apart ? spare_ / 16 / kPageBytes * kPageBytes : 0;
  if (next_ + least + apart > kArenaBytes) return least;
  spare_ -= apart;
  return least + apart;
}

std::uintptr_t Arena::base_ = std::uintptr_t{0xffff} << 48;  // no address of a program is near it

std::uint32_t Arena::releases_ = 0;

Arena& Arena::get() {
  // Never destroyed, like all that the runtime keeps: a program's own static objects free memory after main.
  static Arena& arena = *new Arena;
  return arena;
}

Arena::Arena() {
  base_ = reinterpret_cast<std::uintptr_t>(reserve_memory(kArenaSpan));
  sectors_ = static_cast<std::uint8_t*>(reserve_memory(kArenaSpan / kSectorBytes));
  owner_ = static_cast<std::uint32_t*>(reserve_memory(kArenaSpan / kPageBytes * sizeof(std::uint32_t)));
  next_ = kGuardPages * kPageBytes;
  spare_ = kSpareBytes;
}

void* Arena::allocate(std::size_t bytes, MemoryKind kind, std::uintptr_t made_at) {
  if (bytes == 0 || bytes > kArenaBytes) return nullptr;
  const std::size_t span = take_span(bytes);
  const std::optional<std::uint64_t> place = find_place(span);
  if (!place) return nullptr;
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(allocations_.size()));
    allocations_.push_back(nullptr);
  }
  const std::uint32_t index = unused_.back();
  unused_.pop_back();
  auto allocation = std::make_unique<Allocation>();
  allocation->offset = *place;
  allocation->bytes = bytes;
  allocation->span = span;
  allocation->kind = kind;
  allocation->made_at = made_at;
  if (made_at != 0) note_allocating_call(made_at);
  allocation->shape = {static_cast<std::int64_t>(bytes / 4)};
  std::fill_n(owner_ + *place / kPageBytes, pages(bytes), index + 1);
  void* pointer = reinterpret_cast<void*>(base_ + *place);
  if (poison && kind == MemoryKind::device) std::memset(pointer, 0xff, pages(bytes) * kPageBytes);
  bytes_in_use_ += bytes;
  allocations_[index] = std::move(allocation);
  return pointer;
}

// New addresses as long as there are any, then the holes, then what was freed longest ago.
std::optional<std::uint64_t> Arena::find_place(std::size_t span) {
  if (next_ + span <= kArenaBytes) {
    next_ += span;
    return next_ - span;
  }
  for (;; forget_oldest_freed()) {
    const auto hole =
        std::find_if(holes_.begin(), holes_.end(), [&](const auto& h) { return h.second >= span; });
    if (hole != holes_.end()) {
      const auto [offset, size] = *hole;
      holes_.erase(hole);
      if (size > span) holes_.emplace(offset + span, size - span);
      return offset;
    }
    if (freed_.empty()) return std::nullopt;
  }
}

bool Arena::release(void* pointer, std::uintptr_t freed_at) {
  Allocation* found = find_start(pointer);
  if (found == nullptr) return false;
  __atomic_fetch_add(&releases_, 1, __ATOMIC_RELAXED);
  found->live = false;
  found->freed_at = freed_at;
  found->sectors_read = found->sectors_written = 0;
  bytes_in_use_ -= found->bytes;
  clear(found->offset, pages(found->bytes) * kPageBytes);
  freed_.push_back(owner_[found->offset / kPageBytes] - 1);
  if (freed_.size() > kRemembered) forget_oldest_freed();
  return true;
}

void Arena::suspend(const void* pointer, std::uintptr_t freed_at) {
  Allocation* const a = find_start(pointer);
  if (a == nullptr) return;
  __atomic_fetch_add(&releases_, 1, __ATOMIC_RELAXED);
  a->live = false;
  a->freed_at = freed_at;
}

void Arena::resume(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Allocation* const a = contains(address) ? owner(offset_of(address)) : nullptr;
  if (a == nullptr || a->offset != offset_of(address) || !a->freed_by_graph) return;
  __atomic_fetch_add(&releases_, 1, __ATOMIC_RELAXED);
  a->live = true;
  a->freed_at = 0;
  shadow_.forget(a->offset, pages(a->bytes) * kPageBytes);
  if (poison) std::memset(reinterpret_cast<void*>(address), 0xff, pages(a->bytes) * kPageBytes);
}

void Arena::own(std::uint64_t offset, std::size_t bytes, std::uint32_t owner) {
  __atomic_fetch_add(&releases_, 1, __ATOMIC_RELAXED);
  std::fill_n(owner_ + offset / kPageBytes, pages(bytes), owner);
}

void Arena::open(const Allocation& allocation, std::uint64_t offset, std::size_t bytes) {
  const auto found = std::find_if(allocations_.begin(), allocations_.end(),
                                  [&](const auto& a) { return a.get() == &allocation; });
  own(offset, bytes, static_cast<std::uint32_t>(found - allocations_.begin()) + 1);
}

void Arena::forget_oldest_freed() {
  const std::uint32_t index = freed_.front();
  freed_.pop_front();
  unused_.push_back(index);
  const Allocation& a = *allocations_[index];
  std::fill_n(owner_ + a.offset / kPageBytes, pages(a.bytes), 0u);
  auto hole = holes_.emplace(a.offset, a.span).first;
  const auto after = std::next(hole);
  if (after != holes_.end() && hole->first + hole->second == after->first) {
    hole->second += after->second;
    holes_.erase(after);
  }
  if (hole == holes_.begin()) return;
  const auto before = std::prev(hole);
  if (before->first + before->second == hole->first) {
    before->second += hole->second;
    holes_.erase(hole);
  }
}

// Gives memory and shadow back to the system: zero when they are used again.
void Arena::clear(std::uint64_t offset, std::size_t bytes) {
  drop_memory(reinterpret_cast<void*>(base_ + offset), bytes);
  shadow_.forget(offset, bytes);
  drop_memory(sectors_ + offset / kSectorBytes, bytes / kSectorBytes);
}

void Arena::release_all() {
  __atomic_fetch_add(&releases_, 1, __ATOMIC_RELAXED);
  DeviceHeap::get().clear();
  clear(0, next_);
  drop_memory(owner_, next_ / kPageBytes * sizeof(std::uint32_t));
  allocations_.clear();
  freed_.clear();
  unused_.clear();
  holes_.clear();
  bytes_in_use_ = 0;
  spare_ = kSpareBytes;
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

bool Arena::is_unmapped(std::uint64_t offset) {
  if (offset >= kArenaBytes) return false;
  constexpr std::size_t kMapped = std::size_t{2} << 20;
  if (const Allocation* a = owner(offset); a != nullptr) return !a->live && a->bytes >= kMapped;
  return nearest(offset, kMapped) == nullptr;
}

Allocation* Arena::find_start(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!contains(address)) return nullptr;
  Allocation* a = find(offset_of(address));
  return a != nullptr && a->offset == offset_of(address) ? a : nullptr;
}

void Arena::clear_sectors() {
  // A launch touches little of a large allocation, mostly: what it did not touch has no pages to give back.
  constexpr std::size_t kLarge = std::size_t{256} << 10;
  for (const auto& a : allocations_) {
    if (!a->live) continue;
    if (a->sectors_read + a->sectors_written > 0) {
      const std::size_t flags = pages(a->bytes) * kPageBytes / kSectorBytes;
      if (flags >= kLarge)
        drop_memory(&sectors_[a->offset / kSectorBytes], flags);
      else
        std::memset(&sectors_[a->offset / kSectorBytes], 0, flags);
    }
    a->sectors_read = a->sectors_written = 0;
  }
}

std::string allocation_name(const Allocation& a) {
  if (!a.name.empty()) return a.name;
  if (a.of_heap) {
    const std::string variable = assigned_variable(a.made_at);
    return variable.empty() ? "a malloc() of " + std::to_string(a.bytes) + " bytes" : variable;
  }
  if (std::string variable = a.made_at == 0 ? "" : allocated_variable(a.made_at); !variable.empty())
    return variable;
  return "an allocation of " + std::to_string(a.bytes) + " bytes";
}

namespace {

std::size_t element_bytes_of(const Allocation& a, std::size_t access_bytes) {
  return a.typed || !a.name.empty() || access_bytes == 0 ? a.element_bytes : access_bytes;
}

}  // namespace

std::size_t elements_of(const Allocation& a, std::size_t access_bytes) {
  return std::max<std::size_t>(1, access_bytes / element_bytes_of(a, access_bytes));
}

std::string describe_size(const Allocation& a, std::size_t access_bytes) {
  const std::size_t element = element_bytes_of(a, access_bytes);
  const std::string count = std::to_string(a.bytes / element);
  if ((a.typed || !a.name.empty()) && (a.bytes >= element || a.bytes == 0))
    return count + (count == "1" ? " element" : " elements");
  return std::to_string(a.bytes) + (a.bytes == 1 ? " byte (" : " bytes (") + count + " of " +
         std::to_string(element) + (element == 1 ? " byte each)" : " bytes each)");
}

std::string describe_element(const Allocation& a, std::uint64_t offset, std::size_t access_bytes) {
  const std::string name = allocation_name(a);
  const auto element = (static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(a.offset)) /
                       static_cast<std::int64_t>(element_bytes_of(a, access_bytes));
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
