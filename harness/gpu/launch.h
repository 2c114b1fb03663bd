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

Graph empty_graph();

/// What a step puts on the stream, an entry for each kernel, copy and fill, in an order that their
/// dependencies allow. Kernels have their grid, block and shared memory; with `parts`, a graph of that one
/// operation. Empty where the step cannot be captured, because it waits for the device.
struct Operations {
  std::vector<runs::LaunchRecord> records;
  std::vector<Graph> parts;
};
Operations operations_of(cudaStream_t stream, const std::string& step, const std::function<void()>& body);

/// Every step checked and finished before the next, guard zones looked at after each.
class CheckedRun : public core::WorkloadRun {
 public:
  CheckedRun(const core::Workload& workload, TensorSet& tensors, cudaStream_t stream)
      : WorkloadRun(workload, tensors.pointers(), stream), tensors_(tensors) {}

  std::vector<runs::LaunchRecord> launches;
  std::vector<runs::Finding> findings;

 private:
  void execute(const Step& step, const Body& body) override;

  TensorSet& tensors_;
};

/// Only puts steps on the stream: all of them. For captures and host timing.
class PlainRun : public core::WorkloadRun {
 public:
  PlainRun(const core::Workload& workload, const TensorSet& tensors, cudaStream_t stream)
      : WorkloadRun(workload, tensors.pointers(), stream) {}

 private:
  void execute(const Step&, const Body& body) override { body(); }
};

/// Takes the steps apart: a graph for each operation, on one set of tensors.
class SplitRun : public core::WorkloadRun {
 public:
  SplitRun(const core::Workload& workload, const TensorSet& tensors, cudaStream_t stream)
      : WorkloadRun(workload, tensors.pointers(), stream) {}

  std::vector<Graph> parts;

 private:
  void execute(const Step& step, const Body& body) override {
    for (Graph& part : operations_of(stream_, std::string(step.name), body).parts)
      parts.push_back(std::move(part));
  }
};

}  // namespace workbook::gpu
