// Asynchronous copies to shared memory, and who touches their destination before they are waited for. They
// are made late, as a GPU may: the destination holds NaN until then.
#pragma once

#include <vector>

#include "access_log.h"
#include "check.h"

namespace workbook::sim {

class Copies : public Check {
 public:
  struct Copy {
    std::uintptr_t to, from;
    std::size_t bytes, zero_bytes;
    const void* group;         ///< null: of the thread that began it
    std::uint32_t thread = 0;  ///< that began it
    std::uint32_t number = 0;  ///< of that thread's groups; the open one when not closed yet
    const SimThread* completed_by =
        nullptr;  ///< who made it complete, and when; nobody has waited for it yet
    std::uint32_t epoch = 0, clock = 0;
    std::size_t zeros_before = 0;  ///< bytes, of a box that begins outside of its tensor
    std::size_t length() const { return zeros_before + bytes + zero_bytes; }
  };
  void begin_block(Scene&) {
    copies_.clear();
    groups_closed_.assign(kMaxThreads, 0);
    stages_.clear();
    completed_ = 0;
    latest_pending_ = 0;
  }
  /// Copies that were never waited for are under way in no later block.
  void end_block(Scene& scene);
  template <class Kind>
  WORKBOOK_HOT void judge(Scene& scene, const WordAccess& w) {
    if (w.written_now && w.cell.in_flight &&
        (Kind::kKind != runs::Access::read || w.cell.in_flight & kWriteInFlight)) [[unlikely]]
      report(scene, Kind::kKind, w.pc, {w.offset, Kind::kSpace, &w.owner}, w.cell.w_pc);
  }

  /// The running thread's copy, whose accesses have been seen.
  void begin(Scene& scene, Copy copy);
  void close_group(const Scene& scene) { ++groups_closed_[scene.worker.current->linear]; }
  void wait_for_groups(Scene& scene, AccessLog& log, unsigned int pending);
  /// The running thread's copies that it has not waited for are of `group` from here on.
  void bind(const Scene& scene, const void* group);
  void complete_group(Scene& scene, AccessLog& log, const void* group);
  /// Another block has completed it: what is known is that its threads had begun them.
  void complete_elsewhere(const Scene& scene, const void* group);
  /// What is complete of the group lies in place from here on.
  void arrive_group(Scene& scene, const void* group);
  /// The waits for this group's copies are logged where threads wait, not where it is complete.
  void add_stage(const void* group);

 private:
  /// Whether the copy to this place of shared memory stands in a group that its thread has not closed.
  bool is_uncommitted(const Scene& scene, std::uint64_t offset) const;
  void report(Scene& scene, runs::Access kind, std::uint32_t pc, const Target& target,
              std::uint32_t copy) const;
  static void report_store_over_bulk_read(const Scene& scene, Pc pc, const Target& target, Pc copy);
  static void report_store_over_product(const Scene& scene, Pc pc, const Target& target, Pc product);
  static void end(Scene& scene, const Copy& copy);
  void log_stage(AccessLog& log, const void* group) const;
  template <class Test>
  void end_copies(Scene& scene, Test test);

  std::vector<Copy> copies_;                  ///< under way, in the order they began
  std::vector<std::uint32_t> groups_closed_;  ///< by thread
  std::vector<const void*> stages_;           ///< what add_stage() was told
  std::size_t completed_ = 0;                 ///< of copies_
  unsigned int latest_pending_ = 0;           ///< groups that the latest wait of a thread let go on
};

}  // namespace workbook::sim
