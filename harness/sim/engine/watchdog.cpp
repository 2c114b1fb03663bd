#include "watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "launch.h"
#include "loop_watch.h"
#include "progress.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

using namespace std::chrono_literals;

constexpr int kSignal = SIGURG;  // ignored by default, so nobody is harmed by one that comes late
constexpr auto kTick = 10ms;
constexpr auto kInsistently = 100us;  ///< to a thread that must be met in the learner's code to be ended
constexpr int kRoundsToCalibrate = 64;
constexpr std::int64_t kStepsInMillisecond = 1'000'000;
constexpr auto kPatience = 50ms;  ///< then a block may be waiting for one that has not begun
constexpr auto kLongestPause = 1s;

#if defined(__x86_64__)
// Up to the program counter; what follows says how the signal came about.
constexpr std::size_t kRegisterBytes = (REG_RIP + 1) * sizeof(greg_t);
const void* general_registers(const mcontext_t& machine) { return machine.gregs; }
#elif defined(__aarch64__)
constexpr std::size_t kRegisterBytes = sizeof(mcontext_t::regs) + 2 * sizeof(unsigned long long);  // sp, pc
const void* general_registers(const mcontext_t& machine) { return machine.regs; }
#endif

Pc interrupted_pc(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<Pc>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<Pc>(machine.pc);
#else
#error "say where this machine keeps the program counter of an interrupted thread"
#endif
}

/// In the diagnosing build every basic block counts (loop_watch.h) but an empty one that jumps to itself. A
/// thread that the same ticks find at the same instruction with the same registers, and that has called
/// nothing in between, is in one.
bool at_one_instruction(Worker& worker, const ucontext_t& context) {
  constexpr int kTimes = 20;
  struct Seen {
    std::uint64_t slices;
    std::int64_t steps;
    mcontext_t machine;
  };
  static thread_local Seen last{};
  static thread_local int times = 0;
  const std::uint64_t slices = worker.slices.load(std::memory_order_relaxed);
  const bool same = last.slices == slices && last.steps == workbook_sim_steps_left &&
                    std::memcmp(general_registers(last.machine), general_registers(context.uc_mcontext),
                                kRegisterBytes) == 0;
  last.slices = slices;
  last.steps = workbook_sim_steps_left;
  last.machine = context.uc_mcontext;
  times = same ? times + 1 : 0;
  if (times < kTimes) return false;
  times = 0;
  return true;
}

// Where many blocks go round and wait, those that can go on need a processor, and so does the rest of the
// machine. A signal ends the sleep: watchdogs send none to who sleeps, but to end its block.
void pause(Worker& worker) {
  const std::int64_t ns = worker.pause_ns.load(std::memory_order_relaxed);
  if (ns == 0) return;
  worker.paused = true;
  const timespec t{ns / 1'000'000'000, ns % 1'000'000'000};
  nanosleep(&t, nullptr);
  worker.paused = false;
}

// Runs on the fiber of the simulated thread. Anywhere but in the learner's own code (in the engine, in the C
// library, which may hold a lock) the thread is left alone until the next tick.
void on_tick(int, siginfo_t*, void* context) {
  Worker* const worker = this_worker;
  if (worker == nullptr || worker->current == nullptr) return;
  const Pc pc = interrupted_pc(context);
  if (!is_learner_code(pc)) return;
  if (worker->events) {
    if (at_one_instruction(*worker, *static_cast<const ucontext_t*>(context)))
      worker->loops->end_at_instruction(pc + 1);
    return;
  }
  if (worker->knows_place_only()) worker->settle();
  if (worker->stuck) end_stuck_block(*worker, pc + 1);
  const int saved = errno;
  pause(*worker);
  worker->yield();
  errno = saved;
}

/// Processor time of a step of a loop that does nothing but multiply and add.
double reference_step_ns() {
  constexpr int kSteps = 100'000;
  timespec begin{}, end{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  std::uint64_t value = 1;
  for (int i = 0; i < kSteps; ++i) {
    value = value * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : "+r"(value));
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return (static_cast<double>(end.tv_sec - begin.tv_sec) * 1e9 +
          static_cast<double>(end.tv_nsec - begin.tv_nsec)) /
         kSteps;
}

class Watchdog {
 public:
  static Watchdog& get() {
    static Watchdog* const watchdog = new Watchdog;  // outlives every worker
    return *watchdog;
  }

  void add(Worker& worker) {
    const std::lock_guard lock(mutex_);
    Watched w{&worker, pthread_self(), {}};
    pthread_getcpuclockid(w.thread, &w.clock);
    watched_.push_back(w);
    if (watched_.size() == 1) std::thread([this] { run(); }).detach();
  }
  void remove(Worker& worker) {
    const std::lock_guard lock(mutex_);
    std::erase_if(watched_, [&](const Watched& w) { return w.worker == &worker; });
  }
  std::atomic<std::int64_t> limit_steps{0};

 private:
  struct Watched {
    Worker* worker;
    pthread_t thread;
    clockid_t clock;  ///< of the processor time that the worker's thread has used
    std::uint64_t slices = 0, progress = 0, exits = 0;
    std::chrono::nanoseconds seen{}, moved_at{};
    bool waits = false;                      ///< it has had a processor for a tick, and has got no further
    double work = 0, moved = 0, exited = 0;  ///< in reference steps
  };

  Watchdog() {
    learner_code_is_known();  // reads the symbol table, which a signal handler must not
    struct sigaction action {};
    action.sa_sigaction = on_tick;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    // Where the handler never gives way it needs not be on the fiber: the system cannot write its frame where
    // a page is watched (deep_stack.h), and would end the program.
    if (workbook_sim_is_diagnosing()) action.sa_flags |= SA_ONSTACK;
    sigaction(kSignal, &action, nullptr);
    // A copy of the program (replay.h, or the program's own) has no thread that would let go of the lock.
    pthread_atfork([] { get().mutex_.lock(); }, [] { get().mutex_.unlock(); }, [] { get().mutex_.unlock(); });
  }

  void run() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    for (std::uint64_t rounds = 0;;) {
      const auto met = [](const Watched& w) { return !w.worker->stuck; };
      bool all_met = false;
      {
        const std::lock_guard lock(mutex_);
        if (watched_.empty()) return;
        if (++rounds % kRoundsToCalibrate == 1) step_ns_ = std::max(step_ns_ / 2, reference_step_ns());
        begun_ = 0;
        for (Watched& w : watched_) look(w);
        share_processors();
        all_met = std::all_of(watched_.begin(), watched_.end(), met);
      }
      std::this_thread::sleep_for(all_met ? std::chrono::microseconds(kTick) : kInsistently);
    }
  }

  // Processor time, in steps of a loop of our own that is timed beside it: a machine that is slow, or whose
  // cores and caches others share, makes nobody look stuck.
  static std::chrono::nanoseconds used(const Watched& w) {
    timespec t{};
    clock_gettime(w.clock, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
  }

  void look(Watched& w) {
    Worker& worker = *w.worker;
    const auto now = used(w);
    w.work += static_cast<double>((now - w.seen).count()) / step_ns_;
    w.seen = now;
    const std::uint64_t progress = worker.progress.load(std::memory_order_relaxed);
    const std::uint64_t exits = worker.exits.load(std::memory_order_relaxed);
    const std::uint64_t slices = worker.slices.load(std::memory_order_relaxed);
    if (progress != w.progress) note_progress(1);
    if (!worker.busy || progress != w.progress) w.progress = progress, w.moved = w.work, w.moved_at = now;
    if (!worker.busy || exits != w.exits) w.exits = exits, w.exited = w.work;
    if (worker.busy && !worker.events) {
      // Loops over barriers end too: a block in which no thread does for twice as long goes round and round.
      const auto limit = static_cast<double>(limit_steps);
      if (limit > 0 && (w.work - w.moved > limit || w.work - w.exited > 2 * limit)) worker.stuck = true;
      if (launch_is_aborted()) worker.stuck = true;
      if (now - w.moved_at > kPatience && begun_ < (processors_ + 1) / 2) begun_ += more_workers();
    }
    w.waits = worker.busy && !worker.events && now - w.moved_at >= kTick;
    if (worker.busy && (worker.stuck || (slices == w.slices && !worker.paused)))
      pthread_kill(w.thread, kSignal);
    w.slices = slices;
  }

  /// Blocks that wait sleep so much that about as many run as there are processors.
  void share_processors() {
    const auto waiting =
        std::count_if(watched_.begin(), watched_.end(), [](const Watched& w) { return w.waits; });
    const std::chrono::nanoseconds pause = std::clamp<std::chrono::nanoseconds>(
        kTick * (waiting - processors_) / processors_, 0ns, kLongestPause);
    for (const Watched& w : watched_) w.worker->pause_ns = w.waits ? pause.count() : 0;
  }

  std::mutex mutex_;
  std::vector<Watched> watched_;
  double step_ns_ = 1.0;  ///< of processor time
  const std::int64_t processors_ = std::max(1u, std::thread::hardware_concurrency());
  std::int64_t begun_ = 0;  ///< workers in this round
};

}  // namespace

void watch(Worker& worker) { Watchdog::get().add(worker); }
void unwatch(Worker& worker) { Watchdog::get().remove(worker); }
void set_stuck_limit(std::chrono::milliseconds limit) {
  Watchdog::get().limit_steps = limit.count() * kStepsInMillisecond;
}

void end_stuck_block(Worker& worker, Pc pc) {
  worker.stuck = false;
  if (launch_is_aborted()) worker.kill_block();
  abort_launch(cudaErrorLaunchTimeout);
  {
    const EngineScope scope;
    see_stuck_block(worker, pc);
  }
  worker.kill_block();
}

}  // namespace workbook::sim
