// Runs one block: starts its threads one after another, parks those that wait, and wakes them in order.
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "engine.h"
#include "fiber.h"
#include "launch.h"
#include "loop_watch.h"
#include "rounds.h"
#include "sim/source/symbols.h"
#include "team.h"
#include "turns.h"
#include "watchdog.h"

// The variables behind threadIdx and its kin, which kernels see as const.
constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local uint3 blockDim{};
constinit thread_local uint3 gridDim{};

namespace workbook::sim {

namespace {
constexpr std::size_t kSignalStackBytes = 256 * 1024;  // debug information is read on it
}

constinit thread_local Worker* this_worker = nullptr;

namespace {

/// Shared memory starts undefined in every block: NaN.
void clear_shared_memory(const Launch& launch) {
  const std::uintptr_t base = thread_local_base();
  for (const auto& v : shared_variables())
    std::memset(reinterpret_cast<void*>(base + v.offset), 0xff, v.dynamic ? launch.dynamic_shared : v.bytes);
  for (const auto& v : shared_of_engine())
    std::memset(reinterpret_cast<void*>(base + v.offset), 0xff, v.bytes);
}

}  // namespace

uint3 unflatten(std::uint64_t linear, uint3 extent) {
  return {static_cast<unsigned>(linear % extent.x), static_cast<unsigned>(linear / extent.x % extent.y),
          static_cast<unsigned>(linear / (std::uint64_t{extent.x} * extent.y))};
}

void Worker::make_current(SimThread* t) {
  t->status = Status::running;
  ::threadIdx = t->index;
  begin_slice();
  if (events && running != t) {
    if (running != nullptr) running->reach = workbook_sim_reach;
    workbook_sim_reach = t->reach;
  }
  running = t;
  current = t;  // last: from here on the watchdog may interrupt
}

// Inlined into meet(), its caller where it counts.
// Leaves the running stack, noting in `save` where, for the next thread that can run; returns when resumed.
// The next thread is current before the switch: the watchdog minds only what it finds in the learner's own
// code.
inline void Worker::leave(void*& save) {
  if (!ready_.empty()) {
    SimThread& next = threads_[ready_.take_from(cursor_)];
    cursor_ = next.linear + 1;
    // Its neighbour most likely comes after it: fetching that one's stack takes as long as running this one.
    __builtin_prefetch(contexts_[cursor_ % kMaxThreads]);
    make_current(&next);
    void*& context = contexts_[next.linear];
    if (&context == &save) return;
    active_ = next.fiber;
    switch_to(save, context);
  } else if (next_ < count_) {
    Fiber* const self = active_;
    active_ = idle_fiber();
    if (active_ != self) switch_to(save, active_->context);
  } else if (&save != &main_context_) {
    active_ = nullptr;
    switch_to(save, main_context_);
  }
}

struct FiberEntry {
  static void run() {
    for (;;) {
      Worker& worker = *this_worker;
      worker.run_threads_here();
      worker.idle_.push_back(worker.active_);
      if (worker.ended_ > 0)
        worker.hand_on_at_end();
      else
        worker.leave(worker.active_->context);
    }
  }
};

Worker::Worker() : threads_(kMaxThreads), signal_stack_(kSignalStackBytes) {
  for (std::uint32_t i = 0; i < kMaxThreads; ++i) threads_[i].linear = i;
  // So that a thread whose stack is full can still be reported. The main thread may have one already.
  stack_t before{};
  sigaltstack(nullptr, &before);
  if (before.ss_flags & SS_DISABLE) {
    stack_t own{};
    own.ss_sp = signal_stack_.data();
    own.ss_size = signal_stack_.size();
    sigaltstack(&own, nullptr);
  }
  std::memset(clocks, 0, sizeof clocks);
  if (workbook_sim_is_diagnosing()) {
    events = look_on(*this);
    loops = std::make_unique<LoopWatch>(*this);
  }
  watch(*this);
}

Worker::~Worker() {
  stack_t now{};
  sigaltstack(nullptr, &now);
  if (now.ss_sp == signal_stack_.data()) {
    now.ss_flags = SS_DISABLE;
    sigaltstack(&now, nullptr);
  }
  unwatch(*this);
  for (Fiber* fiber : fibers_) destroy_fiber(fiber);
}

void Worker::begin_launch(const Launch& l) {
  stuck = false;
  fences = 0;
  lowest_shared = ~0u;
  tries_rows_ = events == nullptr && l.kernel->signature->call_row != nullptr;
  if (events) events->begin_launch(l);
}

void Worker::run_block(const Launch& l, std::uint64_t block_linear) {
  launch = &l;
  block_linear_ = block_linear;
  count_ = alive_ = l.block_threads;
  next_ = at_barrier_ = at_log_ = 0;
  ready_.clear();
  waiting_.clear();
  cursor_ = 0;
  yes_ = 0;
  next_index_ = {0, 0, 0};
  team_barrier_ = overtaken_ = compared_ = rechecks = false;
  looks_.clear();
  cluster_arrived_ = cluster_waiting_ = cluster_early_ = 0;
  waiting_for_team = false;
  in_round_ = events == nullptr && team == nullptr && !tries_rows_ && count_ > 1;
  ended_ = 0;
  cluster_phase_ = cluster_arrivals_ = 0;
  ++epoch;
  ++block_serial;
  for (std::uint32_t w = 0; w * kWarpSize < count_; ++w) {
    const std::uint32_t lanes = count_ - w * kWarpSize;
    warps_[w] = {lanes >= kWarpSize ? ~0u : (1u << lanes) - 1u, 0};
  }
  ::gridDim = l.grid;
  ::blockDim = l.block;
  ::blockIdx = unflatten(block_linear, l.grid);
  stuck = false;
  clear_shared_memory(l);
  alone_ = preempted_ = 0;
  checked_blocks += l.checks(block_linear);
  if (events) events->begin_block(), loops->begin_block();
  if (team != nullptr) team->begin();
  exits.store(exits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  made_progress();
  busy = true;
  do {
    active_ = nullptr;
    leave(main_context_);
  } while (alive_ > 0 && resolve_stall());
  busy = false;
  if (events) events->end_block();
  if (team != nullptr) team->leave(*this);
  if (events) LaunchWatch::get().block_ended();
}

[[gnu::always_inline]] inline void Worker::start(std::uint32_t linear) {
  SimThread& t = threads_[linear];
  t.fiber = active_;
  t.index = next_index_;
  t.wait_pc = 0;
  t.barriers = 0;
  t.killed = t.at_cluster = false;
  if (events) {
    t.last_pc = 0;
    t.warp_base = gid(t) - linear % kWarpSize;
    t.steps = t.limited_work = 0;
    t.fence_clock = t.far_clock = 0;
    t.narrow = t.loads = t.replaces = false;
    if (t.syncs != 0) {
      std::fill(std::begin(t.synced), std::end(t.synced), SyncedObject{});
      t.syncs = t.syncs_pending = 0;
    }
  }
  if (team != nullptr) t.cluster_arrivals = 0;
  advance(next_index_, launch->block);
  make_current(&t);
  if (events) workbook_sim_reach = 0;
}

void Worker::start_running(std::uint32_t linear) { start(linear); }

[[gnu::always_inline]] inline void Worker::finish(SimThread& t) {
  t.status = Status::exited;
  --alive_;
  exits.store(exits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  made_progress();
  preempted_ = 0;
  if (loops) loops->thread_exited();
  const std::uint32_t number = t.linear / kWarpSize;
  Warp& warp = warps_[number];
  warp.alive &= ~(1u << (t.linear % kWarpSize));
  if (at_barrier_ != 0 || warp.waiting != 0) let_others_go(number);
  if (warp.alive == 0 && group_waits(number)) [[unlikely]]
    let_group_go(number);
  if (cluster_arrived_ != 0) arrive_if_all_came();
}

/// Those that waited for the thread which has ended, of that warp.
[[gnu::noinline]] void Worker::let_others_go(std::uint32_t warp) {
  if (alive_ > 0 && at_barrier_ == alive_) release_barrier();
  while (warps_[warp].waiting != 0 && try_complete_warp(warp)) {
  }
}

/// Whether another warp of the same warp group waits for it.
[[gnu::noinline]] bool Worker::group_waits(std::uint32_t warp) const {
  const std::uint32_t first = warp / kGroupWarps * kGroupWarps;
  for (std::uint32_t other = first; other < first + kGroupWarps; ++other)
    if (has_met_group(other)) return true;
  return false;
}

/// Of the warp group, those that have come: not all of its warps will.
[[gnu::noinline]] void Worker::let_group_go(std::uint32_t warp) {
  const std::uint32_t first = warp / kGroupWarps * kGroupWarps;
  if (events) {
    std::uint32_t came = 0;
    for (std::uint32_t w = 0; w < kGroupWarps; ++w) came |= std::uint32_t{has_met_group(first + w)} << w;
    const std::uint32_t one = first + static_cast<std::uint32_t>(__builtin_ctz(came));
    events->see_group_part(threads_[one * kWarpSize], came);
  }
  complete_warp_group(first);
}

// Starts threads on this fiber until one that started earlier can go on; a thread that has to wait inside
// invoke() comes back here only when it has been resumed and has returned.
void Worker::run_threads_here() {
  const auto finish_current = [this] {
    if (knows_place_only()) settle();
    SimThread* const done = current;
    current = nullptr;
    finish(*done);
  };
  const bool in_rows = next_ == 0 && tries_rows_;
  if (in_rows && !run_rows()) finish_current();
  // One at least: a thread that gave way may be waiting for one that has not begun.
  for (bool first = !in_rows; next_ < count_ && (first || ready_.empty()); first = false) {
    if (in_round_)
      begin_in_round();
    else
      start(next_++);
    launch->kernel->run();
    if (ends_in_round()) return;
    finish_current();
  }
}

Fiber* Worker::idle_fiber() {
  if (idle_.empty()) {
    fibers_.push_back(create_fiber(&FiberEntry::run));
    return fibers_.back();
  }
  Fiber* fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

void Worker::switch_away(SimThread& t) { leave(contexts_[t.linear]); }

namespace {

thread_local Fiber abandoned;  // stands for a fiber whose frames are never resumed
}

void Worker::kill_current() {
  SimThread& t = *current;
  current = nullptr;
  t.killed = true;
  Fiber* const fiber = t.fiber;
  finish(t);
  // The next switch into this fiber starts its loop afresh.
  active_ = &abandoned;
  fiber->abandoned = true;
  reset_fiber(*fiber, &FiberEntry::run);
  idle_.push_back(fiber);
  leave(abandoned.context);
  std::abort();
}

void Worker::kill_block() {
  current = nullptr;
  for (std::uint32_t i = 0; i < next_; ++i) {
    SimThread& t = threads_[i];
    if (t.status == Status::exited) continue;
    t.status = Status::exited;
    t.killed = true;
    t.fiber->abandoned = true;
    reset_fiber(*t.fiber, &FiberEntry::run);
    idle_.push_back(t.fiber);
  }
  next_ = count_;
  alive_ = at_barrier_ = at_log_ = 0;
  ready_.clear();
  waiting_.clear();
  for (Warp& warp : warps_) warp = {};
  active_ = &abandoned;
  leave(abandoned.context);
  std::abort();
}

[[gnu::always_inline]] inline void Worker::meet(Pc pc, int predicate, bool of_team) {
  SimThread& t = *current;
  current = nullptr;
  t.wait_pc = pc;
  t.status = Status::at_barrier;
  ++t.barriers;
  waiting_.insert(t.linear);
  if (at_barrier_ == 0) barrier_pc_ = pc, barriers_differ_ = false;
  barriers_differ_ = barriers_differ_ || pc != barrier_pc_;
  yes_ += predicate != 0;
  team_barrier_ = team_barrier_ || of_team;
  if (++at_barrier_ == alive_) {
    release_barrier();
    if (in_round_) return begin_round(t.linear);
  }
  leave(contexts_[t.linear]);  // as the last step, so that a waiting thread keeps no frame of the engine
}

void Worker::barrier(Pc pc, int predicate, bool of_team) { meet(pc, predicate, of_team); }

[[gnu::noinline]] void Worker::release_barrier() {
  if (stuck.load(std::memory_order_relaxed)) end_stuck_block(*this, running->wait_pc);
  if (events) events->pass_barrier();
  if (std::exchange(team_barrier_, false) && team != nullptr) {
    ++grid_barriers;
    team->wait(*this);
    if (const unsigned int missed = launch->cooperative && events ? team->missed() : 0; missed > 0)
      for (std::uint32_t i = 0; i < count_; ++i)
        if (threads_[i].status == Status::at_barrier) {
          events->see_short_grid(threads_[i], missed);
          break;
        }
  }
  barrier_result_ = std::exchange(yes_, 0) | std::int64_t{at_barrier_}
                                                 << 32;  // how many said yes, and of how many
  in_round_ = events == nullptr && team == nullptr && at_barrier_ == count_ && count_ > 1;
  if (in_round_)
    waiting_.clear();
  else
    ready_.take_all(waiting_);
  at_barrier_ = 0;
  ++epoch;
  ++barriers;
  made_progress();
}

// The block arrives with its last thread.
void Worker::cluster_arrive() {
  SimThread& t = *current;
  ++t.cluster_arrivals;
  if (loops) loops->changed();
  ++cluster_arrived_;
  arrive_if_all_came();
}

/// Threads that have ended are not waited for, and those that arrived before they ended are not counted
/// twice.
void Worker::arrive_if_all_came() {
  if (alive_ == 0 || cluster_arrived_ < alive_) return;
  for (std::uint32_t i = 0; i < count_; ++i)
    if (i >= next_ ||
        (threads_[i].status != Status::exited && threads_[i].cluster_arrivals <= cluster_arrivals_))
      return;
  cluster_arrived_ = 0;
  ++cluster_arrivals_;
  if (team == nullptr) return;
  ++cluster_barriers;
  cluster_phase_ = team->arrive(*this);
}

// All threads of the block wait, some for its barrier and some for the cluster's, and the block has not come
// to that: nobody else can let them go.
void Worker::end_uneven_cluster(const SimThread& t) {
  if (events)
    for (std::uint32_t i = 0; i < count_; ++i)
      if (threads_[i].status == Status::at_barrier) {
        events->see_uneven_cluster(t, threads_[i]);
        break;
      }
  abort_launch(cudaErrorLaunchTimeout);
  kill_block();  // the others of the cluster go on without it, and find the same of themselves
}

void Worker::cluster_wait(Pc pc) {
  constexpr std::uint64_t kNever = ~std::uint64_t{0};  // what the block's own threads have to do first
  SimThread& t = *current;
  const std::uint64_t mine = t.cluster_arrivals;
  t.wait_pc = pc;
  const auto wait_until = [&](std::uint64_t phase, auto&& done) {
    t.at_cluster = true;
    ++cluster_waiting_;
    cluster_early_ += phase == kNever;
    team_phase = phase;
    while (!done()) {
      if (LaunchWatch::get().ending()) kill_block();
      if (phase == kNever && at_barrier_ > 0 && next_ == count_ && cluster_early_ + at_barrier_ >= alive_)
        end_uneven_cluster(t);
      waiting_for_team = team != nullptr && cluster_waiting_ + at_barrier_ >= alive_;
      yield();
    }
    waiting_for_team = false;
    --cluster_waiting_;
    cluster_early_ -= phase == kNever;
    t.at_cluster = false;
  };
  wait_until(kNever, [&] { return cluster_arrivals_ >= mine; });
  if (team == nullptr) return;
  wait_until(cluster_phase_, [&] { return team->is_done(cluster_phase_); });
  team->learn(*this);
}

// Lets the other blocks of the launch go on.
void Worker::pass_turn() {
  alone_ = preempted_ = 0;
  if (turns != nullptr)
    turns->pass(*this);
  else if (launch->parallel)
    std::this_thread::yield();
}

void Worker::let_others_begin() {
  constexpr std::uint64_t kBlocks = 16;  // each keeps an OS thread
  if (turns == nullptr || current == nullptr || block_linear_ >= kBlocks || std::exchange(overtaken_, true))
    return;
  SimThread* const t = std::exchange(current, nullptr);
  turns->overtake(*this);
  current = t;
}

bool Worker::comes_too_early(Pc pc) {
  if (std::find(looks_.begin(), looks_.end(), pc) != looks_.end()) return false;
  const EngineScope scope;
  looks_.push_back(pc);
  return true;
}

void Worker::let_others_compare() {
  if (!std::exchange(compared_, true)) yield();
}

void Worker::let_others_pass() {
  if (!std::exchange(compared_, true)) wait_for_log();
}

bool Worker::begin_another_block() {
  if (turns != nullptr) return turns->begin_another();
  return team == nullptr && more_workers();
}

void Worker::preempt(bool idle) {
  constexpr std::uint32_t kSlices = 64;
  if (idle || ++preempted_ >= kSlices) {
    SimThread* const t = std::exchange(current, nullptr);
    if (!idle && team == nullptr && turns == nullptr) more_workers();
    pass_turn();
    current = t;
  }
  yield();
}

void Worker::yield() {
  // To give the processor to other OS threads may take long on a busy machine: not every time.
  const std::uint32_t enough = turns != nullptr ? 4 : 256;
  SimThread* const t = current;
  if (stuck.load(std::memory_order_relaxed)) end_stuck_block(*this, t->last_pc);
  current = nullptr;
  // Threads that only spin must not keep those waiting that are let go when nothing else can run.
  if (++idle_yields_ > 4 * count_) {
    idle_yields_ = 0;
    if (at_log_ > 0) release_logs();
    resolve_converging();
    pass_turn();
  }
  if (ready_.empty() && next_ >= count_) {
    if (++alone_ >= enough) pass_turn();
    current = t;
    return;
  }
  t->status = Status::ready;
  push_ready(t);
  if (next_ == count_) return switch_away(*t);
  active_ = idle_fiber();
  switch_to(contexts_[t->linear], active_->context);
}

void Worker::wait_for_log() {
  SimThread* const t = current;
  current = nullptr;
  t->status = Status::at_log;
  ++at_log_;
  switch_away(*t);
}

void Worker::release_logs() {
  events->flush_logs();
  for (std::uint32_t i = 0; i < count_; ++i) {
    SimThread& t = threads_[i];
    if (t.status != Status::at_log) continue;
    t.status = Status::ready;
    push_ready(&t);
  }
  at_log_ = 0;
}

std::uint32_t Worker::converged_lanes(Pc pc) {
  SimThread& t = *current;
  current = nullptr;
  t.wait_pc = pc;
  t.status = Status::at_converge;
  switch_away(t);
  return static_cast<std::uint32_t>(t.result);
}

// Lanes of one warp that ask at the same place run together.
bool Worker::resolve_converging() {
  bool any = false;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (threads_[i].status != Status::at_converge) continue;
    any = true;
    const Pc place = threads_[i].wait_pc;
    const std::uint32_t end = std::min(count_, (i / kWarpSize + 1) * kWarpSize);
    std::uint32_t lanes = 0;
    for (std::uint32_t k = i; k < end; ++k)
      if (threads_[k].status == Status::at_converge && threads_[k].wait_pc == place)
        lanes |= 1u << (k % kWarpSize);
    for (std::uint32_t k = i; k < end; ++k) {
      if (!(lanes >> (k % kWarpSize) & 1u)) continue;
      threads_[k].result = lanes;
      threads_[k].status = Status::ready;
      push_ready(&threads_[k]);
    }
  }
  return any;
}

// Nothing can run and threads are left. Those that only gave way go on; then the lanes that asked who runs
// with them; and last warp operations that wait for lanes which wait elsewhere: the lanes that did come are
// let through, after a finding.
bool Worker::resolve_stall() {
  if (at_log_ > 0) {
    release_logs();
    return true;
  }
  if (resolve_converging()) return true;
  for (std::uint32_t w = 0; w * kWarpSize < count_; ++w) {
    if (warps_[w].waiting == 0) continue;
    if (has_met_group(w)) {
      let_group_go(w);
      return true;
    }
    // Of several groups the one that asks for the fewest: the others may be whole once it has gone on.
    std::uint32_t mask = ~0u;
    for (std::uint32_t rest = warps_[w].waiting; rest != 0; rest &= rest - 1) {
      const std::uint32_t asked =
          threads_[w * kWarpSize + static_cast<std::uint32_t>(__builtin_ctz(rest))].mask;
      if (__builtin_popcount(asked) < __builtin_popcount(mask)) mask = asked;
    }
    std::uint32_t group = 0;
    for (std::uint32_t i = 0; i < kWarpSize; ++i)
      if ((warps_[w].waiting >> i & 1u) && threads_[w * kWarpSize + i].mask == mask) group |= 1u << i;
    if (events) events->see_stuck_warp(w, group, mask);
    complete_warp(w, group, mask);
    return true;
  }
  return false;
}

// Apart, so that a round's barrier saves no registers.
[[gnu::noinline]] static void meet_all(Pc pc) { running_worker("__syncthreads()").meet(pc, 0, false); }

}  // namespace workbook::sim

// Here, and not with the other calls of kernels, because all of it is inlined: nothing is called more often.
extern "C" void workbook_sim_syncthreads() {
  using namespace workbook::sim;
  if (Worker* const worker = this_worker; worker == nullptr || !worker->pass_in_round())
    meet_all(WORKBOOK_PC);
}
