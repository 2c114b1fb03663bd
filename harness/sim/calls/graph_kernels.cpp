// Kernels as nodes of graphs: launches that are kept, with copies of their arguments.
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "sim/calls/graph_facts.h"
#include "sim/calls/graph_work.h"
#include "sim/runtime/call.h"
#include "sim/runtime/capturing.h"
#include "workbook_sim/runtime/launch.h"

namespace workbook::sim {

/// What cudaGraphKernelNodeGetParams() tells; the parameters are those of the launch that is kept beside it.
struct KernelOfNode {
  LaunchConfig config;
  LaunchableKernel func;
  std::vector<void*> parameters;
};

namespace {

/// A launch that is kept for later, with copies of its arguments.
class KeptLaunch {
 public:
  KeptLaunch(const LaunchConfig& config, const BoundKernel& kernel)
      : config_(config), kernel_(kernel), pointers_(std::make_shared<std::vector<void*>>()) {
    const KernelSignature& signature = *kernel.signature;
    std::size_t bytes = 0;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < signature.count; ++i) {
      places.push_back(aligned(bytes, signature.parameters[i].alignment));
      bytes = places.back() + signature.parameters[i].bytes;
    }
    bytes_ = {new (kAlignment) std::byte[bytes], &release};
    for (std::size_t i = 0; i < signature.count; ++i) {
      pointers_->push_back(bytes_.get() + places[i]);
      std::memcpy(pointers_->back(), kernel.arguments[i], signature.parameters[i].bytes);
    }
    kernel_.arguments = pointers_->data();
  }

  std::shared_ptr<const KernelOfNode> of_node() const {
    auto node = std::make_shared<KernelOfNode>(KernelOfNode{config_, {}, {}});
    if (kernel_.function == kernel_.name) return node;
    node->func.function = kernel_.function;
    if (!kernel_.signature->is_list) return node;
    node->func.signature = kernel_.signature;
    node->parameters = *pointers_;
    return node;
  }

  cudaError_t operator()(cudaStream_t stream) const {
    LaunchConfig config = config_;
    config.stream = stream;
    return submit(config, kernel_);
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  static void release(std::byte* bytes) { ::operator delete[](bytes, kAlignment); }
  static std::size_t aligned(std::size_t bytes, std::size_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  LaunchConfig config_;
  BoundKernel kernel_;
  std::shared_ptr<std::byte[]> bytes_;
  std::shared_ptr<std::vector<void*>> pointers_;  ///< into the bytes
};

thread_local Work* kept_next = nullptr;  // where the next launch of this thread is kept

}  // namespace

Work kernel_work(const LaunchConfig& config, const BoundKernel& kernel) {
  const KeptLaunch kept(config, kernel);
  return {cudaGraphNodeTypeKernel,
          kept,
          {},
          kept.of_node(),
          {kernel.name, 0},
          {config.file == nullptr ? "" : config.file, config.line}};
}

cudaError_t kernel_of_node(const cudaKernelNodeParams* parameters, Work& work) {
  if (parameters == nullptr || parameters->extra != nullptr) return cudaErrorInvalidValue;
  kept_next = &work;
  take_launch = [](const LaunchConfig& config, const BoundKernel& kernel) {
    *kept_next = kernel_work(config, kernel);
  };
  const cudaError_t error = parameters->func(
      {parameters->gridDim, parameters->blockDim, parameters->sharedMemBytes}, parameters->kernelParams);
  take_launch = nullptr;
  return error;
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaKernelNodeParams* parameters) {
  Work work;
  if (const cudaError_t error = kernel_of_node(parameters, work); error != cudaSuccess) return finish(error);
  return finish(add_node(node, graph, dependencies, count, work));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  const Work* const work = work_of(node);
  if (parameters == nullptr || work == nullptr || work->kernel == nullptr)
    return finish(cudaErrorInvalidValue);
  const KernelOfNode& kernel = *work->kernel;
  if (kernel.func.function == nullptr) return finish(cudaErrorInvalidDeviceFunction);
  *parameters = {kernel.func,
                 kernel.config.grid,
                 kernel.config.block,
                 static_cast<unsigned int>(kernel.config.shared_bytes),
                 const_cast<void**>(kernel.parameters.data()),
                 nullptr};
  return finish(cudaSuccess);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  Work fresh;
  if (const cudaError_t error = kernel_of_node(parameters, fresh); error != cudaSuccess) return finish(error);
  return finish(replace_work(node, fresh));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  Work work;
  if (const cudaError_t error = kernel_of_node(parameters, work); error != cudaSuccess) return finish(error);
  return finish(replace_step(exec, node, work));
}

}  // extern "C"
