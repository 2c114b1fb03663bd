#include "gpu/launch.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace workbook::gpu {
namespace {

/// What usually lies behind an error of a launch, for those that have one usual cause.
std::string likely_cause(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
      return "; it read or wrote where no tensor lies, and --backend sim names the line";
    case cudaErrorMisalignedAddress:
      return "; a float4 needs an address that 16 divides, and --backend sim names the line";
    case cudaErrorInvalidConfiguration:
      return "; a block takes at most 1024 threads, and no size of grid or block may be 0";
    case cudaErrorLaunchOutOfResources:
      return "; fewer threads a block, or __launch_bounds__, lets its registers fit";
    default:
      return "";
  }
}

void require(cudaError_t code, const std::string& what) {
  if (code == cudaSuccess) return;
  throw core::LaunchFailed(what + ": " + describe(code) + likely_cause(code));
}

runs::Dim3 to_record(dim3 size) { return {size.x, size.y, size.z}; }

}  // namespace

Graph capture(cudaStream_t stream, const std::string& what, const std::function<void()>& enqueue) {
  const auto end_capture = [&] {
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    if (ended != cudaSuccess) cudaGetLastError();  // or the next launch would be blamed for it
    return std::pair(ended, Graph(graph));
  };
  // Relaxed: a learner's host function may make graphs and events of its own meanwhile.
  WORKBOOK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  try {
    enqueue();
  } catch (...) {
    end_capture();
    throw;
  }
  const cudaError_t enqueued = cudaGetLastError();
  auto [ended, graph] = end_capture();
  require(enqueued, what);
  require(ended, what + ": cannot be captured in a graph: is every launch on run.stream()?");
  return std::move(graph);
}

GraphExec instantiate(const Graph& graph, const std::string& what) {
  cudaGraphExec_t exec = nullptr;
  require(cudaGraphInstantiate(&exec, graph.get(), 0), what);
  return GraphExec(exec);
}

namespace {

/// "void scan_kernel<256>(float*, int)" gives "scan_kernel".
std::string kernel_name(const cudaKernelNodeParams& launched) {
  const char* mangled = nullptr;
  if (cudaFuncGetName(&mangled, launched.func) != cudaSuccess || mangled == nullptr) {
    cudaGetLastError();
    return "a kernel";
  }
  int status = 0;
  char* readable = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 ? readable : mangled;
  std::free(readable);
  name = name.substr(0, name.find_first_of("<("));
  return name.substr(name.find_last_of(" :") + 1);
}

runs::LaunchRecord kernel_record(const std::string& step, const cudaKernelNodeParams& launched) {
  // A kernel that did not come through the runtime's own registration has no attributes here: its static
  // shared memory then stays uncounted.
  cudaFuncAttributes function{};
  if (cudaFuncGetAttributes(&function, launched.func) != cudaSuccess) {
    function = {};
    cudaGetLastError();
  }
  runs::LaunchRecord record;
  record.kernel = kernel_name(launched);
  record.step = step;
  record.grid = to_record(launched.gridDim);
  record.block = to_record(launched.blockDim);
  record.shared_bytes = static_cast<std::int64_t>(function.sharedSizeBytes) + launched.sharedMemBytes;
  record.registers = function.numRegs;
  return record;
}

void add_operations(const std::string& step, cudaGraph_t graph, Operations& out);

/// Adds what one node does; what only orders others (events, empty nodes) adds nothing.
void add_operation(const std::string& step, cudaGraphNode_t node, Operations& out) {
  cudaGraphNodeType type{};
  WORKBOOK_CUDA(cudaGraphNodeGetType(node, &type));
  runs::LaunchRecord record;
  record.step = step;
  Graph part = empty_graph();
  cudaGraphNode_t copy = nullptr;
  if (type == cudaGraphNodeTypeKernel) {
    cudaKernelNodeParams launched{};
    WORKBOOK_CUDA(cudaGraphKernelNodeGetParams(node, &launched));
    record = kernel_record(step, launched);
    WORKBOOK_CUDA(cudaGraphAddKernelNode(&copy, part.get(), nullptr, 0, &launched));
    WORKBOOK_CUDA(cudaGraphKernelNodeCopyAttributes(copy, node));
  } else if (type == cudaGraphNodeTypeMemcpy) {
    cudaMemcpy3DParms params{};
    WORKBOOK_CUDA(cudaGraphMemcpyNodeGetParams(node, &params));
    record.kernel = "copy";
    WORKBOOK_CUDA(cudaGraphAddMemcpyNode(&copy, part.get(), nullptr, 0, &params));
  } else if (type == cudaGraphNodeTypeMemset) {
    cudaMemsetParams params{};
    WORKBOOK_CUDA(cudaGraphMemsetNodeGetParams(node, &params));
    record.kernel = "set";
    WORKBOOK_CUDA(cudaGraphAddMemsetNode(&copy, part.get(), nullptr, 0, &params));
  } else if (type == cudaGraphNodeTypeGraph) {
    cudaGraph_t inner = nullptr;
    WORKBOOK_CUDA(cudaGraphChildGraphNodeGetGraph(node, &inner));
    return add_operations(step, inner, out);
  } else {
    return;
  }
  out.records.push_back(std::move(record));
  out.parts.push_back(std::move(part));
}

/// The nodes in an order that their dependencies allow.
void add_operations(const std::string& step, cudaGraph_t graph, Operations& out) {
  std::size_t count = 0;
  WORKBOOK_CUDA(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  WORKBOOK_CUDA(cudaGraphGetNodes(graph, nodes.data(), &count));
  std::set<cudaGraphNode_t> done;
  while (done.size() < nodes.size()) {
    for (const cudaGraphNode_t node : nodes) {
      if (done.contains(node)) continue;
      std::size_t needs = 0;
      WORKBOOK_CUDA(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &needs));
      std::vector<cudaGraphNode_t> needed(needs);
      WORKBOOK_CUDA(cudaGraphNodeGetDependencies(node, needed.data(), nullptr, &needs));
      if (!std::all_of(needed.begin(), needed.end(), [&](cudaGraphNode_t n) { return done.contains(n); }))
        continue;
      add_operation(step, node, out);
      done.insert(node);
    }
  }
}

}  // namespace

Graph empty_graph() {
  cudaGraph_t graph = nullptr;
  WORKBOOK_CUDA(cudaGraphCreate(&graph, 0));
  return Graph(graph);
}

Operations operations_of(cudaStream_t stream, const std::string& step, const std::function<void()>& body) {
  Operations out;
  try {
    const Graph graph = capture(stream, step, body);
    add_operations(step, graph.get(), out);
  } catch (const core::LaunchFailed&) {
    cudaGetLastError();  // it waits for the device, which no capture can
    return {};
  }
  return out;
}

void CheckedRun::execute(const Step& step, const Body& body) {
  const std::string name(step.name);
  body();
  require(cudaGetLastError(), name);
  require(cudaDeviceSynchronize(), name);
  // The step went through, so what a capture of it holds is what ran.
  Operations seen = operations_of(stream_, name, body);
  if (seen.records.empty()) {
    seen.records.emplace_back();
    seen.records.back().kernel = seen.records.back().step = name;
  }
  launches.insert(launches.end(), seen.records.begin(), seen.records.end());
  for (const Damage& damage : tensors_.take_damage()) {
    const auto& tensor = workload_.tensors[static_cast<std::size_t>(damage.tensor)];
    const auto size =
        tensor.bytes /
        static_cast<std::int64_t>(core::size_of(workload_.types[static_cast<std::size_t>(damage.tensor)]));
    const std::string where = damage.element < 0
                                  ? std::to_string(-damage.element) + " before its start"
                                  : std::to_string(damage.element - size + 1) + " past its last element";
    runs::Finding finding;
    finding.klass = runs::FindingClass::canary;
    finding.kernel = name;
    finding.object = tensor.name + "[" + std::to_string(damage.element) + "]";
    finding.count = damage.count;
    finding.message = name + " wrote " + std::to_string(damage.count) + " element" +
                      (damage.count == 1 ? "" : "s") + " outside " + tensor.name + " (" +
                      std::to_string(size) + " elements): the first is " + finding.object + ", " + where +
                      ".";
    finding.advice = "Compare each index with its size before the store; --backend sim names the line.";
    finding.on_case = workload_.name;
    findings.push_back(std::move(finding));
  }
}

}  // namespace workbook::gpu
