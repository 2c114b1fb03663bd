// What nodes of graphs do, by what they are told.
#include "sim/calls/graph_facts.h"

#include <algorithm>
#include <map>

#include "sim/calls/arrays.h"
#include "sim/calls/graph_order.h"
#include "sim/check/diagnosis.h"
#include "sim/runtime/call.h"
#include "sim/runtime/host_log.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

std::shared_ptr<const NodeFacts> facts(NodeFacts of) {
  return std::make_shared<const NodeFacts>(std::move(of));
}

struct Condition {
  cudaGraph_t graph;
  unsigned by_default, value;
  bool assigns;
  Pc at = 0;          ///< of the call that made it, or that set it last
  unsigned sets = 0;  ///< how often kernels have set it
};
std::map<cudaGraphConditionalHandle, Condition>& conditions() {
  static auto& all = *new std::map<cudaGraphConditionalHandle, Condition>;
  return all;
}

/// Of a loop that nothing ends: bodies that count for themselves set their condition in some turn or other.
constexpr unsigned kMostTurnsUnset = 100000;

void tell_endless(const Condition& condition) {
  Diagnosis::get().findings.add(runs::FindingClass::infinite_loop, condition.at, 0, [&](runs::Finding& f) {
    f.message = "the body of a while node of a graph has run " + std::to_string(kMostTurnsUnset) +
                " times since its condition was " + (condition.sets > 0 ? "set here" : "made here") +
                ", and the condition stays " + std::to_string(condition.value) + ": the loop is ended now.";
    f.advice =
        "The condition keeps its value from turn to turn until a kernel of the body sets it: call "
        "cudaGraphSetConditional() in each turn, with 0 in the last.";
  });
}

std::size_t& bytes_of_graphs() {
  static std::size_t bytes = 0;
  return bytes;
}

}  // namespace

cudaError_t copy_of_node(const Call& call, const cudaMemcpy3DParms* p, Work& work) {
  if (p == nullptr) return cudaErrorInvalidValue;
  const Box to = box_of(p->dstArray, p->dstPtr, p->dstPos), from = box_of(p->srcArray, p->srcPtr, p->srcPos);
  const std::size_t width = width_of(*p), height = std::max<std::size_t>(p->extent.height, 1);
  std::vector<Work> slices;
  work = {cudaGraphNodeTypeMemcpy, {}, {}, nullptr, call, {}, facts({*p})};
  for (std::size_t z = 0; z < p->extent.depth; ++z) {
    const Copy copy{{to.start + z * to.slice, width, height, to.pitch},
                    {from.start + z * from.slice, width, height, from.pitch},
                    p->kind};
    if (!pitches_fit(copy)) return cudaErrorInvalidPitchValue;
    slices.push_back(copy_work(call, copy));
    work.cost.engine = slices.back().cost.engine;
    work.cost.us += slices.back().cost.us;
  }
  work.run = [slices](cudaStream_t stream) {
    cudaError_t error = cudaSuccess;
    for (const Work& slice : slices)
      if (error == cudaSuccess) error = slice.run(stream);
    return error;
  };
  return cudaSuccess;
}

cudaError_t fill_of_node(const Call& call, const cudaMemsetParams* p, Work& work) {
  if (p == nullptr || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
    return cudaErrorInvalidValue;
  work =
      fill_work(call, {{p->dst, p->width * p->elementSize, p->height, p->pitch}, p->value, p->elementSize});
  return cudaSuccess;
}

cudaError_t host_of_node(const Call& call, const cudaHostNodeParams* parameters, Work& work) {
  if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
  const auto run = [p = *parameters](cudaStream_t) {
    p.fn(p.userData);
    return cudaSuccess;
  };
  work = {cudaGraphNodeTypeHost, run, {}, nullptr, call, {}, facts({*parameters})};
  return cudaSuccess;
}

cudaError_t child_of_node(cudaGraph_t child, Work& work) {
  if (!exists(child)) return cudaErrorInvalidValue;
  cudaGraph_t own = nullptr;
  if (const cudaError_t error = cudaGraphClone(&own, child); error != cudaSuccess) return error;
  // Whatever holds the work holds the graph, and what that keeps.
  const auto run = [own, owner = std::shared_ptr<CUgraph_st>(own, drop_graph),
                    lanes = std::make_shared<GraphLanes>()](cudaStream_t stream) {
    return run_steps(steps_of(*own), stream, *lanes);
  };
  work = {cudaGraphNodeTypeGraph, run, {}};
  work.facts = facts({own});
  return cudaSuccess;
}

cudaError_t record_of_node(const Call& call, cudaEvent_t event, Work& work) {
  if (event == nullptr) return cudaErrorInvalidValue;
  const auto run = [event, pc = call.pc](cudaStream_t stream) { return record_event(event, stream, pc); };
  work = {cudaGraphNodeTypeEventRecord, run, {}, nullptr, call, {}, facts({event})};
  return cudaSuccess;
}

cudaError_t wait_of_node(const Call& call, cudaEvent_t event, Work& work) {
  if (event == nullptr) return cudaErrorInvalidValue;
  const auto run = [event, pc = call.pc](cudaStream_t stream) { return wait_for_event(event, stream, pc); };
  work = {cudaGraphNodeTypeWaitEvent, run, {}, nullptr, call, {}, facts({event})};
  return cudaSuccess;
}

cudaError_t allocation_of_node(const Call& call, cudaMemAllocNodeParams* p, Work& work) {
  if (p == nullptr || p->bytesize == 0) return cudaErrorInvalidValue;
  p->dptr = Arena::get().allocate(p->bytesize, MemoryKind::device, call.pc);
  if (p->dptr == nullptr) return cudaErrorMemoryAllocation;
  Allocation* const a = Arena::get().find_start(p->dptr);
  a->shape = {static_cast<std::int64_t>(p->bytesize / a->element_bytes)};
  bytes_of_graphs() += p->bytesize;
  work = work_of_allocation(p->dptr);
  work.facts = facts({*p});
  return cudaSuccess;
}

cudaError_t free_of_node(const Call& call, void* pointer, Work& work) {
  Allocation* const freed = Arena::get().find_start(pointer);
  if (freed == nullptr) return cudaErrorInvalidValue;
  freed->freed_by_graph = true;
  const auto run = [pointer, pc = call.pc](cudaStream_t) {
    Arena::get().suspend(pointer, pc);
    return cudaSuccess;
  };
  work = {cudaGraphNodeTypeMemFree, run, {}};
  work.facts = facts({FreeNode{pointer}});
  return cudaSuccess;
}

cudaError_t condition_of_node(cudaGraph_t graph, cudaConditionalNodeParams* p, Work& work) {
  if (p == nullptr || p->size == 0 || !conditions().contains(p->handle) ||
      conditions()[p->handle].graph != graph)
    return cudaErrorInvalidValue;
  const bool fits = p->type == cudaGraphCondTypeSwitch || p->size == 1 ||
                    (p->type == cudaGraphCondTypeIf && p->size == 2);  // and its else
  if (!fits) return cudaErrorInvalidValue;
  auto* const bodies = new std::vector<cudaGraph_t>(p->size);  // the program's to look at, as long as it runs
  for (cudaGraph_t& body : *bodies) cudaGraphCreate(&body, 0);
  p->phGraph_out = bodies->data();
  const auto run = [bodies, handle = p->handle, type = p->type,
                    lanes = std::make_shared<GraphLanes>()](cudaStream_t stream) {
    const Condition& condition = conditions().at(handle);
    const unsigned& value = condition.value;
    const bool repeats = type == cudaGraphCondTypeWhile, switches = type == cudaGraphCondTypeSwitch;
    const std::size_t chosen = repeats ? 0u : switches ? value : value != 0 ? 0u : 1u;
    if (chosen >= bodies->size() || (repeats && value == 0)) return cudaSuccess;
    const auto steps = steps_of(*(*bodies)[chosen]);
    cudaError_t error = cudaSuccess;
    unsigned sets = condition.sets, unset_turns = 0;
    do {
      error = run_steps(steps, stream, *lanes);
      unset_turns = condition.sets == sets ? unset_turns + 1 : 0;
      sets = condition.sets;
      if (repeats && value != 0 && unset_turns == kMostTurnsUnset && workbook_sim_is_diagnosing())
        return tell_endless(condition), error;
    } while (repeats && value != 0 && error == cudaSuccess);
    return error;
  };
  work = {cudaGraphNodeTypeConditional, run, {}};
  work.facts = facts({ConditionNode{p->handle, bodies}});
  return cudaSuccess;
}

cudaError_t replace_work(cudaGraphNode_t node, const Work& work) {
  Work* const old = work_of(node);
  if (old == nullptr || old->type != work.type) return cudaErrorInvalidValue;
  *old = work;
  if (workbook_sim_is_diagnosing())
    note_changed(node, line_of_program(reinterpret_cast<Pc>(__builtin_return_address(0))));
  return cudaSuccess;
}

void reset_conditions(const Work& work) {
  if (work.facts == nullptr) return;
  const auto reset_in = [](const CUgraph_st& graph) {
    for (const auto& node : graph.nodes) reset_conditions(node->work);
  };
  if (const auto* const child = std::get_if<cudaGraph_t>(&work.facts->of)) reset_in(**child);
  const auto* const node = std::get_if<ConditionNode>(&work.facts->of);
  if (node == nullptr) return;
  if (Condition& condition = conditions().at(node->handle); condition.assigns)
    condition.value = condition.by_default;
  for (const cudaGraph_t body : *node->bodies) reset_in(*body);
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int default_value, unsigned int flags) {
  if (handle == nullptr || !exists(graph) || flags > cudaGraphCondAssignDefault)
    return finish(cudaErrorInvalidValue);
  *handle = conditions().size() + 1;
  conditions()[*handle] = {graph, default_value, default_value, flags == cudaGraphCondAssignDefault,
                           WORKBOOK_CALL.pc};
  return finish(cudaSuccess);
}

void workbook_sim_set_conditional(cudaGraphConditionalHandle handle, unsigned int value) {
  const auto found = conditions().find(handle);
  if (found == conditions().end()) return;
  __atomic_store_n(&found->second.value, value, __ATOMIC_RELAXED);
  __atomic_store_n(&found->second.at, WORKBOOK_CALL.pc, __ATOMIC_RELAXED);
  __atomic_fetch_add(&found->second.sets, 1u, __ATOMIC_RELAXED);
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return finish(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  if (device != 0) return finish(cudaErrorInvalidDevice);
  if (value == nullptr || attribute < cudaGraphMemAttrUsedMemCurrent ||
      attribute > cudaGraphMemAttrReservedMemHigh)
    return finish(cudaErrorInvalidValue);
  *static_cast<std::uint64_t*>(value) = bytes_of_graphs();
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  if (device != 0) return finish(cudaErrorInvalidDevice);
  const bool high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
  return finish(value != nullptr && high ? cudaSuccess : cudaErrorInvalidValue);
}

}  // extern "C"
