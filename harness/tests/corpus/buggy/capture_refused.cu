// Wrong: a capture of the default stream, and an allocation while one is under way.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int* x) { atomicAdd(x, 1); }

int main() {
  int *x, *y = nullptr;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  const cudaStreamCaptureMode relaxed = cudaStreamCaptureModeRelaxed;
  cudaStreamBeginCapture(nullptr, relaxed);  // expect: bad_api_call; says: default stream cannot be captured
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMalloc(&y, sizeof(int));  // expect: bad_api_call; says: make it before cudaStreamBeginCapture()
  add<<<1, 32, 0, stream>>>(x);
  cudaGraph_t graph = nullptr;
  if (cudaStreamEndCapture(stream, &graph) != cudaSuccess) std::printf("lost\n");
  cudaStreamDestroy(stream);
  cudaFree(x), cudaFree(y);
}
