// Wrong: a node is given a new argument when the executable graph has been made, and a copy goes to a
// variable of a function that has returned by the time that the graph is launched.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void add(int* x, int v) { atomicAdd(x, v); }

[[gnu::noinline]] void add_copy(cudaGraph_t graph, cudaGraphNode_t node, const int* d_x) {
  int got = 0;
  cudaGraphNode_t copy;
  cudaGraphAddMemcpyNode1D(&copy, graph, &node, 1, &got, d_x, sizeof got,
                           cudaMemcpyDeviceToHost);  // expect: oob_global
}

int main() {
  int *d_x, v = 1;
  cudaMalloc(&d_x, sizeof(int));
  cudaMemset(d_x, 0, sizeof(int));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&d_x, &v};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = kernel.blockDim = 1;
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel);
  add_copy(graph, node, d_x);
  cudaGraphInstantiate(&exec, graph, 0);
  v = 10;
  cudaGraphKernelNodeSetParams(node, &kernel);  // expect-warning: bad_api_call
  cudaGraphLaunch(exec, cudaStreamLegacy);      // expect-other: bad_api_call
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(d_x);
  std::printf("done\n");
}
