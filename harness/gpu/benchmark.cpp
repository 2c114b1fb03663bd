#include "gpu/benchmark.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <functional>
#include <optional>

#include "gpu/flush.h"
#include "gpu/handles.h"
#include "gpu/launch.h"
#include "gpu/tensor_set.h"

namespace workbook::gpu {
namespace {

// Starting a graph costs a few microseconds between the events: samples this long keep it below 1 %.
constexpr double kSampleUs = 400.0;
// Clocks are low on an idle GPU (345 MHz against 1980 MHz on an H200) and take a while to rise.
constexpr double kWarmUpMs = 150.0;
// Kernels of a fifth of a second need no more samples than these, and whoever waits has a time limit.
constexpr std::chrono::seconds kLongEnough{3};
constexpr int kFewestRounds = 5;
// Timed tensors need no canaries: the checked run before has looked.
constexpr std::size_t kTimedGuardBytes = 256;

class Timer {
 public:
  explicit Timer(cudaStream_t stream) : stream_(stream), start_(make_event()), stop_(make_event()) {}

  /// Microseconds of GPU time that `enqueue`'s work takes; waits for it.
  double time_us(const std::function<void()>& enqueue) const {
    WORKBOOK_CUDA(cudaEventRecord(start_.get(), stream_));
    enqueue();
    WORKBOOK_CUDA(cudaEventRecord(stop_.get(), stream_));
    WORKBOOK_CUDA(cudaEventSynchronize(stop_.get()));
    float elapsed_ms = 0.0f;
    WORKBOOK_CUDA(cudaEventElapsedTime(&elapsed_ms, start_.get(), stop_.get()));
    return 1000.0 * static_cast<double>(elapsed_ms);
  }

 private:
  cudaStream_t stream_;
  Event start_, stop_;
};

/// Copies of the workload's tensors: as many as the calls of a cold sample, memory permitting.
class TensorSets {
 public:
  explicit TensorSets(const core::Workload& workload) { sets_.emplace_back(workload, kTimedGuardBytes); }

  const TensorSet& operator[](int call) const { return sets_[static_cast<std::size_t>(call) % sets_.size()]; }
  TensorSet& first() { return sets_.front(); }
  int size() const { return static_cast<int>(sets_.size()); }

  void grow_to(int count) {
    std::size_t free_bytes = 0, total_bytes = 0;
    WORKBOOK_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes));
    const std::size_t affordable = free_bytes / 2 / std::max<std::size_t>(1, sets_.front().bytes());
    const std::size_t wanted = std::min(static_cast<std::size_t>(count), 1 + affordable);
    while (sets_.size() < wanted) sets_.emplace_back(sets_.front());
  }

  void restore_from(const TensorSet& state, cudaStream_t stream) {
    for (TensorSet& set : sets_) set.restore_from(state, stream);
  }

 private:
  std::deque<TensorSet> sets_;
};

/// Times the calls of one part of the workload: all steps, or one operation of them. `restore` puts the
/// tensors back into the state that a sample begins with, where calls change them.
class Part {
 public:
  Part(GraphExec warm, GraphExec cold, int calls, std::function<void()> restore)
      : calls_(calls), warm_(std::move(warm)), cold_(std::move(cold)), restore_(std::move(restore)) {}

  double warm_us(const Timer& timer, cudaStream_t stream) const {
    // A first replay brings the data into the caches and keeps the GPU busy until the timed one is queued
    // behind it. Where a call takes long, neither is worth doubling the wait; where tensors are restored,
    // that does both.
    restore();
    if (calls_ > 1 && !restored()) WORKBOOK_CUDA(cudaGraphLaunch(warm_.get(), stream));
    return timer.time_us([&] { WORKBOOK_CUDA(cudaGraphLaunch(warm_.get(), stream)); }) / calls_;
  }

  double cold_us(const Timer& timer, const CacheFlush& flush, cudaStream_t stream) const {
    restore();
    flush.enqueue(stream);
    return timer.time_us([&] { WORKBOOK_CUDA(cudaGraphLaunch(cold_.get(), stream)); }) / calls_;
  }

  static Part of_all(const core::Workload& workload, TensorSets& sets, cudaStream_t stream, int calls,
                     const TensorSet* start) {
    const auto captured = [&](bool rotate) {
      const Graph graph = capture(stream, workload.name, [&] {
        for (int call = 0; call < calls; ++call) {
          PlainRun run(workload, sets[rotate ? call : 0], stream);
          workload.run(run);
        }
      });
      return instantiate(graph, workload.name);
    };
    return {captured(start != nullptr), captured(true), calls, restorer(sets, stream, start)};
  }

  /// A part for every operation of the workload; none where it cannot be taken apart.
  static std::vector<Part> of_each(const core::Workload& workload, TensorSets& sets, cudaStream_t stream,
                                   int calls, const TensorSet* start, std::size_t operations) {
    std::vector<std::vector<Graph>> split;  // by set
    for (int set = 0; set < std::min(calls, sets.size()); ++set) {
      SplitRun run(workload, sets[set], stream);
      workload.run(run);
      if (run.parts.size() != operations) return {};
      split.push_back(std::move(run.parts));
    }
    std::vector<Part> parts;
    for (std::size_t operation = 0; operation < operations; ++operation) {
      const auto chained = [&](bool rotate) {
        Graph graph = empty_graph();
        cudaGraphNode_t last = nullptr;
        for (int call = 0; call < calls; ++call) {
          const std::size_t set = rotate ? static_cast<std::size_t>(call) % split.size() : 0;
          cudaGraphNode_t node = nullptr;
          WORKBOOK_CUDA(cudaGraphAddChildGraphNode(&node, graph.get(), &last, call == 0 ? 0 : 1,
                                                   split[set][operation].get()));
          last = node;
        }
        return instantiate(graph, workload.name);
      };
      parts.emplace_back(chained(start != nullptr), chained(true), calls, restorer(sets, stream, start));
    }
    return parts;
  }

 private:
  static std::function<void()> restorer(TensorSets& sets, cudaStream_t stream, const TensorSet* start) {
    if (start == nullptr) return {};
    return [&sets, stream, start] { sets.restore_from(*start, stream); };
  }
  bool restored() const { return static_cast<bool>(restore_); }
  void restore() const {
    if (restored()) restore_();
  }

  int calls_;
  GraphExec warm_, cold_;
  std::function<void()> restore_;
};

/// The time of one call, from a few of them, after clocks have risen.
double estimate_us(const core::Workload& workload, TensorSets& sets, const Timer& timer,
                   cudaStream_t stream) {
  const Part once = Part::of_all(workload, sets, stream, 1, nullptr);
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed_ms = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  };
  double best = once.warm_us(timer, stream);
  while (elapsed_ms() < kWarmUpMs) best = std::min(best, once.warm_us(timer, stream));
  return best;
}

}  // namespace

int calls_a_sample(double one_us) {
  const int calls = static_cast<int>(std::ceil(kSampleUs / std::max(one_us, 0.1)));
  return one_us < 10.0 ? std::clamp(calls, 20, 100) : std::clamp(calls, 1, 40);
}

namespace {

/// Steps that no capture can hold, because they make graphs or wait for the device: timed as the host runs
/// them.
void measure_from_host(const core::Workload& workload, TensorSets& sets, cudaStream_t stream,
                       runs::Benchmark& result) {
  constexpr int kCalls = 20;
  const Timer timer(stream);
  std::optional<TensorSet> fresh;
  if (workload.changes) fresh.emplace(workload, kTimedGuardBytes);
  for (int round = -1; round < kRounds; ++round) {
    double sample_us = 0.0;
    for (int call = 0; call < kCalls; ++call) {
      if (fresh) sets.first().restore_from(*fresh, stream);
      sample_us += timer.time_us([&] {
        PlainRun run(workload, sets.first(), stream);
        workload.run(run);
      });
    }
    if (round >= 0) result.host_us.push_back(sample_us / kCalls);
  }
}

runs::Benchmark measure(const core::Workload& workload, cudaStream_t stream) {
  TensorSets sets(workload);
  CheckedRun checked(workload, sets.first(), stream);
  workload.run(checked);

  runs::Benchmark result;
  result.tensors = workload.tensors;
  result.launches = std::move(checked.launches);

  // Under ncu, which replays each kernel to read its counters, no timing means anything: once is enough.
  if (std::getenv("WORKBOOK_GPU_ONCE") != nullptr) return result;

  try {
    Part::of_all(workload, sets, stream, 1, nullptr);
  } catch (const core::LaunchFailed& failure) {
    result.note = std::string("timed as the host runs it, for ") + failure.what();
    measure_from_host(workload, sets, stream, result);
    return result;
  }
  const Timer timer(stream);
  const CacheFlush flush;
  int calls = calls_a_sample(estimate_us(workload, sets, timer, stream));
  // What calls change is put back before each sample: into its first state for the whole, and for an
  // operation alone into the state after a run, in which it finds its predecessors' results.
  std::optional<TensorSet> fresh, after;
  if (workload.changes) {
    fresh.emplace(workload, kTimedGuardBytes);
    sets.first().restore_from(*fresh, stream);
    PlainRun once(workload, sets.first(), stream);
    workload.run(once);
    WORKBOOK_CUDA(cudaDeviceSynchronize());
    after.emplace(sets.first());
  }
  // Copied after a whole run, so that an operation timed alone finds its predecessors' results in every set.
  sets.grow_to(calls);
  if (workload.changes) calls = std::min(calls, sets.size());

  const Part whole = Part::of_all(workload, sets, stream, calls, fresh ? &*fresh : nullptr);
  std::vector<Part> alone;
  if (result.launches.size() > 1)
    alone = Part::of_each(workload, sets, stream, calls, after ? &*after : nullptr, result.launches.size());

  const auto host_us = [&] {
    if (fresh) sets.restore_from(*fresh, stream);
    return timer.time_us([&] {
      for (int call = 0; call < calls; ++call) {
        PlainRun run(workload, sets[call], stream);
        workload.run(run);
      }
    }) / calls;
  };

  // Round -1 is not recorded: first launches upload their graphs.
  const auto begin = std::chrono::steady_clock::now();
  for (int round = -1; round < kRounds; ++round) {
    if (round >= kFewestRounds && std::chrono::steady_clock::now() - begin > kLongEnough) break;
    const auto record = [&](std::vector<double>& samples, double sample_us) {
      if (round >= 0) samples.push_back(sample_us);
    };
    record(result.graph_warm_us, whole.warm_us(timer, stream));
    record(result.graph_cold_us, whole.cold_us(timer, flush, stream));
    record(result.host_us, host_us());
    for (std::size_t launch = 0; launch < alone.size(); ++launch) {
      record(result.launches[launch].warm_us, alone[launch].warm_us(timer, stream));
      record(result.launches[launch].cold_us, alone[launch].cold_us(timer, flush, stream));
    }
  }
  if (result.launches.size() == 1) {
    result.launches[0].warm_us = result.graph_warm_us;
    result.launches[0].cold_us = result.graph_cold_us;
  }
  return result;
}

}  // namespace

runs::Benchmark benchmark(const core::Workload& workload, cudaStream_t stream) {
  try {
    return measure(workload, stream);
  } catch (const core::LaunchFailed& failure) {
    runs::Benchmark untimed;
    untimed.tensors = workload.tensors;
    untimed.note = failure.what();
    return untimed;
  }
}

}  // namespace workbook::gpu
