#include "ordering.h"

#include <algorithm>
#include <utility>

namespace workbook::sim {
namespace {

bool covers(const Release& a, const Release& b) {
  if (a.epoch < b.epoch || a.clocks.size() < b.clocks.size()) return false;
  for (std::size_t i = 0; i < b.clocks.size(); ++i)
    if (a.clocks[i] < b.clocks[i]) return false;
  return true;
}

void join(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& from) {
  if (into.size() < from.size()) into.resize(from.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

// Most joins meet what they know already, or its successor: thousands of blocks then share one release.
void join(std::shared_ptr<const Release>& into, const std::shared_ptr<const Release>& from) {
  if (into == from) return;
  if (into == nullptr || covers(*from, *into)) {
    into = from;
  } else if (!covers(*into, *from)) {
    auto both = std::make_shared<Release>(*into);
    both->epoch = std::max(both->epoch, from->epoch);
    join(both->clocks, from->clocks);
    into = std::move(both);
  }
}

bool knows(const Known& known, std::uint32_t block, std::uint32_t thread, std::uint32_t epoch,
           std::uint32_t clock) {
  const auto found = known.find(block);
  if (found == known.end()) return false;
  const Release& r = *found->second;
  return epoch < r.epoch || (thread < r.clocks.size() && clock <= r.clocks[thread]);
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

void ReleaseBoard::publish(std::uintptr_t object, std::uint32_t block, std::shared_ptr<const Release> release,
                           const std::vector<const Known*>& passed_on) {
  std::lock_guard lock(mutex_);
  Released& at = released_[object];
  at.version = ++versions_;
  join(at.known[block], release);
  for (const Known* known : passed_on)
    for (const auto& [other, what] : *known)
      if (other != block) join(at.known[other], what);
  any_ = true;
  // The store that carries the release is the program's own, and may be a plain one: not before this.
  std::atomic_thread_fence(std::memory_order_release);
}

void ReleaseBoard::forget(std::uintptr_t object) {
  std::lock_guard lock(mutex_);
  released_.erase(object);
}

void Ordering::block_begin() {
  any_ = any_sync_ = any_fence_ = false;
  by_all_.clear();
  by_one_.clear();
  fenced_ = {};
  team_epochs_ = nullptr;
  for (const std::uintptr_t object : shared_objects_) ReleaseBoard::get().forget(object);
  shared_objects_.clear();
}

void Ordering::fence() {
  SimThread& t = *worker_.running;
  catch_up(t);
  t.fence_epoch = worker_.epoch;
  t.fence_clock = t.clock++;
  any_fence_ = true;
}

void Ordering::release(std::uintptr_t object, bool shared) {
  if (!has_fenced()) return;
  SimThread& t = *worker_.running;
  catch_up(t);
  const std::uint32_t threads = worker_.launch->block_threads;
  auto mine = std::make_shared<Release>(fenced_);
  mine->clocks.resize(threads, 0);
  const Known* const alone = any_ && !by_one_.empty() ? by_one_[t.linear].get() : nullptr;
  if (t.fence_clock != 0) {
    mine->epoch = std::max(mine->epoch, t.fence_epoch);
    if (alone != nullptr)
      if (const auto own = alone->find(own_block()); own != alone->end())
        join(mine->clocks, own->second->clocks);
    const std::uint32_t first = t.linear / kWarpSize * kWarpSize;
    for (std::uint32_t lane = 0; lane < kWarpSize && first + lane < threads; ++lane)
      mine->clocks[first + lane] = std::max(mine->clocks[first + lane], worker_.clocks[t.linear][lane]);
    mine->clocks[t.linear] = t.fence_clock;
  }
  // Passing on what others published makes a chain of blocks hold (cumulativity).
  std::vector<const Known*> passed_on = {&by_all_};
  if (alone != nullptr) passed_on.push_back(alone);
  ReleaseBoard::get().publish(object, own_block(), std::move(mine), passed_on);
  if (shared) shared_objects_.push_back(object);
}

Known& Ordering::known_by(std::uint32_t thread) {
  if (by_one_.empty()) by_one_.resize(kMaxThreads);
  std::shared_ptr<Known>& known = by_one_[thread];
  if (known == nullptr)
    known = std::make_shared<Known>();
  else if (known.use_count() > 1)
    known = std::make_shared<Known>(*known);
  any_ = true;
  return *known;
}

void Ordering::acquire(SimThread& t, SyncedObject& from) {
  std::atomic_thread_fence(std::memory_order_acquire);  // behind the program's own load
  ReleaseBoard& board = ReleaseBoard::get();
  if (board.empty()) return;
  Known* mine = nullptr;
  board.read(from.address, from.seen, [&](std::uint32_t block, const std::shared_ptr<const Release>& r) {
    if (block != own_block() && from.shared && worker_.team == nullptr) return;
    if (mine == nullptr) mine = &known_by(t.linear);
    join((*mine)[block], r);
  });
}

void Ordering::acquire(std::uintptr_t object, bool shared) {
  SyncedObject from{object, 0, shared};
  acquire(*worker_.running, from);
}

void Ordering::note_sync(std::uintptr_t object, bool shared) {
  SimThread& t = *worker_.running;
  std::uint32_t slot = 0;
  while (slot < kSyncedObjects && t.synced[slot].address != object) ++slot;
  if (slot == kSyncedObjects) {
    slot = t.syncs++ % kSyncedObjects;
    if (t.syncs_pending >> slot & 1u) acquire(t, t.synced[slot]);
    t.synced[slot] = {object, 0, shared};
  }
  t.syncs_pending |= 1u << slot;
  any_sync_ = true;
}

void Ordering::acquire_pending(SimThread& t) {
  for (std::uint32_t slot = 0; slot < kSyncedObjects; ++slot)
    if (t.syncs_pending >> slot & 1u) acquire(t, t.synced[slot]);
  t.syncs_pending = 0;
}

void Ordering::barrier() {
  if (!any_ && !any_sync_ && !any_fence_) return;
  for (std::uint32_t i = 0; i < worker_.launch->block_threads; ++i) {
    SimThread& t = worker_.thread(i);
    if (t.status != Status::at_barrier) continue;
    catch_up(t);
    if (any_ && !by_one_.empty() && by_one_[i] != nullptr)
      for (const auto& [block, release] : *by_one_[i])
        if (block != own_block()) join(by_all_[block], release);
    if (!any_fence_ || t.fence_clock == 0) continue;
    fenced_.clocks.resize(worker_.launch->block_threads, 0);
    fenced_.clocks[i] = t.fence_clock;
    fenced_.epoch = std::max(fenced_.epoch, t.fence_epoch);
  }
  by_one_.clear();
  any_ = any_sync_ = any_fence_ = false;
}

void Ordering::sync_warp(std::uint32_t first, std::uint32_t lanes) {
  if (!any_ && !any_sync_) return;
  std::shared_ptr<Known> all;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t linear = first + static_cast<std::uint32_t>(__builtin_ctz(rest));
    catch_up(worker_.thread(linear));
    if (by_one_.empty() || by_one_[linear] == nullptr || by_one_[linear] == all) continue;
    if (all == nullptr) all = std::make_shared<Known>();
    for (const auto& [block, release] : *by_one_[linear]) join((*all)[block], release);
  }
  if (all == nullptr) return;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    by_one_[first + static_cast<std::uint32_t>(__builtin_ctz(rest))] = all;
}

bool Ordering::knows_thread(std::uint32_t thread, std::uint32_t clock) const {
  if (!any_ || by_one_.empty()) return false;
  const Known* const mine = by_one_[worker_.running->linear].get();
  // Of this block an epoch says nothing: what lies before a barrier is known without asking here.
  return mine != nullptr && knows(*mine, own_block(), thread, ~0u, clock);
}

bool Ordering::knows_of(std::uint32_t block) const {
  if (block == own_block() || by_all_.contains(block)) return true;
  if (team_epochs_ != nullptr && team_epochs_->contains(block)) return true;
  const Known* const mine = by_one_.empty() ? nullptr : by_one_[worker_.running->linear].get();
  return mine != nullptr && mine->contains(block);
}

bool Ordering::knows_block(std::uint32_t block, std::uint32_t thread, std::uint32_t epoch,
                           std::uint32_t clock) const {
  if (team_epochs_ != nullptr) {
    const auto found = team_epochs_->find(block);
    if (found != team_epochs_->end() && epoch < found->second) return true;
  }
  if (knows(by_all_, block, thread, epoch, clock)) return true;
  if (!any_ || by_one_.empty()) return false;
  const Known* const mine = by_one_[worker_.running->linear].get();
  return mine != nullptr && knows(*mine, block, thread, epoch, clock);
}

}  // namespace workbook::sim
