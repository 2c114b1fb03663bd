#include "ordering.h"

#include <algorithm>

namespace workbook::sim {
namespace {

void join(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& from) {
  if (into.size() < from.size()) into.resize(from.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

void join(Release& into, const Release& from) {
  into.block = from.block;
  into.epoch = std::max(into.epoch, from.epoch);
  join(into.clocks, from.clocks);
}

}  // namespace

ReleaseBoard& ReleaseBoard::get() {
  static auto& board = *new ReleaseBoard;
  return board;
}

void ReleaseBoard::clear() {
  released_.clear();
  any_ = false;
}

void ReleaseBoard::publish(std::uintptr_t object, const std::vector<Release>& releases) {
  std::lock_guard lock(mutex_);
  for (const Release& r : releases) join(released_[object][r.block], r);
  any_ = true;
}

void ReleaseBoard::forget(std::uintptr_t object) {
  std::lock_guard lock(mutex_);
  released_.erase(object);
}

void Ordering::block_begin() {
  any_ = false;
  known_.clear();
  others_.clear();
  team_epochs_ = nullptr;
  for (const std::uintptr_t object : shared_objects_) ReleaseBoard::get().forget(object);
  shared_objects_.clear();
}

void Ordering::fence() {
  SimThread& t = *worker_.running;
  t.fence_epoch = worker_.epoch;
  t.fence_clock = t.clock++;
}

void Ordering::release(std::uintptr_t object, bool shared) {
  const SimThread& t = *worker_.running;
  if (t.fence_clock == 0) return;
  const std::uint32_t threads = worker_.launch->block_threads;
  Release mine{static_cast<std::uint32_t>(worker_.block_linear()), t.fence_epoch,
               std::vector<std::uint32_t>(threads, 0)};
  if (any_ && !known_[t.linear].empty()) mine.clocks = known_[t.linear];
  const std::uint32_t first = t.linear / kWarpSize * kWarpSize;
  for (std::uint32_t lane = 0; lane < kWarpSize && first + lane < threads; ++lane)
    mine.clocks[first + lane] = std::max(mine.clocks[first + lane], worker_.clocks[t.linear][lane]);
  mine.clocks[t.linear] = t.fence_clock;
  std::vector<Release> all{std::move(mine)};
  // Passing on what others published makes a chain of blocks hold (cumulativity).
  for (const auto& [block, known] : others_) all.push_back(known);
  ReleaseBoard::get().publish(object, all);
  if (shared) shared_objects_.push_back(object);
}

void Ordering::acquire(std::uintptr_t object, bool shared) {
  ReleaseBoard& board = ReleaseBoard::get();
  if (board.empty()) return;
  const auto own_block = static_cast<std::uint32_t>(worker_.block_linear());
  board.read(object, [&](const Release& r) {
    if (r.block != own_block) {
      if (!shared || worker_.team != nullptr) join(others_[r.block], r);
      return;
    }
    if (known_.empty()) known_.resize(kMaxThreads);
    any_ = true;
    join(known_[worker_.running->linear], r.clocks);
  });
}

bool Ordering::knows_block(std::uint32_t block, std::uint32_t thread, std::uint32_t epoch,
                           std::uint32_t clock) const {
  if (team_epochs_ != nullptr) {
    const auto found = team_epochs_->find(block);
    if (found != team_epochs_->end() && epoch < found->second) return true;
  }
  const auto known = others_.find(block);
  if (known == others_.end()) return false;
  const Release& r = known->second;
  return epoch < r.epoch || (thread < r.clocks.size() && clock <= r.clocks[thread]);
}

}  // namespace workbook::sim
