#include "host_threads.h"

namespace workbook::sim {

std::atomic<bool> HostThreads::any_{false};

/// Notes that its thread has ended.
struct HostThreads::Mine {
  Thread* thread = nullptr;
  ~Mine() {
    if (thread != nullptr) thread->ended = true;
  }
};

HostThreads::Thread& HostThreads::mine() {
  static thread_local Mine mine;
  if (!any()) return main_;
  if (mine.thread == nullptr) {
    const auto found = threads_.find(pthread_self());
    if (found == threads_.end()) return main_;
    mine.thread = found->second.get();
  }
  return *mine.thread;
}

StreamClock& HostThreads::clock() {
  Thread& thread = mine();
  if (thread.synchronises) thread.clock.join(told_);
  return thread.clock;
}

unsigned HostThreads::number() { return mine().number; }

bool HostThreads::all_know(unsigned lane, std::uint32_t work) const {
  if (!main_.clock.knows(lane, work)) return false;
  for (const auto& [id, thread] : threads_)
    if (!thread->ended && !thread->clock.knows(lane, work)) return false;
  return true;
}

void HostThreads::begun(pthread_t id) {
  any_ = true;
  auto thread = std::make_unique<Thread>();
  thread->clock = clock();
  thread->number = ++count_;
  threads_[id] = std::move(thread);
}

void HostThreads::joined(pthread_t id) {
  const auto found = threads_.find(id);
  if (found == threads_.end()) return;
  clock().join(found->second->clock);
  threads_.erase(found);
}

void HostThreads::synchronise(bool tells) {
  mine().synchronises = true;
  if (tells) told_.join(clock());
}

}  // namespace workbook::sim
