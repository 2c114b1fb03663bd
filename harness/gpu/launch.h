// Running a variant's launches: checked one by one, or captured into a graph.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/backend.h"
#include "gpu/handles.h"
#include "gpu/tensor_set.h"

namespace workbook::gpu {

/// Captures what `enqueue` puts on `stream`. Throws core::LaunchFailed, `what` leading, when it cannot be
/// captured.
Graph capture(cudaStream_t stream, const std::string& what, const std::function<void()>& enqueue);

/// Ready to launch as often as wanted. Throws core::LaunchFailed when a launch in it is not valid.
GraphExec instantiate(const Graph& graph, const std::string& what);

/// Runs `body` and waits; afterwards reads off grid, block and shared memory. Throws core::LaunchFailed when
/// the kernel cannot be launched, faults, or is not exactly one.
runs::LaunchRecord launch_checked(cudaStream_t stream, const std::string& kernel,
                                  const std::function<void()>& body);

/// Every launch checked and finished before the next, guard zones looked at after each.
class CheckedRun : public core::WorkloadRun {
 public:
  CheckedRun(const core::Workload& workload, TensorSet& tensors, cudaStream_t stream)
      : WorkloadRun(workload, tensors.pointers(), stream), tensors_(tensors) {}

  void launch(const LaunchInfo& info, const std::function<void()>& body) override;

  std::vector<runs::LaunchRecord> launches;
  std::vector<runs::Finding> findings;

 private:
  TensorSet& tensors_;
};

/// Only puts launches on the stream: all of them, or the one numbered `only`. For captures and host timing.
class PlainRun : public core::WorkloadRun {
 public:
  static constexpr int kAll = -1;

  PlainRun(const core::Workload& workload, const TensorSet& tensors, cudaStream_t stream, int only = kAll)
      : WorkloadRun(workload, tensors.pointers(), stream), only_(only) {}

  void launch(const LaunchInfo&, const std::function<void()>& body) override {
    if (only_ == kAll || only_ == launch_) body();
    ++launch_;
  }

 private:
  int only_;
  int launch_ = 0;
};

}  // namespace workbook::gpu
