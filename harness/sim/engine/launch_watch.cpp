#include "launch_watch.h"

#include <algorithm>
#include <utility>

#include "team.h"

namespace workbook::sim {

LaunchWatch& LaunchWatch::get() {
  static LaunchWatch* const instance = new LaunchWatch;  // workers outlive every destructor
  return *instance;
}

void LaunchWatch::begin(std::uint64_t blocks) {
  const std::lock_guard lock(mutex_);
  workers_.clear();
  loops_.clear();
  blocks_ = blocks;
  taken_ = ended_ = 0;
  ending_ = told_ = false;
  confirming_ = waiting_ = not_begun_ = 0;
  changed();
}

void LaunchWatch::join(Worker& worker) {
  const std::lock_guard lock(mutex_);
  worker.idle_at = 0;
  workers_.push_back(&worker);
  changed();
}

std::uint64_t LaunchWatch::take(std::uint64_t n, std::uint64_t& first) {
  first = taken_;
  while (first < blocks_) {
    n = std::min(n, blocks_ - first);
    if (taken_.compare_exchange_weak(first, first + n)) return n;
  }
  return 0;
}

void LaunchWatch::idle(Worker& worker, std::uint64_t at, bool more_can_begin) {
  const std::lock_guard lock(mutex_);
  if (at != changes()) return;
  worker.idle_at = at;
  if (more_can_begin || ending_) return;
  const std::uint64_t active = taken_ - ended_;
  const auto quiet = [&](const Worker* w) {
    return w->idle_at == at || (w->waiting_for_team && !w->team->is_done(w->team_phase));
  };
  if (static_cast<std::uint64_t>(std::count_if(workers_.begin(), workers_.end(), quiet)) < active) return;
  // What synchronisation objects do to memory goes unseen: every thread has to show once more that it goes
  // round, from a moment on at which all did.
  if (confirming_ != at) {
    changed();
    confirming_ = changes();
    return;
  }
  waiting_ = active;
  not_begun_ = blocks_ - std::min<std::uint64_t>(taken_, blocks_);
  why_ = EndlessLoop::Why::nothing_changes;
  ending_ = true;
}

bool LaunchWatch::end(EndlessLoop::Why why) {
  const std::lock_guard lock(mutex_);
  if (ending_) return false;
  why_ = why;
  waiting_ = taken_ - ended_;
  ending_ = true;
  return true;
}

bool LaunchWatch::end_in_time() {
  if (ended_ >= taken_ || ending_) return false;
  why_ = EndlessLoop::Why::time_over;
  waiting_ = taken_ - ended_;
  ending_ = true;
  return true;
}

void LaunchWatch::add(EndlessLoop loop) {
  const std::lock_guard lock(mutex_);
  loops_.push_back(std::move(loop));
}

std::vector<EndlessLoop> LaunchWatch::take_loops() {
  const std::lock_guard lock(mutex_);
  std::sort(loops_.begin(), loops_.end(),
            [](const EndlessLoop& a, const EndlessLoop& b) { return a.block < b.block; });
  for (EndlessLoop& loop : loops_) loop.waiting = waiting_, loop.not_begun = not_begun_;
  return std::exchange(loops_, {});
}

}  // namespace workbook::sim
