// What nodes of graphs are told, and streams before them: so that it can be asked for.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "sim/runtime/copies.h"
#include "workbook_sim/runtime/graph_nodes.h"

namespace workbook::sim {

struct FreeNode {
  void* pointer;
};
struct ConditionNode {
  cudaGraphConditionalHandle handle;
  const std::vector<cudaGraph_t>* bodies;
};
struct NodeFacts {
  std::variant<cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams, cudaGraph_t, cudaEvent_t,
               cudaMemAllocNodeParams, FreeNode, ConditionNode>
      of;
};

/// Of what a stream was given, and a capture may record.
std::shared_ptr<const NodeFacts> facts_of(const Copy& copy);
std::shared_ptr<const NodeFacts> facts_of(const Fill& fill);

}  // namespace workbook::sim
