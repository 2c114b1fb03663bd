// Reads of words that nothing has written: of device memory since it was allocated, of shared memory in this
// block.
#pragma once

#include "check.h"

namespace workbook::sim {

class Initialised : public Check {
 public:
  template <class Kind>
  WORKBOOK_HOT void judge(Scene& scene, const WordAccess& w) {
    if (Kind::kKind == runs::Access::write || (w.init_mask & w.mask) == w.mask) [[likely]]
      return;
    if (!scene.copying_struct) report(scene, w.pc, {w.offset, Kind::kSpace, &w.owner});
    if (!Kind::kPerBlock)
      w.cell.init_mask = (w.cell.init_mask | w.mask) & 0xfu;  // one finding a word is enough
  }
  template <class Kind>
  WORKBOOK_HOT void note(Scene&, const WordAccess& w) {
    if (Kind::kKind != runs::Access::read) w.cell.init_mask = (w.init_mask | w.mask) & 0xfu;
  }

 private:
  void report(Scene& scene, std::uint32_t pc, const Target& target);
};

}  // namespace workbook::sim
