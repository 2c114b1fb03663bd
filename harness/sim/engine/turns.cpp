#include "turns.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "launch_watch.h"

namespace workbook::sim {

TurnRunner& TurnRunner::get() {
  static TurnRunner* const runner = new TurnRunner;
  return *runner;
}

std::vector<Worker*> TurnRunner::run(const Launch& launch, Order order, void (*begin)(const Launch&)) {
  if (seats_.empty()) seats_.push_back(std::make_unique<Seat>());
  for (auto& seat : seats_) seat->begun = seat->to_begin = false;
  launch_ = &launch;
  order_ = std::move(order);
  begin_ = begin;
  next_.reset();
  wanted_ = false;
  work(0);
  std::vector<Worker*> workers;
  for (auto& seat : seats_)
    if (seat->begun) workers.push_back(seat->worker);
  return workers;
}

// Called with the turn; returns when the launch is over, on the launching thread, or the turn is another's.
void TurnRunner::work(std::size_t number) {
  Seat& seat = *seats_[number];
  for (;;) {
    if (!std::exchange(seat.to_begin, false)) {
      if (const auto other = waiting_after(number)) {  // it may be able to go on now
        give(*other);
        if (number != 0) return;
        await(0);
        continue;
      }
    }
    if (!peek(false)) break;
    const std::uint64_t block = *std::exchange(next_, std::nullopt);
    LaunchWatch::get().take_chosen(1);
    if (!std::exchange(seat.begun, true)) begin_(*launch_);
    seat.worker = this_worker;
    seat.worker->turns = this;
    seat.in_block = true;
    seat.worker->run_block(*launch_, block);
    seat.in_block = false;
    seat.worker->turns = nullptr;
  }
  if (number != 0) give(0);
}

void TurnRunner::serve(std::size_t number) {
  for (;;) {
    await(number);
    work(number);
  }
}

bool TurnRunner::peek(bool waiting) {
  if (!next_) next_ = order_.next(waiting);
  return next_.has_value();
}

bool TurnRunner::begin_another() {
  wanted_ = has_room() && peek(true);
  return wanted_;
}

std::size_t TurnRunner::seat_of(const Worker& worker) const {
  const auto seat =
      std::find_if(seats_.begin(), seats_.end(), [&](const auto& s) { return s->worker == &worker; });
  return static_cast<std::size_t>(seat - seats_.begin());
}

void TurnRunner::overtake(Worker& worker) {
  const std::size_t mine = seat_of(worker);
  const auto to = order_.eager && peek(true) ? free_seat() : std::nullopt;
  if (!to) return;
  seats_[*to]->to_begin = true;
  give(*to);
  await(mine);
}

void TurnRunner::pass(Worker& worker) {
  const std::size_t mine = seat_of(worker);
  std::optional<std::size_t> to;
  if (std::exchange(wanted_, false) || (order_.eager && peek(true))) to = free_seat();
  if (to) seats_[*to]->to_begin = true;
  if (!to) to = waiting_after(mine);
  if (!to) return;
  give(*to);
  await(mine);
}

/// The next one that is within a block, going round.
std::optional<std::size_t> TurnRunner::waiting_after(std::size_t seat) const {
  for (std::size_t i = 1; i < seats_.size(); ++i) {
    const std::size_t other = (seat + i) % seats_.size();
    if (seats_[other]->in_block) return other;
  }
  return std::nullopt;
}

bool TurnRunner::has_room() const {
  const auto begun = std::count_if(seats_.begin(), seats_.end(), [](const auto& s) { return s->in_block; });
  return static_cast<std::uint64_t>(begun) < launch_->most_waiting();
}

std::optional<std::size_t> TurnRunner::free_seat() {
  if (!has_room()) return std::nullopt;
  for (std::size_t i = 0; i < seats_.size(); ++i)
    if (!seats_[i]->in_block) return i;
  const std::size_t number = seats_.size();
  {
    const std::lock_guard lock(mutex_);
    seats_.push_back(std::make_unique<Seat>());
  }
  std::thread([this, number] { serve(number); }).detach();
  return number;
}

void TurnRunner::give(std::size_t seat) {
  const std::lock_guard lock(mutex_);
  holder_ = seat;
  seats_[seat]->called.notify_one();
}

void TurnRunner::await(std::size_t seat) {
  std::unique_lock lock(mutex_);
  Seat& mine = *seats_[seat];
  mine.called.wait(lock, [&] { return holder_ == seat; });
}

}  // namespace workbook::sim
