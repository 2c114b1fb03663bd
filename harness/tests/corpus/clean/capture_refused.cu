// A capture of a stream of its own, with its memory allocated before, and in the mode that lets others
// allocate.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int* x) { atomicAdd(x, 1); }

int main() {
  int *x, *y = nullptr;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  cudaMalloc(&y, sizeof(int));
  add<<<1, 32, 0, stream>>>(x);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t runs;
  cudaGraphInstantiate(&runs, graph, 0);
  cudaGraphLaunch(runs, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&y[0], x, sizeof(int), cudaMemcpyDeviceToDevice);
  int sum = 0;
  cudaMemcpy(&sum, y, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%d\n", sum);
  cudaGraphExecDestroy(runs), cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(x), cudaFree(y);
}
