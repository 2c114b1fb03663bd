// How graphs come to be: captured ones are kept, and each kind of work can be added as a node.
#pragma once

#include <memory>

#include "sim/calls/captures.h"

namespace workbook::sim {

/// From here on the program owns the graph, by its handle.
void keep_graph(std::unique_ptr<CUgraph_st> graph);
/// Its end; false: there is no such graph.
bool drop_graph(cudaGraph_t graph);
/// Not finish()ed; cudaErrorInvalidValue for unknown graphs and dependencies.
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     std::size_t count, const Work& work);
/// The work of a node of any graph; null: there is no such node.
Work* work_of(cudaGraphNode_t node);
/// Null: of no graph.
cudaGraph_t graph_of(cudaGraphNode_t node);
bool exists(cudaGraph_t graph);
/// The step made from `node`; null: there is none.
CUgraphExec_st::Step* step_of(cudaGraphExec_t exec, cudaGraphNode_t node);
bool exists(cudaGraphExec_t exec);
/// The node has other work now, and the executables that were made from it do not.
void note_changed(cudaGraphNode_t node, const runs::SourceLine& at);
/// Gives the step made from `node` other work of its type.
cudaError_t replace_step(cudaGraphExec_t exec, cudaGraphNode_t node, const Work& work);

}  // namespace workbook::sim
