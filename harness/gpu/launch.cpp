#include "gpu/launch.h"

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
  WORKBOOK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
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

runs::LaunchRecord launch_checked(cudaStream_t stream, const std::string& kernel,
                                  const std::function<void()>& body) {
  body();
  require(cudaGetLastError(), kernel);
  require(cudaStreamSynchronize(stream), kernel);

  // The launch went through, so what a capture of it holds is what ran.
  const Graph graph = capture(stream, kernel, body);
  std::size_t nodes = 0;
  WORKBOOK_CUDA(cudaGraphGetNodes(graph.get(), nullptr, &nodes));
  if (nodes != 1)
    throw core::LaunchFailed(kernel + ": one kernel is launched in each Run::launch, on run.stream(); here " +
                             std::to_string(nodes) + " operations were");
  cudaGraphNode_t node = nullptr;
  WORKBOOK_CUDA(cudaGraphGetNodes(graph.get(), &node, &nodes));
  cudaKernelNodeParams launched{};
  require(cudaGraphKernelNodeGetParams(node, &launched), kernel + ": not a kernel launch");
  // A kernel that did not come through the runtime's own registration has no attributes here: its static
  // shared memory then stays uncounted.
  cudaFuncAttributes function{};
  if (cudaFuncGetAttributes(&function, launched.func) != cudaSuccess) {
    function = {};
    cudaGetLastError();
  }

  runs::LaunchRecord record;
  record.kernel = kernel;
  record.grid = to_record(launched.gridDim);
  record.block = to_record(launched.blockDim);
  record.shared_bytes = static_cast<std::int64_t>(function.sharedSizeBytes) + launched.sharedMemBytes;
  return record;
}

void CheckedRun::launch(const LaunchInfo& info, const std::function<void()>& body) {
  const std::string kernel(info.kernel);
  launches.push_back(launch_checked(stream_, kernel, body));
  for (const Damage& damage : tensors_.take_damage()) {
    const auto& tensor = workload_.tensors[static_cast<std::size_t>(damage.tensor)];
    const auto size = tensor.bytes / static_cast<std::int64_t>(sizeof(float));
    const std::string where = damage.element < 0
                                  ? std::to_string(-damage.element) + " before its start"
                                  : std::to_string(damage.element - size + 1) + " past its last element";
    runs::Finding finding;
    finding.klass = "canary";
    finding.kernel = kernel;
    finding.object = tensor.name + "[" + std::to_string(damage.element) + "]";
    finding.count = damage.count;
    finding.message = kernel + " wrote " + std::to_string(damage.count) + " element" +
                      (damage.count == 1 ? "" : "s") + " outside " + tensor.name + " (" +
                      std::to_string(size) + " elements): the first is " + finding.object + ", " + where +
                      ".";
    finding.advice = "Compare each index with its size before the store; --backend sim names the line.";
    finding.on_case = workload_.name;
    findings.push_back(std::move(finding));
  }
}

}  // namespace workbook::gpu
