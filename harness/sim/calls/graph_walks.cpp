// Graphs looked at: who depends on whom, and as a picture.
#include <algorithm>
#include <fstream>

#include "sim/calls/graph_facts.h"

namespace workbook::sim {
namespace {

cudaError_t give_nodes(const std::vector<CUgraphNode_st*>& list, cudaGraphNode_t* nodes, std::size_t* count) {
  if (count == nullptr) return finish(cudaErrorInvalidValue);
  if (nodes != nullptr) std::copy_n(list.begin(), std::min(*count, list.size()), nodes);
  *count = nodes != nullptr ? std::min(*count, list.size()) : list.size();
  return finish(cudaSuccess);
}

const char* name_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "kernel";
    case cudaGraphNodeTypeMemcpy:
      return "copy";
    case cudaGraphNodeTypeMemset:
      return "fill";
    case cudaGraphNodeTypeHost:
      return "host";
    case cudaGraphNodeTypeGraph:
      return "graph";
    case cudaGraphNodeTypeEmpty:
      return "empty";
    case cudaGraphNodeTypeWaitEvent:
      return "wait for event";
    case cudaGraphNodeTypeEventRecord:
      return "record event";
    case cudaGraphNodeTypeMemAlloc:
      return "allocate";
    case cudaGraphNodeTypeMemFree:
      return "free";
    case cudaGraphNodeTypeConditional:
      return "conditional";
  }
  return "";
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t workbook_sim_graph_dependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                            std::size_t* count) {
  if (graph_of(node) == nullptr) return finish(cudaErrorInvalidValue);
  return give_nodes(node->dependencies, nodes, count);
}

cudaError_t workbook_sim_graph_dependents(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count) {
  const cudaGraph_t graph = graph_of(node);
  if (graph == nullptr) return finish(cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*> list;
  for (const auto& other : graph->nodes)
    if (std::find(other->dependencies.begin(), other->dependencies.end(), node) != other->dependencies.end())
      list.push_back(other.get());
  return give_nodes(list, nodes, count);
}

cudaError_t workbook_sim_graph_remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, std::size_t count) {
  if (!exists(graph)) return finish(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) {
    if (graph_of(to[i]) != graph) return finish(cudaErrorInvalidValue);
    if (std::erase(to[i]->dependencies, from[i]) == 0) return finish(cudaErrorInvalidValue);
  }
  return finish(cudaSuccess);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  if (node == nullptr || !exists(clone)) return finish(cudaErrorInvalidValue);
  for (const auto& one : clone->nodes)
    if (one->original == original) {
      *node = one.get();
      return finish(cudaSuccess);
    }
  return finish(cudaErrorInvalidValue);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* p) {
  if (p == nullptr) return finish(cudaErrorInvalidValue);
  const cudaError_t error = cudaGraphInstantiateWithFlags(exec, graph, p->flags);
  p->errNode_out = nullptr;
  p->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
  return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  if (!exists(exec) || flags == nullptr) return finish(cudaErrorInvalidValue);
  *flags = exec->flags;
  return finish(cudaSuccess);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  if (!exists(graph) || path == nullptr) return finish(cudaErrorInvalidValue);
  std::ofstream out(path);
  out << "digraph graph_1 {\n";
  const auto number = [&](const CUgraphNode_st* node) {
    return std::find_if(graph->nodes.begin(), graph->nodes.end(),
                        [&](const auto& one) { return one.get() == node; }) -
           graph->nodes.begin();
  };
  for (const auto& node : graph->nodes) {
    const char* const kernel = node->work.type == cudaGraphNodeTypeKernel ? node->work.call.api : "";
    out << "  node_" << number(node.get()) << " [label=\"" << name_of(node->work.type) << ' ' << kernel
        << "\"];\n";
  }
  for (const auto& node : graph->nodes)
    for (const CUgraphNode_st* needed : node->dependencies)
      out << "  node_" << number(needed) << " -> node_" << number(node.get()) << ";\n";
  out << "}\n";
  return finish(out.flush() ? cudaSuccess : cudaErrorOperatingSystem);
}

}  // extern "C"
