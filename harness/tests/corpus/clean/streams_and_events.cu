// Four streams, each with its own part of the data, and an event that makes the last kernel wait for all of
// them.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

__global__ void sum(float* out, const float* x, int n) {
  const int lane = threadIdx.x;
  float value = 0.0f;
  for (int i = lane; i < n; i += 32) value += x[i];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (lane == 0) *out = value;
}

int main() {
  const int streams = 4, part = 250, n = streams * part;
  float *x, *d_x, *d_out, result = 0.0f;
  cudaMallocHost(&x, n * sizeof(float));
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_out, sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i % 3);
  cudaStream_t stream[streams];
  cudaEvent_t ready[streams], start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int s = 0; s < streams; ++s) {
    cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready[s], cudaEventDisableTiming);
  }
  cudaEventRecord(start, stream[0]);
  for (int s = 0; s < streams; ++s) {
    float* mine = d_x + s * part;
    cudaMemcpyAsync(mine, x + s * part, part * sizeof(float), cudaMemcpyHostToDevice, stream[s]);
    square<<<2, 128, 0, stream[s]>>>(mine, part);
    cudaEventRecord(ready[s], stream[s]);
    cudaStreamWaitEvent(stream[0], ready[s], 0);
  }
  sum<<<1, 32, 0, stream[0]>>>(d_out, d_x, n);
  cudaMemcpyAsync(&result, d_out, sizeof(float), cudaMemcpyDeviceToHost, stream[0]);
  cudaEventRecord(stop, stream[0]);
  cudaEventSynchronize(stop);
  float elapsed_ms = -1.0f;
  cudaEventElapsedTime(&elapsed_ms, start, stop);
  std::printf("sum of squares %g\n", result);
  for (int s = 0; s < streams; ++s) cudaStreamDestroy(stream[s]), cudaEventDestroy(ready[s]);
  cudaEventDestroy(start), cudaEventDestroy(stop);
  cudaFreeHost(x), cudaFree(d_x), cudaFree(d_out);
  return result != 333.0f + 4.0f * 333.0f || elapsed_ms < 0.0f;
}
