// Wrong: variables of the device that streams and the host use with nothing that orders them.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int total;
__managed__ int result;
__constant__ float taps[32];

__global__ void add(const int* x) { atomicAdd(&total, x[threadIdx.x]); }  // expect-other: stream_race
__global__ void use(int* y) { y[threadIdx.x] = total; }                   // expect: stream_race
__global__ void set() { result = 3; }                                     // expect-other: stream_race
__global__ void filter(float* y) { y[threadIdx.x] = taps[threadIdx.x]; }  // expect: stream_race

int main() {
  int *x, *y;
  float *z, *pinned;
  cudaStream_t first, second;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMalloc(&z, 32 * sizeof(float));
  cudaMallocHost(&pinned, 32 * sizeof(float));
  for (int i = 0; i < 32; ++i) pinned[i] = 1.0f;
  cudaMemset(x, 0, 32 * sizeof(int));
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  add<<<1, 32, 0, first>>>(x);
  use<<<1, 32, 0, second>>>(y);
  constexpr auto kind = cudaMemcpyHostToDevice;
  cudaMemcpyToSymbolAsync(taps, pinned, sizeof taps, 0, kind, first);  // expect-other: stream_race
  filter<<<1, 32, 0, second>>>(z);
  cudaDeviceSynchronize();
  set<<<1, 1>>>();
  std::printf("%d\n", result);  // expect: stream_race
  cudaDeviceSynchronize();
  cudaFree(x), cudaFree(y), cudaFree(z), cudaFreeHost(pinned);
  cudaStreamDestroy(first), cudaStreamDestroy(second);
}
