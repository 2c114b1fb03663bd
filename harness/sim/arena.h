// Simulated device memory: one reserved range, every allocation between guard pages, a shadow cell a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace workbook::sim {

inline constexpr std::size_t kSectorBytes = 32;
inline constexpr std::size_t kArenaBytes = std::size_t{16} << 30;

struct Allocation {
  std::uint64_t offset = 0;  ///< from the arena's start
  std::size_t bytes = 0;
  bool live = true;
  bool on_host = false;             ///< managed or pinned: the host may touch it too
  int id = -1;                      ///< what the caller named it: runs::TensorInfo::id
  std::string name;                 ///< empty: an allocation nobody named
  std::vector<std::int64_t> shape;  ///< in elements of element_bytes
  std::size_t element_bytes = 4;
  std::int64_t sectors_read = 0, sectors_written = 0;  ///< unique, since the launch began
};

/// What the shadow knows of one aligned 4-byte word. A zeroed cell is a word nobody touched.
/// gen: launch (global memory) or block of the worker (shared memory) that the record belongs to; who: block
/// * threads + thread, or the thread; epoch: block barriers passed; clock: the thread's own clock; pc: offset
/// of the return address in the program.
struct Cell {
  std::uint32_t w_gen, w_who, w_epoch, w_clock, w_pc;
  std::uint32_t r_gen, r_who, r_epoch, r_clock, r_pc;
  std::uint32_t q_who, q_epoch, q_clock, q_pc;  ///< a reader before that one, when `others`
  std::uint8_t w_mask : 4, r_mask : 4;
  std::uint8_t init_mask : 4, w_atomic : 1, r_atomic : 1, others : 1,
      in_flight : 1;  ///< in_flight: an async copy's target
  std::uint8_t q_mask : 4;
  std::uint8_t lock;  ///< held while blocks run in parallel
};

class Arena {
 public:
  static Arena& get();

  /// Null when the arena is full. Fresh memory counts as uninitialised and reads as NaN (all bits set), or as
  /// 0 while `poison` is false: filling the real shape's tensors would take longer than sampling them.
  void* allocate(std::size_t bytes);
  bool poison = true;
  /// False when `pointer` is not the start of a live allocation.
  bool release(void* pointer);
  void release_all();

  /// Where device memory begins; 0 before the first use.
  static std::uintptr_t base() { return base_; }
  static bool contains(std::uintptr_t address) { return address - base_ < kArenaBytes; }
  std::uint64_t offset_of(std::uintptr_t address) const { return address - base_; }
  std::uintptr_t address_of(std::uint64_t offset) const { return base_ + offset; }

  /// The live allocation whose pages (guards not included) hold `offset`, else null. It may still end before
  /// it.
  Allocation* find(std::uint64_t offset) {
    const std::uint32_t number = owner_[offset / kPageBytes];
    return number == 0 ? nullptr : allocations_[number - 1].get();
  }
  /// The live allocation nearest to `offset` within `distance` bytes, else null.
  Allocation* nearest(std::uint64_t offset, std::uint64_t distance);
  Allocation* find_start(const void* pointer);
  const std::vector<std::unique_ptr<Allocation>>& allocations() const { return allocations_; }

  Cell* cells() { return shadow_; }
  Cell& cell(std::uint64_t offset) { return shadow_[offset / 4]; }
  std::uint8_t* sector_flags() { return sectors_; }
  void mark_initialised(std::uint64_t offset, std::size_t bytes);
  /// Forgets which sectors were touched, at the start of a launch.
  void clear_sectors();

 private:
  static constexpr std::size_t kPageBytes = 4096;
  Arena();
  static std::uintptr_t base_;
  std::uint64_t next_ = 0;
  Cell* shadow_ = nullptr;
  std::uint8_t* sectors_ = nullptr;
  std::uint32_t* owner_ = nullptr;  ///< by page: allocation number + 1
  std::vector<std::unique_ptr<Allocation>> allocations_;
};

/// "y[2][0][5]", "y[300], 4 bytes past its end", or the address when nothing is near.
std::string describe_element(const Allocation& allocation, std::uint64_t offset);

}  // namespace workbook::sim
