#include "sim/calls/captures.h"

#include <algorithm>

#include "sim/calls/graph_facts.h"
#include "sim/calls/graph_work.h"
#include "sim/check/diagnosis.h"
#include "sim/runtime/capturing.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

std::vector<std::unique_ptr<Capture>>& captures() {
  static auto& all = *new std::vector<std::unique_ptr<Capture>>;
  return all;
}

/// The nodes that lead to none of `tails`: streams that joined were left with work of their own.
std::vector<const CUgraphNode_st*> not_joined(const CUgraph_st& graph,
                                              const std::vector<std::size_t>& tails) {
  std::set<const CUgraphNode_st*> reached;
  std::vector<const CUgraphNode_st*> todo;
  for (const std::size_t tail : tails) todo.push_back(graph.nodes[tail].get());
  while (!todo.empty()) {
    const CUgraphNode_st* node = todo.back();
    todo.pop_back();
    if (!reached.insert(node).second) continue;
    todo.insert(todo.end(), node->dependencies.begin(), node->dependencies.end());
  }
  std::vector<const CUgraphNode_st*> left;
  for (const auto& node : graph.nodes)
    if (!reached.contains(node.get())) left.push_back(node.get());
  return left;
}

/// The last work of each stream that the origin does not wait for.
void report_not_joined(const std::vector<const CUgraphNode_st*>& left, unsigned origin, Pc end) {
  if (!StreamOrder::is_on()) return;
  const auto goes_on = [&](const CUgraphNode_st* node) {
    return std::any_of(left.begin(), left.end(), [&](const CUgraphNode_st* later) {
      const auto& needs = later->dependencies;
      return std::find(needs.begin(), needs.end(), node) != needs.end();
    });
  };
  const StreamOrder& order = StreamOrder::get();
  for (const CUgraphNode_st* node : left) {
    if (goes_on(node)) continue;
    const Work& work = node->work;
    const std::string stream = order.name_of(node->lane), waits = order.name_of(origin);
    runs::Finding f;
    f.klass = runs::FindingClass::stream_race;
    f.at = work.call.pc != 0 ? source_line(work.call.pc) : work.at;
    f.other = source_line(end);
    f.message = std::string(work.call.api) + ", captured from " + stream + ", is not joined: " + waits +
                " ends the capture without a wait for it, which gives no graph "
                "(cudaErrorStreamCaptureUnjoined).";
    f.advice = "Record an event on " + stream + " behind its last work, and let " + waits +
               " wait for it (cudaStreamWaitEvent) before cudaStreamEndCapture().";
    Diagnosis::get().findings.add(std::move(f));
  }
}

/// Hands the work over: as a graph of its own, or as part of the one that the capture was begun with.
cudaGraph_t hand_over(Capture& capture) {
  if (capture.into == nullptr) {
    const cudaGraph_t made = capture.graph.get();
    keep_graph(std::move(capture.graph));
    return made;
  }
  for (auto& node : capture.graph->nodes) {
    if (node->dependencies.empty()) node->dependencies = capture.after;
    capture.into->nodes.push_back(std::move(node));
  }
  return capture.into;
}

void end(const Capture& capture) {
  for (CUstream_st* stream : capture.streams) {
    stream->capture = nullptr;
    stream->tails.clear();
  }
  forget_capture(capture);
  auto& all = captures();
  all.erase(std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.get() == &capture; }));
}

/// What streams, launches and memory ask.
class Captures final : public Capturing {
 public:
  static void begin() {
    static auto& all = *new Captures;
    one = &all;
  }

  cudaError_t record(CUstream_st& stream, const Work& work) override {
    Capture& capture = *stream.capture;
    if (capture.invalid) return cudaErrorStreamCaptureInvalidated;
    auto node = std::make_unique<CUgraphNode_st>();
    node->work = work;
    node->lane = stream.lane;
    for (const std::size_t tail : stream.tails)
      node->dependencies.push_back(capture.graph->nodes[tail].get());
    stream.tails = {capture.graph->nodes.size()};
    capture.graph->nodes.push_back(std::move(node));
    return cudaSuccess;
  }

  cudaError_t record_launch(CUstream_st& stream, const LaunchConfig& config,
                            const BoundKernel& kernel) override {
    return record(stream, kernel_work(config, kernel));
  }

  cudaError_t record_free(CUstream_st& stream, const Call& call, void* pointer) override {
    Work work;
    if (const cudaError_t error = free_of_node(call, pointer, work); error != cudaSuccess) return error;
    return record(stream, work);
  }

  cudaError_t refuse_wait(CUstream_st& stream) override {
    stream.capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }

  void leave(CUstream_st& stream) override {
    Capture& capture = *stream.capture;
    capture.invalid = true;
    capture.streams.erase(&stream);
    if (capture.streams.empty()) end(capture);
  }

  cudaError_t check_none() override {
    cudaError_t error = cudaSuccess;
    for (const auto& capture : captures())
      if (capture->mode != cudaStreamCaptureModeRelaxed) {
        capture->invalid = true;
        error = cudaErrorStreamCaptureUnsupported;
        because(
            error,
            "A capture is under way, which takes no work but a stream's, and is lost by this call: make it "
            "before cudaStreamBeginCapture(), or begin that with cudaStreamCaptureModeRelaxed.");
      }
    return error;
  }

  cudaError_t check_legacy_allowed() override {
    cudaError_t error = cudaSuccess;
    for (const auto& capture : captures())
      if (std::any_of(capture->streams.begin(), capture->streams.end(),
                      [](const CUstream_st* s) { return (s->flags & cudaStreamNonBlocking) == 0; })) {
        capture->invalid = true;
        error = cudaErrorStreamCaptureImplicit;
      }
    return error;
  }
};

cudaError_t begin_capture(cudaStream_t handle, cudaStreamCaptureMode mode, CUgraph_st* into,
                          std::vector<CUgraphNode_st*> after) {
  CUstream_st* stream = find_stream(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (is_legacy(handle)) {
    because(
        cudaErrorStreamCaptureUnsupported,
        "The default stream cannot be captured: make one by cudaStreamCreate(), and give the work to that.");
    return cudaErrorStreamCaptureUnsupported;
  }
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (stream->capture != nullptr) return cudaErrorIllegalState;
  Captures::begin();
  auto capture = std::make_unique<Capture>();
  capture->origin = stream;
  capture->into = into;
  capture->after = std::move(after);
  capture->streams = {stream};
  capture->mode = mode;
  stream->capture = capture.get();
  captures().push_back(std::move(capture));
  return cudaSuccess;
}

}  // namespace

cudaError_t join_capture(CUstream_st& stream, const CUevent_st& event) {
  Capture& capture = *event.capture;
  if (capture.invalid) return cudaErrorStreamCaptureInvalidated;
  if (stream.capture != nullptr && stream.capture != &capture) {
    capture.invalid = stream.capture->invalid = true;
    return cudaErrorStreamCaptureMerge;
  }
  stream.capture = &capture;
  capture.streams.insert(&stream);
  for (const std::size_t tail : event.tails)
    if (std::find(stream.tails.begin(), stream.tails.end(), tail) == stream.tails.end())
      stream.tails.push_back(tail);
  return cudaSuccess;
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return finish(begin_capture(handle, mode, nullptr, {}));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                          std::size_t count, cudaStreamCaptureMode mode) {
  if (!exists(graph) || (after == nullptr && count > 0)) return finish(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (graph_of(after[i]) != graph) return finish(cudaErrorInvalidValue);
  return finish(begin_capture(handle, mode, graph, {after, after + count}));
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  CUstream_st* stream = find_stream(handle);
  if (stream == nullptr) return finish(cudaErrorInvalidResourceHandle);
  if (graph == nullptr) return finish(cudaErrorInvalidValue);
  *graph = nullptr;
  if (stream->capture == nullptr) return finish(cudaErrorIllegalState);
  Capture& capture = *stream->capture;
  if (capture.origin != stream) {
    capture.invalid = true;
    return finish(cudaErrorStreamCaptureUnmatched);
  }
  cudaError_t error = cudaSuccess;
  const auto left = not_joined(*capture.graph, stream->tails);
  if (capture.invalid || (capture.into != nullptr && !exists(capture.into)))
    error = cudaErrorStreamCaptureInvalidated;
  else if (!left.empty())
    error = cudaErrorStreamCaptureUnjoined, report_not_joined(left, stream->lane, WORKBOOK_CALL.pc);
  else
    *graph = hand_over(capture);
  end(capture);
  return finish(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  const CUstream_st* stream = find_stream(handle);
  if (stream == nullptr) return finish(cudaErrorInvalidResourceHandle);
  if (status == nullptr) return finish(cudaErrorInvalidValue);
  *status = stream->capture == nullptr ? cudaStreamCaptureStatusNone
            : stream->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                       : cudaStreamCaptureStatusActive;
  return finish(cudaSuccess);
}

}  // extern "C"
