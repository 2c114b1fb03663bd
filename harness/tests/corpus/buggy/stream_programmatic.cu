// Wrong: a kernel that may begin before the one before it has ended, and does not wait for that, or too late.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void produce(float* x) {
  cudaTriggerProgrammaticLaunchCompletion();
  x[blockIdx.x * blockDim.x + threadIdx.x] = 2.0f;  // expect-other: stream_race
}

__global__ void never_waits(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] + 1.0f;  // expect: stream_race
}

__global__ void waits_late(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = x[i];  // expect: stream_race
  cudaGridDependencySynchronize();
  y[i] = v + 1.0f;
}

__global__ void waits_late_in_ptx(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = x[i];  // expect: stream_race
  asm volatile("griddepcontrol.wait;" ::: "memory");
  y[i] = v + 1.0f;
}

using Consumer = void (*)(const float*, float*);
void run(Consumer consume, float* x, float* y, cudaStream_t stream) {
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 4, config.blockDim = 64, config.stream = stream;
  config.attrs = &early, config.numAttrs = 1;
  produce<<<4, 64, 0, stream>>>(x);
  cudaLaunchKernelEx(&config, consume, static_cast<const float*>(x), y);
  cudaStreamSynchronize(stream);
}

int main() {
  float got[256], *x, *y;
  cudaStream_t stream;
  cudaMalloc(&x, sizeof got);
  cudaMalloc(&y, sizeof got);
  cudaStreamCreate(&stream);
  run(never_waits, x, y, stream);
  run(waits_late, x, y, stream);
  run(waits_late_in_ptx, x, y, stream);
  cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%g\n", static_cast<double>(got[5]));
  cudaFree(x), cudaFree(y), cudaStreamDestroy(stream);
}
