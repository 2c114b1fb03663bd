// Memory that is registered with the device until the work that uses it has ended, and freed then.
#include <cuda_runtime.h>
#include <cstdlib>

int main() {
  const int n = 1 << 12;
  float *h = static_cast<float*>(malloc(n * sizeof(float))), *pinned, *d;
  for (int i = 0; i < n; ++i) h[i] = 1;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&d, n * sizeof(float));
  cudaHostRegister(h, n * sizeof(float), cudaHostRegisterDefault);
  cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
  cudaHostUnregister(h);
  free(h);
  cudaMallocHost(&pinned, sizeof(float));
  cudaMemcpy(pinned, d, sizeof(float), cudaMemcpyDeviceToHost);
  const float first = *pinned;
  cudaFreeHost(pinned);
  cudaFree(d);
  cudaStreamDestroy(s);
  return first == 1 ? 0 : 1;
}
