// Graphs as what they are for the order of work: a node begins when those that it depends on have ended, and
// knows of nothing else that its graph does.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/calls/captures.h"

namespace workbook::sim {

/// The nodes in an order in which each comes after what it depends on; shorter than the graph: a cycle.
std::vector<CUgraphExec_st::Step> steps_of(const CUgraph_st& graph);
/// Runs them all on the stream; the latest error.
cudaError_t run_steps(const std::vector<CUgraphExec_st::Step>& steps, cudaStream_t stream, GraphLanes& lanes);

}  // namespace workbook::sim
