// Wrong: memory that a graph takes and gives back is used after the graph has run.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* p) { p[threadIdx.x] = static_cast<int>(threadIdx.x); }
__global__ void sum(const int* p, int* total) {
  atomicAdd(total, p[threadIdx.x]);  // expect: use_after_free
}

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  int *scratch, *total, h = 0;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&scratch, 64 * sizeof(int), s);
  fill<<<1, 64, 0, s>>>(scratch);
  sum<<<1, 64, 0, s>>>(scratch, total);
  cudaFreeAsync(scratch, s);  // expect: use_after_free
  cudaGraph_t graph;
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int turn = 0; turn < 3; ++turn) cudaGraphLaunch(exec, s);  // each finds it again
  sum<<<1, 64, 0, s>>>(scratch, total);
  cudaStreamSynchronize(s);
  cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(total);
  cudaStreamDestroy(s);
}
