// Nodes of graphs that are built by hand: added, asked for what they were told, and told something else.
#include "sim/calls/graph_facts.h"

namespace workbook::sim {
namespace {

template <class Fact>
cudaError_t tell(cudaGraphNode_t node, cudaGraphNodeType type, Fact* fact) {
  const Work* const work = work_of(node);
  if (fact == nullptr || work == nullptr || work->type != type || work->facts == nullptr)
    return finish(cudaErrorInvalidValue);
  const Fact* const known = std::get_if<Fact>(&work->facts->of);
  if (known == nullptr) return finish(cudaErrorInvalidValue);
  *fact = *known;
  return finish(cudaSuccess);
}

/// `made`: what making the work came to.
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                std::size_t count, cudaError_t made, const Work& work) {
  return finish(made != cudaSuccess ? made : add_node(node, graph, dependencies, count, work));
}
cudaError_t set(cudaGraphNode_t node, cudaError_t made, const Work& work) {
  return finish(made != cudaSuccess ? made : replace_work(node, work));
}
cudaError_t set(cudaGraphExec_t exec, cudaGraphNode_t node, cudaError_t made, const Work& work) {
  return finish(made != cudaSuccess ? made : replace_step(exec, node, work));
}

cudaMemcpy3DParms row(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p{};
  p.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  p.dstPtr = {to, bytes, bytes, 1};
  p.extent = {bytes, 1, 1};
  p.kind = kind;
  return p;
}

cudaError_t work_for(const Call& call, cudaGraph_t graph, cudaGraphNodeParams* p, Work& work) {
  if (p == nullptr) return cudaErrorInvalidValue;
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return kernel_of_node(&p->kernel, work);
    case cudaGraphNodeTypeMemcpy:
      return copy_of_node(call, &p->memcpy.copyParams, work);
    case cudaGraphNodeTypeMemset:
      return fill_of_node(call, &p->memset, work);
    case cudaGraphNodeTypeHost:
      return host_of_node(call, &p->host, work);
    case cudaGraphNodeTypeGraph:
      return child_of_node(p->graph.graph, work);
    case cudaGraphNodeTypeEmpty:
      work = {cudaGraphNodeTypeEmpty, [](cudaStream_t) { return cudaSuccess; }, {}};
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      return wait_of_node(call, p->eventWait.event, work);
    case cudaGraphNodeTypeEventRecord:
      return record_of_node(call, p->eventRecord.event, work);
    case cudaGraphNodeTypeMemAlloc:
      return allocation_of_node(call, &p->alloc, work);
    case cudaGraphNodeTypeMemFree:
      return free_of_node(call, p->free.dptr, work);
    case cudaGraphNodeTypeConditional:
      return condition_of_node(graph, &p->conditional, work);
  }
  return cudaErrorInvalidValue;
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemcpy3DParms* p) {
  Work work;
  return add(node, graph, dependencies, count, copy_of_node(WORKBOOK_CALL, p, work), work);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                     const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms p = row(to, from, bytes, kind);
  Work work;
  return add(node, graph, dependencies, count, copy_of_node(WORKBOOK_CALL, &p, work), work);
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* p) {
  return tell(node, cudaGraphNodeTypeMemcpy, p);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* p) {
  Work work;
  return set(node, copy_of_node(WORKBOOK_CALL, p, work), work);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           std::size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms p = row(to, from, bytes, kind);
  Work work;
  return set(node, copy_of_node(WORKBOOK_CALL, &p, work), work);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* p) {
  Work work;
  return set(exec, node, copy_of_node(WORKBOOK_CALL, p, work), work);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms p = row(to, from, bytes, kind);
  Work work;
  return set(exec, node, copy_of_node(WORKBOOK_CALL, &p, work), work);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemsetParams* p) {
  Work work;
  return add(node, graph, dependencies, count, fill_of_node(WORKBOOK_CALL, p, work), work);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* p) {
  return tell(node, cudaGraphNodeTypeMemset, p);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* p) {
  Work work;
  return set(node, fill_of_node(WORKBOOK_CALL, p, work), work);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* p) {
  Work work;
  return set(exec, node, fill_of_node(WORKBOOK_CALL, p, work), work);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, std::size_t count,
                                 const cudaHostNodeParams* p) {
  Work work;
  return add(node, graph, dependencies, count, host_of_node(WORKBOOK_CALL, p, work), work);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* p) {
  return tell(node, cudaGraphNodeTypeHost, p);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* p) {
  Work work;
  return set(node, host_of_node(WORKBOOK_CALL, p, work), work);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* p) {
  Work work;
  return set(exec, node, host_of_node(WORKBOOK_CALL, p, work), work);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, std::size_t count,
                                       cudaGraph_t child) {
  Work work;
  return add(node, graph, dependencies, count, child_of_node(child, work), work);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
  return tell(node, cudaGraphNodeTypeGraph, child);
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  Work work;
  return set(exec, node, child_of_node(child, work), work);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, std::size_t count,
                                        cudaEvent_t event) {
  Work work;
  return add(node, graph, dependencies, count, record_of_node(WORKBOOK_CALL, event, work), work);
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return tell(node, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  Work work;
  return set(node, record_of_node(WORKBOOK_CALL, event, work), work);
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  Work work;
  return set(exec, node, record_of_node(WORKBOOK_CALL, event, work), work);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, std::size_t count,
                                      cudaEvent_t event) {
  Work work;
  return add(node, graph, dependencies, count, wait_of_node(WORKBOOK_CALL, event, work), work);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return tell(node, cudaGraphNodeTypeWaitEvent, event);
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  Work work;
  return set(node, wait_of_node(WORKBOOK_CALL, event, work), work);
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  Work work;
  return set(exec, node, wait_of_node(WORKBOOK_CALL, event, work), work);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count,
                                     cudaMemAllocNodeParams* p) {
  Work work;
  return add(node, graph, dependencies, count, allocation_of_node(WORKBOOK_CALL, p, work), work);
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* p) {
  return tell(node, cudaGraphNodeTypeMemAlloc, p);
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, std::size_t count, void* pointer) {
  Work work;
  return add(node, graph, dependencies, count, free_of_node(WORKBOOK_CALL, pointer, work), work);
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  FreeNode freed{};
  const cudaError_t error =
      pointer == nullptr ? finish(cudaErrorInvalidValue) : tell(node, cudaGraphNodeTypeMemFree, &freed);
  if (error == cudaSuccess) *static_cast<void**>(pointer) = freed.pointer;
  return error;
}

cudaError_t workbook_sim_graph_add_node(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, std::size_t count,
                                        cudaGraphNodeParams* p) {
  Work work;
  return add(node, graph, dependencies, count,
             work_for({"cudaGraphAddNode", WORKBOOK_CALL.pc}, graph, p, work), work);
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* p) {
  Work work;
  return set(node, work_for(WORKBOOK_CALL, graph_of(node), p, work), work);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* p) {
  Work work;
  return set(exec, node, work_for(WORKBOOK_CALL, graph_of(node), p, work), work);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int enabled) {
  CUgraphExec_st::Step* const step = step_of(exec, node);
  if (step == nullptr) return finish(cudaErrorInvalidValue);
  step->enabled = enabled != 0;
  return finish(cudaSuccess);
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int* enabled) {
  const CUgraphExec_st::Step* const step = step_of(exec, node);
  if (step == nullptr || enabled == nullptr) return finish(cudaErrorInvalidValue);
  *enabled = step->enabled ? 1 : 0;
  return finish(cudaSuccess);
}

}  // extern "C"
