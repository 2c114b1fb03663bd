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
  int id = -1;                      ///< what the caller named it: runs::TensorInfo::id
  std::string name;                 ///< empty: an allocation nobody named
  std::vector<std::int64_t> shape;  ///< in elements of element_bytes
  std::size_t element_bytes = 4;
  std::int64_t sectors_read = 0, sectors_written = 0;  ///< unique, since the launch began
};

/// What the shadow knows of one aligned 4-byte word. A zeroed cell is a word nobody touched.
/// gen: launch (global) that the record belongs to; gid: block * threads + thread; epoch: block barriers
/// passed; clock: the lane's own warp clock; site: index of the source site.
struct Cell {
  std::uint32_t w_gen, w_gid, w_epoch, w_clock, w_site;
  std::uint32_t r_gen, r_gid, r_epoch, r_clock, r_site;
  std::uint32_t q_gid, q_clock, q_site;  ///< another reader of the same epoch, when `others`
  std::uint8_t w_mask, r_mask, init_mask;
  std::uint8_t w_atomic : 1, r_atomic : 1, others : 1;
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

  bool contains(std::uintptr_t address) const { return address - base_ < kArenaBytes; }
  std::uint64_t offset_of(std::uintptr_t address) const { return address - base_; }
  std::uintptr_t address_of(std::uint64_t offset) const { return base_ + offset; }

  /// The live allocation whose pages (guards not included) hold `offset`, else null. It may still end before
  /// it.
  Allocation* find(std::uint64_t offset);
  /// The live allocation nearest to `offset` within `distance` bytes, else null.
  Allocation* nearest(std::uint64_t offset, std::uint64_t distance);
  Allocation* find_start(const void* pointer);
  const std::vector<std::unique_ptr<Allocation>>& allocations() const { return allocations_; }

  Cell& cell(std::uint64_t offset) { return shadow_[offset / 4]; }
  std::uint8_t& sector_flags(std::uint64_t offset) { return sectors_[offset / kSectorBytes]; }
  void mark_initialised(std::uint64_t offset, std::size_t bytes);
  /// Forgets which sectors were touched, at the start of a launch.
  void clear_sectors();

 private:
  Arena();
  std::uintptr_t base_ = 0;
  std::uint64_t next_ = 0;
  Cell* shadow_ = nullptr;
  std::uint8_t* sectors_ = nullptr;
  std::uint32_t* owner_ = nullptr;  ///< by page: allocation number + 1
  std::vector<std::unique_ptr<Allocation>> allocations_;
};

/// "y[2][0][5]", "y[300], 4 bytes past its end", or the address when nothing is near.
std::string describe_element(const Allocation& allocation, std::uint64_t offset);

}  // namespace workbook::sim
