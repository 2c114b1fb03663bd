// A node's new argument reaches the executable graph by an update, or is given to that itself.
#include <cuda_runtime.h>

__global__ void add(int* x, int v) { atomicAdd(x, v); }

int main() {
  int *d_x, v = 1, got = 0;
  cudaMalloc(&d_x, sizeof(int));
  cudaMemset(d_x, 0, sizeof(int));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node, copy;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&d_x, &v};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = kernel.blockDim = 1;
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel);
  cudaGraphAddMemcpyNode1D(&copy, graph, &node, 1, &got, d_x, sizeof got, cudaMemcpyDeviceToHost);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, nullptr);  // 1
  v = 10;
  cudaGraphKernelNodeSetParams(node, &kernel);
  cudaGraphExecUpdateResultInfo info;
  cudaGraphExecUpdate(exec, graph, &info);
  cudaGraphLaunch(exec, nullptr);  // 11
  v = 100;
  cudaGraphExecKernelNodeSetParams(exec, node, &kernel);
  cudaGraphLaunch(exec, nullptr);  // 111
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(d_x);
  return got == 111 ? 0 : 1;
}
