#include "ordering.h"

#include <algorithm>
#include <cstring>
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
  unchanged_ = 0;
}

bool ReleaseBoard::is_unchanged(std::uintptr_t object, Released& at) {
  std::uint64_t now = 0;
  std::memcpy(&now, reinterpret_cast<const void*>(object), at.stored);
  const bool unchanged = now == at.before;
  if (unchanged)
    unchanged_ = object;
  else if (unchanged_ == object)
    unchanged_ = 0;
  if (!unchanged) at.stored = 0;
  return unchanged;
}

void ReleaseBoard::publish(std::uintptr_t object, std::uint32_t block, std::shared_ptr<const Release> far,
                           std::shared_ptr<const Release> near, const std::vector<const Known*>& passed_on,
                           std::uint32_t stored) {
  std::lock_guard lock(mutex_);
  Released& at = released_[object];
  at.stored = at.version == 0 && stored <= sizeof at.before ? stored : 0;
  std::memcpy(&at.before, reinterpret_cast<const void*>(object), at.stored);
  at.version = ++versions_;
  const auto pass_on = [&](Known& to) {
    for (const Known* known : passed_on)
      for (const auto& [other, what] : *known)
        if (other != block) join(to[other], what);
  };
  Known& own = at.near[block];
  join(own[block], near);
  if (far != nullptr) {
    join(at.known[block], far);
    pass_on(at.known);
  } else {
    pass_on(own);
  }
  any_ = true;
  // The store that carries the release is the program's own, and may be a plain one: not before this.
  std::atomic_thread_fence(std::memory_order_release);
}

void ReleaseBoard::forget(std::uintptr_t object) {
  std::lock_guard lock(mutex_);
  released_.erase(object);
}

void Ordering::block_begin() {
  any_ = any_sync_ = any_fence_ = any_near_ = any_seen_ = false;
  by_all_.clear();
  by_one_.clear();
  seen_by_one_.clear();
  seen_by_all_ = nullptr;
  taken_.clear();
  fenced_ = fenced_far_ = {};
  team_epochs_ = nullptr;
  for (const std::uintptr_t object : shared_objects_) ReleaseBoard::get().forget(object);
  shared_objects_.clear();
}

void Ordering::fence(bool far, bool acquires, bool releases) {
  SimThread& t = *worker_.running;
  catch_up(t);
  if (acquires) take_seen(t, far);
  if (!releases) return;
  t.fence_epoch = worker_.epoch;
  t.fence_clock = t.clock++;
  if (far) t.far_epoch = t.fence_epoch, t.far_clock = t.fence_clock;
  any_near_ |= !far;
  any_fence_ = true;
}

Ordering::Releasing::Releasing(Ordering& ordering, bool far, bool releases) {
  if (!releases) return;
  thread_ = ordering.worker_.running;
  fence_clock_ = thread_->fence_clock, fence_epoch_ = thread_->fence_epoch;
  far_clock_ = thread_->far_clock, far_epoch_ = thread_->far_epoch;
  const bool any_fence = ordering.any_fence_;
  ordering.fence(far, false, true);
  ordering.any_fence_ = any_fence;
}

Ordering::Releasing::~Releasing() {
  if (thread_ == nullptr) return;
  thread_->fence_clock = fence_clock_, thread_->fence_epoch = fence_epoch_;
  thread_->far_clock = far_clock_, thread_->far_epoch = far_epoch_;
}

/// What a fence of the thread, and those that a barrier put behind it, publish.
std::shared_ptr<const Release> Ordering::snapshot(const SimThread& t, const Release& fenced,
                                                  std::uint32_t clock, std::uint32_t epoch) const {
  const std::uint32_t threads = worker_.launch->block_threads;
  auto mine = std::make_shared<Release>(fenced);
  mine->clocks.resize(threads, 0);
  if (clock == 0) return mine;
  mine->epoch = std::max(mine->epoch, epoch);
  if (any_ && !by_one_.empty() && by_one_[t.linear] != nullptr)
    if (const auto own = by_one_[t.linear]->find(own_block()); own != by_one_[t.linear]->end())
      join(mine->clocks, own->second->clocks);
  const std::uint32_t first = t.linear / kWarpSize * kWarpSize;
  for (std::uint32_t lane = 0; lane < kWarpSize && first + lane < threads; ++lane)
    mine->clocks[first + lane] = std::max(mine->clocks[first + lane], worker_.clocks[t.linear][lane]);
  mine->clocks[t.linear] = clock;
  return mine;
}

void Ordering::release(std::uintptr_t object, bool shared, bool narrow, std::uint32_t stored) {
  if (!has_fenced()) return;
  SimThread& t = *worker_.running;
  catch_up(t);
  auto near = snapshot(t, fenced_, t.fence_clock, t.fence_epoch);
  std::shared_ptr<const Release> far;
  if (!narrow && (t.far_clock != 0 || fenced_far_.epoch != 0))
    far = any_near_ ? snapshot(t, fenced_far_, t.far_clock, t.far_epoch) : near;
  // Passing on what others published makes a chain of blocks hold (cumulativity).
  std::vector<const Known*> passed_on = {&by_all_};
  if (any_ && !by_one_.empty() && by_one_[t.linear] != nullptr) passed_on.push_back(by_one_[t.linear].get());
  if (const Known* taken = taken_by(t.linear); taken != nullptr) passed_on.push_back(taken);
  ReleaseBoard::get().publish(object, own_block(), std::move(far), std::move(near), passed_on, stored);
  if (shared) shared_objects_.push_back(object);
}

Known& Ordering::known_by(Knowledge& by_one, std::uint32_t thread) {
  if (by_one.empty()) by_one.resize(kMaxThreads);
  std::shared_ptr<Known>& known = by_one[thread];
  if (known == nullptr)
    known = std::make_shared<Known>();
  else if (known.use_count() > 1)
    known = std::make_shared<Known>(*known);
  (&by_one == &by_one_ ? any_ : any_seen_) = true;
  return *known;
}

void Ordering::learn(SimThread& t, SyncedObject& from, bool acquires, bool narrow, bool loads) {
  std::atomic_thread_fence(std::memory_order_acquire);  // behind the program's own load
  ReleaseBoard& board = ReleaseBoard::get();
  if (board.empty()) return;
  Known* mine = nullptr;
  board.read(from.address, from.seen, own_block(), narrow, loads,
             [&](std::uint32_t block, const std::shared_ptr<const Release>& r) {
               if (block != own_block() && from.shared && worker_.team == nullptr) return;
               if (mine == nullptr) mine = &known_by(acquires ? by_one_ : seen_by_one_, t.linear);
               join((*mine)[block], r);
             });
}

void Ordering::acquire(std::uintptr_t object, bool shared, bool narrow, bool loads) {
  SyncedObject from{object, 0, shared};
  learn(*worker_.running, from, true, narrow, loads);
}

void Ordering::observe(std::uintptr_t object, bool shared, bool narrow, bool loads) {
  SyncedObject from{object, 0, shared};
  learn(*worker_.running, from, false, narrow, loads);
}

void Ordering::note_sync(std::uintptr_t object, bool shared) {
  SimThread& t = *worker_.running;
  std::uint32_t slot = 0;
  while (slot < kSyncedObjects && t.synced[slot].address != object) ++slot;
  if (slot == kSyncedObjects) {
    slot = t.syncs++ % kSyncedObjects;
    if (t.syncs_pending >> slot & 1u) learn(t, t.synced[slot], false, false, true);
    t.synced[slot] = {object, 0, shared};
  }
  t.syncs_pending |= 1u << slot;
  any_sync_ = true;
}

void Ordering::acquire_pending(SimThread& t) {
  for (std::uint32_t slot = 0; slot < kSyncedObjects; ++slot)
    if (t.syncs_pending >> slot & 1u) learn(t, t.synced[slot], false, false, true);
  t.syncs_pending = 0;
}

/// What the thread has seen it knows from here on.
void Ordering::take_seen(const SimThread& t, bool far) {
  if (any_seen_ && !seen_by_one_.empty() && seen_by_one_[t.linear] != nullptr) {
    Known& mine = known_by(by_one_, t.linear);
    for (const auto& [block, release] : *seen_by_one_[t.linear])
      if (far || block == own_block()) join(mine[block], release);
  }
  if (!far || seen_by_all_ == nullptr) return;
  if (taken_.empty()) taken_.resize(kMaxThreads, 0);
  taken_[t.linear] = 1;
  any_ = true;
}

void Ordering::barrier() {
  if (!any_ && !any_sync_ && !any_fence_ && !any_seen_) return;
  bool taken = false;
  for (std::uint32_t i = 0; i < worker_.launch->block_threads; ++i) {
    SimThread& t = worker_.thread(i);
    if (t.status != Status::at_barrier) continue;
    catch_up(t);
    if (any_ && !by_one_.empty() && by_one_[i] != nullptr)
      for (const auto& [block, release] : *by_one_[i])
        if (block != own_block()) join(by_all_[block], release);
    taken = taken || (!taken_.empty() && taken_[i] != 0);
    const auto put_behind = [&](Release& fenced, std::uint32_t clock, std::uint32_t epoch) {
      if (clock == 0) return;
      fenced.clocks.resize(worker_.launch->block_threads, 0);
      fenced.clocks[i] = clock;
      fenced.epoch = std::max(fenced.epoch, epoch);
    };
    if (!any_fence_) continue;
    put_behind(fenced_, t.fence_clock, t.fence_epoch);
    put_behind(fenced_far_, t.far_clock, t.far_epoch);
  }
  if (taken) {
    for (const auto& [block, release] : *seen_by_all_) join(by_all_[block], release);
    seen_by_all_ = nullptr;
    taken_.clear();
  }
  share_seen();
  by_one_.clear();
  any_ = any_sync_ = any_fence_ = false;
}

/// At a barrier each thread tells the others what it has seen.
void Ordering::share_seen() {
  if (!any_seen_) return;
  auto all = seen_by_all_ == nullptr ? std::make_shared<Known>() : std::make_shared<Known>(*seen_by_all_);
  for (std::uint32_t i = 0; i < worker_.launch->block_threads; ++i)
    if (seen_by_one_[i] != nullptr)
      for (const auto& [block, release] : *seen_by_one_[i])
        if (block != own_block()) join((*all)[block], release);
  seen_by_all_ = std::move(all);
  taken_.clear();
  seen_by_one_.clear();
  any_seen_ = false;
}

void Ordering::share_among(Knowledge& by_one, std::uint32_t first, std::uint32_t lanes) {
  if (by_one.empty()) return;
  std::shared_ptr<Known> all;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t linear = first + static_cast<std::uint32_t>(__builtin_ctz(rest));
    if (by_one[linear] == nullptr || by_one[linear] == all) continue;
    if (all == nullptr) all = std::make_shared<Known>();
    for (const auto& [block, release] : *by_one[linear]) join((*all)[block], release);
  }
  if (all == nullptr) return;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    by_one[first + static_cast<std::uint32_t>(__builtin_ctz(rest))] = all;
}

void Ordering::sync_warp(std::uint32_t first, std::uint32_t lanes) {
  if (!any_ && !any_sync_ && !any_seen_) return;
  bool taken = false;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t linear = first + static_cast<std::uint32_t>(__builtin_ctz(rest));
    catch_up(worker_.thread(linear));
    taken = taken || (!taken_.empty() && taken_[linear] != 0);
  }
  share_among(by_one_, first, lanes);
  share_among(seen_by_one_, first, lanes);
  for (std::uint32_t rest = taken ? lanes : 0; rest != 0; rest &= rest - 1)
    taken_[first + static_cast<std::uint32_t>(__builtin_ctz(rest))] = 1;
}

void Ordering::meet_group(std::uint32_t first, std::uint32_t threads) {
  threads = std::min(threads, worker_.launch->block_threads - first);
  auto all = std::make_shared<Release>();
  all->clocks.resize(worker_.launch->block_threads, 0);
  const Release* latest = nullptr;
  for (std::uint32_t i = first; i < first + threads; ++i) {
    all->clocks[i] = worker_.thread(i).clock++;
    if (!any_ || by_one_.empty() || by_one_[i] == nullptr) continue;
    const auto own = by_one_[i]->find(own_block());
    if (own == by_one_[i]->end() || own->second.get() == latest) continue;
    latest = own->second.get();
    join(all->clocks, latest->clocks);
  }
  for (std::uint32_t i = first; i < first + threads; ++i) known_by(by_one_, i)[own_block()] = all;
}

bool Ordering::knows_thread(std::uint32_t thread, std::uint32_t clock, bool seen) const {
  // Of this block an epoch says nothing: what lies before a barrier is known without asking here.
  const auto holds = [&](bool any, const Knowledge& by_one) {
    const Known* const mine = any && !by_one.empty() ? by_one[worker_.running->linear].get() : nullptr;
    return mine != nullptr && knows(*mine, own_block(), thread, ~0u, clock);
  };
  return holds(any_, by_one_) || (seen && holds(any_seen_, seen_by_one_));
}

bool Ordering::knows_of(std::uint32_t block) const {
  if (block == own_block() || by_all_.contains(block)) return true;
  if (team_epochs_ != nullptr && team_epochs_->contains(block)) return true;
  const auto holds = [&](const Knowledge& by_one) {
    const Known* const mine = by_one.empty() ? nullptr : by_one[worker_.running->linear].get();
    return mine != nullptr && mine->contains(block);
  };
  return holds(by_one_) || holds(seen_by_one_) || (seen_by_all_ != nullptr && seen_by_all_->contains(block));
}

bool Ordering::knows_block(std::uint32_t block, std::uint32_t thread, std::uint32_t epoch,
                           std::uint32_t clock, bool seen) const {
  if (team_epochs_ != nullptr) {
    const auto found = team_epochs_->find(block);
    if (found != team_epochs_->end() && epoch < found->second) return true;
  }
  const auto holds = [&](const Known* known) {
    return known != nullptr && knows(*known, block, thread, epoch, clock);
  };
  const auto of_thread = [&](bool any, const Knowledge& by_one) {
    return any && !by_one.empty() ? by_one[worker_.running->linear].get() : nullptr;
  };
  if (holds(&by_all_) || holds(of_thread(any_, by_one_)) || holds(taken_by(worker_.running->linear)))
    return true;
  return seen && (holds(of_thread(any_seen_, seen_by_one_)) || holds(seen_by_all_.get()));
}

}  // namespace workbook::sim
