// What each thread of the host knows of streams' work. What one thread has waited for, another one learns
// only where the two are ordered: it was begun or joined, or both synchronise, by whatever it be: who does so
// at all is taken to know whatever others that do so have told until then. Threads that a library made are
// one with the main thread. For StreamOrder, whose lock guards it.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

#include "stream_clock.h"

namespace workbook::sim {

class HostThreads {
 public:
  /// Of the calling thread.
  StreamClock& clock();
  /// The number of the calling thread, 0: the main one, or a library's.
  unsigned number();
  bool all_know(unsigned lane, std::uint32_t work) const;
  template <class Change>
  void change_all(Change change) {
    change(main_.clock);
    for (auto& [id, thread] : threads_) change(thread->clock);
  }

  /// The calling thread has begun it, and waits for it.
  void begun(pthread_t thread);
  void joined(pthread_t thread);
  /// The calling thread synchronises with others; if it `tells`, all that do know what it knows now.
  void synchronise(bool tells);
  void tell(const StreamClock& clock) { told_.join(clock); }

  /// Whether the program has begun threads.
  static bool any() { return any_.load(std::memory_order_relaxed); }

 private:
  struct Thread {
    StreamClock clock;
    unsigned number = 0;
    bool synchronises = false;
    std::atomic<bool> ended{false};
  };
  struct Mine;
  Thread& mine();

  static std::atomic<bool> any_;
  Thread main_;
  std::map<pthread_t, std::unique_ptr<Thread>> threads_;
  StreamClock told_;
  unsigned count_ = 0;
};

}  // namespace workbook::sim
