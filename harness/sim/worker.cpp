// Runs one block: starts its threads one after another, parks those that wait, and wakes them in order.
#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>
#include <cstring>

#include "engine.h"
#include "fiber.h"
#include "observer.h"

// The variables behind threadIdx and its kin, which kernels see as const.
constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local uint3 blockDim{};
constinit thread_local uint3 gridDim{};

namespace workbook::sim {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::transfer_t;

constinit thread_local Worker* this_worker = nullptr;

uint3 unflatten(std::uint64_t linear, uint3 extent) {
  return {static_cast<unsigned>(linear % extent.x), static_cast<unsigned>(linear / extent.x % extent.y),
          static_cast<unsigned>(linear / (std::uint64_t{extent.x} * extent.y))};
}

struct FiberEntry {
  static void save_caller(transfer_t t) { *static_cast<fcontext_t*>(t.data) = t.fctx; }

  static void run(transfer_t t) {
    save_caller(t);
    for (;;) {
      Worker& worker = *this_worker;
      worker.run_threads_here();
      worker.idle_.push_back(worker.active_);
      worker.switch_away();
    }
  }
};

Worker::Worker() : threads_(kMaxThreads) { std::memset(clocks, 0, sizeof clocks); }

Worker::~Worker() {
  for (Fiber* fiber : fibers_) destroy_fiber(fiber);
}

void Worker::run_block(const Launch& l, std::uint64_t block_linear) {
  launch = &l;
  block_linear_ = block_linear;
  count_ = alive_ = l.block_threads;
  next_ = at_barrier_ = 0;
  ready_head_ = ready_tail_ = 0;
  epoch = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    SimThread& t = threads_[i];
    const std::uint32_t clock = t.clock;
    t = SimThread{};
    t.clock = clock;  // clocks only grow, so stale vector entries never look recent
    t.linear = i;
    t.index = unflatten(i, l.block);
  }
  for (std::uint32_t w = 0; w * kWarpSize < count_; ++w) {
    const std::uint32_t lanes = count_ - w * kWarpSize;
    warps_[w] = {lanes >= kWarpSize ? ~0u : (1u << lanes) - 1u, 0};
  }
  ::gridDim = l.grid;
  ::blockDim = l.block;
  ::blockIdx = unflatten(block_linear, l.grid);
  observe_block_begin(*this);
  do {
    active_ = nullptr;
    switch_away();
  } while (alive_ > 0 && resolve_deadlock());
  observe_block_end(*this);
}

void Worker::make_current(SimThread* t) {
  current = running = t;
  t->status = Status::running;
  ::threadIdx = t->index;
}

// Starts threads on this fiber until one that started earlier can go on; a thread that has to wait inside
// invoke() comes back here only when it has been resumed and has returned.
void Worker::run_threads_here() {
  while (next_ < count_ && ready_head_ == ready_tail_) {
    SimThread& t = threads_[next_++];
    t.fiber = active_;
    make_current(&t);
    launch->kernel->invoke(launch->kernel->arguments);
    SimThread* const done = current;
    current = nullptr;
    finish(*done);
  }
}

void Worker::finish(SimThread& t) {
  t.status = Status::exited;
  --alive_;
  Warp& warp = warps_[t.linear / kWarpSize];
  warp.alive &= ~(1u << (t.linear % kWarpSize));
  if (alive_ > 0 && at_barrier_ == alive_) release_barrier();
  while (warp.waiting != 0 && try_complete_warp(t.linear / kWarpSize)) {
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

// Leaves the active fiber (or the main stack) for the next thread that can run; returns when resumed.
void Worker::switch_away() {
  Fiber* const self = active_;
  fcontext_t* const save = self ? &self->context : reinterpret_cast<fcontext_t*>(&main_context_);
  fcontext_t to = nullptr;
  if (ready_head_ != ready_tail_) {
    SimThread* next = ready_[ready_head_++ % kMaxThreads];
    make_current(next);
    active_ = next->fiber;
    if (active_ == self) return;
    to = active_->context;
  } else if (next_ < count_) {
    active_ = idle_fiber();
    if (active_ == self) return;
    to = active_->context;
  } else {
    if (self == nullptr) return;
    active_ = nullptr;
    to = reinterpret_cast<fcontext_t>(main_context_);
  }
  FiberEntry::save_caller(jump_fcontext(to, save));
}

void Worker::kill_current() {
  SimThread& t = *current;
  current = nullptr;
  t.killed = true;
  Fiber* const fiber = t.fiber;
  finish(t);
  // The next switch into this fiber starts its loop afresh, so the abandoned frames are never resumed.
  static thread_local Fiber abandoned;
  active_ = &abandoned;
  reset_fiber(*fiber, &FiberEntry::run);
  idle_.push_back(fiber);
  switch_away();
  std::abort();
}

std::int64_t Worker::barrier(Pc pc, int predicate) {
  SimThread& t = *current;
  current = nullptr;
  t.wait_pc = pc;
  t.predicate = predicate;
  t.status = Status::at_barrier;
  ++at_barrier_;
  if (at_barrier_ == alive_) release_barrier();
  switch_away();
  return t.result;
}

void Worker::release_barrier() {
  observe_barrier(*this);
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < count_; ++i)
    if (threads_[i].status == Status::at_barrier) sum += threads_[i].predicate != 0;
  const std::int64_t waiting = at_barrier_;
  for (std::uint32_t i = 0; i < count_; ++i) {
    SimThread& t = threads_[i];
    if (t.status != Status::at_barrier) continue;
    t.status = Status::ready;
    t.result = sum | (waiting << 32);  // how many said yes, and of how many
    ++t.barriers;
    push_ready(&t);
  }
  at_barrier_ = 0;
  ++epoch;
  ++barriers;
}

void Worker::yield() {
  // A thread that only ever yields is waiting for something that will not come: the parent's time limit
  // ends it and names the line.
  SimThread* t = current;
  if (ready_head_ == ready_tail_ && next_ >= count_) return;
  current = nullptr;
  t->status = Status::ready;
  push_ready(t);
  switch_away();
}

// Nothing can run and threads are left: warp operations that wait for lanes which wait elsewhere. The lanes
// that did come are let through, after a finding.
bool Worker::resolve_deadlock() {
  for (std::uint32_t w = 0; w * kWarpSize < count_; ++w) {
    if (warps_[w].waiting == 0) continue;
    const std::uint32_t lane = static_cast<std::uint32_t>(__builtin_ctz(warps_[w].waiting));
    const std::uint32_t mask = threads_[w * kWarpSize + lane].mask;
    std::uint32_t group = 0;
    for (std::uint32_t i = 0; i < kWarpSize; ++i)
      if ((warps_[w].waiting >> i & 1u) && threads_[w * kWarpSize + i].mask == mask) group |= 1u << i;
    observe_stuck_warp(*this, w, group, mask);
    complete_warp(w, group, mask);
    return true;
  }
  return false;
}

}  // namespace workbook::sim
