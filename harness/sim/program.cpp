#include "program.h"

#include <backtrace.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <string>

#include "clock/gpus.h"
#include "clock/model.h"
#include "emergency_heap.h"
#include "runs/json_text.h"
#include "sim/calls/texture_use.h"
#include "sim/check/device_printf.h"
#include "sim/check/diagnosis.h"
#include "sim/check/memory_findings.h"
#include "sim/check/unread_copies.h"
#include "sim/engine/arena.h"
#include "sim/engine/deep_stack.h"
#include "sim/engine/division.h"
#include "sim/engine/fiber.h"
#include "sim/engine/launch.h"
#include "sim/engine/launch_watch.h"
#include "sim/engine/program_variables.h"
#include "sim/engine/replay.h"
#include "sim/engine/runtime.h"
#include "sim/engine/watchdog.h"
#include "sim/runtime/host_log.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

constexpr unsigned kLastWordsSeconds = 25;  // for the report of a program that crashed
constexpr unsigned kLastLaunchSeconds =
    5;  // for a launch to end when time is over, and the program behind it

void add(runs::LaunchCounters& sum, const runs::LaunchCounters& c) {
  sum.threads += c.threads;
  sum.dram_bytes_read += c.dram_bytes_read;
  sum.dram_bytes_written += c.dram_bytes_written;
  sum.l2_sectors += c.l2_sectors;
  sum.global_requests += c.global_requests;
  sum.shared_requests += c.shared_requests;
  sum.shared_passes += c.shared_passes;
  sum.barriers += c.barriers;
  sum.grid_barriers += c.grid_barriers;
  sum.atomics += c.atomics;
  sum.warp_operations += c.warp_operations;
  sum.chained_misses += c.chained_misses;
  sum.chained_dram_misses += c.chained_dram_misses;
  sum.chained_shared += c.chained_shared;
  sum.cluster_barriers += c.cluster_barriers;
  sum.remote_requests += c.remote_requests;
  sum.chained_remote += c.chained_remote;
  sum.flops += c.flops;
  sum.tensor_flops += c.tensor_flops;
  sum.blocks_total += c.blocks_total;
  sum.blocks_sampled += c.blocks_sampled;
  for (const runs::TensorTraffic& one : c.traffic) {
    const auto known = std::find_if(sum.traffic.begin(), sum.traffic.end(),
                                    [&](const runs::TensorTraffic& t) { return t.tensor == one.tensor; });
    if (known == sum.traffic.end()) {
      sum.traffic.push_back(one);
      continue;
    }
    known->bytes_read += one.bytes_read;
    known->bytes_written += one.bytes_written;
  }
}

void add(runs::SiteCounters& sum, const runs::SiteCounters& c) {
  sum.requests += c.requests;
  sum.sectors += c.sectors;
  sum.ideal_sectors += c.ideal_sectors;
  sum.bank_passes += c.bank_passes;
  sum.bytes += c.bytes;
  sum.lines += c.lines;
  sum.l1_sectors += c.l1_sectors;
  sum.misses += c.misses;
  sum.approximate |= c.approximate;
}

void add(runs::ModelledTime& sum, const runs::ModelledTime& one) {
  sum.gpu = one.gpu;
  sum.total_us += one.total_us;
  sum.launch_us += one.launch_us;
  sum.dram_us += one.dram_us;
  sum.dispatch_us += one.dispatch_us;
  sum.l2_us += one.l2_us;
  sum.sm_us += one.sm_us;
  sum.arithmetic_us += one.arithmetic_us;
  sum.latency_us += one.latency_us;
  sum.atomics_us += one.atomics_us;
}

/// The launches of one kernel, added up; its sites by line and kind.
struct Totals {
  void add_time(const runs::ModelledTime& one) {
    if (!sum.modelled) sum.modelled.emplace();
    add(*sum.modelled, one);
    by_bound[one.bound] += one.total_us;
    sum.modelled->bound =
        std::max_element(by_bound.begin(), by_bound.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->first;
  }

  runs::KernelTotals sum;
  std::map<runs::BoundBy, double> by_bound;  ///< microseconds
  std::map<std::tuple<std::string, int, runs::SiteKind>, runs::SiteCounters> sites;
  std::size_t order = 0;
};

/// The file `name`, written anew; false where it cannot be.
bool write_whole(const std::string& name, const std::string& text) {
  std::FILE* out = std::fopen(name.c_str(), "we");
  if (out == nullptr) return false;
  const bool good = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  return std::fclose(out) == 0 && good;
}

class Program {
 public:
  void begin(std::string report, std::string results) {
    report_ = std::move(report);
    results_ = std::move(results);
    process_ = getpid();
  }

  bool keeps_results() const { return !results_.empty(); }
  void fetched(const void* start, std::size_t bytes) {
    constexpr std::size_t kMost = std::size_t{1} << 20;
    const std::lock_guard lock(mutex_);
    if (bytes > kMost || fetched_.size() > kMost - bytes) return;
    const std::uint64_t size = bytes;
    fetched_.append(reinterpret_cast<const char*>(&size), sizeof size);
    fetched_.append(static_cast<const char*>(start), bytes);
  }

  void record(const FinishedLaunch& launch) {
    const std::lock_guard lock(mutex_);
    Totals& totals = kernels_.try_emplace(launch.kernel, Totals{{}, {}, {}, kernels_.size()}).first->second;
    runs::KernelTotals& sum = totals.sum;
    sum.kernel = launch.kernel;
    ++sum.launches;
    sum.grid = launch.grid;
    sum.block = launch.block;
    sum.shared_bytes = launch.shared_bytes;
    if (launch.modelled) totals.add_time(*launch.modelled);
    if (!launch.counters) {
      sum.counters.threads += std::int64_t{launch.grid.x} * launch.grid.y * launch.grid.z * launch.block.x *
                              launch.block.y * launch.block.z;
      return;
    }
    add(sum.counters, *launch.counters);
    for (const runs::SiteCounters& site : launch.counters->sites) {
      const auto [place, fresh] = totals.sites.try_emplace({site.at.file, site.at.line, site.kind}, site);
      if (!fresh) add(place->second, site);
    }
    if (launch.modelled) return;
    runs::LaunchRecord record;
    record.kernel = launch.kernel;
    record.grid = launch.grid;
    record.block = launch.block;
    record.shared_bytes = launch.shared_bytes;
    record.counters = launch.counters;
    totals.add_time(model_time(current_gpu(), record));
  }

  runs::ProgramReport take() {
    runs::ProgramReport out;
    out.gpu = current_gpu().name;
    out.diagnosing = workbook_sim_is_diagnosing();
    out.kernels.resize(kernels_.size());
    for (const auto& [name, totals] : kernels_) {
      runs::KernelTotals& sum = out.kernels[totals.order];
      sum = totals.sum;
      for (const auto& [key, site] : totals.sites) sum.counters.sites.push_back(site);
    }
    out.findings = Diagnosis::get().findings.take();
    out.calls = HostLog::get().calls();
    out.calls_left_out = HostLog::get().left_out();
    return out;
  }

  /// Whole or not at all, once, and not by a process that this one forked.
  void write(const char* ended_by, std::optional<runs::SourceLine> at) {
    if (report_.empty() || getpid() != process_) return;
    const std::string file = std::move(report_);
    report_.clear();
    report_deep_stack(Diagnosis::get().findings);
    if (*ended_by == '\0' && workbook_sim_is_diagnosing()) {
      report_leaks(Diagnosis::get().findings);
      if (!device_is_lost()) report_unread_copies(Diagnosis::get().findings);
      PrintedOutput::get().report_lost(Diagnosis::get().findings);
      report_textures();
    }
    runs::ProgramReport report = take();
    report.ended_by = ended_by;
    report.at = std::move(at);
    const std::string text = runs::json_text(report);
    const std::string draft = file + ".new";
    if (!results_.empty()) write_whole(results_, fetched_);
    if (write_whole(draft, text) && std::rename(draft.c_str(), file.c_str()) == 0) return;
    write_whole(file, text);  // a sandbox has room for this file alone
  }

 private:
  std::string report_, results_, fetched_;
  pid_t process_ = 0;
  std::mutex mutex_;
  std::map<std::string, Totals> kernels_;
};

/// Never destroyed: the report is written after the program's own static objects are gone.
Program& program() {
  static Program* const instance = new Program;
  return *instance;
}

const char* signal_name(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    case SIGILL:
      return "SIGILL";
    case SIGABRT:
      return "SIGABRT";
    case SIGINT:
      return "SIGINT";
    default:
      return "SIGTERM";
  }
}

/// The innermost frame of the interrupted code that is the program's own.
int on_frame(void* data, std::uintptr_t pc, const char* file, int line, const char*) {
  if (file == nullptr || line == 0 || !in_program_image(pc)) return 0;
  const std::string name = file;
  if (name.find("workbook_sim/") != std::string::npos || name.starts_with("/usr/")) return 0;
  *static_cast<std::optional<runs::SourceLine>*>(data) = runs::SourceLine{name, line};
  return 1;
}

std::optional<runs::SourceLine> interrupted_line() {
  std::optional<runs::SourceLine> found;
  const auto ignore = [](void*, const char*, int) {};
  if (backtrace_state* state = backtrace_create_state(nullptr, 1, ignore, nullptr))
    backtrace_full(state, 1, on_frame, ignore, &found);
  if (!found && this_worker != nullptr && this_worker->running != nullptr &&
      this_worker->running->last_pc != 0)
    found = source_line(this_worker->running->last_pc);
  return found;
}

std::atomic<bool> is_uncaught{false};  // an exception has come to std::terminate()

/// What an exception that nobody has caught says, where CUDA's errors are what it speaks of, or follows from.
std::optional<std::string> uncaught_error() {
  if (!is_uncaught || std::current_exception() == nullptr) return std::nullopt;
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::exception& error) {
    const std::string text = error.what();
    if (device_is_lost() || text.find("cudaError") != std::string::npos) return text;
  } catch (...) {
  }
  return std::nullopt;
}

/// The program ends as on a GPU, and that is a finding, unless a kernel's fault is what it follows from.
[[noreturn]] void end_by_exception(const std::string& text) {
  const std::optional<runs::SourceLine> at = interrupted_line();
  if (!device_is_lost() && at && workbook_sim_is_diagnosing()) {
    runs::Finding f;
    f.klass = runs::FindingClass::bad_api_call;
    f.at = *at;
    f.message =
        "a call fails and throws an exception, which nobody catches: the program ends here. It says: " + text;
    f.advice = "Mend what the call asks for, or catch the exception where the program can do without it.";
    Diagnosis::get().findings.add(std::move(f));
  }
  program().write(signal_name(SIGABRT), at);
  for (;;) syscall(SYS_exit_group, EXIT_FAILURE);
}

std::uintptr_t stack_pointer(const void* context) {
  const mcontext_t& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__aarch64__)
  return registers.sp;
#else
  return static_cast<std::uintptr_t>(registers.gregs[REG_RSP]);
#endif
}

// The program is lost already: the report may allocate, from a heap of its own, for the program's may be
// locked by whoever finds it in disorder. If the report fails too, the alarm ends it.
void on_signal(int signal, siginfo_t* info, void* context) {
  if (signal == SIGFPE && info->si_code == FPE_INTDIV && finish_division(context)) return;
  if (signal == SIGSEGV && on_fiber_stack(reinterpret_cast<std::uintptr_t>(info->si_addr)) &&
      DeepStack::get().reached(reinterpret_cast<std::uintptr_t>(info->si_addr), stack_pointer(context)))
    return;
  // Time is over: the launch that runs is ended, for what it can tell, and then the program ends by itself.
  if (signal == SIGTERM && LaunchWatch::get().end_in_time()) {
    alarm(kLastLaunchSeconds);
    return;
  }
  static std::atomic<pid_t> first{0};  // blocks that run at the same time may crash at the same time
  const pid_t self = gettid();
  pid_t before = 0;
  if (!first.compare_exchange_strong(before, self) && before != self)
    for (;;) pause();
  if (before == self) {  // the report crashes too
    ::signal(signal, SIG_DFL);
    raise(signal);
  }
  ::signal(SIGALRM, SIG_DFL);
  alarm(kLastWordsSeconds);
  begin_emergency();
  FindingLog::begin_last_words();
  if (this_worker != nullptr) this_worker->current = nullptr;  // nothing from here on is the kernel's
  if (signal == SIGABRT)
    if (const auto text = uncaught_error()) end_by_exception(*text);
  const bool full =
      signal == SIGSEGV && is_beyond_fiber_stack(reinterpret_cast<std::uintptr_t>(info->si_addr));
  const bool checked = this_worker != nullptr && this_worker->events != nullptr;
  const char* trouble = checked ? this_worker->events->stack_trouble() : kStackFull;
  program().write(full ? trouble : signal_name(signal), interrupted_line());
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void at_end() { program().write("", std::nullopt); }

// Where it asks for no report, a program of the simulator runs all the same.
std::string take_variable(const char* name) {
  const char* value = std::getenv(name);
  std::string text = value == nullptr ? "" : value;
  unsetenv(name);
  return text;
}

// Before the program's own constructors, which may launch kernels; so at_end comes after its destructors.
[[gnu::constructor(200)]] void begin_program() {
  program().begin(take_variable(kReportVariable), take_variable(kResultsVariable));
  if (const GpuSpec* gpu = find_gpu(take_variable(kGpuVariable))) choose_gpu(*gpu);
  const bool diagnosing = workbook_sim_is_diagnosing();
  Diagnosis::get().modes = {.check = diagnosing, .count = diagnosing, .advise = diagnosing};
  Diagnosis::get().findings.whole_blocks = !take_variable(kWholeBlocksVariable).empty();
  if (diagnosing) Replay::turn_on();
  if (diagnosing) DeepStack::get().set_limit(1024);
  if (const std::string percent = take_variable(kSampleVariable); !percent.empty())
    launch_settings().checked_share = std::atof(percent.c_str()) / 100.0;
  set_stuck_limit(kStuckLimit);
  Arena::get();
  shared_variables();
  HostLog::get().begin();
  Timeline::get().costs = kProgramCosts;
  launch_settings().on_finished = [](const FinishedLaunch& launch) { program().record(launch); };
  if (program().keeps_results())
    launch_settings().on_fetched = [](const void* start, std::size_t bytes) {
      program().fetched(start, bytes);
    };
  std::atexit(at_end);
  at_quick_exit(at_end);

  static const std::terminate_handler before_ours = std::get_terminate();
  std::set_terminate([] {
    is_uncaught = true;
    before_ours();
  });

  static char stack[256 * 1024];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGALRM}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

runs::ProgramReport take_program_report() { return program().take(); }

}  // namespace workbook::sim

extern "C" {

/// What the linker is told to look for, so that this object is part of the program.
extern const char workbook_sim_program;
const char workbook_sim_program = 0;

// Programs that leave without exit() report too.
[[noreturn]] void _exit(int status) {
  workbook::sim::program().write("", std::nullopt);
  for (;;) syscall(SYS_exit_group, status);
}
[[noreturn]] void _Exit(int status) { _exit(status); }
}
