// Copies and kernels of several streams, interleaved in breadth and in depth, with pinned memory and
// callbacks.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#define checkCuda(call) check_cuda((call), #call, __LINE__)

static void check_cuda(cudaError_t result, const char* what, int line) {
  if (result == cudaSuccess) return;
  fprintf(stderr, "line %d, %s: %s\n", line, what, cudaGetErrorString(result));
  exit(1);
}

__global__ void kernel(float* a, int offset) {
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  float x = static_cast<float>(i), s = sinf(x), c = cosf(x);
  a[i] = a[i] + sqrtf(s * s + c * c);
}

static float maxError(const float* a, int n) {
  float worst = 0;
  for (int i = 0; i < n; i++) worst = fmaxf(worst, fabsf(a[i] - 1.0f));
  return worst;
}

static void CUDART_CB count(void* user) { ++*static_cast<int*>(user); }

int main() {
  const int blockSize = 128, nStreams = 4, n = 8 * blockSize * nStreams;
  const int streamSize = n / nStreams;
  const size_t streamBytes = streamSize * sizeof(float), bytes = n * sizeof(float);
  float *a, *d_a;
  checkCuda(cudaMallocHost((void**)&a, bytes));
  checkCuda(cudaMalloc((void**)&d_a, bytes));
  float ms = 0;
  cudaEvent_t startEvent, stopEvent;
  cudaStream_t stream[nStreams];
  checkCuda(cudaEventCreate(&startEvent));
  checkCuda(cudaEventCreate(&stopEvent));
  for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamCreate(&stream[i]));

  memset(a, 0, bytes);
  checkCuda(cudaEventRecord(startEvent, stream[0]));
  for (int i = 0; i < nStreams; ++i) {
    int offset = i * streamSize;
    checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
    kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
    checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
  }
  checkCuda(cudaEventRecord(stopEvent, stream[nStreams - 1]));
  checkCuda(cudaEventSynchronize(stopEvent));
  checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));
  checkCuda(cudaDeviceSynchronize());
  const float depth = maxError(a, n);

  memset(a, 0, bytes);
  int done = 0;
  for (int i = 0; i < nStreams; ++i) {
    int offset = i * streamSize;
    checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
  }
  for (int i = 0; i < nStreams; ++i)
    kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, i * streamSize);
  for (int i = 0; i < nStreams; ++i) {
    int offset = i * streamSize;
    checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
  }
  checkCuda(cudaDeviceSynchronize());
  checkCuda(cudaLaunchHostFunc(stream[0], count, &done));
  checkCuda(cudaStreamSynchronize(stream[0]));
  const bool idle = cudaStreamQuery(stream[0]) == cudaSuccess;
  const float breadth = maxError(a, n);
  printf("largest error %g in depth, %g in breadth, %d callback\n", depth, breadth, done);

  checkCuda(cudaEventDestroy(startEvent));
  checkCuda(cudaEventDestroy(stopEvent));
  for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamDestroy(stream[i]));
  checkCuda(cudaFree(d_a));
  checkCuda(cudaFreeHost(a));
  return depth < 1e-5f && breadth < 1e-5f && done == 1 && idle && ms >= 0 ? 0 : 1;
}
