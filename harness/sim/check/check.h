// What a check is: a class that looks at the accesses of one worker's threads, each of which is resolved once
// before. The list of all checks stands in checker.h; a new one is a class derived from Check and a name in
// that list.
#pragma once

#include <cstdint>

#include "cell.h"
#include "runs/trace.h"
#include "scene.h"

// One call from hook to shadow cell: these run before every load and store of a kernel.
#define WORKBOOK_HOT inline __attribute__((always_inline))

namespace workbook::sim {

/// An access, resolved. Functions that are not inlined take it by value: where its address is known to one of
/// them, it costs a dozen stores to memory each time.
struct Access {
  std::uintptr_t address;
  std::uint64_t offset;  ///< in bytes from where its space begins
  std::uint32_t bytes;
  Pc pc;
  Allocation* allocation = nullptr;          ///< in Space::arena: whose pages it lies in, if anybody's
  const DeviceHeap::Chunk* chunk = nullptr;  ///< in Space::heap, live or freed; null: none is near
  const SharedArray* array =
      nullptr;  ///< in shared memory: the one that it lies in or behind, of this block's; null: none
  std::uintptr_t here = 0;  ///< likewise: where the address would be in this block's own
  Scene* owner = nullptr;   ///< of the memory: in Space::remote another one than the thread's
  std::uint32_t pc_offset() const { return static_cast<std::uint32_t>(pc - program_base()); }
};

/// One aligned word of 4 bytes of an access that is let through, kept from other workers until all checks
/// have seen it.
struct WordAccess {
  Cell& cell;
  std::uint64_t offset;     ///< of the access within it, as in Access
  std::uint32_t mask, pc;   ///< its bytes that the access touches; Access::pc_offset()
  std::uint32_t who, gen;   ///< as in Cell
  bool written_now;         ///< in this launch, or this block for shared memory
  std::uint32_t init_mask;  ///< its bytes that are initialised
  Scene& owner;
};

/// What is known of an access where it is compiled. kSignal: a volatile read, or a volatile write after a
/// fence, which are how threads signal each other: two of them are no race.
template <runs::Access kKindOf, bool kSignalOf, Space kSpaceOf>
struct How {
  static constexpr runs::Access kKind = kKindOf;
  static constexpr bool kSignal = kSignalOf;
  static constexpr Space kSpace = kSpaceOf;
  static constexpr bool kOwn =
      kSpace == Space::shared;  ///< `who` counts the threads of the block, not of the grid
  static constexpr bool kPerBlock = is_shared_memory(kSpace);  ///< undefined again in every block
};

/// When and where a barrier was initialised, and by which thread of the block.
struct BarrierStart {
  std::uint32_t thread, epoch, clock, pc;  ///< pc: Access::pc_offset()
};

/// What every check may hear of; each hides what it wants to hear. `scene`: of the worker whose thread runs.
struct Check {
  // Outside of kernel code.
  void begin_launch(Scene&, const Launch&) {}
  void begin_block(Scene&) {}
  void end_block(Scene&) {}
  void pass_barrier(Scene&) {}
  /// Where Scene::attention was set: the next access is at `address`, or 0: the block goes on without one.
  /// Returns whether the check goes on waiting.
  bool attend(Scene&, std::uintptr_t /*address*/) { return false; }

  // The running thread's accesses, one after another.
  /// False: the access is not let through, and no other check hears of it.
  template <class Kind>
  bool see(Scene&, const Access&) {
    return true;
  }
  /// The same word by word, where Modes::check: first all checks judge what was there before, then all of
  /// them note what there is now. Words that are passed over: of device memory those that are initialised and
  /// that no other thread uses (words.h), of shared memory those that quick.h describes.
  template <class Kind>
  void judge(Scene&, const WordAccess&) {}
  template <class Kind>
  void note(Scene&, const WordAccess&) {}
  /// After all words.
  template <class Kind>
  void leave(Scene&, const Access&) {}
};

template <class... Checks>
class CheckList : public Checks... {
 public:
  template <class Visit>
  void each(Visit visit) {
    (visit(static_cast<Checks&>(*this)), ...);
  }
  void begin_launch(Scene& scene, const Launch& launch) { (Checks::begin_launch(scene, launch), ...); }
  void begin_block(Scene& scene) { (Checks::begin_block(scene), ...); }
  void end_block(Scene& scene) { (Checks::end_block(scene), ...); }
  void pass_barrier(Scene& scene) { (Checks::pass_barrier(scene), ...); }
  bool attend(Scene& scene, std::uintptr_t address) {
    bool waits = false;
    ((waits = Checks::attend(scene, address) || waits), ...);
    return waits;
  }
  template <class Kind>
  WORKBOOK_HOT bool see(Scene& scene, const Access& access) {
    return (Checks::template see<Kind>(scene, access) && ...);
  }
  template <class Kind>
  WORKBOOK_HOT void touch(Scene& scene, const WordAccess& word) {
    (Checks::template judge<Kind>(scene, word), ...);
    (Checks::template note<Kind>(scene, word), ...);
  }
  template <class Kind>
  WORKBOOK_HOT void leave(Scene& scene, const Access& access) {
    (Checks::template leave<Kind>(scene, access), ...);
  }
};

}  // namespace workbook::sim
