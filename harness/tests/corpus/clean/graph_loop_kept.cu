// The kernel of a loop in a graph sets its condition in each turn.
#include <cuda_runtime.h>
#include <cstdio>
__global__ void halve(float* x, cudaGraphConditionalHandle again) {
  x[0] *= 0.5f;
  cudaGraphSetConditional(again, x[0] > 1.0f ? 1 : 0);
}
int main() {
  float* x;
  cudaMalloc(&x, sizeof(float));
  float h = 100;
  cudaMemcpy(x, &h, sizeof h, cudaMemcpyHostToDevice);
  cudaGraph_t g;
  cudaGraphCreate(&g, 0);
  cudaGraphConditionalHandle again;
  cudaGraphConditionalHandleCreate(&again, g, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = again;
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 1;
  cudaGraphNode_t node;
  cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &p);
  cudaGraph_t body = p.conditional.phGraph_out[0];
  cudaKernelNodeParams k = {};
  void* args[] = {&x, &again};
  k.func = (void*)halve;
  k.gridDim = dim3(1);
  k.blockDim = dim3(1);
  k.kernelParams = args;
  cudaGraphNode_t kn;
  cudaGraphAddKernelNode(&kn, body, nullptr, 0, &k);
  cudaGraphExec_t e;
  cudaGraphInstantiate(&e, g, 0);
  cudaGraphLaunch(e, 0);
  cudaDeviceSynchronize();
  cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h);
  cudaGraphExecDestroy(e);
  cudaGraphDestroy(g);
  cudaFree(x);
}
