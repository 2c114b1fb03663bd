// Accesses that lie outside of every array, or are not aligned to their own size.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "check.h"

namespace workbook::sim {

class Bounds : public Check {
 public:
  bool attend(Scene& scene, std::uintptr_t address) {
    if (bad_index_.pending) report_bad_index(scene, address);
    return false;
  }
  template <class Kind>
  WORKBOOK_HOT bool see(Scene& scene, const Access& a) {
    if (!is_inside<Kind>(a)) [[unlikely]]
      return see_outside(scene, a, Kind::kKind, Kind::kSpace);
    if (Kind::kSpace != Space::image && is_misaligned<Kind>(a)) [[unlikely]]
      see_misaligned(scene, a, Kind::kSpace);
    return true;
  }
  /// One that goes to no memory at all; ends the thread.
  [[noreturn]] static void see_wild(Scene& scene, std::uintptr_t address, std::uint32_t bytes,
                                    runs::Access kind, Pc pc);

  /// An index outside of its dimension of an array with a fixed size, at a column of the line of `pc`. The
  /// source says whose; where it cannot be read, the access that follows.
  void note_bad_index(Scene& scene, std::uint32_t column, std::int64_t index, Pc pc);
  /// Why a thread ran into the end of its stack: an index past an array of its own, where one was noted. For
  /// signal handlers.
  const char* stack_trouble() const;

 private:
  struct BadIndex {
    bool pending = false;
    std::uint32_t column = 0, thread = 0;
    std::int64_t index = 0;
    Pc pc = 0;
  };
  /// What the source indexes at a column of a line.
  struct IndexedArray {
    std::string name;  ///< empty: the source does not say
    /// Of findings; none: where the thread goes next says it.
    runs::FindingClass klass = runs::FindingClass::none;
  };

  template <class Kind>
  WORKBOOK_HOT static bool is_inside(const Access& a) {
    if constexpr (Kind::kSpace == Space::arena)
      return a.allocation != nullptr && a.offset >= a.allocation->offset &&
             a.offset + a.bytes <= a.allocation->offset + a.allocation->bytes;
    else if constexpr (Kind::kSpace == Space::heap)
      return a.chunk != nullptr && a.chunk->live && a.offset >= a.chunk->offset &&
             a.offset + a.bytes <= a.chunk->offset + a.chunk->bytes;
    else if constexpr (Kind::kSpace == Space::image)
      return a.address >= writable_image_begin() && in_program_variable(a.address, a.bytes);
    else
      return a.array != nullptr && a.here + a.bytes <= a.array->end;
  }
  template <class Kind>
  WORKBOOK_HOT static bool is_misaligned(const Access& a) {
    return (Kind::kPerBlock ? a.address : a.offset) % a.bytes != 0;
  }
  /// Tells of it. The thread goes on where that does no harm: what lies around an allocation is nobody's.
  static bool see_outside(Scene& scene, Access a, runs::Access kind, Space space);
  static void see_misaligned(Scene& scene, Access a, Space space);

  const IndexedArray& array_indexed_at(const Scene& scene, Pc pc, std::uint32_t column);
  runs::FindingClass class_of_bad_index(const Scene& scene, std::uintptr_t next_address) const;
  void report_bad_index(Scene& scene, std::uintptr_t next_address);

  BadIndex bad_index_;
  std::map<std::pair<Pc, std::uint32_t>, IndexedArray> indexed_arrays_;  ///< reading the source takes long
};

}  // namespace workbook::sim
