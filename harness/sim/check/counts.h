// What the accesses cost: requests, sectors and passes by line, unique sectors by tensor, atomics.
#pragma once

#include <utility>

#include "access_log.h"
#include "check.h"

namespace workbook::sim {

class Counts : public Check {
 public:
  void begin_launch(Scene& scene, const Launch& launch);
  void begin_block(Scene&) { log.begin_block(); }
  void end_block(Scene& scene) {
    if (scene.modes.count) log.flush();
  }
  void pass_barrier(Scene& scene) {
    if (scene.modes.count) log.flush();
  }
  template <class Kind>
  WORKBOOK_HOT bool see(Scene& scene, const Access& a) {
    if constexpr (Kind::kSpace == Space::image) {
      if (Kind::kKind == runs::Access::atomic) ++atomics;
      return true;
    }
    if (!scene.modes.count) return true;
    if constexpr (Kind::kSpace == Space::arena) mark_sector<Kind::kKind>(scene, a);
    if (Kind::kKind == runs::Access::atomic) ++atomics;
    auto word = static_cast<std::uint32_t>(a.offset / 4);
    if constexpr (Kind::kSpace == Space::remote) word = log.remote(word);
    Place place(a.pc_offset(), Kind::kPerBlock, Kind::kKind, a.bytes);
    if (Kind::kKind == runs::Access::read && !Kind::kPerBlock && scene.copying_apart) [[unlikely]]
      place = place.as_copy();
    if (log.append(scene.worker.current->linear, place, word)) [[unlikely]]
      scene.wait_for_log();
    return true;
  }

  /// Of a block that is not counted: which sectors of device memory a launch touches is known all the same.
  template <class Kind>
  WORKBOOK_HOT static void see_uncounted(const Scene& scene, const Access& a) {
    mark_sector<Kind::kKind>(scene, a);
  }

  /// Whether an access of this kind has marked the sector in this launch.
  template <runs::Access kKind>
  WORKBOOK_HOT static bool is_marked(std::uint64_t offset) {
    return (__atomic_load_n(&Arena::sector_flags()[offset / kSectorBytes], __ATOMIC_RELAXED) & kBit<kKind>) !=
           0;
  }

  AccessLog log;
  std::int64_t atomics = 0;  ///< of this launch

 private:
  template <runs::Access kKind>
  static constexpr std::uint8_t kBit = kKind == runs::Access::read ? 1 : 2;
  /// A sector the launch itself wrote is still in the L2 when it is read again.
  template <runs::Access kKind>
  WORKBOOK_HOT static void mark_sector(const Scene& scene, const Access& access) {
    std::uint8_t& flags = Arena::sector_flags()[access.offset / kSectorBytes];
    std::uint8_t before = __atomic_load_n(&flags, __ATOMIC_RELAXED);
    if ((before & kBit<kKind>) != 0) return;
    before = scene.worker.launch->parallel
                 ? __atomic_fetch_or(&flags, kBit<kKind>, __ATOMIC_RELAXED)
                 : std::exchange(flags, static_cast<std::uint8_t>(before | kBit<kKind>));
    const bool reads = kKind != runs::Access::write && before == 0;
    const bool writes = kKind != runs::Access::read && (before & 2) == 0;
    if (reads) __atomic_fetch_add(&access.allocation->sectors_read, 1, __ATOMIC_RELAXED);
    if (writes) __atomic_fetch_add(&access.allocation->sectors_written, 1, __ATOMIC_RELAXED);
  }
};

}  // namespace workbook::sim
