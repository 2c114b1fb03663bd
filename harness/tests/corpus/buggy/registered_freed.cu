// Wrong: memory that is registered with the device is freed while a copy may still read it; and pinned memory
// goes to free().
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

int main() {
  const int n = 1 << 12;
  float *h = static_cast<float*>(malloc(n * sizeof(float))), *pinned, *d, first = 0;
  for (int i = 0; i < n; ++i) h[i] = 1;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&d, n * sizeof(float));
  cudaHostRegister(h, n * sizeof(float), cudaHostRegisterDefault);
  cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-other: stream_race
  free(h);                                                              // expect: stream_race, bad_api_call
  cudaStreamSynchronize(s);
  cudaMallocHost(&pinned, sizeof(float));
  cudaMemcpy(pinned, d, sizeof(float), cudaMemcpyDeviceToHost);
  first = *pinned;
  free(pinned);  // expect: host_deref
  std::printf("%g\n", first);
  cudaFree(d);
  cudaStreamDestroy(s);
}
