#include "rounds.h"

#include <utility>

namespace workbook::sim {

void Worker::settle() {
  if (row_ != nullptr)
    leave_row();
  else
    leave_round();
}

/// The first `first` threads of the block have ended, and none of these has been counted.
void Worker::count_ended(std::uint32_t first) {
  alive_ -= first;
  exits.store(exits.load(std::memory_order_relaxed) + first, std::memory_order_relaxed);
  made_progress();
  if (alive_ == 0) return;  // nobody asks
  for (std::uint32_t i = 0; i < first; ++i) threads_[i].status = Status::exited;
  for (std::uint32_t w = 0; w * kWarpSize < first; ++w) {
    const std::uint32_t lanes = first - w * kWarpSize;
    warps_[w].alive &= lanes >= kWarpSize ? 0u : ~0u << lanes;
  }
}

// True when all threads of the block have run to their ends; else the current one has, and others are left.
bool Worker::run_rows() {
  const uint3 block = launch->block;
  ThreadRow row{block.x, block.x, &::threadIdx.x};
  row_ = &row;
  running = &any_thread_;
  for (std::uint32_t z = 0; z < block.z; ++z)
    for (std::uint32_t y = 0; y < block.y; ++y) {
      ::threadIdx = {0, y, z};
      begin_slice();
      current = &any_thread_;  // last: from here on the watchdog may interrupt
      launch->kernel->signature->call_row(launch->kernel->function, launch->kernel->arguments, row);
      if (row_ != &row) return false;
      current = nullptr;
    }
  row_ = nullptr;
  next_ = count_;
  count_ended(count_);
  return true;
}

void Worker::leave_row() {
  const uint3 at = ::threadIdx, block = launch->block;
  std::exchange(row_, nullptr)->limit = at.x + 1;
  tries_rows_ = false;
  next_ = at.x + block.x * (at.y + block.y * at.z);
  next_index_ = at;
  count_ended(next_);
  start_running(next_++);
}

/// The next thread begins, on the running fiber.
void Worker::begin_in_round() {
  in_turn_ = next_++;
  threads_[in_turn_].fiber = active_;
  ::threadIdx = next_index_;
  advance(next_index_, launch->block);
  running = &any_thread_;
  current = &any_thread_;
}

/// The last thread that has begun is at the barrier: another begins, or the first goes on.
bool Worker::pass_to_other_fiber(std::uint32_t from) {
  if (next_ < count_) {
    active_ = idle_fiber();
    switch_to(contexts_[from], active_->context);
    return true;
  }
  if (stuck.load(std::memory_order_relaxed)) return false;
  ++epoch;
  ++barriers;
  made_progress();
  begin_round(from);
  return true;
}

// All threads wait at the barrier; `from`, which was the last to come, still runs.
void Worker::begin_round(std::uint32_t from) {
  in_turn_ = 0;
  ::threadIdx = {0, 0, 0};
  begin_slice();
  running = &any_thread_;
  current = &any_thread_;
  if (from != 0) switch_to(contexts_[from], contexts_[0]);
}

/// The running thread has returned, as all before it have since the last barrier: nothing waits for it.
bool Worker::ends_in_round() {
  if (!knows_place_only() || row_ != nullptr || next_ < count_ || ended_ != in_turn_) return false;
  in_round_ = false;  // whoever comes to a barrier now finds that others are gone
  ++ended_;
  active_ = threads_[in_turn_].fiber;
  return true;
}

/// After that, the last step on its fiber.
void Worker::hand_on_at_end() {
  void*& context = active_->context;
  if (ended_ == count_) {
    current = nullptr;
    count_ended(std::exchange(ended_, 0));
    return leave(context);
  }
  advance(::threadIdx, launch->block);
  ++in_turn_;
  switch_to(context, contexts_[in_turn_]);
}

void Worker::leave_round() {
  in_round_ = false;
  uint3 index{0, 0, 0};
  for (std::uint32_t i = 0; i < next_; ++i, advance(index, launch->block)) {
    SimThread& t = threads_[i];
    t.index = index;
    t.wait_pc = 0;
    t.killed = t.at_cluster = false;
    if (i < ended_ || i == in_turn_) continue;
    const bool came = i < in_turn_;
    t.status = came ? Status::at_barrier : Status::ready;
    (came ? waiting_ : ready_).insert(i);
  }
  at_barrier_ = in_turn_ - ended_;
  count_ended(std::exchange(ended_, 0));
  cursor_ = in_turn_ + 1;
  active_ = threads_[in_turn_].fiber;
  make_current(&threads_[in_turn_]);
}

}  // namespace workbook::sim
