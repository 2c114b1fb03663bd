// What nodes of graphs are told, so that they can be asked for it.
#pragma once

#include "sim/calls/graph_work.h"
#include "sim/runtime/node_facts.h"
#include "workbook_sim/runtime/graph_nodes.h"

namespace workbook::sim {

// Work for nodes. All of them: not finish()ed; `work` counts where the value is cudaSuccess.
cudaError_t copy_of_node(const Call& call, const cudaMemcpy3DParms* parameters, Work& work);
cudaError_t fill_of_node(const Call& call, const cudaMemsetParams* parameters, Work& work);
cudaError_t host_of_node(const Call& call, const cudaHostNodeParams* parameters, Work& work);
cudaError_t child_of_node(cudaGraph_t child, Work& work);
cudaError_t record_of_node(const Call& call, cudaEvent_t event, Work& work);
cudaError_t wait_of_node(const Call& call, cudaEvent_t event, Work& work);
cudaError_t allocation_of_node(const Call& call, cudaMemAllocNodeParams* parameters, Work& work);
cudaError_t free_of_node(const Call& call, void* pointer, Work& work);
cudaError_t condition_of_node(cudaGraph_t graph, cudaConditionalNodeParams* parameters, Work& work);
cudaError_t kernel_of_node(const cudaKernelNodeParams* parameters, Work& work);
/// Of a launch, which it keeps with copies of its arguments.
Work kernel_work(const LaunchConfig& config, const BoundKernel& kernel);

/// Other work of the same type in place of the node's.
cudaError_t replace_work(cudaGraphNode_t node, const Work& work);
/// Before a launch: the node's condition, and those of nodes inside of it, are what they are by default
/// again.
void reset_conditions(const Work& work);

}  // namespace workbook::sim
