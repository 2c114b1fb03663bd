// Graphs under construction: nodes, and the captures that add to them.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "sim/calls/user_objects.h"
#include "sim/runtime/streams.h"

struct CUgraphNode_st {
  workbook::sim::Work work;
  std::vector<CUgraphNode_st*> dependencies;
  unsigned lane = 0;                         ///< of the stream that it was captured from
  const CUgraphNode_st* original = nullptr;  ///< of a clone's
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  ///< in order of creation
  workbook::sim::KeptObjects objects = {};
};

namespace workbook::sim {

/// Where the branches of a graph run, for the order of work (graph_order.h).
struct GraphLanes {
  GraphLanes() = default;
  ~GraphLanes();
  GraphLanes(const GraphLanes&) = delete;
  GraphLanes& operator=(const GraphLanes&) = delete;

  std::vector<unsigned> lanes;
  StreamClock ended;  ///< when its latest launch has
};

}  // namespace workbook::sim

struct CUgraphExec_st {
  struct Step {
    CUgraphNode_st* node;  ///< what it was made from; may be gone
    workbook::sim::Work work;
    std::vector<std::size_t> after;  ///< steps that it depends on
    bool enabled = true;
    workbook::runs::SourceLine changed_at =
        {};  ///< where the node, and not this step, was given other work since
  };
  std::vector<Step> steps;  ///< in an order that respects the dependencies
  unsigned long long flags = 0;
  workbook::sim::KeptObjects objects = {};
  workbook::sim::GraphLanes lanes;
};

namespace workbook::sim {

struct Capture {
  std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();
  CUstream_st* origin = nullptr;
  CUgraph_st* into = nullptr;          ///< the program's graph that the work is added to at the end, if any,
  std::vector<CUgraphNode_st*> after;  ///< behind these nodes
  std::set<CUstream_st*> streams;      ///< the origin and those that joined
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  bool invalid = false;
};

/// The stream waits for an event that was recorded in a capture, and takes part in it from here on.
cudaError_t join_capture(CUstream_st& stream, const CUevent_st& event);

/// The capture ends: events that were recorded in it count as not recorded.
void forget_capture(const Capture& capture);

}  // namespace workbook::sim
