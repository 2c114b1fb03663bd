// Copies and fills as nodes of graphs that are built by hand.
#include <algorithm>

#include "sim/runtime/arrays.h"
#include "sim/runtime/graph_work.h"

using namespace workbook::sim;

extern "C" {

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                     const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return finish(add_node(node, graph, dependencies, count,
                         copy_work(WORKBOOK_CALL, {{to, bytes}, {from, bytes}, kind})));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemcpy3DParms* p) {
  if (p == nullptr) return finish(cudaErrorInvalidValue);
  const Box to = box_of(p->dstArray, p->dstPtr, p->dstPos), from = box_of(p->srcArray, p->srcPtr, p->srcPos);
  const std::size_t width = width_of(*p), height = std::max<std::size_t>(p->extent.height, 1);
  std::vector<Work> slices;
  Work all{cudaGraphNodeTypeMemcpy, {}, {}, nullptr, WORKBOOK_CALL};
  for (std::size_t z = 0; z < p->extent.depth; ++z) {
    const Copy copy{{to.start + z * to.slice, width, height, to.pitch},
                    {from.start + z * from.slice, width, height, from.pitch},
                    p->kind};
    if (!pitches_fit(copy)) return finish(cudaErrorInvalidPitchValue);
    slices.push_back(copy_work(WORKBOOK_CALL, copy));
    all.cost.engine = slices.back().cost.engine;
    all.cost.us += slices.back().cost.us;
  }
  all.run = [slices](cudaStream_t stream) {
    cudaError_t error = cudaSuccess;
    for (const Work& slice : slices)
      if (error == cudaSuccess) error = slice.run(stream);
    return error;
  };
  return finish(add_node(node, graph, dependencies, count, all));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemsetParams* p) {
  if (p == nullptr || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
    return finish(cudaErrorInvalidValue);
  const Fill fill{{p->dst, p->width * p->elementSize, p->height, p->pitch}, p->value, p->elementSize};
  return finish(add_node(node, graph, dependencies, count, fill_work(WORKBOOK_CALL, fill)));
}

}  // extern "C"
