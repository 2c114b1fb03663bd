// Every load and store that stands in the source is asked for, once a warp, by whatever compiler: none is
// moved behind a condition, none is left out because its result is needed on one path only.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kBlocks = 2;  // four warps

__global__ void before_the_guard(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = a[i];          // counts: global load 4
  if (i < size) out[i] = x + 1;  // counts: global store 2
}

__global__ void two_before_the_guard(float* out, const float* a, const float* b, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = a[i];  // counts: global load 4
  const float y = b[i];  // counts: global load 4
  if (i >= size) return;
  out[i] = x + y;  // counts: global store 2
}

__global__ void needed_on_one_path(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = a[i];  // counts: global load 4
  float sum = 0;
  if (i < size)
    sum = x * 2;
  else
    sum = 3;
  out[i] = sum;  // counts: global store 4
}

__global__ void first_of_a_row(float* out, const float* a, int size, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = a[i];                                                  // counts: global load 4
  for (int c = 1; c < columns; ++c) sum += a[(i + c) % (2 * size)];  // counts: global load 12
  if (i < size) out[i] = sum;                                        // counts: global store 2
}

__global__ void through_shared_memory(float* out, const float* a, int size) {
  __shared__ float tile[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = a[i];  // counts: global load 4, shared store 4
  __syncthreads();
  const float left = tile[(threadIdx.x + kThreads - 1) % kThreads];  // counts: shared load 4
  if (i < size) out[i] = left;                                       // counts: global store 2
}

int main() {
  const int n = kThreads * kBlocks, size = n / 2;
  std::vector<float> host(n, 1.0f);
  float *a, *b, *out;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  before_the_guard<<<kBlocks, kThreads>>>(out, a, size);
  two_before_the_guard<<<kBlocks, kThreads>>>(out, a, b, size);
  needed_on_one_path<<<kBlocks, kThreads>>>(out, a, size);
  first_of_a_row<<<kBlocks, kThreads>>>(out, a, size, 4);
  through_shared_memory<<<kBlocks, kThreads>>>(out, a, size);
  cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[0], host[size]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(out);
  return host[0] == 1.0f && host[size] == 3.0f ? 0 : 1;
}
