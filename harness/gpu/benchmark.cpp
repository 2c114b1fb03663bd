#include "gpu/benchmark.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <functional>

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

  void grow_to(int count) {
    std::size_t free_bytes = 0, total_bytes = 0;
    WORKBOOK_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes));
    const std::size_t affordable = free_bytes / 2 / std::max<std::size_t>(1, sets_.front().bytes());
    const std::size_t wanted = std::min(static_cast<std::size_t>(count), 1 + affordable);
    while (sets_.size() < wanted) sets_.emplace_back(sets_.front());
  }

 private:
  std::deque<TensorSet> sets_;
};

/// Times the calls of one part of the workload: all launches, or the one numbered `only`.
class Part {
 public:
  Part(const core::Workload& workload, const TensorSets& sets, cudaStream_t stream, int only, int calls)
      : calls_(calls),
        warm_(capture_calls(workload, sets, stream, only, calls, false)),
        cold_(capture_calls(workload, sets, stream, only, calls, true)) {}

  double warm_us(const Timer& timer, cudaStream_t stream) const {
    // A first replay brings the data into the caches and keeps the GPU busy until the timed one is queued
    // behind it. Where a call takes long, neither is worth doubling the wait.
    if (calls_ > 1) WORKBOOK_CUDA(cudaGraphLaunch(warm_.get(), stream));
    return timer.time_us([&] { WORKBOOK_CUDA(cudaGraphLaunch(warm_.get(), stream)); }) / calls_;
  }

  double cold_us(const Timer& timer, const CacheFlush& flush, cudaStream_t stream) const {
    flush.enqueue(stream);
    return timer.time_us([&] { WORKBOOK_CUDA(cudaGraphLaunch(cold_.get(), stream)); }) / calls_;
  }

 private:
  static GraphExec capture_calls(const core::Workload& workload, const TensorSets& sets, cudaStream_t stream,
                                 int only, int calls, bool rotate) {
    const Graph graph = capture(stream, workload.name, [&] {
      for (int call = 0; call < calls; ++call) {
        PlainRun run(workload, sets[rotate ? call : 0], stream, only);
        workload.run(run);
      }
    });
    return instantiate(graph, workload.name);
  }

  int calls_;
  GraphExec warm_, cold_;
};

/// The time of one call, from a few of them, after clocks have risen.
double estimate_us(const core::Workload& workload, const TensorSets& sets, const Timer& timer,
                   cudaStream_t stream) {
  const Part once(workload, sets, stream, PlainRun::kAll, 1);
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

runs::Benchmark benchmark(const core::Workload& workload, cudaStream_t stream) {
  TensorSets sets(workload);
  CheckedRun checked(workload, sets.first(), stream);
  workload.run(checked);

  runs::Benchmark result;
  result.tensors = workload.tensors;
  result.launches = std::move(checked.launches);

  // Under ncu, which replays each kernel to read its counters, no timing means anything: once is enough.
  if (std::getenv("WORKBOOK_GPU_ONCE") != nullptr) return result;

  const Timer timer(stream);
  const CacheFlush flush;
  const int calls = calls_a_sample(estimate_us(workload, sets, timer, stream));
  // Copied after a whole run, so that a launch timed alone finds its predecessors' results in every set.
  sets.grow_to(calls);

  const Part whole(workload, sets, stream, PlainRun::kAll, calls);
  std::vector<Part> alone;
  if (result.launches.size() > 1)
    for (int launch = 0; launch < static_cast<int>(result.launches.size()); ++launch)
      alone.emplace_back(workload, sets, stream, launch, calls);

  const auto host_us = [&] {
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

}  // namespace workbook::gpu
