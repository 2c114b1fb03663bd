// Wrong: two nodes of a graph that use one array, and no edge between them.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;  // expect-other: stream_race
}

__global__ void twice(int* x) {
  x[threadIdx.x] *= 2;  // expect: stream_race
}

int main() {
  const int n = 64;
  int *x, value = 7, first = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t begin, filled, doubled;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&begin, graph, nullptr, 0);
  void* fill_arguments[] = {&x, &value};
  cudaKernelNodeParams fill_node = {};
  fill_node.func = reinterpret_cast<void*>(fill);
  fill_node.gridDim = dim3(1);
  fill_node.blockDim = dim3(n);
  fill_node.kernelParams = fill_arguments;
  cudaGraphAddKernelNode(&filled, graph, &begin, 1, &fill_node);
  void* twice_arguments[] = {&x};
  cudaKernelNodeParams twice_node = fill_node;
  twice_node.func = reinterpret_cast<void*>(twice);
  twice_node.kernelParams = twice_arguments;
  cudaGraphAddKernelNode(&doubled, graph, &begin, 1, &twice_node);  // &filled should stand here
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  cudaMemcpy(&first, x, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("first %d\n", first);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(x);
}
