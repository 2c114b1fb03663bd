// Wrong: a function of the stream fills memory that is not pinned, and the copy behind it takes it at once.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

void fill(void* to) {
  for (int i = 0; i < 256; ++i) static_cast<float*>(to)[i] = 1.0f;  // expect-other: stream_race
}

__global__ void twice(float* x) { x[threadIdx.x] *= 2; }

int main() {
  std::vector<float> staging(256), out(256);
  float* x;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, 256 * sizeof(float));
  cudaLaunchHostFunc(stream, fill, staging.data());
  float* const from = staging.data();
  cudaMemcpyAsync(x, from, 1024, cudaMemcpyHostToDevice, stream);  // expect: stream_race; says: puts aside
  twice<<<1, 256, 0, stream>>>(x);
  cudaStreamSynchronize(stream);
  cudaMemcpy(out.data(), x, 256 * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", out[3]);
  cudaFree(x);
  cudaStreamDestroy(stream);
}
