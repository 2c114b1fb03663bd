// Work of a stream becomes part of a graph that there is already, behind one of its nodes.
#include <cuda_runtime.h>

__global__ void set(int* x, int v) { x[threadIdx.x] = v; }

__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int main() {
  const int n = 32;
  int *x, h[n], v = 21;
  cudaMalloc(&x, sizeof h);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t graph, captured;
  cudaGraphExec_t exec;
  cudaGraphNode_t first;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&x, &v};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(set);
  kernel.gridDim = 1;
  kernel.blockDim = n;
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel);
  cudaStreamBeginCaptureToGraph(s, graph, &first, nullptr, 1, cudaStreamCaptureModeGlobal);
  twice<<<1, n, 0, s>>>(x);
  cudaMemcpyAsync(h, x, sizeof h, cudaMemcpyDeviceToHost, s);
  cudaStreamEndCapture(s, &captured);
  std::size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
  cudaFree(x);
  return captured == graph && nodes == 3 && h[n - 1] == 42 ? 0 : 1;
}
