// Graphs: building them by hand, instantiating and launching them.
#include <algorithm>
#include <cstring>
#include <map>

#include "sim/calls/captures.h"
#include "sim/calls/graph_facts.h"
#include "sim/calls/graph_order.h"
#include "sim/calls/graph_work.h"
#include "sim/check/diagnosis.h"
#include "sim/runtime/host_log.h"
#include "sim/runtime/pointers.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

std::map<cudaGraph_t, std::unique_ptr<CUgraph_st>>& graphs() {
  static auto& all = *new std::map<cudaGraph_t, std::unique_ptr<CUgraph_st>>;
  return all;
}

std::map<cudaGraphExec_t, std::unique_ptr<CUgraphExec_st>>& executables() {
  static auto& all = *new std::map<cudaGraphExec_t, std::unique_ptr<CUgraphExec_st>>;
  return all;
}

bool contains(cudaGraph_t graph, cudaGraphNode_t node) {
  return std::any_of(graph->nodes.begin(), graph->nodes.end(),
                     [&](const auto& n) { return n.get() == node; });
}

std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph) {
  auto copy = std::make_unique<CUgraph_st>();
  copy->objects = graph.objects;
  std::map<const CUgraphNode_st*, CUgraphNode_st*> twin;
  for (const auto& node : graph.nodes) {
    copy->nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{node->work, {}, 0, node.get()}));
    twin[node.get()] = copy->nodes.back().get();
  }
  for (const auto& node : graph.nodes)
    for (const CUgraphNode_st* needed : node->dependencies)
      twin[node.get()]->dependencies.push_back(twin[needed]);
  return copy;
}

/// Hands out a list the way CUDA does: its length, or as many as fit.
template <class Items, class Put>
cudaError_t give(const Items& items, std::size_t* count, bool wants_items, const Put& put) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (wants_items)
    for (std::size_t i = 0; i < std::min(*count, items.size()); ++i) put(i, items[i]);
  *count = wants_items ? std::min(*count, items.size()) : items.size();
  return cudaSuccess;
}

}  // namespace

bool exists(cudaGraph_t graph) { return graphs().count(graph) > 0; }
bool exists(cudaGraphExec_t exec) { return executables().count(exec) > 0; }

cudaGraph_t graph_of(cudaGraphNode_t node) {
  for (const auto& [handle, graph] : graphs())
    for (const auto& n : graph->nodes)
      if (n.get() == node) return handle;
  return nullptr;
}

CUgraphExec_st::Step* step_of(cudaGraphExec_t exec, cudaGraphNode_t node) {
  if (!exists(exec)) return nullptr;
  const auto found = std::find_if(exec->steps.begin(), exec->steps.end(),
                                  [&](const auto& step) { return step.node == node; });
  return found == exec->steps.end() ? nullptr : &*found;
}

void keep_graph(std::unique_ptr<CUgraph_st> graph) {
  CUgraph_st* handle = graph.get();
  graphs().emplace(handle, std::move(graph));
}

// By extract(): what it keeps may be the program's to destroy, which then finds no graph that is half gone.
bool drop_graph(cudaGraph_t graph) { return !graphs().extract(graph).empty(); }

cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     std::size_t count, const Work& work) {
  if (node == nullptr || !exists(graph) || (count > 0 && dependencies == nullptr))
    return cudaErrorInvalidValue;
  auto made = std::make_unique<CUgraphNode_st>();
  for (std::size_t i = 0; i < count; ++i) {
    if (!contains(graph, dependencies[i])) return cudaErrorInvalidValue;
    made->dependencies.push_back(dependencies[i]);
  }
  made->work = work;
  *node = made.get();
  graph->nodes.push_back(std::move(made));
  return cudaSuccess;
}

Work* work_of(cudaGraphNode_t node) { return graph_of(node) == nullptr ? nullptr : &node->work; }

cudaError_t replace_step(cudaGraphExec_t exec, cudaGraphNode_t node, const Work& work) {
  CUgraphExec_st::Step* const step = step_of(exec, node);
  if (step == nullptr || step->work.type != work.type) return cudaErrorInvalidValue;
  step->work = work;
  step->changed_at = {};
  return cudaSuccess;
}

void note_changed(cudaGraphNode_t node, const runs::SourceLine& at) {
  for (const auto& [handle, exec] : executables())
    if (CUgraphExec_st::Step* const step = step_of(handle, node)) step->changed_at = at;
}

namespace {

void tell_of_changed_nodes(CUgraphExec_st& exec, Pc pc) {
  for (CUgraphExec_st::Step& step : exec.steps) {
    if (step.changed_at.line == 0) continue;
    runs::Finding f;
    f.klass = runs::FindingClass::bad_api_call;
    f.severity = runs::Severity::warning;
    f.at = std::exchange(step.changed_at, {});
    const runs::SourceLine launched = source_line(pc);
    if (launched.line > 0) f.other = launched;
    f.message =
        "a node of the graph is given other parameters here, but the executable graph that is launched" +
        (launched.line > 0 ? " at line " + std::to_string(launched.line) : std::string()) +
        " was made before: it goes on with those that it was made with.";
    f.advice =
        "Change the executable graph itself (cudaGraphExecKernelNodeSetParams and its kin), or bring it up to date "
        "with cudaGraphExecUpdate().";
    Diagnosis::get().findings.add(std::move(f));
  }
}

}  // namespace

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  if (graph == nullptr || flags != 0) return finish(cudaErrorInvalidValue);
  auto made = std::make_unique<CUgraph_st>();
  *graph = made.get();
  keep_graph(std::move(made));
  return finish(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return finish(drop_graph(graph) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t original) {
  if (copy == nullptr || !exists(original)) return finish(cudaErrorInvalidValue);
  auto made = clone(*original);
  *copy = made.get();
  keep_graph(std::move(made));
  return finish(cudaSuccess);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, std::size_t count) {
  return finish(add_node(node, graph, dependencies, count,
                         {cudaGraphNodeTypeEmpty, [](cudaStream_t) { return cudaSuccess; }, {}}));
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  const cudaGraph_t graph = graph_of(node);
  if (graph == nullptr) return finish(cudaErrorInvalidValue);
  for (const auto& other : graph->nodes) {
    auto& needs = other->dependencies;
    needs.erase(std::remove(needs.begin(), needs.end(), node), needs.end());
  }
  auto& nodes = graph->nodes;
  nodes.erase(std::find_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.get() == node; }));
  return finish(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (!exists(graph)) return finish(cudaErrorInvalidValue);
  return finish(give(graph->nodes, count, nodes != nullptr,
                     [&](std::size_t i, const auto& node) { nodes[i] = node.get(); }));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (!exists(graph)) return finish(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> roots;
  for (const auto& node : graph->nodes)
    if (node->dependencies.empty()) roots.push_back(node.get());
  return finish(
      give(roots, count, nodes != nullptr, [&](std::size_t i, cudaGraphNode_t n) { nodes[i] = n; }));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (type == nullptr || graph_of(node) == nullptr) return finish(cudaErrorInvalidValue);
  *type = node->work.type;
  return finish(cudaSuccess);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  if (exec == nullptr || !exists(graph)) return finish(cudaErrorInvalidValue);
  auto made = std::make_unique<CUgraphExec_st>();
  made->steps = steps_of(*graph);
  if (made->steps.size() != graph->nodes.size()) return finish(cudaErrorInvalidValue);
  made->flags = flags;
  made->objects = graph->objects;
  *exec = made.get();
  executables().emplace(*exec, std::move(made));
  return finish(cudaSuccess);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  if (!exists(exec) || !exists(graph) || info == nullptr) return finish(cudaErrorInvalidValue);
  auto steps = steps_of(*graph);
  *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  if (steps.size() != exec->steps.size()) info->result = cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < steps.size() && info->result == cudaGraphExecUpdateSuccess; ++i)
    if (steps[i].work.type != exec->steps[i].work.type)
      *info = {cudaGraphExecUpdateErrorNodeTypeChanged, steps[i].node, nullptr};
  if (info->result != cudaGraphExecUpdateSuccess) return finish(cudaErrorGraphExecUpdateFailure);
  exec->steps = std::move(steps);
  exec->objects = graph->objects;
  return finish(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return finish(exists(exec) && find_stream(stream) != nullptr ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (!exists(exec)) return finish(cudaErrorInvalidValue);
  if (find_stream(stream) == nullptr) return finish(cudaErrorInvalidResourceHandle);
  tell_of_changed_nodes(*exec, WORKBOOK_CALL.pc);
  const GraphRun call;
  const ProgramFrame frame(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  for (const CUgraphExec_st::Step& step : exec->steps) reset_conditions(step.work);
  return finish(run_steps(exec->steps, stream, exec->lanes));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return finish(executables().extract(exec).empty() ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t workbook_sim_graph_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                const cudaGraphNode_t* to, std::size_t count) {
  if (!exists(graph)) return finish(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) {
    if (!contains(graph, from[i]) || !contains(graph, to[i]) || from[i] == to[i])
      return finish(cudaErrorInvalidValue);
    to[i]->dependencies.push_back(from[i]);
  }
  return finish(cudaSuccess);
}

cudaError_t workbook_sim_graph_get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                         std::size_t* count) {
  if (!exists(graph)) return finish(cudaErrorInvalidValue);
  std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edges;
  for (const auto& node : graph->nodes)
    for (CUgraphNode_st* needed : node->dependencies) edges.emplace_back(needed, node.get());
  return finish(give(edges, count, from != nullptr && to != nullptr, [&](std::size_t i, const auto& edge) {
    from[i] = edge.first;
    to[i] = edge.second;
  }));
}

}  // extern "C"
