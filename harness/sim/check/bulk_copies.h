// Bulk copies (cp.async.bulk) from and to shared memory. The async proxy makes them: a barrier alone does not
// show it what threads have stored, and a copy out of shared memory reads until its thread has waited for it.
#pragma once

#include <vector>

#include "check.h"
#include "ordering.h"

namespace workbook::sim {

class Races;

class BulkCopies {
 public:
  /// What the async proxy does to shared memory: a bulk copy, or a product of a warp group.
  enum class By { read, write, product };
  void begin_block();
  /// Tells of copies that still read shared memory when the block ends.
  void end_block(Scene& scene);

  /// fence.proxy.async of the running thread.
  void fence(const Scene& scene);
  /// The running thread begins what reads or writes these bytes of shared memory.
  void see(Scene& scene, const Races& races, std::uintptr_t shared, std::size_t bytes, By by, Pc pc);
  /// Likewise one that reads them until it is waited for.
  void begin_store(Scene& scene, std::uintptr_t from, std::size_t bytes, Pc pc);
  void close_group(const Scene& scene);
  void wait_for_groups(Scene& scene, unsigned int pending);

  /// Where the copy began that reads this place of shared memory; 0: none does.
  Pc reader_of(std::uintptr_t shared) const;

 private:
  struct Fence {
    std::uint32_t epoch, clock;
    bool had_learned;  ///< the thread knew of others by more than barriers
  };
  struct Store {
    std::uintptr_t from;
    std::size_t bytes;
    Pc pc;
    std::uint32_t thread, group;
  };
  /// Whether a fence lies between the write and what the running thread does now.
  bool is_fenced(Scene& scene, const Races& races, const Cell& cell) const;
  void end(Scene& scene, const Store& store);
  static void report(Scene& scene, const Cell& cell, std::uintptr_t at, By by, Pc pc);

  std::vector<std::vector<Fence>> fences_;    ///< by thread, in order
  std::uint32_t latest_fence_ = 0;            ///< its epoch, and 1
  std::vector<Store> stores_;                 ///< under way
  std::vector<std::uint32_t> groups_closed_;  ///< by thread
  std::vector<std::uint32_t> loads_;          ///< Access::pc_offset() of bulk copies to shared memory
};

}  // namespace workbook::sim
