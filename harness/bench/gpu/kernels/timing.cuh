// Times cases on a GPU: inside CUDA graphs, warm and cold, the variants interleaved, medians of many rounds.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>

#include "cases.cuh"

constexpr size_t kFlushBytes = size_t{256} << 20;  // more than four times the L2 of an H200
constexpr double kSampleUs = 300.0;                // starting a graph costs about 3 us: 1 % of a sample
constexpr int kMostCalls = 64, kFewestCalls = 20;  // in one graph, of a call below 10 us
constexpr size_t kSetsBytes = size_t{12} << 30;    // of workspaces for cold calls, memory permitting

__global__ void read_all_kernel(const uint4* data, size_t count, unsigned* sink) {
  unsigned seen = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count;
       i += size_t{gridDim.x} * blockDim.x)
    seen |= data[i].x | data[i].y | data[i].z | data[i].w;
  // The memory holds zeros, so nothing is ever written, but the compiler cannot drop the loads.
  if (seen != 0) *sink = seen;
}

/// Enough workspaces that a cold graph does not come back to one while the caches hold it.
class WorkspaceSets {
 public:
  WorkspaceSets(const Sizes& sizes, int wanted) {
    size_t free_bytes = 0, total_bytes = 0;
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    const size_t affordable =
        std::max<size_t>(1, std::min(kSetsBytes, free_bytes / 2) / Workspace::bytes(sizes));
    const size_t count = std::min(static_cast<size_t>(wanted), affordable);
    while (sets_.size() < count) {
      sets_.emplace_back(sizes);
      sets_.back().fill(sizes, sets_.size() == 1 ? nullptr : &sets_.front());
    }
  }
  const Workspace& operator[](int call) const { return sets_[static_cast<size_t>(call) % sets_.size()]; }

 private:
  std::deque<Workspace> sets_;
};

/// Calls of some launches in one CUDA graph.
class CallGraph {
 public:
  CallGraph(const std::vector<Launch>& launches, const Sizes& sizes, const WorkspaceSets& sets, int calls,
            bool rotate, cudaStream_t stream) {
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int call = 0; call < calls; ++call)
      for (const Launch& launch : launches) launch.enqueue(sets[rotate ? call : 0], sizes, stream);
    cudaGraph_t graph{};
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec_, graph, 0));
    CHECK(cudaGraphDestroy(graph));
  }
  ~CallGraph() { cudaGraphExecDestroy(exec_); }
  CallGraph(const CallGraph&) = delete;
  CallGraph& operator=(const CallGraph&) = delete;
  void enqueue(cudaStream_t stream) const { CHECK(cudaGraphLaunch(exec_, stream)); }

 private:
  cudaGraphExec_t exec_{};
};

class Stopwatch {
 public:
  Stopwatch() {
    CHECK(cudaStreamCreate(&stream_));
    CHECK(cudaEventCreate(&start_));
    CHECK(cudaEventCreate(&stop_));
    CHECK(cudaMalloc(&flush_, kFlushBytes));
    CHECK(cudaMemset(flush_, 0, kFlushBytes));
  }
  ~Stopwatch() {
    cudaFree(flush_);
    cudaEventDestroy(stop_);
    cudaEventDestroy(start_);
    cudaStreamDestroy(stream_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  cudaStream_t stream() const { return stream_; }

  void flush_caches() const {
    read_all_kernel<<<1024, 256, 0, stream_>>>(flush_, kFlushBytes / sizeof(uint4),
                                               reinterpret_cast<unsigned*>(flush_));
    CHECK(cudaGetLastError());
  }
  double time_us(const CallGraph& graph) const {
    CHECK(cudaEventRecord(start_, stream_));
    graph.enqueue(stream_);
    CHECK(cudaEventRecord(stop_, stream_));
    CHECK(cudaEventSynchronize(stop_));
    float elapsed_ms = 0.0f;
    CHECK(cudaEventElapsedTime(&elapsed_ms, start_, stop_));
    return 1000.0 * static_cast<double>(elapsed_ms);
  }

 private:
  cudaStream_t stream_{};
  cudaEvent_t start_{}, stop_{};
  uint4* flush_ = nullptr;
};

/// Times one case, or one of its launches.
class Part {
 public:
  Part(std::string name, std::string kernel, double flops, const std::vector<Launch>& launches,
       const Sizes& sizes, const WorkspaceSets& sets, const Stopwatch& watch)
      : name_(std::move(name)), kernel_(std::move(kernel)), flops_(flops) {
    const CallGraph once(launches, sizes, sets, 1, false, watch.stream());
    watch.time_us(once);
    const double one_us = std::max(0.1, watch.time_us(once));
    const int calls = static_cast<int>(std::ceil(kSampleUs / one_us));
    calls_ = one_us < 10.0 ? std::clamp(calls, kFewestCalls, kMostCalls) : std::clamp(calls, 1, kFewestCalls);
    warm_.emplace_back(launches, sizes, sets, calls_, false, watch.stream());
    cold_.emplace_back(launches, sizes, sets, calls_, true, watch.stream());
  }

  void sample(const Stopwatch& watch, bool keep) {
    warm_[0].enqueue(
        watch.stream());  // fills the caches, and keeps the GPU busy until the timed one is queued
    const double warm_us = watch.time_us(warm_[0]) / calls_;
    watch.flush_caches();
    const double cold_us = watch.time_us(cold_[0]) / calls_;
    if (!keep) return;
    warm_us_.push_back(warm_us);
    cold_us_.push_back(cold_us);
  }

  void print() {
    std::printf("time\t%s\t%s\t%.0f\t%d", name_.c_str(), kernel_.c_str(), flops_, calls_);
    for (std::vector<double>* samples : {&warm_us_, &cold_us_}) {
      std::sort(samples->begin(), samples->end());
      for (const double share : {0.5, 0.1, 0.9})
        std::printf("\t%.3f",
                    (*samples)[static_cast<size_t>(share * static_cast<double>(samples->size() - 1))]);
    }
    std::printf("\n");
  }

 private:
  std::string name_, kernel_;
  double flops_;
  int calls_ = 1;
  std::deque<CallGraph> warm_, cold_;
  std::vector<double> warm_us_, cold_us_;
};

/// Prints "time CASE KERNEL FLOPS CALLS" and six times in microseconds, warm and then cold: median, p10, p90.
/// KERNEL is "*" for all launches of a case together, which comes first, else one launch alone.
inline void time_cases(const std::vector<Case>& cases, const Sizes& sizes, int rounds) {
  const WorkspaceSets sets(sizes, kMostCalls);
  const Stopwatch watch;
  std::deque<Part> parts;
  for (const Case& one : cases) {
    double flops = 0;
    for (const Launch& launch : one.launches) flops += launch.flops;
    parts.emplace_back(one.name, "*", flops, one.launches, sizes, sets, watch);
    if (one.launches.size() == 1) continue;
    for (const Launch& launch : one.launches)
      parts.emplace_back(one.name, launch.kernel, launch.flops, std::vector<Launch>{launch}, sizes, sets,
                         watch);
  }
  for (int round = -1; round < rounds; ++round)  // the first uploads the graphs and is not kept
    for (Part& part : parts) part.sample(watch, round >= 0);
  for (Part& part : parts) part.print();
}
