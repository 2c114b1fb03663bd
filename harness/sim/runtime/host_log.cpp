// The log of host calls; and what only programs call: NVTX's ranges and the modelled clock of the host.
#include "sim/runtime/host_log.h"

#include <algorithm>
#include <atomic>

#include "nvtx3/nvToolsExt.h"
#include "sim/runtime/streams.h"
#include "workbook_sim/host_clock.h"

namespace workbook::sim {
namespace {

thread_local int graphs_running = 0;
thread_local int open_ranges = 0;

std::int64_t this_thread_number() {
  static std::atomic<std::int64_t> next{0};
  thread_local const std::int64_t number = next++;
  return number;
}

}  // namespace

HostLog& HostLog::get() {
  static auto& log = *new HostLog;
  return log;
}

void HostLog::add(runs::HostCall call) {
  const std::lock_guard lock(mutex_);
  latest_kept_ = calls_.size() < kMost;
  if (latest_kept_)
    calls_.push_back(std::move(call));
  else
    ++left_out_;
}

void HostLog::latest_waits() {
  const std::lock_guard lock(mutex_);
  if (!latest_kept_ || calls_.empty()) return;
  calls_.back().waits = true;
  calls_.back().end_us = Timeline::get().host_us;
}

std::optional<std::size_t> HostLog::loads(const std::string& kernel) {
  const std::lock_guard lock(mutex_);
  if (!loaded_.insert(kernel).second) return std::nullopt;
  return loaded_.size() - 1;
}

std::int64_t HostLog::number_of(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return 0;
  const std::lock_guard lock(mutex_);
  const auto found = std::find(streams_.begin(), streams_.end(), stream);
  const std::int64_t number = found - streams_.begin() + 1;
  if (found == streams_.end()) streams_.push_back(stream);
  return number;
}

std::vector<runs::HostCall> HostLog::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

LoggedCall::LoggedCall(std::optional<CallKind> kind, std::string name, cudaStream_t stream)
    : counts_(kind && HostLog::get().on()) {
  if (!counts_) return;
  call_.kind = *kind;
  call_.name = std::move(name);
  call_.thread = this_thread_number();
  call_.stream = HostLog::get().number_of(stream);
  call_.begin_us = Timeline::get().host_us;
  call_.waits = call_.kind == CallKind::wait;
  if (graphs_running > 0 && call_.kind == CallKind::launch) call_.kind = CallKind::kernel;
}

LoggedCall::~LoggedCall() {
  if (!counts_) return;
  call_.end_us = Timeline::get().host_us;
  call_.device_begin_us = work.begin;
  call_.device_end_us = work.end;
  HostLog::get().add(std::move(call_));
}

void LoggedCall::spend_launch() {
  if (!counts_ || graphs_running > 0) return;
  Timeline& timeline = Timeline::get();
  timeline.host_us += timeline.costs.launch_us;
  if (call_.kind != CallKind::launch) return;
  if (const auto before = HostLog::get().loads(call_.name))
    timeline.host_us += timeline.costs.load_us + (*before == 0 ? timeline.costs.first_us : 0.0);
}

GraphRun::GraphRun() {
  LoggedCall call(CallKind::graph, "cudaGraphLaunch");
  call.spend_launch();
  ++graphs_running;
}

GraphRun::~GraphRun() { --graphs_running; }

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

double workbook_sim_host_us() {
  LoggedCall call(CallKind::clock, "host_us");
  Timeline& timeline = Timeline::get();
  return timeline.host_us += timeline.costs.clock_us;
}

int nvtxRangePushA(const char* name) {
  LoggedCall call(CallKind::push, name == nullptr ? "" : name);
  return open_ranges++;
}

int nvtxRangePop() {
  if (open_ranges == 0) return -2;  // as NVTX does where no range is open
  LoggedCall call(CallKind::pop);
  return --open_ranges;
}

void nvtxMarkA(const char* name) { LoggedCall call(CallKind::mark, name == nullptr ? "" : name); }

}  // extern "C"
