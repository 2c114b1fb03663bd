// The simulator behind the harness's seam. The only file of harness/sim that knows harness/core.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include "clock/gpus.h"
#include "clock/model.h"
#include "clock/occupancy.h"
#include "core/backend.h"
#include "sim/check/advice.h"
#include "sim/check/diagnosis.h"
#include "sim/engine/arena.h"
#include "sim/engine/fiber.h"
#include "sim/engine/launch.h"
#include "sim/engine/loop_watch.h"
#include "sim/engine/watchdog.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

using core::Workload;

// About a second of work for the real shape's launches together on one core.
constexpr std::uint64_t kSampleAccesses = 3'000'000;
/// Ends a variant after a launch that crashed or went round for ever, which a finding tells: nothing that
/// follows it would have run.
struct Ended {};

class SimRun : public core::WorkloadRun {
 public:
  SimRun(const Workload& workload, std::vector<void*> device, const GpuSpec& gpu)
      : WorkloadRun(workload, std::move(device), nullptr), gpu_(gpu) {}
  std::vector<runs::LaunchRecord> launches;

 private:
  void execute(const Step& step, const Body& body) override {
    const std::string name(step.name);
    const std::size_t first = launches.size();
    launch_settings().on_finished = [&](const FinishedLaunch& f) { add(name, step.registers, f); };
    launch_settings().on_moved = [&](const char* what, double read, double written) {
      add_moved(name, what, read, written);
    };
    body();
    const cudaError_t waited = cudaDeviceSynchronize();
    launch_settings().on_finished = nullptr;
    launch_settings().on_moved = nullptr;
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = waited;
    // A finding tells, with its line.
    if (error == cudaErrorLaunchTimeout || Diagnosis::get().crashed) throw Ended{};
    if (error != cudaSuccess)
      throw core::LaunchFailed(name + ": " + cudaGetErrorString(error) +
                               (last_launch_error().empty() ? "" : ": " + last_launch_error()));
    declare_flops(step.flops, first);
  }

  void add(const std::string& step, int registers, const FinishedLaunch& finished) {
    runs::LaunchRecord record;
    record.kernel = finished.kernel;
    record.step = step;
    record.grid = finished.grid;
    record.block = finished.block;
    record.shared_bytes = finished.shared_bytes;
    record.registers = registers;
    const Multiprocessor sm = multiprocessor(gpu_, record);
    record.resident_blocks = std::int64_t{sm.resident.blocks} * gpu_.sms;
    record.resident_limit = sm.resident.limit;
    record.empty_slots = sm.warp_slots - sm.warps;
    record.counters = finished.counters;
    record.modelled = finished.modelled;
    launches.push_back(std::move(record));
  }

  void add_moved(const std::string& step, const char* what, double read, double written) {
    if (!Diagnosis::get().modes.count) return;
    runs::LaunchRecord record;
    record.kernel = what;
    record.step = step;
    record.counters.emplace();
    record.counters->dram_bytes_read = static_cast<std::int64_t>(read);
    record.counters->dram_bytes_written = static_cast<std::int64_t>(written);
    record.counters->blocks_total = record.counters->blocks_sampled = 1;
    record.modelled = model_move(gpu_, read + written);
    launches.push_back(std::move(record));
  }

  /// A step's work, shared out among its kernels by their threads.
  void declare_flops(double flops, std::size_t first) {
    double threads = 0.0;
    for (std::size_t i = first; i < launches.size(); ++i)
      if (launches[i].counters) threads += static_cast<double>(launches[i].counters->threads);
    for (std::size_t i = first; i < launches.size(); ++i)
      if (launches[i].counters && !launches[i].modelled && threads > 0.0)
        launches[i].counters->flops = flops * static_cast<double>(launches[i].counters->threads) / threads;
  }

  const GpuSpec& gpu_;
};

/// What kernels print while it lives goes nowhere: it was printed before.
class SilentOutput {
 public:
  SilentOutput() {
    std::fflush(stdout);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    kept_ = nowhere < 0 ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (kept_ >= 0) dup2(nowhere, STDOUT_FILENO);
    if (nowhere >= 0) close(nowhere);
  }
  ~SilentOutput() {
    std::fflush(stdout);
    if (kept_ < 0) return;
    dup2(kept_, STDOUT_FILENO);
    close(kept_);
  }
  SilentOutput(const SilentOutput&) = delete;
  SilentOutput& operator=(const SilentOutput&) = delete;

 private:
  int kept_ = -1;
};

class SimBackend : public core::Backend {
 public:
  explicit SimBackend(const GpuSpec& gpu) : gpu_(gpu) {}

  runs::Backend name() const override { return runs::Backend::sim; }
  std::string device() const override { return std::string(gpu_.name) + " (modelled)"; }
  std::string engine() const override {
    return workbook_sim_is_diagnosing() ? "simulator, diagnosing" : "simulator, fast";
  }

  core::Execution execute(const Workload& workload) override {
    const bool diagnosing = workbook_sim_is_diagnosing();
    Diagnosis& diagnosis = Diagnosis::get();
    diagnosis.findings.whole_blocks = true;
    diagnosis.modes = {.check = diagnosing,
                       .count = diagnosing && workload.in_order,
                       .in_order = diagnosing && workload.in_order,
                       .trace = diagnosing && workload.traced,
                       .handovers = diagnosing && workload.traced && workload.handovers};
    launch_settings().sample_accesses = 0;
    prepare(workload, true);
    SimRun run(workload, device_, gpu_);
    try {
      workload.run(run);
    } catch (const Ended&) {
    }
    core::Execution out;
    for (const auto& info : workload.tensors) {
      const auto* bytes = static_cast<const std::byte*>(device_[static_cast<std::size_t>(info.id)]);
      if (const int file = file_of(workload, info); file < 0)
        out.values.emplace_back(bytes, bytes + info.bytes);
      else
        out.values.push_back(give_back(file, bytes, info));
    }
    out.launches = std::move(run.launches);
    out.findings = diagnosis.findings.take();
    return out;
  }

  std::optional<core::Writer> writer_of(int tensor, std::int64_t element) const override {
    if (!workbook_sim_is_diagnosing()) return std::nullopt;
    const auto id = static_cast<std::size_t>(tensor);
    const auto address = reinterpret_cast<std::uintptr_t>(device_[id]) +
                         static_cast<std::uintptr_t>(element) * core::size_of(types_[id]);
    Arena& arena = Arena::get();
    const std::uint64_t offset = arena.offset_of(address);
    // The shadow remembers a writer for each word, which may be that of the element beside this one.
    const std::size_t bytes = core::size_of(types_[id]);
    const auto missing = arena.first_uninitialised(offset, bytes);
    const auto writer = missing ? std::nullopt : Diagnosis::get().last_writer(offset, bytes);
    if (!writer) return std::nullopt;
    if (!writer->who) return core::Writer{};
    return core::Writer{writer->who, source_line(writer->pc), writer->name};
  }

  std::optional<runs::SourceLine> caller_of_writer(const Workload& workload, int tensor,
                                                   std::int64_t element) override {
    const std::optional<core::Writer> writer = writer_of(tensor, element);
    if (!writer || !writer->at) return std::nullopt;
    const auto id = static_cast<std::size_t>(tensor);
    const std::size_t bytes = core::size_of(types_[id]);
    const auto address =
        reinterpret_cast<std::uintptr_t>(device_[id]) + static_cast<std::uintptr_t>(element) * bytes;
    WatchedStore& watched = Diagnosis::get().watched;
    watched.begin(address, bytes);
    Workload again = workload;
    again.traced = false;
    again.on_step = [](const Step&) {};
    try {
      const SilentOutput silent;
      execute(again);
    } catch (const core::LaunchFailed&) {
    }
    const WatchedStore::Last last = watched.end();
    return last.pc == 0 ? std::nullopt : caller_of(*writer->at, last.pc, last.calls);
  }

  std::optional<Again> run_again(const Workload& workload) override {
    if (!workbook_sim_is_diagnosing()) return std::nullopt;
    const SilentOutput silent;
    try {
      core::Execution seen = execute(workload);
      return Again{std::move(seen.values), workload.traced ? take_trace() : std::nullopt};
    } catch (const core::LaunchFailed&) {
      return std::nullopt;
    }
  }

  std::optional<runs::SourceLine> locate(std::uintptr_t pc) const override {
    const runs::SourceLine here = source_line(pc + 1);
    if (here.line > 0 && here.file.find("kernels") != std::string::npos) return here;
    // Interrupted inside the engine, which the learner's code called: its latest access is near enough.
    if (this_worker != nullptr && this_worker->running != nullptr && this_worker->running->last_pc != 0)
      return source_line(this_worker->running->last_pc);
    return here.line > 0 ? std::optional(here) : std::nullopt;
  }

  void leave_kernel() const override {
    if (this_worker != nullptr) this_worker->current = nullptr;
  }

  std::vector<runs::Finding> last_findings() override {
    if (FindingLog::is_entered()) return {};  // the thread that was interrupted holds it
    return Diagnosis::get().findings.take();
  }

  const char* crash_reason(const void* address) const override {
    if (!is_beyond_fiber_stack(reinterpret_cast<std::uintptr_t>(address))) return "";
    return this_worker != nullptr && this_worker->events ? this_worker->events->stack_trouble() : kStackFull;
  }

  std::optional<runs::Trace> take_trace() override {
    if (!workbook_sim_is_diagnosing()) return std::nullopt;
    std::optional<runs::Trace> trace = Diagnosis::get().take_trace();
    if (trace) {
      trace->tensors = tensors_;
      append_shared_tensors(trace->tensors);
    }
    return trace;
  }

  runs::Benchmark benchmark(const Workload& workload) override {
    Diagnosis::get().modes = {.count = true};
    launch_settings().sample_accesses = workload.sampled ? kSampleAccesses : 0;
    prepare(workload, false);
    SimRun run(workload, device_, gpu_);
    runs::Benchmark out;
    out.tensors = workload.tensors;
    try {
      workload.run(run);
    } catch (const Ended&) {
      out.note = "a kernel came to no end on this shape within the simulator's limits";
    } catch (const core::LaunchFailed& failure) {
      out.note = failure.what();
    }
    Diagnosis::get().findings.take();  // counted blocks see the data of blocks that were not run
    if (!out.note.empty()) return out;
    append_shared_tensors(out.tensors);
    out.launches = std::move(run.launches);
    for (auto& launch : out.launches) {
      if (!launch.modelled) launch.modelled = model_time(gpu_, launch);
      out.modelled_total_us += launch.modelled->total_us;
      if (launch.counters) advise(*launch.counters, Diagnosis::get().findings);
    }
    return out;
  }

  std::vector<runs::Finding> take_advice() override { return Diagnosis::get().findings.take(); }

 private:
  void prepare(const Workload& workload, bool checked) {
    Arena& arena = Arena::get();
    arena.release_all();
    arena.poison = arena.far_apart = checked;
    Diagnosis& diagnosis = Diagnosis::get();
    diagnosis.forget_launches();
    diagnosis.restart_trace();
    diagnosis.first_shared_id = static_cast<int>(workload.tensors.size());
    device_.clear();
    tensors_ = workload.tensors;
    types_ = workload.types;
    for (const auto& info : workload.tensors) {
      const auto bytes = static_cast<std::size_t>(info.bytes);
      void* pointer = nullptr;
      if (cudaMalloc(&pointer, bytes) != cudaSuccess)
        throw std::runtime_error("the simulator's 16 GiB of device memory are full at tensor " + info.name);
      Allocation* allocation = arena.find_start(pointer);
      allocation->id = info.id;
      allocation->name = info.name;
      allocation->shape = info.shape;
      const auto& initial = workload.initial[static_cast<std::size_t>(info.id)];
      allocation->element_bytes = core::size_of(workload.types[static_cast<std::size_t>(info.id)]);
      if (!initial.empty()) cudaMemcpy(pointer, initial.data(), bytes, cudaMemcpyHostToDevice);
      if (const int file = file_of(workload, info); file >= 0)
        take_pages(file, pointer, bytes, workload.given[static_cast<std::size_t>(info.id)]);
      device_.push_back(pointer);
    }
  }

  static int file_of(const Workload& workload, const runs::TensorInfo& info) {
    return workload.files.empty() ? -1 : workload.files[static_cast<std::size_t>(info.id)];
  }

  static bool fits_pages() {
    return sysconf(_SC_PAGESIZE) <= 4096;
  }  // the arena's, which is what it hands out

  /// Puts the file's pages in place of the tensor's, so that a kernel works on them and nothing is copied;
  /// where the machine's pages are larger, the contents are.
  static void take_pages(int file, void* pointer, std::size_t bytes, bool given) {
    if (!fits_pages()) {
      if (given && pread(file, pointer, bytes, 0) != static_cast<ssize_t>(bytes))
        throw std::runtime_error(std::string("an array cannot be read: ") + std::strerror(errno));
    } else {
      const bool cleared = !given && *static_cast<const unsigned char*>(pointer) == 0;
      if (mmap(pointer, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
        throw std::runtime_error(std::string("an array cannot be mapped: ") + std::strerror(errno));
      if (!given) std::memset(pointer, cleared ? 0 : 0xff, bytes);
    }
    Arena& arena = Arena::get();
    if (given) arena.mark_initialised(arena.offset_of(reinterpret_cast<std::uintptr_t>(pointer)), bytes);
  }

  /// The tensor's contents, or nothing where they are the file's already.
  static core::Bytes give_back(int file, const std::byte* bytes, const runs::TensorInfo& info) {
    core::Bytes values(bytes, bytes + info.bytes);
    if (!fits_pages() && pwrite(file, bytes, values.size(), 0) != static_cast<ssize_t>(values.size()))
      throw std::runtime_error(std::string("an array cannot be written: ") + std::strerror(errno));
    return values;
  }

  static void append_shared_tensors(std::vector<runs::TensorInfo>& tensors) {
    for (const auto& v : shared_variables()) {
      runs::TensorInfo info;
      info.id = static_cast<int>(tensors.size());
      info.name = v.name;
      info.space = runs::TensorSpace::shared;
      info.role = runs::TensorRole::shared;
      info.bytes = v.dynamic ? 0 : static_cast<std::int64_t>(v.bytes);
      info.shape = {info.bytes / 4};
      if (v.extents.size() > 1 && v.element_bytes == 4) info.shape.assign(v.extents.begin(), v.extents.end());
      tensors.push_back(std::move(info));
    }
  }

  const GpuSpec& gpu_;
  std::vector<void*> device_;
  std::vector<runs::TensorInfo> tensors_;  ///< of the last workload
  std::vector<Type> types_;                ///< likewise
};

}  // namespace
}  // namespace workbook::sim

namespace workbook::core {

std::unique_ptr<Backend> make_backend(const Options& options) {
  const sim::GpuSpec* gpu = sim::find_gpu(options.gpu);
  if (gpu == nullptr) {
    std::string known;
    for (const auto& g : sim::known_gpus()) known += (known.empty() ? "" : ", ") + std::string(g.key);
    throw std::runtime_error("no GPU called '" + options.gpu + "' is modelled; there are " + known);
  }
  sim::set_stuck_limit(sim::kStuckLimit);
  return std::make_unique<sim::SimBackend>(*gpu);
}

}  // namespace workbook::core
