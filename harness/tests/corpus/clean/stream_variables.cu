// Right: the same variables of the device, with what orders their uses.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int total;
__managed__ int result;
__constant__ float taps[32];

__global__ void add(const int* x) { atomicAdd(&total, x[threadIdx.x]); }
__global__ void use(int* y) { y[threadIdx.x] = total; }
__global__ void set(int to) { result = to; }
__global__ void filter(float* y) { y[threadIdx.x] = taps[threadIdx.x]; }

int main() {
  int *x, *y;
  float *z, *pinned;
  cudaStream_t first, second;
  cudaEvent_t added;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMalloc(&z, 32 * sizeof(float));
  cudaMallocHost(&pinned, 32 * sizeof(float));
  for (int i = 0; i < 32; ++i) pinned[i] = 1.0f;
  cudaMemset(x, 0, 32 * sizeof(int));
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreate(&added);
  cudaDeviceSynchronize();
  add<<<1, 32, 0, first>>>(x);
  cudaMemcpyToSymbolAsync(taps, pinned, 32 * sizeof(float), 0, cudaMemcpyHostToDevice, first);
  cudaEventRecord(added, first);
  cudaStreamWaitEvent(second, added, 0);
  use<<<1, 32, 0, second>>>(y);
  filter<<<1, 32, 0, second>>>(z);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    set<<<1, 1>>>(i);
    cudaDeviceSynchronize();
    sum += result;
    result = 0;
  }
  std::printf("%d\n", sum);
  cudaFree(x), cudaFree(y), cudaFree(z), cudaFreeHost(pinned);
  cudaStreamDestroy(first), cudaStreamDestroy(second), cudaEventDestroy(added);
}
