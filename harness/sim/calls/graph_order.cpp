#include "sim/calls/graph_order.h"

#include <algorithm>
#include <map>

namespace workbook::sim {
namespace {

/// The lanes of one launch: a node goes on in that of a node it depends on, if nobody else does, so that a
/// chain of nodes is one lane.
class LanesOfLaunch {
 public:
  LanesOfLaunch(GraphLanes& lanes, unsigned home, std::size_t nodes)
      : lanes_(lanes), home_(home), of_(nodes), has_gone_on_(nodes) {}

  unsigned of(std::size_t node, const std::vector<std::size_t>& after) {
    for (const std::size_t before : after)
      if (!has_gone_on_[before]) {
        has_gone_on_[before] = true;
        return of_[node] = of_[before];
      }
    if (!home_is_taken_) {
      home_is_taken_ = true;
      return of_[node] = home_;
    }
    if (next_ == lanes_.lanes.size()) lanes_.lanes.push_back(StreamOrder::get().add_branch());
    return of_[node] = lanes_.lanes[next_++];
  }

 private:
  GraphLanes& lanes_;
  unsigned home_;
  std::vector<unsigned> of_;
  std::vector<bool> has_gone_on_;
  bool home_is_taken_ = false;
  std::size_t next_ = 0;
};

}  // namespace

GraphLanes::~GraphLanes() {
  for (const unsigned lane : lanes) StreamOrder::get().drop_stream(lane);
}

std::vector<CUgraphExec_st::Step> steps_of(const CUgraph_st& graph) {
  std::vector<CUgraphExec_st::Step> steps;
  std::map<const CUgraphNode_st*, std::size_t> places;
  for (bool progress = true; progress;) {
    progress = false;
    for (const auto& node : graph.nodes) {
      const auto& needs = node->dependencies;
      if (places.contains(node.get()) ||
          !std::all_of(needs.begin(), needs.end(), [&](const auto* n) { return places.contains(n); }))
        continue;
      places[node.get()] = steps.size();
      steps.push_back({node.get(), node->work, {}, true});
      for (const CUgraphNode_st* needed : needs) steps.back().after.push_back(places.at(needed));
      progress = true;
    }
  }
  return steps;
}

cudaError_t run_steps(const std::vector<CUgraphExec_st::Step>& steps, cudaStream_t stream,
                      GraphLanes& lanes) {
  StreamOrder& order = StreamOrder::get();
  StreamOrder::Branch* const outer = StreamOrder::followed();  // the node that this graph is a child of
  const unsigned home = outer != nullptr ? outer->lane : find_stream(stream)->lane;
  StreamClock begin = order.clock_of_next(home);
  begin.join(lanes.ended);  // launches of one graph wait for each other
  LanesOfLaunch places(lanes, home, steps.size());
  std::vector<StreamClock> ends(steps.size());
  cudaError_t error = cudaSuccess;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    StreamOrder::Branch branch{places.of(i, steps[i].after), begin};
    for (const std::size_t before : steps[i].after) branch.clock.join(ends[before]);
    StreamOrder::follow(&branch);
    if (steps[i].enabled)
      if (const cudaError_t e = enqueue(stream, steps[i].work); e != cudaSuccess) error = e;
    StreamOrder::follow(outer);
    ends[i] = branch.clock;
  }
  for (const StreamClock& end : ends) {
    lanes.ended.join(end);
    if (outer != nullptr) outer->clock.join(end);
  }
  if (outer == nullptr) order.finish_graph(home, ends);
  return error;
}

}  // namespace workbook::sim
