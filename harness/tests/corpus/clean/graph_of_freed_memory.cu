// Memory of a graph lives as long as the graph.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void step(float* x, const float* scale) { x[threadIdx.x] *= scale[0]; }

int main() {
  float h[64], *x, *scale, two = 2.0f;
  for (float& v : h) v = 1.0f;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&scale, sizeof(float));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(scale, &two, sizeof two, cudaMemcpyHostToDevice);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  step<<<1, 64, 0, s>>>(x, scale);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  two = 3.0f;
  cudaMemcpy(scale, &two, sizeof two, cudaMemcpyHostToDevice);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g, should be 6\n", h[0]);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
  cudaFree(x);
  cudaFree(scale);
}
