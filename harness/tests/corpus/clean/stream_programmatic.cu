// Right: a kernel that may begin before the one before it has ended waits for that, behind work of its own.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void produce(float* x) {
  cudaTriggerProgrammaticLaunchCompletion();
  x[blockIdx.x * blockDim.x + threadIdx.x] = 2.0f;
}

__global__ void waits(const float* x, const float* own, float* y) {
  __shared__ float factors[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  factors[threadIdx.x] = own[threadIdx.x];
  __syncthreads();
  cudaGridDependencySynchronize();
  y[i] = x[i] * factors[63 - threadIdx.x];
}

__global__ void produce_in_ptx(float* x) {
  asm volatile("griddepcontrol.launch_dependents;");
  x[blockIdx.x * blockDim.x + threadIdx.x] = 3.0f;
}

__global__ void waits_in_ptx(const float* x, const float* own, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = own[threadIdx.x];
  asm volatile("griddepcontrol.wait;" ::: "memory");
  y[i] = x[i] * factor;
}

int main() {
  float got[256], *x, *y, *own;
  cudaStream_t stream;
  cudaMalloc(&x, sizeof got);
  cudaMalloc(&y, sizeof got);
  cudaMalloc(&own, sizeof got);
  cudaMemset(own, 0, sizeof got);
  cudaDeviceSynchronize();
  cudaStreamCreate(&stream);
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 4, config.blockDim = 64, config.stream = stream;
  config.attrs = &early, config.numAttrs = 1;
  for (int i = 0; i < 3; ++i) {
    produce<<<4, 64, 0, stream>>>(x);
    cudaLaunchKernelEx(&config, waits, static_cast<const float*>(x), static_cast<const float*>(own), y);
  }
  produce_in_ptx<<<4, 64, 0, stream>>>(x);
  cudaLaunchKernelEx(&config, waits_in_ptx, static_cast<const float*>(x), static_cast<const float*>(own), y);
  cudaMemcpyAsync(got, y, sizeof got, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::printf("%g\n", static_cast<double>(got[5]));
  cudaFree(x), cudaFree(y), cudaFree(own), cudaStreamDestroy(stream);
}
