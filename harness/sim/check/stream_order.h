// What orders the work of streams and what the host does meanwhile, and who uses memory with nothing that
// orders the two. On a GPU they run beside each other; here a piece of work runs when the host gives it. So
// what may overlap is told by clocks alone: each stream and each branch of a graph is a lane, which numbers
// its work, and everybody knows of each lane up to which number its work has ended for him. Work knows what
// its stream knew and what the host knew when it gave it; the host learns by waiting.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "function_uses.h"
#include "host_threads.h"
#include "runs/record.h"
#include "sim/source/pc.h"
#include "stream_clock.h"
#include "touched.h"

namespace workbook::sim {

/// An event, each time that it is recorded.
struct EventRecord {
  StreamClock clock;
  unsigned lane = 0;
  Pc pc = 0;
};
struct EventMark {
  std::vector<EventRecord> records;  ///< the latest last; few
};

/// One wait for an event: what it was recorded for by then; nothing: the wait was for nothing.
struct EventWait {
  Pc pc = 0;
  std::vector<EventRecord> records;
};

/// What a stream was given.
struct StreamWork {
  enum class Kind { kernel, library, copy, fill, host_function, allocation, release };
  Kind kind = Kind::kernel;
  std::string name;  ///< "count", "cudaMemcpyAsync"
  Pc pc = 0;         ///< of the call; 0 where `at` says where a kernel is launched
  runs::SourceLine at = {};
  Touched touched = {};  ///< of a kernel when somebody asks: is_settled
  bool is_settled = true;
  bool dependent = false;  ///< a kernel that may begin before the one before it in its stream has ended
  unsigned lane = 0;
  std::uint32_t number = 0;
  unsigned thread = 0;                                               ///< of the host: HostThreads::number()
  StreamClock before = {};                                           ///< what it is ordered after
  std::uint64_t outside_begin = ~std::uint64_t{0}, outside_end = 0;  ///< words that are not device memory
};

/// What makes an access of the host's one of a stream's work: of a function that the stream calls.
struct HostFunction {
  StreamClock clock;  ///< what it knows to have ended
  FunctionUses uses = {};
  bool tells_others = false;  ///< by a mutex, a semaphore or a thread: then the host knows what it knows
};

class StreamOrder {
 public:
  static StreamOrder& get();
  /// As if the process began.
  void forget();
  /// Only where accesses are judged.
  static bool is_on();

  static constexpr unsigned kLegacy = 0, kPerThread = 1;  ///< lanes of the default streams
  unsigned add_stream(bool blocking, Pc made_at);
  /// "stream s", "the default stream".
  std::string name_of(unsigned lane) const;
  void drop_stream(unsigned lane);
  /// A lane for a branch of a graph.
  unsigned add_branch();

  /// Of the lane, or of the graph that the calling thread launches there.
  void record(EventMark& event, unsigned lane, Pc pc);
  void wait(unsigned lane, const EventMark& event, Pc pc);
  void host_waits_for(unsigned lane);
  void host_waits_for(const EventMark& event, Pc pc);
  void host_waits_for_all();
  /// Whether what the event was last recorded behind has ended for all that the host knows.
  bool host_knows(const EventMark& event);
  bool host_knows(unsigned lane);

  /// The calling thread's next work uses these bytes, row by row.
  void note_use(std::uintptr_t start, std::size_t width, std::size_t height, std::size_t pitch, bool writes,
                Pc pc);
  bool has_noted() const;
  void forget_noted();
  /// Gives the lane what was noted, or the launch that has just ended; judges it against all that may run
  /// beside it.
  void give(unsigned lane, StreamWork work);
  /// `function` runs as the lane's work.
  template <class Function>
  void give_host_function(unsigned lane, StreamWork work, Function function) {
    HostFunction host{clock_of_next(lane)};
    HostFunction* const outer = enter(&host);
    function();
    leave(host, outer);
    give(lane, std::move(work));
  }
  /// Whether the calling thread runs such a function, and looks at nothing here.
  static bool is_in_function() { return inside_ != nullptr && !is_locked_; }
  /// It does so now: whoever is told may act before the function has ended.
  void tell_others();
  /// The calling thread of the host begins another: `start` does, and returns it.
  template <class Start>
  void begin_thread(Start start) {
    const Locked lock(*this);  // the new one asks for what it knows when it is known who it is
    threads_.begun(start());
  }
  void join_thread(pthread_t thread);
  /// The calling thread of the host does what orders it behind others, and others behind it, if it `tells`
  /// them.
  void synchronise_thread(bool tells = true);
  /// Whether there are or were such functions.
  static bool has_functions() { return has_functions_.load(std::memory_order_relaxed); }
  /// Of the host's memory, whose bytes are another's from now on: given back by such a function, or taken
  /// anew.
  void forget_memory(std::uintptr_t address, std::size_t bytes);
  /// Of memory that is not freed by a stream's work: whether work that may still run uses it.
  void see_release(std::uintptr_t address, std::size_t bytes, const char* call, Pc pc);
  /// Of pageable memory that the call puts aside at once for a copy to the device.
  void see_staging(std::uintptr_t address, std::size_t bytes, const char* call, Pc pc);

  // Graphs: while the calling thread launches one, its work goes to lanes with clocks of their own.
  struct Branch {
    unsigned lane = 0;
    StreamClock clock;
  };
  StreamClock clock_of_next(unsigned lane);
  /// Null: work goes to its stream again. Returns the one before.
  static Branch* follow(Branch* branch);
  static Branch* followed();
  /// The stream goes on after all of these.
  void finish_graph(unsigned lane, const std::vector<StreamClock>& ends);

  /// Before the next launch overwrites what is known of the latest.
  /// `dependent`: and that one may still run then.
  void begin_launch(bool dependent);
  /// Programs have memory that both sides may use.
  void note_host_memory() { has_host_memory_ = true; }

  // Accesses of the host.
  /// Whether an access outside of device memory may concern somebody.
  static bool is_watched(std::uintptr_t address) {
    return address - watch_begin_.load(std::memory_order_relaxed) <
           watch_bytes_.load(std::memory_order_relaxed);
  }
  void see_host(std::uintptr_t address, std::size_t bytes, bool writes, bool signal, Pc pc);

 private:
  struct Lane {
    bool blocking = true, live = true, branch = false;
    Pc made_at = 0;
    std::size_t number = 0;  ///< of the streams made there
    std::uint32_t given = 0;
    StreamClock done;
    std::deque<EventWait> waits;
    std::vector<std::shared_ptr<StreamWork>> pending;  ///< that the host does not know to have ended
  };
  /// Who comes later, for findings.
  struct Later {
    const StreamWork* work;  ///< null: the host
    const char* call;        ///< the host's call; null: code of its own
    Pc pc;
    const std::deque<EventWait>* waits;
  };
  StreamOrder();
  /// The order, while it is looked at or changes. The host's own code may come here meanwhile: by containers
  /// that the linker took from the program.
  class Locked {
   public:
    explicit Locked(const StreamOrder& order);
    ~Locked();
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

   private:
    const StreamOrder& order_;
  };
  HostFunction* enter(HostFunction* function);
  void leave(HostFunction& function, HostFunction* outer);
  void see_function(std::uintptr_t address, std::size_t bytes, bool writes, bool signal, Pc pc);
  StreamClock signalled(const StreamClock& clock, std::uint64_t first, std::uint64_t last);
  static void learn(std::deque<EventWait>& waits, EventWait wait);
  StreamClock begin(unsigned lane);
  template <class Visit>
  void each_unknown(const StreamClock& clock, Visit visit) {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
      for (const std::shared_ptr<StreamWork>& work : lanes_[lane].pending)
        if (!clock.knows(static_cast<unsigned>(lane), work->number)) visit(*work);
  }
  void see_call(std::uintptr_t address, std::size_t bytes, bool writes, const char* call, Pc pc);
  void settle();
  void settle(StreamWork& work);
  void forget_older_like(const StreamWork& work);
  void keep(std::shared_ptr<StreamWork> work);
  void prune();
  void watch();
  void judge(const StreamWork& work, const StreamClock& clock);
  void judge_early(const StreamWork& work);
  void report_all(const StreamWork& earlier, const Touched& touched, const Later& later);
  /// Of the host, by the first words of each piece of work that they meet. `call`: as of Later.
  void judge_host(const Touched& use, const char* call, Pc pc);
  bool has_several_streams() const { return lanes_.size() > 2 || lanes_[kPerThread].given > 0; }

  // stream_findings.cpp.
  void report(const StreamWork& earlier, const Later& later, const Meeting& meeting);
  std::string stream_name(unsigned lane) const;
  std::string advice(const StreamWork& earlier, const Later& later, const Meeting& meeting) const;
  std::string thread_advice(const StreamWork& earlier, const Later& later);
  std::string event_advice(const StreamWork& earlier, const Later& later) const;

  static std::atomic<std::uintptr_t> watch_begin_;
  static std::atomic<std::size_t> watch_bytes_;
  static std::atomic<bool> has_functions_;
  static thread_local HostFunction* inside_;
  static thread_local bool is_locked_;
  mutable std::mutex mutex_;
  std::vector<Lane> lanes_;
  HostThreads threads_;
  StreamClock gone_;  ///< of blocking streams that are destroyed
  std::deque<EventWait> host_waits_;
  std::shared_ptr<StreamWork> latest_;   ///< a launch that is not settled
  std::shared_ptr<StreamWork> unasked_;  ///< the same where nobody may ask, but a launch that depends on it
  std::atomic<bool> has_host_memory_{false};
  std::atomic<std::uint64_t> version_{1};  ///< of what is pending; 0: nothing is
  std::uint64_t versions_ = 1;
  std::size_t kept_ = 0;    ///< runs of all that is pending
  unsigned functions_ = 0;  ///< that run now
};

}  // namespace workbook::sim
