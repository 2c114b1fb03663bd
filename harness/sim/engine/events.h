// What the engine tells whoever looks on, and what it asks of them: harness/sim/check answers all of it, and
// the engine includes nothing of that room. No access of a kernel comes through here: the compiler's hooks
// call the checker itself (check/hooks.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "runs/record.h"
#include "sim/source/pc.h"

namespace workbook::sim {

struct EndlessLoop;
struct Launch;
struct LaunchConfig;
struct LaunchProblem;
struct SimThread;
struct UnsetWord;
class Worker;

/// By block: the worker's epoch at which it came to a barrier of its team.
using TeamEpochs = std::unordered_map<std::uint32_t, std::uint32_t>;

/// What happens to the blocks of one worker, in the diagnosing build.
class WorkerEvents {
 public:
  virtual ~WorkerEvents() = default;

  // Outside of kernel code.
  virtual void begin_launch(const Launch& launch) = 0;
  virtual void begin_block() = 0;
  virtual void end_block() = 0;
  /// Every thread of the block that has not ended waits at a barrier, and is about to go on.
  virtual void pass_barrier() = 0;
  /// The running thread has waited for the launch before this one, and its memory.
  virtual void wait_for_primary() = 0;
  /// Whether it is to be told of the following.
  virtual bool follows_exchanges() const = 0;
  /// Lanes of the warp whose first thread is `first` have met at __syncwarp().
  virtual void pass_warp_barrier(std::uint32_t first, std::uint32_t lanes) = 0;
  virtual void pass_team_barrier(std::shared_ptr<const TeamEpochs> blocks) = 0;
  /// Threads wait in Worker::wait_for_log() and nothing else can run.
  virtual void flush_logs() = 0;

  // Asynchronous copies of the running thread to shared memory; engine_api.h says what they mean.
  virtual void begin_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, std::size_t zero_bytes,
                          const void* group, Pc pc) = 0;
  virtual void close_group() = 0;
  virtual void wait_for_groups(unsigned int pending) = 0;
  virtual void bind_copies(const void* group) = 0;
  virtual void complete_group(const void* group) = 0;
  virtual void arrive_group(const void* group) = 0;
  virtual void begin_bulk_load(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, const void* group,
                               Pc pc) = 0;
  /// Part of a bulk copy, of at most 16 bytes: of a row of a tensor's box.
  virtual void begin_bulk_piece(std::uintptr_t to, std::uintptr_t from, std::size_t zeros_before,
                                std::size_t bytes, std::size_t zero_bytes, const void* group, Pc pc) = 0;
  virtual void store_bulk_piece(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, Pc pc) = 0;
  virtual void begin_bulk_store(std::uintptr_t from, std::size_t bytes, Pc pc) = 0;
  virtual void close_bulk_group() = 0;
  virtual void wait_for_bulk_groups(unsigned int pending) = 0;
  virtual void fence_proxy() = 0;
  // Products of warp groups, which read shared memory as bulk copies do: group_product.h.
  /// The running thread's share of what a product reads.
  virtual void read_for_product(std::uintptr_t from, std::size_t bytes, Pc pc) = 0;
  /// A warp group has met, whose first thread is `first`: its product reads these, 16 bytes each, until it
  /// is waited for.
  virtual void begin_product(std::uint32_t first, const std::vector<std::uintptr_t>& chunks, Pc pc) = 0;
  /// The running thread's registers of 4 bytes are the sums of the product that it has begun.
  virtual void begin_sums(void* const* registers, std::size_t count, Pc pc) = 0;
  virtual void close_products() = 0;
  virtual void wait_for_products(unsigned int pending) = 0;
  /// Of the warp group that `t` is of only these warps have come, a bit each, to what all four do together.
  virtual void see_group_part(const SimThread& t, std::uint32_t came) = 0;
  virtual void copy_as_group(Pc pc) = 0;
  virtual void wait_as_group() = 0;
  virtual void commit_stage(const void* group) = 0;
  virtual void wait_for_stage(unsigned int pending) = 0;

  // cuda::barriers; engine_api.h says what they mean.
  virtual void start_phases(std::uintptr_t barrier, std::uint64_t expected, Pc pc) = 0;
  virtual void arrive_in_phase(std::uintptr_t barrier, std::uint64_t arrivals, std::uint64_t drops,
                               Pc pc) = 0;
  virtual void end_phase(std::uintptr_t barrier) = 0;
  virtual void wait_for_phase(std::uintptr_t barrier, Pc pc) = 0;
  virtual void pass_phase(std::uintptr_t barrier, Pc pc) = 0;
  /// No thread of the block can go on: why, where it is because of a barrier.
  virtual std::optional<runs::Finding> why_stuck() const = 0;

  /// Lanes of the warp whose first thread is `first` have got values of each other: by lane, whose, a bit
  /// each.
  virtual void see_exchange(std::uint32_t first, std::uint32_t lanes, const std::uint32_t* whose) = 0;

  // Warp operations that are not what their masks say.
  virtual void see_bad_mask(const SimThread& t, const char* what) = 0;
  /// Lanes that wait for others of their mask, which do not come.
  virtual void see_stuck_warp(std::uint32_t warp, std::uint32_t lanes, std::uint32_t mask) = 0;
  /// The running thread's shuffle has read a lane that took no part.
  virtual void see_missing_source(const SimThread& t, int source) = 0;
  /// A barrier of the grid that the thread has come to, and so many blocks have ended without.
  virtual void see_short_grid(const SimThread& t, unsigned int blocks) = 0;
  /// The running thread asks for what its launch does not have, or CUDA does not define.
  virtual void see_refused(const char* what, Pc pc) = 0;
  /// A kernel asked __activemask(), which says who happens to run together.
  virtual void see_active_mask(Pc pc) = 0;
  /// The running thread reduces or scans with a group of which these lanes have ended. `works`: newer GPUs
  /// leave them out, and define the result.
  virtual void see_absent_lanes(std::uint32_t lanes, bool works, Pc pc) = 0;

  /// Of one block, `t` waits for the cluster's barrier and `other` for the block's: for ever.
  virtual void see_uneven_cluster(const SimThread& t, const SimThread& other) = 0;
  /// The running thread uses the temporary storage of something that `width` lanes do together.
  virtual void use_warp_storage(std::uintptr_t storage, unsigned int width, Pc pc) = 0;
  /// Of the running thread's warp only these lanes have come to what the whole of it has to do together.
  virtual void see_warp_part(std::uint32_t came, Pc pc) = 0;

  struct Work {
    std::uint64_t accesses = 0;
    std::int64_t atomics = 0;
  };
  /// Of this launch, so far.
  virtual Work work() const = 0;
  virtual bool is_shared(std::uintptr_t address) const = 0;
  /// "mutex[0]"; empty: unknown.
  virtual std::string name_at(std::uintptr_t address) const = 0;
  /// Why a thread ran into the end of its stack. For signal handlers.
  virtual const char* stack_trouble() const = 0;
};

std::unique_ptr<WorkerEvents> look_on(Worker& worker);

// Of launches. Those of the fast build, too, unless they say else.
/// Diagnosing build only.
void see_launch_begin(const Launch& launch);
/// Likewise. The counters of the launch, summed over the workers that ran its blocks, scaled up when only
/// some of them ran.
runs::LaunchCounters see_launch_end(const std::vector<Worker*>& workers, std::uint64_t blocks_sampled);
/// Whether blocks are to run one after another, in the same order each time.
bool are_blocks_in_order();
/// Whether a thread followed a pointer to nowhere: a GPU would have ended the program.
bool has_crashed();
void see_rejected_launch(const LaunchConfig& config, const char* kernel, const LaunchProblem& problem);
/// The launch has left words that depend on values which nobody set; on the one of `place` (replay.h), if
/// that is known.
void see_unset_words(const Launch& launch, const std::vector<UnsetWord>& words,
                     std::optional<unsigned int> place);
/// Where accesses have been told of that lie outside of every array.
std::set<Pc> overruns_told();
/// The access at `pc` lies outside of every array where a value that nobody set is another: that of `place`.
void see_unset_index(const Launch& launch, Pc pc, std::optional<unsigned int> place);
/// The launch was ended because of these; there may be none.
void see_endless_loops(const Launch& launch, const std::vector<EndlessLoop>& loops);
/// Of the fast build: the running thread is in a loop, and its block has got no further for too long.
void see_stuck_block(const Worker& worker, Pc pc);

}  // namespace workbook::sim
