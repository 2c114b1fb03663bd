#include "device.h"
#include "tests/catch.h"

TEST_CASE("a captured graph runs later, with the arguments it was captured with") {
  Device device;
  int* data = device_ints(kThreads);
  std::vector<int> host(kThreads, 1);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  int value = 10;
  cudaMemcpyAsync(data, host.data(), kThreads * sizeof(int), cudaMemcpyHostToDevice, stream);
  add_on(blocks_for(kThreads, stream), data, kThreads, value);
  value = 99;
  cudaMemcpyAsync(host.data(), data, kThreads * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusActive);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(host[0] == 1);
  std::size_t nodes = 0, edges = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetEdges(graph, nullptr, nullptr, &edges);
  CHECK(nodes == 3);
  CHECK(edges == 2);

  cudaGraphExec_t exec = nullptr, old_way = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&old_way, graph, nullptr, nullptr, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  cudaEvent_t start = nullptr, stop = nullptr;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start, stream);
  for (int i = 0; i < 3; ++i) REQUIRE(cudaGraphLaunch(exec, stream) == cudaSuccess);
  cudaEventRecord(stop, stream);
  cudaStreamSynchronize(stream);
  CHECK(host[5] == 31);
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  CHECK(ms > 0.01f);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
  CHECK(device.findings().empty());
  cudaStreamDestroy(stream);
}

TEST_CASE("streams join a capture through events, and must come back") {
  Device device;
  int *a = device_ints(kThreads), *b = device_ints(kThreads);
  cudaStream_t main = nullptr, side = nullptr;
  cudaStreamCreate(&main);
  cudaStreamCreate(&side);
  cudaEvent_t fork = nullptr, join = nullptr;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  const auto capture = [&](bool joins, cudaGraph_t* graph) {
    cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, main);
    cudaStreamWaitEvent(side, fork);
    fill_on(blocks_for(kThreads, main), a, kThreads, 1);
    fill_on(blocks_for(kThreads, side), b, kThreads, 2);
    cudaEventRecord(join, side);
    if (joins) cudaStreamWaitEvent(main, join);
    return cudaStreamEndCapture(main, graph);
  };
  cudaGraph_t graph = nullptr;
  CHECK(capture(false, &graph) == cudaErrorStreamCaptureUnjoined);
  REQUIRE(capture(true, &graph) == cudaSuccess);
  std::size_t roots = 0;
  cudaGraphGetRootNodes(graph, nullptr, &roots);
  CHECK(roots == 2);
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph);
  cudaGraphLaunch(exec, main);
  CHECK(copied_back(a, 1)[0] == 1);
  CHECK(copied_back(b, 1)[0] == 2);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(main);
  cudaStreamDestroy(side);
}

TEST_CASE("what a capture does not allow makes it invalid") {
  Device device;
  int* data = device_ints(kThreads);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaGraph_t graph = nullptr;
  const auto ruined_by = [&](auto&& call) {
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    const cudaError_t error = call();
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
    return error;
  };
  CHECK(ruined_by([&] { return cudaStreamSynchronize(stream); }) == cudaErrorStreamCaptureUnsupported);
  CHECK(ruined_by([&] { return cudaDeviceSynchronize(); }) == cudaErrorStreamCaptureUnsupported);
  CHECK(ruined_by([&] { return cudaMemset(data, 0, 4); }) == cudaErrorStreamCaptureImplicit);
  int* more = nullptr;
  CHECK(ruined_by([&] { return cudaMalloc(&more, 4); }) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
  cudaStreamDestroy(stream);
}

TEST_CASE("graphs are built by hand, too") {
  Device device;
  int* data = device_ints(kThreads);
  int host[kThreads] = {}, n = kThreads, value = 5;
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaGraphNode_t zero = nullptr, work = nullptr, home = nullptr, told = nullptr;
  cudaMemsetParams set{data, 0, 0x01010101, 4, kThreads, 1};
  REQUIRE(cudaGraphAddMemsetNode(&zero, graph, nullptr, 0, &set) == cudaSuccess);
  void* arguments[] = {&data, &n, &value};
  cudaKernelNodeParams kernel{};
  kernel.func = add;
  kernel.gridDim = 1;
  kernel.blockDim = kThreads;
  kernel.kernelParams = arguments;
  REQUIRE(cudaGraphAddKernelNode(&work, graph, nullptr, 0, &kernel) == cudaSuccess);
  value = 0;
  REQUIRE(cudaGraphAddMemcpyNode1D(&home, graph, &work, 1, host, data, sizeof host, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  int called = 0;
  const cudaHostNodeParams tell{[](void* p) { ++*static_cast<int*>(p); }, &called};
  REQUIRE(cudaGraphAddHostNode(&told, graph, &home, 1, &tell) == cudaSuccess);
  REQUIRE(cudaGraphAddDependencies(graph, &zero, &work, nullptr, 1) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(host[3] == 0x01010101 + 5);
  CHECK(called == 1);

  value = 7;
  REQUIRE(cudaGraphExecKernelNodeSetParams(exec, work, &kernel) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(host[3] == 0x01010101 + 7);

  cudaKernelNodeParams told_of{};
  REQUIRE(cudaGraphKernelNodeGetParams(work, &told_of) == cudaSuccess);
  CHECK(told_of.blockDim.x == kThreads);
  CHECK(*static_cast<int**>(told_of.kernelParams[0]) == data);
  CHECK(*static_cast<int*>(told_of.kernelParams[2]) ==
        5);  // of the node, which the executable's was made from
  CHECK(cudaGraphKernelNodeGetParams(zero, &told_of) == cudaErrorInvalidValue);
  int nine = 9;
  void* others[] = {told_of.kernelParams[0], told_of.kernelParams[1], &nine};
  told_of.kernelParams = others;
  REQUIRE(cudaGraphKernelNodeSetParams(work, &told_of) == cudaSuccess);
  cudaGraphExec_t second = nullptr;
  REQUIRE(cudaGraphInstantiate(&second, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(second, nullptr) == cudaSuccess);
  CHECK(host[3] == 0x01010101 + 9);
  cudaGraphExecDestroy(second);

  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  cudaGraphNodeGetType(work, &type);
  CHECK(type == cudaGraphNodeTypeKernel);
  REQUIRE(cudaGraphAddDependencies(graph, &told, &zero, 1) == cudaSuccess);
  cudaGraphExec_t cyclic = nullptr;
  CHECK(cudaGraphInstantiate(&cyclic, graph, 0) == cudaErrorInvalidValue);
  CHECK(device.findings().empty());
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}
