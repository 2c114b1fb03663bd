#include "diagnosis.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "fiber.h"
#include "symbols.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kTraceLimit = 2'000'000;  // events; 24 bytes each before compression
constexpr std::uint64_t kNearby = std::uint64_t{1} << 20;

runs::Dim3 to_dim3(uint3 v) { return {v.x, v.y, v.z}; }

std::size_t shared_bytes(const SharedVariable& v, const Launch& launch) {
  return v.dynamic ? launch.dynamic_shared : v.bytes;
}

/// Whether two barriers are one in the source: the compiler may copy a call into both arms of a branch.
bool same_line(Pc a, Pc b) {
  static std::map<std::pair<Pc, Pc>, bool> known;
  const auto [place, fresh] = known.try_emplace({a, b}, false);
  if (fresh) {
    const runs::SourceLine x = source_line(a), y = source_line(b);
    place->second = x.line == y.line && x.file == y.file;
  }
  return place->second;
}

const char* verb(runs::Access kind) {
  return kind == runs::Access::read ? "reads" : kind == runs::Access::write ? "writes" : "updates (atomic)";
}

}  // namespace

Diagnosis* const Diagnosis::instance_ = new Diagnosis;

void Diagnosis::kill(Worker& worker) {
  block_damaged_ = true;
  worker.kill_current();
}

void Diagnosis::begin_launch(const Launch& launch) {
  launch_ = &launch;
  if (launches_.empty()) first_generation_ = launch.generation;
  launches_.push_back({launch.grid, launch.block, launch.block_threads});
  released_.clear();
  atomics_ = 0;
  sites_.clear_counters();
  if (modes.count) Arena::get().clear_sectors();
  tls_base_ = thread_local_base();
  if (!shared_variables().empty()) {
    first_shared_ = shared_variables().data();
    const SharedVariable& last = shared_variables().back();
    shared_low_ = tls_base_ + shared_variables().front().offset;
    shared_high_ = tls_base_ + last.offset + last.bytes;
  }
}

runs::LaunchCounters Diagnosis::end_launch(std::uint64_t blocks_sampled) {
  runs::LaunchCounters c;
  const double scale = static_cast<double>(launch_->blocks) / static_cast<double>(blocks_sampled);
  c.threads = static_cast<std::int64_t>(launch_->blocks * launch_->block_threads);
  c.blocks_total = static_cast<std::int64_t>(launch_->blocks);
  c.blocks_sampled = static_cast<std::int64_t>(blocks_sampled);
  c.atomics = std::llround(static_cast<double>(atomics_) * scale);
  c.sites = sites_.take(launch_->kernel->name, scale);
  for (const auto& site : c.sites) {
    const bool shared = site.kind.rfind("shared", 0) == 0;
    (shared ? c.shared_requests : c.global_requests) += site.requests;
    c.shared_passes += site.bank_passes;
    c.l2_sectors += site.sectors;
  }
  for (const auto& a : Arena::get().allocations()) {
    if (!a->live || a->sectors_read + a->sectors_written == 0) continue;
    const auto bytes_read = a->sectors_read * static_cast<std::int64_t>(kSectorBytes);
    const auto bytes_written = a->sectors_written * static_cast<std::int64_t>(kSectorBytes);
    c.dram_bytes_read += bytes_read;
    c.dram_bytes_written += bytes_written;
    c.traffic.push_back({a->id, bytes_read, bytes_written});
  }
  ++trace_launch_;
  launch_ = nullptr;
  return c;
}

void Diagnosis::block_begin() {
  block_fenced_ = block_damaged_ = false;
  acquired_.clear();
  if (!modes.check) return;
  for (const auto& v : shared_variables()) {
    const std::size_t bytes = shared_bytes(v, *launch_);
    const std::size_t first = (v.offset - shared_variables().front().offset) / 4;
    if (shared_cells_.size() < first + bytes / 4 + 2) shared_cells_.resize(first + bytes / 4 + 2);
    std::memset(static_cast<void*>(&shared_cells_[first]), 0, (bytes / 4 + 1) * sizeof(Cell));
  }
}

void Diagnosis::block_end() {
  if (modes.count) sites_.end_interval();
}

void Diagnosis::barrier(Worker& worker) {
  if (modes.count) sites_.end_interval();
  if (!modes.check) return;
  const SimThread* first = nullptr;
  const SimThread* gone = nullptr;
  std::uint32_t gone_count = 0;
  for (std::uint32_t i = 0; i < launch_->block_threads; ++i) {
    const SimThread& t = worker.thread(i);
    if (t.status == Status::exited && !t.killed) {
      if (gone == nullptr) gone = &t;
      ++gone_count;
    }
    if (t.status != Status::at_barrier) continue;
    if (first == nullptr) first = &t;
    if (t.wait_pc == first->wait_pc || same_line(t.wait_pc, first->wait_pc)) continue;
    findings.add("divergent_barrier", first->wait_pc, t.wait_pc, [&](runs::Finding& f) {
      f.kernel = launch_->kernel->name;
      f.who = thread_id(worker.gid(*first));
      f.other_who = thread_id(worker.gid(t));
      f.message =
          name(*f.who) + " waits at this barrier while " + name(*f.other_who) + " waits at another one.";
      f.advice = "All threads of a block must reach the same __syncthreads(): move it out of the branches.";
    });
  }
  if (gone != nullptr && first != nullptr)
    findings.add_passed_barrier(launch_->kernel->name, first->wait_pc, gone->last_pc,
                                {thread_id(worker.gid(*first)), name(thread_id(worker.gid(*first)))},
                                {thread_id(worker.gid(*gone)), name(thread_id(worker.gid(*gone)))},
                                gone_count);
}

void Diagnosis::access(Worker& worker, std::uintptr_t address, std::uint32_t bytes, runs::Access kind,
                       Pc pc) {
  worker.current->last_pc = pc;
  ++accesses;
  Arena& arena = Arena::get();
  if (arena.contains(address)) return global_access(worker, arena.offset_of(address), bytes, kind, pc);
  if (address >= shared_low_ && address < shared_high_)
    return shared_access(worker, address, bytes, kind, pc);
  if (on_fiber_stack(address) || in_program_image(address)) return;
  const auto arguments = reinterpret_cast<std::uintptr_t>(launch_->kernel->arguments);
  if (address - arguments < launch_->kernel->arguments_bytes) return;
  wild_access(worker, address, kind, pc);
}

void Diagnosis::wild_access(Worker& worker, std::uintptr_t address, runs::Access kind, Pc pc) {
  const std::uint32_t gid = worker.gid(*worker.current);
  {
    EngineScope scope;
    crashed = true;
    findings.add("illegal_address", pc, 0, [&](runs::Finding& f) {
      f.kernel = launch_->kernel->name;
      f.who = thread_id(gid);
      const bool null = address < 4096;
      char hex[32];
      std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(address));
      f.object = hex;
      f.message = null ? name(*f.who) + " " + verb(kind) + " address " + hex + ": the pointer is null."
                       : name(*f.who) + " " + verb(kind) + " address " + hex +
                             ", which is not device memory: a host pointer, or an index far outside.";
      f.advice =
          null ? "Find where this pointer comes from; device memory is what the kernel is given."
               : "A kernel may only follow pointers from cudaMalloc. Check the index, then the pointer.";
    });
  }
  kill(worker);
}

void Diagnosis::global_access(Worker& worker, std::uint64_t offset, std::uint32_t bytes, runs::Access kind,
                              Pc pc) {
  Arena& arena = Arena::get();
  Allocation* a = arena.find(offset);
  const bool inside = a != nullptr && offset >= a->offset && offset + bytes <= a->offset + a->bytes;
  if (!inside || offset % bytes != 0) {
    const std::uint32_t gid = worker.gid(*worker.current);
    {
      EngineScope scope;
      Allocation* near = a != nullptr ? a : arena.nearest(offset, kNearby);
      if (inside || near != nullptr) {
        findings.add(inside ? "misaligned" : "oob_global", pc, 0, [&](runs::Finding& f) {
          f.kernel = launch_->kernel->name;
          f.who = thread_id(gid);
          f.object = describe_element(*near, offset);
          if (inside) {
            f.message = std::to_string(bytes) + " bytes are accessed at " + f.object +
                        ", which is not a multiple of " + std::to_string(bytes) + " bytes into memory.";
            f.advice = "Vector accesses need an address aligned to their own size.";
            return;
          }
          const auto elements = static_cast<long long>(near->bytes / near->element_bytes);
          f.message = name(*f.who) + " " + verb(kind) + " " + f.object + ", but " +
                      (near->name.empty() ? "it" : near->name) + " has " + std::to_string(elements) +
                      " elements.";
          f.advice = "Guard the access: compare the index with the size before using it.";
        });
      } else {
        findings.add("oob_global", pc, 0, [&](runs::Finding& f) {
          f.kernel = launch_->kernel->name;
          f.who = thread_id(gid);
          f.object = "unallocated device memory";
          f.message = name(*f.who) + " " + verb(kind) +
                      " device memory that no tensor is near: it was freed, or the index is far out.";
          f.advice = "Print the index for one thread, by hand or in the Mapping panel.";
        });
      }
    }
    if (kind != runs::Access::read || inside) kill(worker);
    return;
  }
  const std::uint32_t site = sites_.find(pc, Space::global, kind, bytes);
  if (modes.check) touch_words(worker, {&arena.cell(0), offset, a, nullptr, 0}, bytes, kind, site);
  if (modes.count) {
    // A sector the launch itself wrote is still in the L2 when it is read again.
    for (std::uint64_t o = offset & ~std::uint64_t{31}; o < offset + bytes; o += kSectorBytes) {
      std::uint8_t& flags = arena.sector_flags(o);
      const std::uint8_t bit = kind == runs::Access::read ? 1 : 2;
      if (bit == 1 ? flags == 0 : (flags & 2) == 0) ++(bit == 1 ? a->sectors_read : a->sectors_written);
      if (kind == runs::Access::atomic && flags == 0) ++a->sectors_read;
      flags = static_cast<std::uint8_t>(flags | bit);
    }
    if (kind == runs::Access::atomic) ++atomics_;
    sites_.note(sites_[site], worker.current->linear, static_cast<std::uint32_t>(offset / 4), a->id);
  }
  if (modes.trace && a->id >= 0)
    trace_event(worker, a->id, (offset - a->offset) / a->element_bytes,
                std::max<std::uint32_t>(1, bytes / static_cast<std::uint32_t>(a->element_bytes)), kind, site);
}

const SharedVariable* Diagnosis::find_shared(std::uintptr_t offset) {
  if (recent_shared_ != nullptr && offset - recent_shared_->offset < recent_shared_->bytes)
    return recent_shared_;
  const auto& list = shared_variables();
  const auto after = std::upper_bound(list.begin(), list.end(), offset,
                                      [](std::uintptr_t o, const SharedVariable& v) { return o < v.offset; });
  return after == list.begin() ? nullptr : recent_shared_ = &*(after - 1);
}

void Diagnosis::shared_access(Worker& worker, std::uintptr_t address, std::uint32_t bytes, runs::Access kind,
                              Pc pc) {
  const std::uintptr_t offset = address - tls_base_;
  const SharedVariable* v = find_shared(offset);
  if (v == nullptr || offset + bytes > v->offset + shared_bytes(*v, *launch_)) {
    const std::uint32_t gid = worker.gid(*worker.current);
    {
      EngineScope scope;
      findings.add("oob_shared", pc, 0, [&](runs::Finding& f) {
        f.kernel = launch_->kernel->name;
        f.who = thread_id(gid);
        if (v != nullptr) {
          f.object = v->name + "[" + std::to_string((offset - v->offset) / 4) + "]";
          f.message = name(*f.who) + " " + verb(kind) + " " + f.object + ", but the shared array " + v->name +
                      " has " + std::to_string(shared_bytes(*v, *launch_)) + " bytes" +
                      (v->dynamic ? " in this launch (the third launch argument)." : ".");
        }
        f.advice = v != nullptr && v->dynamic
                       ? "Compare what the kernel indexes with the bytes the launch asks for."
                       : "Check the index against the array's declaration.";
      });
    }
    if (kind != runs::Access::read) kill(worker);
    return;
  }
  const std::uint32_t site = sites_.find(pc, Space::shared, kind, bytes);
  const int id = first_shared_id + static_cast<int>(v - first_shared_);
  const std::uintptr_t cells_at = first_shared_->offset;
  if (modes.check)
    touch_words(worker, {shared_cells_.data(), offset - cells_at, nullptr, v, offset - v->offset}, bytes,
                kind, site);
  if (modes.count) {
    if (kind == runs::Access::atomic) ++atomics_;
    sites_.note(sites_[site], worker.current->linear, static_cast<std::uint32_t>((offset - cells_at) / 4),
                id);
  }
  if (modes.trace)
    trace_event(worker, id, (offset - v->offset) / 4, std::max<std::uint32_t>(1, bytes / 4), kind, site);
}

runs::ThreadId Diagnosis::thread_id(std::uint32_t gid) const {
  return {to_dim3(unflatten(gid / launch_->block_threads, launch_->grid)),
          to_dim3(unflatten(gid % launch_->block_threads, launch_->block))};
}

std::string Diagnosis::name(const runs::ThreadId& id) const {
  return describe_thread(id, launch_->grid, launch_->block);
}

void Diagnosis::trace_event(Worker& worker, int tensor, std::uint64_t element, std::uint32_t count,
                            runs::Access kind, std::uint32_t site) {
  if (trace_.size() >= kTraceLimit) {
    trace_truncated_ = true;
    return;
  }
  runs::TraceEvent e;
  e.launch = static_cast<std::uint16_t>(trace_launch_);
  e.tensor = static_cast<std::uint16_t>(tensor);
  e.block = static_cast<std::uint32_t>(worker.block_linear());
  e.thread = static_cast<std::uint16_t>(worker.current->linear);
  e.step = static_cast<std::uint16_t>(std::min<std::uint32_t>(worker.epoch, 0xffff));
  e.access = kind;
  e.element = static_cast<std::uint32_t>(element);
  e.count = count;
  EngineScope scope;
  trace_.push_back({e, site});
}

void Diagnosis::restart_trace() {
  trace_.clear();
  trace_launch_ = 0;
  trace_truncated_ = false;
}

runs::Trace Diagnosis::take_trace() {
  runs::Trace out;
  out.truncated = trace_truncated_;
  std::vector<std::pair<std::uint8_t, std::uint16_t>> lines(sites_.size());
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const runs::SourceLine at = source_line(sites_[static_cast<std::uint32_t>(i)].pc);
    auto file = std::find(out.files.begin(), out.files.end(), at.file);
    if (file == out.files.end()) file = out.files.insert(out.files.end(), at.file);
    lines[i] = {static_cast<std::uint8_t>(file - out.files.begin()), static_cast<std::uint16_t>(at.line)};
  }
  out.events.reserve(trace_.size());
  for (TraceItem& item : trace_) {
    std::tie(item.event.file, item.event.line) = lines[item.site];
    out.events.push_back(item.event);
  }
  restart_trace();
  return out;
}

std::optional<Diagnosis::LastWriter> Diagnosis::last_writer(std::uint64_t offset) const {
  const Cell& cell = Arena::get().cell(offset);
  if (cell.w_gen < first_generation_ || cell.w_gen - first_generation_ >= launches_.size())
    return std::nullopt;
  const LaunchShape& shape = launches_[cell.w_gen - first_generation_];
  return LastWriter{{to_dim3(unflatten(cell.w_gid / shape.block_threads, shape.grid)),
                     to_dim3(unflatten(cell.w_gid % shape.block_threads, shape.block))},
                    sites_[cell.w_site].pc};
}

void Diagnosis::forget_launches() {
  launches_.clear();
  crashed = false;
}

}  // namespace workbook::sim
