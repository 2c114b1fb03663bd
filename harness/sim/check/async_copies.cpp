// Asynchronous copies to shared memory are made late, as a GPU may: the destination holds NaN until the copy
// is waited for, and touching it before is a race.
#include <algorithm>
#include <cstring>
#include <vector>

#include "checker.h"
#include "diagnosis.h"

namespace workbook::sim {

void Checker::begin_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, std::size_t zero_bytes,
                         const void* group, Pc pc) {
  const std::uint32_t thread = worker_.current->linear, before = log.length(thread);
  access_range(from, bytes, false, pc);
  if (modes_.count && is_shared(to) && !is_shared(from)) log.mark_copies(thread, before);
  access_range(to, bytes + zero_bytes, true, pc);
  settle_stores();
  const EngineScope scope;
  const AsyncCopy copy{to, from, bytes, zero_bytes, group, thread, groups_closed_[thread], pc};
  if (!is_shared(to)) return end_copy(copy);
  std::memset(reinterpret_cast<void*>(to), 0xff, bytes + zero_bytes);
  for (std::uintptr_t at = to; at < to + bytes + zero_bytes; at += 4)
    shared_cells_[(at - shared_low_) / 4].in_flight = 1;
  copies_.push_back(copy);
}

void Checker::end_copy(const AsyncCopy& copy) {
  std::memcpy(reinterpret_cast<void*>(copy.to), reinterpret_cast<const void*>(copy.from), copy.bytes);
  std::memset(reinterpret_cast<void*>(copy.to + copy.bytes), 0, copy.zero_bytes);
  if (!is_shared(copy.to)) return;
  // The data arrives now, on behalf of the thread that waited for it.
  const SimThread& now = *worker_.running;
  for (std::uintptr_t at = copy.to; at < copy.to + copy.bytes + copy.zero_bytes; at += 4) {
    Cell& c = shared_cells_[(at - shared_low_) / 4];
    c.in_flight = 0;
    c.w_who = in_cluster_ ? worker_.gid(now) : now.linear, c.w_epoch = worker_.epoch, c.w_clock = now.clock;
  }
}

template <class Test>
void Checker::end_copies(Test test) {
  const EngineScope scope;
  std::erase_if(copies_, [&](const AsyncCopy& copy) {
    if (!test(copy)) return false;
    end_copy(copy);
    return true;
  });
}

bool Checker::is_uncommitted(std::uint64_t offset) const {
  const std::uintptr_t at = shared_low_ + offset;
  const auto found = std::find_if(copies_.begin(), copies_.end(), [&](const AsyncCopy& c) {
    return at >= c.to && at < c.to + c.bytes + c.zero_bytes;
  });
  return found != copies_.end() && found->group == nullptr && found->number == groups_closed_[found->thread];
}

void Checker::close_group() { ++groups_closed_[worker_.current->linear]; }

void Checker::wait_for_groups(unsigned int pending) {
  const std::uint32_t thread = worker_.current->linear, closed = groups_closed_[thread];
  const auto is_waited_for = [&](const AsyncCopy& c) {
    return c.group == nullptr && c.thread == thread && c.number + pending < closed;
  };
  if (modes_.count && std::any_of(copies_.begin(), copies_.end(), is_waited_for))
    log.append_wait(thread, pending);
  end_copies(is_waited_for);
}

void Checker::complete_group(const void* group) {
  // A stage of a pipeline is complete for all threads that copied into it.
  if (modes_.count) log_stage(group);
  end_copies([&](const AsyncCopy& c) { return c.group == group; });
}

void Checker::log_stage(const void* group) {
  const EngineScope scope;
  std::vector<const void*> others;
  std::vector<std::uint32_t> threads;
  for (const AsyncCopy& c : copies_) {
    if (c.group == group)
      threads.push_back(c.thread);
    else if (c.group != nullptr && std::find(others.begin(), others.end(), c.group) == others.end())
      others.push_back(c.group);
  }
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  for (const std::uint32_t thread : threads)
    log.append_wait(thread, static_cast<std::uint32_t>(others.size()));
}

}  // namespace workbook::sim
