#include "diagnosis.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "advice.h"
#include "checker.h"
#include "dependency_waits.h"
#include "device_printf.h"
#include "host_constants.h"
#include "idioms.h"
#include "ordering.h"
#include "sim/engine/launch_check.h"
#include "sim/engine/runtime.h"
#include "sim/engine/team.h"
#include "sim/source/symbols.h"
#include "stream_order.h"
#include "unset_copies.h"
#include "vector_rooms.h"

namespace workbook::sim {

void WatchedStore::begin(std::uintptr_t address, std::size_t bytes) {
  address_ = address;
  bytes_ = bytes;
}

WatchedStore::Last WatchedStore::end() {
  bytes_ = 0;
  return std::exchange(last_, {});
}

void WatchedStore::see(std::uintptr_t address, std::size_t bytes, Pc pc) {
  if (address >= address_ + bytes_ || address + bytes <= address_) return;
  const std::lock_guard lock(mutex_);
  last_ = {pc, calls_around(pc)};
}

Diagnosis& Diagnosis::get() {
  static Diagnosis* const instance = new Diagnosis;  // outlives every destructor that may report
  return *instance;
}

void Diagnosis::begin_launch(const Launch& launch) {
  PrintedOutput::get().shown();  // what earlier kernels printed appears with a launch
  launch_ = &launch;
  if (launches_.empty()) first_generation_ = launch.generation;
  launches_.push_back({launch.grid, launch.block, launch.block_threads});
  if (!kernels_.contains(std::string_view(launch.kernel->name))) kernels_.emplace(launch.kernel->name);
  ReleaseBoard::get().clear();
  StreamOrder::get().begin_launch(launch.dependent);
  HostConstants::get().begin_launch(launch);
  DependencyWaits::get().begin_launch(launch.dependent);
  if (modes.count) Arena::get().clear_sectors();
  if (modes.check) Arena::get().shadow().begin_launch(launch.generation);
}

runs::LaunchCounters Diagnosis::end_launch(const std::vector<Worker*>& workers,
                                           std::uint64_t blocks_sampled) {
  runs::LaunchCounters c;
  const double scale = static_cast<double>(launch_->blocks) / static_cast<double>(blocks_sampled);
  c.threads = static_cast<std::int64_t>(launch_->blocks * launch_->block_threads);
  c.blocks_total = static_cast<std::int64_t>(launch_->blocks);
  c.blocks_sampled = static_cast<std::int64_t>(blocks_sampled);
  std::int64_t atomics = 0;
  std::vector<const AccessLog*> logs;
  for (Worker* w : workers) {
    const Counts& counts = checker_of(*w).checks;
    Tracing& tracing = checker_of(*w).checks;
    atomics += counts.atomics;
    logs.push_back(&counts.log);
    trace_.insert(trace_.end(), tracing.items.begin(), tracing.items.end());
    tracing.items.clear();
    trace_truncated_ = trace_truncated_ || tracing.truncated;
  }
  // Blocks that waited for each other ran on several workers.
  if (modes.trace && workers.size() > 1)
    std::stable_sort(trace_.begin(), trace_.end(), [](const TraceItem& a, const TraceItem& b) {
      return std::tie(a.event.launch, a.event.block) < std::tie(b.event.launch, b.event.block);
    });
  c.atomics = std::llround(static_cast<double>(atomics) * scale);
  if (modes.count) {
    Sites sites = to_record(logs, launch_->kernel->name, scale);
    c.sites = std::move(sites.counters);
    c.chained_misses = sites.chained_misses;
    c.chained_dram_misses = sites.chained_dram_misses;
    c.chained_shared = sites.chained_shared;
    c.remote_requests = sites.remote_requests;
    c.chained_remote = sites.chained_remote;
  }
  for (const auto& site : c.sites) {
    const bool shared = site.bank_passes > 0;
    (shared ? c.shared_requests : c.global_requests) += site.requests;
    c.shared_passes += site.bank_passes;
    c.l2_sectors += site.sectors;
  }
  int number = 0;
  for (const auto& a : Arena::get().allocations()) {
    --number;
    if (!a->live || a->sectors_read + a->sectors_written == 0) continue;
    const auto bytes_read = a->sectors_read * static_cast<std::int64_t>(kSectorBytes);
    const auto bytes_written = a->sectors_written * static_cast<std::int64_t>(kSectorBytes);
    c.dram_bytes_read += bytes_read;
    c.dram_bytes_written += bytes_written;
    c.traffic.push_back({a->id >= 0 ? a->id : number - 1, bytes_read, bytes_written});
  }
  if (modes.advise) advise(c, findings);
  ++trace_launch_;
  launch_ = nullptr;
  return c;
}

std::unique_ptr<WorkerEvents> look_on(Worker& worker) { return std::make_unique<Checker>(worker); }

void see_launch_begin(const Launch& launch) {
  note_vector_rooms();
  Diagnosis::get().begin_launch(launch);
}

runs::LaunchCounters see_launch_end(const std::vector<Worker*>& workers, std::uint64_t blocks_sampled) {
  const Launch* const launch = workers.empty() ? nullptr : workers.front()->launch;
  runs::LaunchCounters counts = Diagnosis::get().end_launch(workers, blocks_sampled);
  if (launch == nullptr) return counts;
  see_idioms(*launch, counts);
  see_vector_rooms(*launch, reinterpret_cast<Pc>(__builtin_return_address(0)));
  return counts;
}

bool are_blocks_in_order() { return Diagnosis::get().modes.in_order; }

bool has_crashed() { return Diagnosis::get().crashed; }

void see_rejected_launch(const LaunchConfig& config, const char* kernel, const LaunchProblem& problem) {
  if (!workbook_sim_is_diagnosing()) return;
  UnsetCopies::excuse();
  runs::Finding f;
  f.klass = runs::FindingClass::bad_launch;
  f.kernel = kernel;
  f.at = {config.file, config.line};
  f.message = std::string(kernel) + " is not launched: " + problem.text + ".";
  f.advice = std::string(
                 "None of its threads runs, and all that it should write stays as it was. Such a launch "
                 "says nothing by itself: cudaGetLastError() behind it returns ") +
             cudaGetErrorName(problem.error) + ".";
  Diagnosis::get().findings.add_now(std::move(f));
}

AccessLog::Tensor Diagnosis::tensor_at(bool shared, std::uint32_t word) const {
  if (!shared) {
    if (std::uint64_t{word} * 4 >= kArenaBytes) return {-1};
    const Allocation* a = Arena::get().find(std::uint64_t{word} * 4);
    if (a == nullptr) return {-1};
    return {a->id, static_cast<std::uint32_t>(a->offset / 4), static_cast<std::uint32_t>(a->bytes / 4)};
  }
  const auto& list = shared_variables();
  const std::uintptr_t offset = list.front().offset + std::uintptr_t{word} * 4;
  const auto after = std::upper_bound(list.begin(), list.end(), offset,
                                      [](std::uintptr_t o, const SharedVariable& v) { return o < v.offset; });
  const auto words_before = [&](const SharedVariable& v) { return (v.offset - list.front().offset + 3) / 4; };
  const std::size_t begin = words_before(after[-1]);
  const std::size_t end = after == list.end() ? kMaxSharedBytes / 4 : words_before(*after);
  return {first_shared_id + static_cast<int>(after - list.begin()) - 1, static_cast<std::uint32_t>(begin),
          static_cast<std::uint32_t>(std::max(begin, end) - begin)};
}

Worker* Diagnosis::owner_of_team_shared(const Worker& worker, std::uintptr_t address) const {
  const auto& list = shared_variables();
  if (list.empty()) return nullptr;
  const std::uintptr_t low = list.front().offset, high = list.back().offset + list.back().bytes;
  for (unsigned int rank = 0; rank < worker.team->size(); ++rank)
    if (address - (worker.team->tls_base(rank) + low - kMaxSharedBytes) < high - low + 2 * kMaxSharedBytes)
      return &worker.team->worker(rank);
  return nullptr;
}

void Diagnosis::restart_trace() {
  trace_.clear();
  trace_launch_ = 0;
  trace_truncated_ = false;
}

runs::Trace Diagnosis::take_trace() {
  runs::Trace out;
  out.truncated = trace_truncated_;
  struct Line {
    std::uint32_t pc_offset;
    std::uint8_t file;
    std::uint16_t line;
  };
  std::vector<Line> lines;
  out.events.reserve(trace_.size());
  for (TraceItem& item : trace_) {
    if (const runs::TraceEvent& e = item.event; e.tensor == kHandover) {
      out.handovers.push_back({out.events.size(), e.launch, e.block, e.thread, e.element});
      continue;
    }
    auto known = std::find_if(lines.begin(), lines.end(),
                              [&](const Line& l) { return l.pc_offset == item.pc_offset; });
    if (known == lines.end()) {
      const runs::SourceLine at = source_line(program_base() + item.pc_offset);
      auto file = std::find(out.files.begin(), out.files.end(), at.file);
      if (file == out.files.end()) file = out.files.insert(out.files.end(), at.file);
      known = lines.insert(lines.end(), {item.pc_offset, static_cast<std::uint8_t>(file - out.files.begin()),
                                         static_cast<std::uint16_t>(at.line)});
    }
    item.event.file = known->file;
    item.event.line = known->line;
    out.events.push_back(item.event);
  }
  restart_trace();
  return out;
}

std::optional<Diagnosis::LastWriter> Diagnosis::last_writer(std::uint64_t offset, std::size_t bytes) const {
  const Shadow::Record record = Arena::get().shadow().writer(offset / 4);
  const Shadow::Context& context = Arena::get().shadow().context(record);
  if (record == 0 || context.generation < first_generation_ ||
      context.generation - first_generation_ >= launches_.size())
    return std::nullopt;
  const LaunchShape& shape = launches_[context.generation - first_generation_];
  const std::uint32_t element = bytes >= 4 ? 0xfu : ((1u << bytes) - 1) << offset % 4;
  const bool is_known = (context.mask & element) == element;
  if (!is_known && ((context.mask & element) != 0 || context.beside == 0)) return LastWriter{};
  Cell cell{};
  cell.w_who = context.base + record % 32, cell.w_mask = context.mask & 0xfu, cell.w_row = context.row & 3u;
  const std::uint32_t who =
      is_known ? writer_of(cell, element) : cell.w_who + static_cast<std::uint32_t>(context.beside);
  const auto dim = [](uint3 v) { return runs::Dim3{v.x, v.y, v.z}; };
  const runs::ThreadId id{dim(unflatten(who / shape.block_threads, shape.grid)),
                          dim(unflatten(who % shape.block_threads, shape.block))};
  return LastWriter{id, program_base() + context.pc, describe_thread(id, shape.grid, shape.block)};
}

void Diagnosis::forget_launches() {
  launches_.clear();
  crashed = false;
  UnsetCopies::excuse(false);
  forget_errors();
}

}  // namespace workbook::sim
