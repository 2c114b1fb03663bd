// Simulated device memory: one reserved range, every allocation between guard pages, a shadow cell a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shadow.h"

namespace workbook::sim {

inline constexpr std::size_t kSectorBytes = 32;
inline constexpr std::size_t kArenaBytes = std::size_t{15} << 30;
inline constexpr std::size_t kHeapSpan = std::size_t{1} << 30;  ///< above it, for the heap of kernels
inline constexpr std::size_t kArenaSpan = kArenaBytes + kHeapSpan;

enum class MemoryKind : std::uint8_t { device, managed, pinned };

struct Allocation {
  std::uint64_t offset = 0;  ///< from the arena's start
  std::size_t bytes = 0;
  std::size_t span = 0;  ///< with the addresses behind it that are nobody's
  bool live = true;
  MemoryKind kind = MemoryKind::device;
  std::uintptr_t made_at = 0;       ///< return address of the cudaMalloc call; 0: the engine's own
  std::uintptr_t freed_at = 0;      ///< return address of the cudaFree call; 0: not freed
  int id = -1;                      ///< what the caller named it: runs::TensorInfo::id
  std::string name;                 ///< empty: an allocation nobody named
  std::vector<std::int64_t> shape;  ///< in elements of element_bytes
  std::size_t element_bytes = 4;
  bool freed_by_graph = false;  ///< a node of a graph frees it, and a later launch finds it again
  bool reserved = false;        ///< addresses alone, parts of which may be closed: Arena::close()
  bool of_pool = false;         ///< a stream took it: cudaMallocAsync()
  bool of_heap = false;         ///< a kernel took it from the device's heap
  /// The latest copy or fill from its first byte on that ended before its last; no call: there was none.
  struct Part {
    const char* call = nullptr;
    std::uintptr_t at = 0;  ///< return address of the call
    std::size_t bytes = 0;
  } part = {};
  /// The latest copy over what kernels had written and nobody had read: check/unread_copies.h.
  struct Overwriting {
    const char* call = nullptr;
    std::uintptr_t at = 0;         ///< return address of the call
    std::uint32_t generation = 0;  ///< of the launch before it
  } overwriting = {};
  /// The first call that copied from its beginning before anything had been written there.
  struct Early {
    const char* call = nullptr;
    std::uintptr_t at = 0;
  } early = {};
  /// The latest call that may leave anything there; `result`: where what it computes is found instead.
  struct Scratch {
    const char* call = nullptr;
    const char* result = nullptr;
    std::uintptr_t at = 0;
  } scratch = {};
  std::size_t filled = 0;  ///< bytes from the first on that are initialised: check/vector_rooms.h
  bool taken_out = false;  ///< a call of the host has read it: a copy, a library
  bool typed = false;      ///< the call said what the elements are; where not, an access's own bytes say it
  std::int64_t sectors_read = 0, sectors_written = 0;  ///< unique, since the launch began

  /// Managed or pinned: the host may touch it too.
  bool on_host() const { return kind != MemoryKind::device; }
};

class Arena {
 public:
  static Arena& get();

  /// Null when the arena is full. Fresh memory counts as uninitialised and reads as NaN (all bits set), or as
  /// 0 while `poison` is false: filling the real shape's tensors would take longer than sampling them.
  /// Managed and pinned memory is zero, and its initialisation is not tracked: the host may write it unseen.
  void* allocate(std::size_t bytes, MemoryKind kind = MemoryKind::device, std::uintptr_t made_at = 0);
  bool poison = true;
  /// Whether new allocations lie so far apart that an index gone wrong hardly ever lands in another one:
  /// where accesses are judged.
  bool far_apart = true;
  /// False when `pointer` is not the start of a live allocation. The pages stay without an owner until the
  /// arena is full or a thousand others were freed later.
  bool release(void* pointer, std::uintptr_t freed_at = 0);
  void release_all();
  /// The allocation that begins at `pointer`, if any, ends, and begins anew at the same addresses, as one
  /// that a graph makes and frees at each launch: what lay there is lost.
  void suspend(const void* pointer, std::uintptr_t freed_at);
  void resume(const void* pointer);
  /// Whole pages of an allocation, which from here on nobody may touch, or everybody again.
  void close(std::uint64_t offset, std::size_t bytes) { own(offset, bytes, 0); }
  void open(const Allocation& allocation, std::uint64_t offset, std::size_t bytes);

  /// Where device memory begins; 0 before the first use.
  static std::uintptr_t base() { return base_; }
  /// Changes with every allocation that ends: what is kept of one meanwhile may not hold any more.
  static std::uint32_t releases() { return __atomic_load_n(&releases_, __ATOMIC_RELAXED); }
  static bool contains(std::uintptr_t address) { return address - base_ < kArenaSpan; }
  std::uint64_t offset_of(std::uintptr_t address) const { return address - base_; }
  std::uintptr_t address_of(std::uint64_t offset) const { return base_ + offset; }

  /// The live allocation whose pages (guards not included) hold `offset`, else null. It may still end before
  /// it.
  Allocation* find(std::uint64_t offset) {
    Allocation* a = owner(offset);
    return a != nullptr && a->live ? a : nullptr;
  }
  /// The freed allocation whose pages held `offset`, while it is remembered, else null.
  const Allocation* find_freed(std::uint64_t offset) {
    const Allocation* a = owner(offset);
    return a != nullptr && !a->live ? a : nullptr;
  }
  /// Whether a GPU would have nothing there, so that an access ends all that the program does with it. It
  /// maps memory by pages of 2 MiB, which small allocations share and which stay when those are freed.
  bool is_unmapped(std::uint64_t offset);
  /// The live allocation nearest to `offset` within `distance` bytes, else null.
  Allocation* nearest(std::uint64_t offset, std::uint64_t distance);
  Allocation* find_start(const void* pointer);
  /// Live ones and those lately freed.
  const std::vector<std::unique_ptr<Allocation>>& allocations() const { return allocations_; }
  std::size_t bytes_in_use() const { return bytes_in_use_; }

  Shadow& shadow() { return shadow_; }
  static std::uint8_t* sector_flags() { return sectors_; }
  void mark_initialised(std::uint64_t offset, std::size_t bytes) { shadow_.mark_initialised(offset, bytes); }
  /// The first byte of the range that nothing has written.
  std::optional<std::uint64_t> first_uninitialised(std::uint64_t offset, std::size_t bytes) const {
    return shadow_.first_uninitialised(offset, bytes);
  }
  /// Forgets which sectors were touched, at the start of a launch.
  void clear_sectors();

 private:
  static constexpr std::size_t kPageBytes = 4096;
  Arena();
  Allocation* owner(std::uint64_t offset) {
    const std::uint32_t number = owner_[offset / kPageBytes];
    return number == 0 ? nullptr : allocations_[number - 1].get();
  }
  std::size_t take_span(std::size_t bytes);
  std::optional<std::uint64_t> find_place(std::size_t span);
  void forget_oldest_freed();
  void own(std::uint64_t offset, std::size_t bytes, std::uint32_t owner);
  void clear(std::uint64_t offset, std::size_t bytes);

  static std::uintptr_t base_;
  static std::uint32_t releases_;
  static inline std::uint8_t* sectors_ = nullptr;
  std::uint64_t next_ = 0;
  std::size_t spare_ = 0;  ///< of the addresses that take_span() shares out
  Shadow shadow_{kArenaSpan};
  std::uint32_t* owner_ = nullptr;  ///< by page: allocation number + 1
  std::vector<std::unique_ptr<Allocation>> allocations_;
  std::deque<std::uint32_t> freed_;             ///< indices of allocations_, oldest first
  std::vector<std::uint32_t> unused_;           ///< indices of allocations_ that may be taken again
  std::map<std::uint64_t, std::size_t> holes_;  ///< below next_, by offset: spans that may be taken again
  std::size_t bytes_in_use_ = 0;
};

/// "y", or for an allocation nobody named the variable that its cudaMalloc call fills, or its size.
std::string allocation_name(const Allocation& allocation);

/// "y[2][0][5]" or "y[300]". `access_bytes`: of the access, 0: unknown.
std::string describe_element(const Allocation& allocation, std::uint64_t offset,
                             std::size_t access_bytes = 0);

/// How many elements an access holds; 1 where nobody said of what type the allocation's elements are.
std::size_t elements_of(const Allocation& allocation, std::size_t access_bytes);

/// "100 elements", or, where nobody said of what type they are, "400 bytes (100 of 4 bytes each)".
std::string describe_size(const Allocation& allocation, std::size_t access_bytes);

}  // namespace workbook::sim
