#include "stream_order.h"

#include <algorithm>
#include <utility>

#include "diagnosis.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kKeptRecords = 4, kKeptWaits = 32;

thread_local StreamOrder::Branch* branch_followed = nullptr;

}  // namespace

std::atomic<std::uintptr_t> StreamOrder::watch_begin_{0};
std::atomic<std::size_t> StreamOrder::watch_bytes_{0};
std::atomic<bool> StreamOrder::has_functions_{false};

StreamOrder::StreamOrder() : lanes_(2) {}

StreamOrder& StreamOrder::get() {
  static StreamOrder& order = *new StreamOrder;  // a program's own static objects use streams, too
  return order;
}

bool StreamOrder::is_on() { return Diagnosis::get().modes.check; }

void StreamOrder::forget() {
  const Locked lock(*this);
  for (Lane& lane : lanes_) {
    lane.pending.clear();
    lane.waits.clear();
    threads_.change_all(
        [&](StreamClock& clock) { clock.set(static_cast<unsigned>(&lane - lanes_.data()), lane.given); });
  }
  latest_ = unasked_ = nullptr;
  has_host_memory_ = false;
  prune();
}

unsigned StreamOrder::add_stream(bool blocking, Pc made_at) {
  const Locked lock(*this);
  std::size_t number = 0;
  for (const Lane& lane : lanes_) number += made_at != 0 && lane.made_at == made_at;
  // The work of a stream that is gone, and whose work the host knows to have ended, orders nothing more.
  std::size_t lane = 2;
  while (lane < lanes_.size() &&
         (lanes_[lane].live || !threads_.all_know(static_cast<unsigned>(lane), lanes_[lane].given)))
    ++lane;
  if (lane == lanes_.size()) lanes_.emplace_back();
  lanes_[lane].blocking = blocking;
  lanes_[lane].live = true;
  lanes_[lane].branch = false;
  lanes_[lane].made_at = made_at;
  lanes_[lane].number = number;
  lanes_[lane].waits.clear();
  return static_cast<unsigned>(lane);
}

unsigned StreamOrder::add_branch() {
  const unsigned lane = add_stream(false, 0);
  lanes_[lane].branch = true;
  return lane;
}

std::string StreamOrder::name_of(unsigned lane) const {
  const Locked lock(*this);
  return stream_name(lane);
}

void StreamOrder::drop_stream(unsigned lane) {
  const Locked lock(*this);
  lanes_[lane].live = false;
  if (lanes_[lane].blocking) gone_.join(lanes_[lane].done);
}

StreamClock StreamOrder::begin(unsigned number) {
  StreamClock clock = threads_.clock();
  const Lane& lane = lanes_[number];
  clock.join(lane.done);
  if (number == kLegacy) {
    for (const Lane& other : lanes_)
      if (other.live && other.blocking && !other.branch) clock.join(other.done);
    clock.join(gone_);
  } else if (lane.blocking) {
    clock.join(lanes_[kLegacy].done);
  }
  return clock;
}

StreamClock StreamOrder::clock_of_next(unsigned lane) {
  const Locked lock(*this);
  return branch_followed != nullptr ? branch_followed->clock : begin(lane);
}

StreamOrder::Branch* StreamOrder::follow(Branch* branch) { return std::exchange(branch_followed, branch); }

StreamOrder::Branch* StreamOrder::followed() { return branch_followed; }

void StreamOrder::finish_graph(unsigned lane, const std::vector<StreamClock>& ends) {
  const Locked lock(*this);
  lanes_[lane].done = begin(lane);
  for (const StreamClock& end : ends) lanes_[lane].done.join(end);
}

void StreamOrder::record(EventMark& event, unsigned lane, Pc pc) {
  if (!is_on()) return;
  const Locked lock(*this);
  const Branch* const branch = followed();
  StreamClock clock = branch != nullptr ? branch->clock : begin(lane);
  if (branch != nullptr)
    lane = branch->lane;
  else
    lanes_[lane].done = clock;  // of the legacy stream: what comes later waits for what it waited for
  event.records.push_back({std::move(clock), lane, pc});
  if (event.records.size() > kKeptRecords) event.records.erase(event.records.begin());
}

void StreamOrder::learn(std::deque<EventWait>& waits, EventWait wait) {
  waits.push_back(std::move(wait));
  if (waits.size() > kKeptWaits) waits.pop_front();
}

void StreamOrder::wait(unsigned lane, const EventMark& event, Pc pc) {
  if (!is_on()) return;
  const Locked lock(*this);
  Branch* const branch = followed();
  if (branch != nullptr) lane = branch->lane;
  StreamClock& clock = branch != nullptr ? branch->clock : lanes_[lane].done;
  if (!event.records.empty()) clock.join(event.records.back().clock);
  learn(lanes_[lane].waits, {pc, event.records});
}

void StreamOrder::host_waits_for(unsigned lane) {
  if (!is_on()) return;
  const Locked lock(*this);
  threads_.clock().join(lane == kLegacy ? begin(lane) : lanes_[lane].done);
  prune();
}

void StreamOrder::host_waits_for(const EventMark& event, Pc pc) {
  if (!is_on()) return;
  const Locked lock(*this);
  if (!event.records.empty()) threads_.clock().join(event.records.back().clock);
  learn(host_waits_, {pc, event.records});
  prune();
}

bool StreamOrder::host_knows(const EventMark& event) {
  if (!is_on()) return true;
  const Locked lock(*this);
  return event.records.empty() || threads_.clock().knows_all_of(event.records.back().clock);
}

bool StreamOrder::host_knows(unsigned lane) {
  if (!is_on()) return true;
  const Locked lock(*this);
  return threads_.clock().knows_all_of(lane == kLegacy ? begin(lane) : lanes_[lane].done);
}

void StreamOrder::host_waits_for_all() {
  if (!is_on()) return;
  const Locked lock(*this);
  StreamClock& host = threads_.clock();
  for (std::size_t i = 0; i < lanes_.size(); ++i) host.set(static_cast<unsigned>(i), lanes_[i].given);
  prune();
}

}  // namespace workbook::sim
