// Streams from inside: where every piece of work of the host API passes through, to be run or captured.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/check/stream_order.h"
#include "sim/runtime/call.h"
#include "sim/runtime/timeline.h"
#include "workbook_sim/runtime/graph.h"

namespace workbook::sim {
struct Capture;
struct KernelOfNode;
struct NodeFacts;
}  // namespace workbook::sim

struct CUstream_st {
  unsigned int flags = 0;
  int priority = 0;
  unsigned lane = 0;    ///< StreamOrder's
  bool asked = false;   ///< by cudaStreamQuery(), and the answer was that it is not ready
  double ready_us = 0;  ///< modelled: when its work so far ends
  workbook::sim::Capture* capture = nullptr;
  std::vector<std::size_t> tails = {};  ///< while capturing: nodes that its next one depends on
};

struct CUevent_st {
  unsigned int flags = 0;
  bool recorded = false;
  bool asked = false;  ///< by cudaEventQuery(), likewise
  double at_us = 0;
  workbook::sim::EventMark mark = {};
  workbook::sim::Capture* capture = nullptr;  ///< recorded in this capture, after `tails`
  std::vector<std::size_t> tails;
};

namespace workbook::sim {

inline constexpr int kGreatestPriority = -5;  ///< as on current GPUs; the least is 0

/// A piece of work: what a stream is given, and what a node of a graph holds.
struct Work {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::function<cudaError_t(cudaStream_t)> run;          ///< on the stream that the work was given to
  Cost cost;                                             ///< kernels add their own when they have run
  std::shared_ptr<const KernelOfNode> kernel = nullptr;  ///< of a kernel
  Call call = {"", 0};                                   ///< that gives it; of a kernel its name alone
  runs::SourceLine at = {};                              ///< of a kernel: where it is launched
  std::shared_ptr<const NodeFacts> facts = nullptr;      ///< what a node was told; of kernels `kernel` has it
};

/// What a node does that takes memory: at each launch after one that has freed it, it is there anew.
Work work_of_allocation(void* pointer);

/// The stream behind a handle: null and the special handles too. Null: no such stream.
CUstream_st* find_stream(cudaStream_t handle);
bool is_legacy(cudaStream_t handle);

/// Runs the work, or adds it to the graph that the stream captures. Not finish()ed.
cudaError_t enqueue(cudaStream_t stream, const Work& work);
/// For calls that take no stream and wait for the device. `ends`: the host knows then that the work has
/// ended, where work of other streams may not know it.
cudaError_t enqueue_and_wait(const Work& work, bool ends = true);
/// Modelled: puts `cost` at the end of the stream's work.
Span spend(cudaStream_t stream, const Cost& cost);
void host_waits_for(cudaStream_t stream);
// Of a stream that exists, or of the graph that it runs. Not finish()ed; cudaErrorInvalidResourceHandle:
// there is no such event.
cudaError_t record_event(cudaEvent_t event, cudaStream_t stream, Pc pc);
cudaError_t wait_for_event(cudaEvent_t event, cudaStream_t stream, Pc pc);
/// Modelled: when all work of the stream ends; for the legacy stream, that of the streams it waits for.
double ready_time(cudaStream_t stream);

bool is_capturing(cudaStream_t stream);

}  // namespace workbook::sim
