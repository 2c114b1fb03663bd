// Graphs built by hand from every kind of node, then asked, changed, cloned and taken apart. Nothing is wrong
// here.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                       \
  do {                                                                    \
    const cudaError_t error_ = (call);                                    \
    if (error_ != cudaSuccess) {                                          \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error_)); \
      return 1;                                                           \
    }                                                                     \
  } while (0)
#define EXPECT(condition)                                               \
  do {                                                                  \
    if (!(condition)) {                                                 \
      std::printf("line %d: %s does not hold\n", __LINE__, #condition); \
      return 1;                                                         \
    }                                                                   \
  } while (0)

constexpr int kCount = 256;

__global__ void add(float* data, float what) { data[blockIdx.x * blockDim.x + threadIdx.x] += what; }

__global__ void count_down(int* left, cudaGraphConditionalHandle again) {
  *left -= 1;
  cudaGraphSetConditional(again, *left > 0 ? 1u : 0u);
}

void note(void* seen) { ++*static_cast<int*>(seen); }

// A copy in, a fill, a kernel, a host function, a copy out, in one chain; some of it is changed afterwards.
int chain() {
  float *device = nullptr, in[kCount], other[kCount], out[kCount];
  for (int i = 0; i < kCount; ++i) in[i] = 1.0f, other[i] = 10.0f, out[i] = 0.0f;
  int calls = 0, other_calls = 0;
  CHECK(cudaMalloc(&device, sizeof in));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t fill, copy_in, kernel, host, copy_out;
  cudaMemsetParams zero{};
  zero.dst = device;
  zero.elementSize = 4;
  zero.width = kCount;
  zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
  CHECK(cudaGraphAddMemcpyNode1D(&copy_in, graph, &fill, 1, device, in, sizeof in, cudaMemcpyHostToDevice));
  float what = 2.0f;
  void* arguments[] = {&device, &what};
  cudaKernelNodeParams launch{};
  launch.func = (void*)add;
  launch.gridDim = dim3(kCount / 64);
  launch.blockDim = dim3(64);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &copy_in, 1, &launch));
  cudaHostNodeParams function{note, &calls};
  CHECK(cudaGraphAddHostNode(&host, graph, &kernel, 1, &function));
  cudaGraphNodeParams any = {cudaGraphNodeTypeMemcpy};
  any.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(device, sizeof in, kCount, 1);
  any.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(out, sizeof out, kCount, 1);
  any.memcpy.copyParams.extent = make_cudaExtent(sizeof in, 1, 1);
  any.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddNode(&copy_out, graph, &host, nullptr, 1, &any));

  cudaMemsetParams told_fill;
  CHECK(cudaGraphMemsetNodeGetParams(fill, &told_fill));
  EXPECT(told_fill.dst == device && told_fill.width == kCount);
  cudaHostNodeParams told_host;
  CHECK(cudaGraphHostNodeGetParams(host, &told_host));
  EXPECT(told_host.userData == &calls);
  cudaMemcpy3DParms told_copy;
  CHECK(cudaGraphMemcpyNodeGetParams(copy_in, &told_copy));
  EXPECT(told_copy.dstPtr.ptr == device && told_copy.extent.width == sizeof in);
  size_t count = 0;
  CHECK(cudaGraphNodeGetDependencies(kernel, nullptr, nullptr, &count));
  EXPECT(count == 1);
  cudaGraphNode_t found;
  CHECK(cudaGraphNodeGetDependentNodes(kernel, &found, nullptr, &count));
  EXPECT(count == 1 && found == host);

  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  EXPECT(out[0] == 3.0f && out[kCount - 1] == 3.0f && calls == 1);

  cudaHostNodeParams other_function{note, &other_calls};
  CHECK(cudaGraphExecHostNodeSetParams(exec, host, &other_function));
  CHECK(
      cudaGraphExecMemcpyNodeSetParams1D(exec, copy_in, device, other, sizeof other, cudaMemcpyHostToDevice));
  what = 5.0f;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &launch));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  EXPECT(out[7] == 15.0f && calls == 1 && other_calls == 1);

  CHECK(cudaGraphNodeSetEnabled(exec, kernel, 0));
  unsigned int enabled = 1;
  CHECK(cudaGraphNodeGetEnabled(exec, kernel, &enabled));
  EXPECT(enabled == 0);
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  EXPECT(out[7] == 10.0f);

  cudaGraph_t copy;
  CHECK(cudaGraphClone(&copy, graph));
  CHECK(cudaGraphNodeFindInClone(&found, kernel, copy));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(found, &type));
  EXPECT(found != kernel && type == cudaGraphNodeTypeKernel);
  CHECK(cudaGraphRemoveDependencies(graph, &host, &copy_out, nullptr, 1));
  CHECK(cudaGraphNodeGetDependencies(copy_out, nullptr, nullptr, &count));
  EXPECT(count == 0);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(copy));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(device));
  return 0;
}

// Memory that the graph allocates and frees, a child graph that uses it, an event between.
int memory_and_events() {
  cudaGraph_t graph, child;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&child, 0));
  cudaGraphNode_t take, fill, nested, record, copy_out, give_back;
  cudaMemAllocNodeParams wanted{};
  wanted.bytesize = kCount * sizeof(float);
  wanted.poolProps.allocType = cudaMemAllocationTypePinned;
  wanted.poolProps.location.type = cudaMemLocationTypeDevice;
  CHECK(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &wanted));
  float* device = static_cast<float*>(wanted.dptr);
  cudaMemsetParams zero{};
  zero.dst = device;
  zero.elementSize = 4;
  zero.width = kCount;
  zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, &take, 1, &zero));
  float what = 4.0f;
  void* arguments[] = {&device, &what};
  cudaKernelNodeParams launch{};
  launch.func = (void*)add;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(kCount);
  launch.kernelParams = arguments;
  cudaGraphNode_t inner;
  CHECK(cudaGraphAddKernelNode(&inner, child, nullptr, 0, &launch));
  CHECK(cudaGraphAddChildGraphNode(&nested, graph, &fill, 1, child));
  cudaGraph_t told;
  CHECK(cudaGraphChildGraphNodeGetGraph(nested, &told));
  size_t count = 0;
  CHECK(cudaGraphGetNodes(told, nullptr, &count));
  EXPECT(count == 1);
  cudaEvent_t event, told_event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaGraphAddEventRecordNode(&record, graph, &nested, 1, event));
  CHECK(cudaGraphEventRecordNodeGetEvent(record, &told_event));
  EXPECT(told_event == event);
  float out[kCount] = {};
  CHECK(cudaGraphAddMemcpyNode1D(&copy_out, graph, &record, 1, out, device, sizeof out,
                                 cudaMemcpyDeviceToHost));
  CHECK(cudaGraphAddMemFreeNode(&give_back, graph, &copy_out, 1, device));
  void* freed = nullptr;
  CHECK(cudaGraphMemFreeNodeGetParams(give_back, &freed));
  EXPECT(freed == device);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaEventSynchronize(event));
    CHECK(cudaDeviceSynchronize());
    EXPECT(out[0] == 4.0f && out[kCount - 1] == 4.0f);
  }
  CHECK(cudaDeviceGraphMemTrim(0));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(event));
  return 0;
}

// The host waits for an event that a node records, and a node for one that another stream records.
int order_of_events() {
  float *device = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&device, kCount * sizeof(float)));
  CHECK(cudaMallocHost(&out, kCount * sizeof(float)));
  cudaStream_t filling, launching;
  CHECK(cudaStreamCreateWithFlags(&filling, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&launching, cudaStreamNonBlocking));
  cudaEvent_t filled, copied;
  CHECK(cudaEventCreate(&filled));
  CHECK(cudaEventCreate(&copied));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t wait, copy_out, record;
  CHECK(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, filled));
  CHECK(cudaGraphAddMemcpyNode1D(&copy_out, graph, &wait, 1, out, device, kCount * sizeof(float),
                                 cudaMemcpyDeviceToHost));
  CHECK(cudaGraphAddEventRecordNode(&record, graph, &copy_out, 1, copied));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaMemsetAsync(device, 0, kCount * sizeof(float), filling));
  add<<<1, kCount, 0, filling>>>(device, 6.0f);
  CHECK(cudaEventRecord(filled, filling));
  CHECK(cudaGraphLaunch(exec, launching));
  CHECK(cudaEventSynchronize(copied));
  EXPECT(out[0] == 6.0f && out[kCount - 1] == 6.0f);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(filled));
  CHECK(cudaEventDestroy(copied));
  CHECK(cudaStreamDestroy(filling));
  CHECK(cudaStreamDestroy(launching));
  CHECK(cudaFreeHost(out));
  CHECK(cudaFree(device));
  return 0;
}

cudaError_t add_condition(cudaGraph_t graph, cudaGraphConditionalNodeType type,
                          cudaGraphConditionalHandle* handle, cudaGraph_t* body) {
  cudaError_t error = cudaGraphConditionalHandleCreate(handle, graph, 1, cudaGraphCondAssignDefault);
  if (error != cudaSuccess) return error;
  cudaGraphNodeParams node = {cudaGraphNodeTypeConditional};
  node.conditional.handle = *handle;
  node.conditional.type = type;
  node.conditional.size = 1;
  cudaGraphNode_t added;
  error = cudaGraphAddNode(&added, graph, nullptr, nullptr, 0, &node);
  *body = node.conditional.phGraph_out[0];
  return error;
}

cudaError_t add_count_down(cudaGraph_t graph, int* left, cudaGraphConditionalHandle again) {
  void* arguments[] = {&left, &again};
  cudaKernelNodeParams step{};
  step.func = (void*)count_down;
  step.gridDim = step.blockDim = dim3(1);
  step.kernelParams = arguments;
  cudaGraphNode_t added;
  return cudaGraphAddKernelNode(&added, graph, nullptr, 0, &step);
}

// Conditions begin with their defaults at each launch: those of loops in branches, and in graphs that came by
// an update.
int conditions_at_each_launch() {
  int* left = nullptr;
  CHECK(cudaMallocManaged(&left, sizeof *left));
  cudaGraph_t nested, branch, loop;
  CHECK(cudaGraphCreate(&nested, 0));
  cudaGraphConditionalHandle enters, again;
  CHECK(add_condition(nested, cudaGraphCondTypeIf, &enters, &branch));
  CHECK(add_condition(branch, cudaGraphCondTypeWhile, &again, &loop));
  CHECK(add_count_down(loop, left, again));
  cudaGraph_t graphs[2];
  for (cudaGraph_t& graph : graphs) {
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(add_condition(graph, cudaGraphCondTypeWhile, &again, &loop));
    CHECK(add_count_down(loop, left, again));
  }
  cudaGraphExec_t of_nested, updated;
  CHECK(cudaGraphInstantiate(&of_nested, nested, 0));
  CHECK(cudaGraphInstantiate(&updated, graphs[0], 0));
  cudaGraphExecUpdateResultInfo result;
  CHECK(cudaGraphExecUpdate(updated, graphs[1], &result));
  for (cudaGraphExec_t exec : {of_nested, updated}) {
    for (int round = 0; round < 2; ++round) {
      *left = 5;
      CHECK(cudaGraphLaunch(exec, 0));
      CHECK(cudaDeviceSynchronize());
      EXPECT(*left == 0);
    }
    CHECK(cudaGraphExecDestroy(exec));
  }
  for (cudaGraph_t graph : {nested, graphs[0], graphs[1]}) CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(left));
  return 0;
}

// A loop whose body says in a kernel whether it goes on.
int conditions() {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle again;
  CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  loop.conditional.handle = again;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node, inner;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
  cudaGraph_t body = loop.conditional.phGraph_out[0];
  int* left = nullptr;
  CHECK(cudaMallocManaged(&left, sizeof *left));
  void* arguments[] = {&left, &again};
  cudaGraphNodeParams step = {cudaGraphNodeTypeKernel};
  step.kernel.func = (void*)count_down;
  step.kernel.gridDim = dim3(1);
  step.kernel.blockDim = dim3(1);
  step.kernel.kernelParams = arguments;
  CHECK(cudaGraphAddNode(&inner, body, nullptr, nullptr, 0, &step));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 2; ++round) {
    *left = 5;
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    EXPECT(*left == 0);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(left));
  return 0;
}

// What a graph keeps is destroyed with it.
int objects() {
  int destroyed = 0;
  cudaUserObject_t object;
  CHECK(cudaUserObjectCreate(&object, &destroyed, note, 1, cudaUserObjectNoDestructorSync));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  EXPECT(destroyed == 0);
  CHECK(cudaGraphDestroy(graph));
  EXPECT(destroyed == 1);
  return 0;
}

// So is what its copies keep: a clone, a child of another graph, and what is launched.
int objects_of_copies() {
  int destroyed = 0;
  cudaUserObject_t object;
  CHECK(cudaUserObjectCreate(&object, &destroyed, note, 1, cudaUserObjectNoDestructorSync));
  cudaGraph_t graph, copy, parent;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  CHECK(cudaGraphClone(&copy, graph));
  CHECK(cudaGraphDestroy(graph));
  EXPECT(destroyed == 0);
  CHECK(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t child;
  CHECK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, copy));
  cudaGraphExec_t of_copy, of_parent;
  CHECK(cudaGraphInstantiate(&of_copy, copy, 0));
  CHECK(cudaGraphInstantiate(&of_parent, parent, 0));
  CHECK(cudaGraphDestroy(copy));
  CHECK(cudaGraphDestroy(parent));
  CHECK(cudaGraphLaunch(of_copy, 0));
  CHECK(cudaGraphLaunch(of_parent, 0));
  CHECK(cudaDeviceSynchronize());
  EXPECT(destroyed == 0);
  CHECK(cudaGraphExecDestroy(of_copy));
  EXPECT(destroyed == 0);
  CHECK(cudaGraphExecDestroy(of_parent));
  EXPECT(destroyed == 1);
  return 0;
}

int main() {
  if (chain() != 0 || memory_and_events() != 0 || conditions() != 0 || objects() != 0) return 1;
  if (order_of_events() != 0 || conditions_at_each_launch() != 0 || objects_of_copies() != 0) return 1;
  std::printf("graphs: PASSED\n");
  return 0;
}
