// The simulator's engine, seen from inside: threads of a block, the worker that runs them, and the launch
// they belong to. Only harness/sim includes this.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "events.h"
#include "sim/source/pc.h"
#include "thread_set.h"
#include "workbook_sim/launch.h"
#include "workbook_sim/warp.h"

/// Whether the program's kernels tell of their accesses: it is the diagnosing build.
extern "C" bool workbook_sim_is_diagnosing();

namespace workbook::sim {

inline constexpr int kWarpSize = 32;
inline constexpr int kMaxThreads = 1024;  ///< a block
inline constexpr int kMaxWarps = kMaxThreads / kWarpSize;
inline constexpr std::uint32_t kGroupWarps = 4;  ///< of a warp group, which multiplies together
inline constexpr std::size_t kMaxSharedBytes =
    227 * 1024;  ///< a block, sm_90: CUDA C++ Programming Guide, table 30

/// To this an `extern __shared__` array is aligned: a repeat of the widest swizzle.
inline constexpr std::size_t kSharedAlignment = 1024;

struct Fiber;
class LoopWatch;
class Team;
class TurnRunner;

enum class Status : std::uint8_t {
  unstarted,
  ready,
  running,
  at_barrier,
  at_warp,
  at_log,       ///< its access log is full; the block's other threads come first
  at_converge,  ///< asks which lanes run together with it
  exited
};

/// What a thread reads to learn of others, as harness/sim/check/ordering.h has it.
struct SyncedObject {
  std::uintptr_t address = 0;
  std::uint32_t seen = 0;  ///< version of what was acquired there last
  bool shared = false;
};
inline constexpr std::uint32_t kSyncedObjects = 4;

/// What every barrier touches comes first, in one cache line; then what every access and every start of a
/// thread does.
struct alignas(64) SimThread {
  Fiber* fiber = nullptr;
  uint3 index{};
  std::uint32_t linear = 0;  ///< within the block
  Pc wait_pc = 0;            ///< the barrier or warp operation it waits at
  std::uintptr_t reach = 0;  ///< workbook_sim_reach, while it does not run
  std::uint32_t barriers = 0;
  std::uint32_t clock = 1;  ///< own entry of every vector clock
  Status status = Status::unstarted;
  bool killed = false;      ///< ended by a finding, not by its own return
  bool at_cluster = false;  ///< waits in the engine for other blocks of its cluster
  // Its atomic, while it is made: of its block's scope; only reads; stores whatever was there.
  bool narrow = false, loads = false, replaces = false;

  Pc last_pc = 0;                                  ///< its latest traced access
  std::uint32_t warp_base = 0;                     ///< the grid's number of its warp's first lane
  std::uint64_t steps = 0;                         ///< basic blocks passed, in strides (loop_watch.h)
  std::uint64_t limited_work = 0, seen_ended = 0;  ///< since so many blocks had ended
  std::uint32_t fence_clock = 0, fence_epoch = 0;  ///< what its next atomic publishes; clock 0: nothing
  std::uint32_t far_clock = 0, far_epoch = 0;      ///< the same for other blocks
  std::uint32_t syncs = 0, syncs_pending = 0;      ///< pending: a bit for each that is not acquired yet

  SyncedObject synced[kSyncedObjects];  ///< of its latest volatile reads, in a ring
  std::uint64_t cluster_arrivals = 0;
  std::int64_t result = 0;
  WarpOp op{};
  std::uint32_t mask = 0;
  std::uint64_t value = 0;
  int argument = 0;
  int width = kWarpSize;
  std::int8_t missing_source =
      -1;  ///< lane that its shuffle reads, which took no part; kPastWidth: none, ever
  void (*combine)(void* const*, std::uint32_t) = nullptr;
};

/// SimThread::missing_source where a shuffle's distance is its width or more: each lane gets its own value.
inline constexpr std::int8_t kPastWidth = 64;
inline constexpr std::int8_t kPastGroup = 65;    ///< a rank that its group does not have
inline constexpr std::int8_t kAbsentLanes = 66;  ///< of a reduction: those of the bits of `argument`

struct Warp {
  std::uint32_t alive = 0;    ///< lanes that have not exited
  std::uint32_t waiting = 0;  ///< lanes at a warp operation
};

struct Launch {
  const BoundKernel* kernel;
  uint3 grid{}, block{};
  std::uint32_t block_threads = 0;
  std::uint64_t blocks = 0;
  std::size_t dynamic_shared = 0;
  std::uint32_t generation = 0;  ///< 1 for the first launch of the process
  bool cooperative = false;
  uint3 cluster{1, 1, 1};                      ///< in blocks
  std::uint64_t resident = ~std::uint64_t{0};  ///< blocks that the GPU holds at the same time
  bool parallel = false;                       ///< several workers run blocks of it at once
  bool dependent = false;                      ///< may begin before the one before it in its stream has ended
  bool runs_again = false;                     ///< as it runs now: replay.h
  runs::SourceLine called_at = {};             ///< the program's line that launches it; line 0: not known
  double checked_share = 1.0;                  ///< of its blocks; the others run and are not looked at

  unsigned int cluster_blocks() const { return cluster.x * cluster.y * cluster.z; }
  /// Blocks that can have begun and wait for others: each keeps a thread and megabytes.
  std::uint64_t most_waiting() const { return std::clamp<std::uint64_t>(resident, 1, 1024); }
  /// Whether blocks may wait for one another.
  bool blocks_run_together() const { return cooperative || cluster_blocks() > 1; }
  bool checks(std::uint64_t number) const {
    if (checked_share >= 1.0 || number == 0 || number + 1 == blocks) return true;
    // The golden ratio spreads them evenly, and no grid width resonates with it.
    const std::uint64_t place = number * 0x9e3779b97f4a7c15u;
    return static_cast<double>(place >> 11) < checked_share * 0x1p53;
  }
};

/// One OS thread that runs one block at a time.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void begin_launch(const Launch& launch);
  void run_block(const Launch& launch, std::uint64_t block_linear);

  // Called by the running thread.
  /// Waits for the block. With `team`, the block's last thread also waits for the other blocks of the team.
  void barrier(Pc pc, int predicate, bool team = false);
  /// The same, inlined, within worker.cpp.
  void meet(Pc pc, int predicate, bool team);
  /// Of a round (rounds.h): the running thread is at the barrier, and the next has its turn. False: it is not
  /// of a round, and nothing has been done.
  bool pass_in_round();
  /// Of the running thread no more is known than its place in a row or a round.
  bool knows_place_only() const { return current == &any_thread_; }
  /// Makes it one like the others: whoever needs more of it than its place, or may switch to another, first
  /// has this done, mostly by running_worker().
  void settle();
  /// Of the barrier that the running thread has just passed; low 32 bits: threads whose predicate was not 0,
  /// high 32: threads that came.
  std::int64_t barrier_result() const { return barrier_result_; }
  std::uint64_t warp_operation(WarpOp op, std::uint32_t mask, std::uint64_t value, int argument, int width,
                               Pc pc);
  void warp_collective(std::uint32_t mask, void* mine, void (*combine)(void* const*, std::uint32_t), Pc pc);
  void warp_exchange(std::uint32_t mask, void* mine, void (*combine)(void* const*, std::uint32_t), Pc pc);
  /// All threads of a warp group meet; combine() gets what each of them brings, and a bit for each warp that
  /// has come.
  void meet_group(void* mine, void (*combine)(void* const*, std::uint32_t), Pc pc);
  std::uint32_t converged_lanes(Pc pc);
  /// The two halves of a barrier of the cluster; the thread waits in the second only.
  void cluster_arrive();
  void arrive_if_all_came();
  [[noreturn]] void end_uneven_cluster(const SimThread& t);
  void cluster_wait(Pc pc);
  void yield();
  /// As yield(), where the thread has not asked for it. `idle`: nothing is to be done in this block.
  void preempt(bool idle);
  /// While this block waits: begins another one beside it. False when there is none, or no room for one.
  bool begin_another_block();
  /// Before the block first tells others of its work: where blocks take turns, the next ones come so far
  /// first, and find that it has not. Who reads without waiting is then wrong, and not by luck right.
  void let_others_begin();
  /// Before the block's first comparison with what is stored: another thread stores before it, if any does,
  /// so that what a program does where the comparison fails is run.
  void let_others_compare();
  /// Before the block's first atomic on a word that its thread has just read plainly: whoever else can gets
  /// as far, and finds there what that thread has found.
  void let_others_pass();
  bool rechecks = false;  ///< the running thread's atomic is one
  /// True the first time in the block.
  bool comes_too_early(Pc pc);
  /// Lets the block's other threads go first: they have accesses that belong to the same requests.
  void wait_for_log();
  [[noreturn]] void kill_current();
  /// Ends all threads of the block, the running one included.
  [[noreturn]] void kill_block();
  /// The running thread asks for what its launch does not have, or CUDA does not define: tells of it, and
  /// ends the launch.
  [[noreturn]] void refuse(const char* what, Pc pc);

  SimThread& thread(std::uint32_t linear) { return threads_[linear]; }
  const SimThread& thread(std::uint32_t linear) const { return threads_[linear]; }
  std::uint64_t block_linear() const { return block_linear_; }
  std::uint32_t gid(const SimThread& t) const {
    return static_cast<std::uint32_t>(block_linear_ * launch->block_threads + t.linear);
  }
  bool all_exited() const { return alive_ == 0; }
  std::uint32_t alive() const { return alive_; }
  /// Threads that neither have exited nor are at a barrier of the block.
  std::uint32_t could_run() const { return alive_ - at_barrier_; }
  bool has_begun(std::uint32_t linear) const { return linear < next_; }
  /// Every thread of the block waits at the same barrier of the program.
  bool all_at_one_barrier() const { return at_barrier_ == count_ && !barriers_differ_; }
  /// For others of its block, or for other blocks, where the engine knows it.
  bool waits(const SimThread& t) const {
    return t.status == Status::at_barrier || t.status == Status::at_warp || t.at_cluster;
  }

  SimThread* current = nullptr;  ///< null while host or engine code runs
  SimThread* running = nullptr;  ///< the latest current one, for crash reports
  const Launch* launch = nullptr;
  Team* team = nullptr;                          ///< the blocks that run together with this one, or null
  TurnRunner* turns = nullptr;                   ///< who lets blocks run one at a time, or null
  std::unique_ptr<WorkerEvents> events;          ///< diagnosing build only
  std::unique_ptr<LoopWatch> loops;              ///< likewise
  std::uint32_t epoch = 1;                       ///< block-wide barriers and block starts seen so far
  std::uint32_t block_serial = 0;                ///< blocks this worker has begun
  std::uint64_t checked_blocks = 0;              ///< of all blocks that this worker ran: Launch::checks()
  std::uint64_t barriers = 0;                    ///< block-wide barriers of all blocks that this worker ran
  std::uint64_t cluster_barriers = 0;            ///< likewise, of clusters
  std::uint64_t grid_barriers = 0;               ///< of these, those for all blocks of the launch
  std::uint64_t warp_operations = 0;             ///< likewise, counted once a warp
  double tensor_flops = 0.0;                     ///< likewise: runs::LaunchCounters::tensor_flops
  double mma_operations = 0.0;                   ///< warp operations that its mma.sync amount to
  std::uint64_t fences = 0;                      ///< that blocks need to signal each other
  std::uint32_t clocks[kMaxThreads][kWarpSize];  ///< vector clocks: what a thread knows of its warp's lanes
  std::uint32_t lowest_shared = 0;     ///< the lowest address of shared memory that this launch has asked for
  void* tile_slots[kMaxThreads] = {};  ///< by thread, what it brings to its tile (workbook_sim_tile_slots())

  // Of the launch's other workers (launch_watch.h).
  std::uint64_t idle_at = 0;                  ///< LaunchWatch::changes() at which no thread could go on
  std::atomic<bool> waiting_for_team{false};  ///< the whole block, for the phase below
  std::atomic<std::uint64_t> team_phase{0};

  // Read by the watchdog (watchdog.h), which may run on another core.
  std::atomic<std::uint64_t> slices{0};    ///< switches from thread to thread
  std::atomic<std::uint64_t> progress{0};  ///< exits, barriers passed and warp operations completed
  std::atomic<std::uint64_t> exits{0};     ///< of threads
  std::atomic<bool> busy{false};           ///< inside run_block()
  std::atomic<bool> stuck{false};          ///< no progress for too long: the block is to be ended
  std::atomic<std::int64_t> pause_ns{0};   ///< how long it is to sleep at each tick
  std::atomic<bool> paused{false};         ///< sleeps now

 private:
  friend struct FiberEntry;
  bool run_rows();
  void leave_row();
  void begin_in_round();
  bool pass_to_other_fiber(std::uint32_t from);
  bool ends_in_round();
  void hand_on_at_end();
  void begin_round(std::uint32_t from);
  void leave_round();
  void count_ended(std::uint32_t first);
  void finish(SimThread& t);
  void let_others_go(std::uint32_t warp);
  bool group_waits(std::uint32_t warp) const;
  void let_group_go(std::uint32_t warp);
  void run_threads_here();
  void leave(void*& save);
  void switch_away(SimThread& t);
  void make_current(SimThread* t);
  void release_barrier();
  bool try_complete_warp(std::uint32_t warp);
  bool try_complete_group(std::uint32_t warp, std::uint32_t lane);
  void complete_warp(std::uint32_t warp, std::uint32_t lanes, std::uint32_t mask);
  bool has_met_group(std::uint32_t warp) const;
  bool try_complete_warp_group(std::uint32_t warp);
  void complete_warp_group(std::uint32_t warp);
  void tell_exchange(std::uint32_t warp, std::uint32_t lanes) const;
  bool resolve_stall();
  bool resolve_converging();
  void release_logs();
  void pass_turn();
  void start(std::uint32_t linear);
  void start_running(std::uint32_t linear);  ///< in the midst of it
  void push_ready(SimThread* t) { ready_.insert(t->linear); }
  void begin_slice() { slices.store(slices.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
  void made_progress() {
    idle_yields_ = 0;
    progress.store(progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  Fiber* idle_fiber();

  std::vector<SimThread> threads_;
  SimThread any_thread_;                  ///< current in a row or a round
  ThreadRow* row_ = nullptr;              ///< the row that runs; null: none does
  bool tries_rows_ = false;               ///< no thread of the launch has asked for the engine yet
  bool in_round_ = false;                 ///< threads go from barrier to barrier in order
  std::uint32_t in_turn_ = 0;             ///< of a round: who runs
  std::uint32_t ended_ = 0;               ///< of a round: those before it have ended, so many
  void* contexts_[kMaxThreads + 1] = {};  ///< where threads wait
  std::vector<std::byte> signal_stack_;
  Warp warps_[kMaxWarps];
  std::vector<Fiber*> fibers_, idle_;
  Fiber* active_ = nullptr;
  void* main_context_ = nullptr;
  ThreadSet ready_, waiting_;        ///< can go on; wait at the block's barrier
  std::uint32_t cursor_ = 0;         ///< the next ready thread is the first from here on
  std::int64_t yes_ = 0;             ///< predicates that were not 0, of those that wait
  std::int64_t barrier_result_ = 0;  ///< of the latest barrier: every thread reads it before the next
  uint3 next_index_{};               ///< of thread next_
  std::uint32_t count_ = 0, next_ = 0, alive_ = 0, at_barrier_ = 0, at_log_ = 0;
  Pc barrier_pc_ = 0;                   ///< of the first thread at the barrier
  bool barriers_differ_ = false;        ///< others have come from elsewhere since
  std::uint32_t cluster_waiting_ = 0;   ///< threads in cluster_wait()
  std::uint32_t cluster_early_ = 0;     ///< of these, threads that wait for threads of their own block
  std::uint32_t cluster_arrived_ = 0;   ///< threads of the block since its last arrival
  std::uint64_t cluster_phase_ = 0;     ///< the block's latest arrival
  std::uint64_t cluster_arrivals_ = 0;  ///< of the block
  std::uint32_t idle_yields_ = 0;       ///< yields since the last progress
  std::uint32_t alone_ = 0;             ///< yields with no other thread to go on, since the last turn
  bool overtaken_ = false;              ///< let_others_begin() was called in this block
  bool compared_ = false;               ///< let_others_compare(), likewise
  std::vector<Pc> looks_;               ///< comes_too_early(), of this block
  std::uint32_t preempted_ = 0;         ///< slices that ended with no thread's exit, since the last turn
  bool team_barrier_ = false;           ///< the barrier that is being gathered is the team's
  std::uint64_t block_linear_ = 0;
};

/// The worker of this OS thread; null on threads that run no kernels.
extern constinit thread_local Worker* this_worker;

/// The worker that runs the calling kernel thread. `what` names the call for the message that ends the
/// program when host code makes it.
Worker& running_worker(const char* what);
/// The same for calls that neither wait nor ask which thread it is that calls.
Worker& calling_worker(const char* what);

/// While one exists the hooks stay silent: engine code may run instrumented template instances that the
/// linker took from the learner's object.
class EngineScope {
 public:
  EngineScope() : saved_(this_worker->current) { this_worker->current = nullptr; }
  ~EngineScope() { this_worker->current = saved_; }
  EngineScope(const EngineScope&) = delete;
  EngineScope& operator=(const EngineScope&) = delete;

 private:
  SimThread* saved_;
};

uint3 unflatten(std::uint64_t linear, uint3 extent);

}  // namespace workbook::sim
