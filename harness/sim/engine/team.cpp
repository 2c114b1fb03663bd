#include "team.h"

#include "engine.h"
#include "launch_watch.h"

namespace workbook::sim {

void Team::join(unsigned int rank, std::uintptr_t tls_base) {
  std::unique_lock lock(mutex_);
  tls_bases_[rank] = tls_base;
  workers_[rank] = this_worker;
  if (++joined_ == size()) changed_.notify_all();
  changed_.wait(lock, [&] { return joined_ == size(); });
}

void Team::begin() {
  std::unique_lock lock(mutex_);
  if (++begun_ == size()) changed_.notify_all();
  changed_.wait(lock, [&] { return begun_ == size(); });
}

void Team::complete_if_all_came() {
  if (arrived_ < present_ || arrived_ == 0) return;
  arrived_ = 0;
  missed_ = size() - present_;
  ++phase_;
  complete_ = std::move(arriving_);
  arriving_ = std::make_shared<TeamEpochs>();
  changed_.notify_all();
}

std::uint64_t Team::arrive(Worker& worker) {
  const EngineScope scope;  // what is allocated here is not of the device's heap
  const std::lock_guard lock(mutex_);
  (*arriving_)[static_cast<std::uint32_t>(worker.block_linear())] = ++worker.epoch;
  const std::uint64_t mine = phase_ + 1;
  ++arrived_;
  complete_if_all_came();
  return mine;
}

bool Team::is_done(std::uint64_t phase) {
  const std::lock_guard lock(mutex_);
  return phase_ >= phase;
}

void Team::learn(Worker& worker) {
  const EngineScope scope;
  const std::lock_guard lock(mutex_);
  if (worker.events) worker.events->pass_team_barrier(complete_);
}

void Team::wait(Worker& worker) {
  const std::uint64_t phase = arrive(worker);
  worker.team_phase = phase;
  worker.waiting_for_team = true;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return phase_ >= phase; });
  }
  LaunchWatch::get().changed();
  worker.waiting_for_team = false;
  learn(worker);
}

unsigned int Team::missed() {
  const std::lock_guard lock(mutex_);
  return missed_;
}

void Team::leave(Worker& worker) {
  (void)worker;
  const std::lock_guard lock(mutex_);
  --present_;
  complete_if_all_came();
}

}  // namespace workbook::sim
