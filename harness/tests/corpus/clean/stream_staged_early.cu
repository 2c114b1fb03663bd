// A function of the stream fills pinned memory for the copy behind it, and pageable memory that is waited
// for.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

void fill(void* to) {
  for (int i = 0; i < 256; ++i) static_cast<float*>(to)[i] = 1.0f;
}

int main() {
  std::vector<float> staging(256), other(256, 3.0f), out(256);
  float *x, *pinned;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMallocHost(&pinned, 256 * sizeof(float));
  cudaLaunchHostFunc(stream, fill, pinned);
  cudaMemcpyAsync(x, pinned, 256 * sizeof(float), cudaMemcpyHostToDevice, stream);
  cudaLaunchHostFunc(stream, fill, staging.data());
  cudaMemcpyAsync(x, other.data(), 256 * sizeof(float), cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpyAsync(x, staging.data(), 256 * sizeof(float), cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(out.data(), x, 256 * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (const float each : out) wrong += each != 1.0f;
  std::printf("%d wrong\n", wrong);
  cudaFreeHost(pinned);
  cudaFree(x);
  cudaStreamDestroy(stream);
  return wrong != 0;
}
