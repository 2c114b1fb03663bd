// The diagnosing side of one worker: every traced access of its threads goes through here, is resolved once,
// and shown to the list of checks. What else the engine tells goes on to those whom it concerns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bounds.h"
#include "bulk_copies.h"
#include "check.h"
#include "copies.h"
#include "counts.h"
#include "group_copies.h"
#include "initialised.h"
#include "phase_barriers.h"
#include "product_reads.h"
#include "races.h"
#include "read_only.h"
#include "shared_names.h"
#include "tracing.h"
#include "warp_storage.h"
#include "words.h"

namespace workbook::sim {

/// All checks, in the order in which they hear of an access: only what lies within bounds goes on to the
/// others.
using Checks = CheckList<Bounds, Counts, Copies, Races, Initialised, Tracing>;

class Checker final : public WorkerEvents {
 public:
  explicit Checker(Worker& worker) : scene(worker) {}

  void begin_launch(const Launch& launch) override;
  void begin_block() override;
  void end_block() override;
  void pass_barrier() override;
  void wait_for_primary() override;
  void pass_warp_barrier(std::uint32_t first, std::uint32_t lanes) override {
    scene.ordering.sync_warp(first, lanes);
  }
  void pass_team_barrier(std::shared_ptr<const TeamEpochs> blocks) override {
    scene.ordering.learn_team(std::move(blocks));
    if (scene.worker.launch->cooperative) counts().log.meet_others();
  }
  void flush_logs() override { counts().log.flush(); }

  void begin_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, std::size_t zero_bytes,
                  const void* group, Pc pc) override;
  void close_group() override { copies().close_group(scene); }
  void wait_for_groups(unsigned int pending) override {
    copies().wait_for_groups(scene, counts().log, pending);
  }
  void bind_copies(const void* group) override { copies().bind(scene, group); }
  void complete_group(const void* group) override { copies().complete_group(scene, counts().log, group); }
  void arrive_group(const void* group) override {
    if (scene.in_cluster && phases_.has_ended_elsewhere(reinterpret_cast<std::uintptr_t>(group))) {
      end_phase(reinterpret_cast<std::uintptr_t>(group));
      copies().complete_elsewhere(scene, group);
    }
    copies().arrive_group(scene, group);
  }
  void begin_bulk_load(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, const void* group,
                       Pc pc) override {
    bulk.see(scene, checks, to, bytes, BulkCopies::By::write, pc);
    begin_copy(to, from, bytes, 0, group, pc);
  }
  void begin_bulk_piece(std::uintptr_t to, std::uintptr_t from, std::size_t zeros_before, std::size_t bytes,
                        std::size_t zero_bytes, const void* group, Pc pc) override {
    bulk.see(scene, checks, to, zeros_before + bytes + zero_bytes, BulkCopies::By::write, pc);
    start_copy({.to = to,
                .from = from,
                .bytes = bytes,
                .zero_bytes = zero_bytes,
                .group = group,
                .zeros_before = zeros_before},
               pc);
  }
  void store_bulk_piece(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, Pc pc) override {
    bulk.see(scene, checks, from, bytes, BulkCopies::By::read, pc);
    access_range(from, bytes, false, pc);
    access_range(to, bytes, true, pc);
    settle_stores();
  }
  void begin_bulk_store(std::uintptr_t from, std::size_t bytes, Pc pc) override {
    bulk.see(scene, checks, from, bytes, BulkCopies::By::read, pc);
    bulk.begin_store(scene, from, bytes, pc);
  }
  void close_bulk_group() override { bulk.close_group(scene); }
  void wait_for_bulk_groups(unsigned int pending) override { bulk.wait_for_groups(scene, pending); }
  void fence_proxy() override { bulk.fence(scene); }
  void read_for_product(std::uintptr_t from, std::size_t bytes, Pc pc) override {
    bulk.see(scene, checks, from, bytes, BulkCopies::By::product, pc);
    access_range(from, bytes, false, pc);
  }
  void begin_product(std::uint32_t first, const std::vector<std::uintptr_t>& chunks, Pc pc) override {
    products.begin(scene, first, chunks, pc);
  }
  void begin_sums(void* const* registers, std::size_t count, Pc pc) override {
    products.begin_sums(scene, registers, count, pc);
  }
  void close_products() override { products.close_group(scene); }
  void wait_for_products(unsigned int pending) override { products.wait_for_groups(scene, pending); }
  void see_group_part(const SimThread& t, std::uint32_t came) override;
  void commit_stage(const void* group) override {
    copies().add_stage(group);
    if (scene.modes.count) counts().log.append_stage_commit(scene.worker.current->linear);
  }
  void wait_for_stage(unsigned int pending) override {
    if (scene.modes.count) counts().log.append_stage_wait(scene.worker.current->linear, pending);
  }

  void start_phases(std::uintptr_t barrier, std::uint64_t expected, Pc pc) override {
    if (const auto* start = phases_.start_of(barrier);
        start != nullptr && scene.modes.check && !scene.in_cluster)
      checks.see_second_start(scene, barrier, *start, pc);
    const EngineScope scope;
    phases_.start(scene, barrier, expected, pc);
  }
  void arrive_in_phase(std::uintptr_t barrier, std::uint64_t arrivals, std::uint64_t drops, Pc pc) override {
    if (const auto* start = phases_.start_of(barrier);
        start != nullptr && scene.modes.check && !scene.in_cluster)
      checks.see_arrival(scene, barrier, *start, pc);
    if (const auto* end = arrivals == 0 ? nullptr : phases_.end_before(barrier);
        end != nullptr && scene.modes.check && !scene.in_cluster && !checks.comes_after(scene, *end))
      phases_.note_haste(barrier);
    const EngineScope scope;
    phases_.arrive(scene, barrier, arrivals, drops, pc);
  }
  void end_phase(std::uintptr_t barrier) override {
    const EngineScope scope;
    phases_.end_phase(barrier);
  }
  void wait_for_phase(std::uintptr_t barrier, Pc pc) override {
    const EngineScope scope;
    phases_.wait(scene, barrier, pc);
  }
  void pass_phase(std::uintptr_t barrier, Pc pc) override {
    const EngineScope scope;
    phases_.pass(scene, barrier, pc);
  }
  std::optional<runs::Finding> why_stuck() const override { return phases_.why_stuck(scene); }

  bool follows_exchanges() const override { return scene.modes.handovers; }
  void see_exchange(std::uint32_t first, std::uint32_t lanes, const std::uint32_t* whose) override {
    checks.Tracing::hand_on(scene, first, lanes, whose);
  }
  void see_bad_mask(const SimThread& t, const char* what) override;
  void see_stuck_warp(std::uint32_t warp, std::uint32_t lanes, std::uint32_t mask) override;
  void see_missing_source(const SimThread& t, int source) override;
  void see_active_mask(Pc pc) override;
  void see_absent_lanes(std::uint32_t lanes, bool works, Pc pc) override;
  void see_uneven_cluster(const SimThread& t, const SimThread& other) override;
  void use_warp_storage(std::uintptr_t storage, unsigned int width, Pc pc) override {
    warp_storage_.use(scene, checks, storage, width, pc);
  }
  void copy_as_group(Pc pc) override { group_copies_.copy(scene, pc); }
  void wait_as_group() override { group_copies_.wait(scene); }
  void see_warp_part(std::uint32_t came, Pc pc) override;
  void see_short_grid(const SimThread& t, unsigned int blocks) override;
  void see_refused(const char* what, Pc pc) override;

  Work work() const override { return {accesses_, checks.Counts::atomics}; }
  bool is_shared(std::uintptr_t address) const override { return scene.is_shared(address); }
  std::string name_at(std::uintptr_t address) const override;
  const char* stack_trouble() const override { return checks.stack_trouble(); }

  // Called by the running thread.
  template <runs::Access kKind, bool kSignal = kKind == runs::Access::atomic>
  void access(std::uintptr_t address, std::uint32_t bytes, Pc pc);
  /// The same, decided in few instructions where no check has anything to say, as of most accesses none has.
  template <runs::Access kKind, std::uint32_t kBytes>
  void quick_access(std::uintptr_t address, Pc pc);
  /// As many accesses as it takes, the widest that the address allows first.
  void access_range(std::uintptr_t address, std::size_t bytes, bool writes, Pc pc);
  void note_bad_index(std::uint32_t column, std::int64_t index, Pc pc) {
    checks.note_bad_index(scene, column, index, pc);
  }
  /// Ends the thread.
  [[noreturn]] void end_without_return(Pc pc);
  void settle_stores() { checks.settle_stores(scene); }

  Scene scene;
  Checks checks;
  BulkCopies bulk;
  ProductReads products;

 private:
  Counts& counts() { return checks; }
  Copies& copies() { return checks; }
  /// What waits for the next access, which tells more.
  void attend(std::uintptr_t address) { scene.attention = checks.attend(scene, address) || watching_; }
  void begin_access(SimThread& t, std::uint32_t bytes, Pc pc) {
    t.last_pc = pc;
    scene.access_bytes = bytes;
    ++accesses_;
  }
  void start_copy(const Copies::Copy& copy, Pc pc);
  void see_store(std::uintptr_t address, std::uint32_t bytes, Pc pc) const;
  void see_object(std::uintptr_t address, Pc pc);
  Access in_shared(Scene& owner, std::uintptr_t address, std::uint32_t bytes, Pc pc) const;
  /// Shows the checks an access that goes to memory.
  template <runs::Access kKind, bool kSignal, Space kSpace>
  void show(const Access& access);
  /// The same for memory that few kernels use: the others' code stays small, and inlined.
  template <runs::Access kKind, bool kSignal, Space kSpace>
  void show_apart(Access access);
  /// Of a block that is not checked. What it writes is initialised for those that are.
  template <runs::Access kKind>
  void pass_unchecked(std::uintptr_t address, std::uint32_t bytes);
  void mark_unchecked_variable(std::uintptr_t address, std::uint32_t bytes) const;
  template <runs::Access kKind>
  void mark_unchecked(std::uintptr_t address, std::uint64_t offset, std::uint32_t bytes);
  void report_uneven_barrier();
  template <runs::Access kKind, std::uint32_t kBytes>
  void quick_shared(std::uintptr_t address, Pc pc);
  template <runs::Access kKind, std::uint32_t kBytes>
  void quick_device(std::uintptr_t address, Pc pc);
  /// A read of a variable of the program.
  template <std::uint32_t kBytes>
  void quick_image(std::uintptr_t address, Pc pc);
  template <runs::Access kKind, std::uint32_t kBytes>
  void slow_access(std::uintptr_t address, Pc pc);

  /// Of a place where a warp accesses device memory: what is the same for its lanes, one after another.
  struct QuickSite {
    std::uint64_t where = ~std::uint64_t{0}, when = 0;  ///< the place and the warp; its epoch and clock
    std::uint64_t low = 0, room = 0;  ///< of the allocation: offset, and bytes before the last access
    Shadow::Record record = 0;        ///< of lane 0
    std::uint32_t releases = 0;
  };
  template <runs::Access kKind, std::uint32_t kBytes>
  void settle(std::uintptr_t address, Pc pc);
  template <runs::Access kKind, std::uint32_t kBytes>
  void mark(std::uintptr_t address, Pc pc);
  template <class Kind>
  void touch_as(std::uintptr_t address, Pc pc);
  template <runs::Access kKind, std::uint32_t kBytes, Space kSpace>
  void follow(std::uintptr_t address, Pc pc);
  template <runs::Access kKind, std::uint32_t kBytes, Space kSpace>
  void touch_after_wait(std::uintptr_t address, Pc pc);
  template <class Kind>
  void touch_apart(std::uintptr_t address, std::uint32_t bytes, Pc pc);
  /// Of a place that reads a variable: which one that was the last time.
  struct ImageSite {
    std::uint32_t at = 0;  ///< offset of the place in the program; 0: none
    bool constant = false;
    std::uintptr_t begin = 0, end = 0;
  };
  ImageSite& image_site(std::uint32_t at, std::uintptr_t address, runs::Access kind);
  static constexpr std::size_t kQuickSites = 256;

  Arena& arena_ = Arena::get();
  Words words_;
  PhaseBarriers phases_;
  WarpStorage warp_storage_;
  GroupCopies group_copies_;
  bool watching_ = false;   ///< Diagnosis::watched, or for objects of the host's
  bool objects_ = false;    ///< HostObjects::any()
  bool quick_ = false;      ///< this block's accesses are looked at as most are
  bool unchecked_ = false;  ///< they are not looked at: Launch::checks()
  SharedNames shared_names_;
  ReadOnlyParameters read_only_;
  QuickSite quick_sites_[kQuickSites];
  ImageSite image_sites_[kQuickSites];  ///< they hold as long as the program
  std::uint64_t accesses_ = 0;          ///< of this launch; the sampler's measure of work
};

inline Checker& checker_of(const Worker& worker) { return static_cast<Checker&>(*worker.events); }

}  // namespace workbook::sim
