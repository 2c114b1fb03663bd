// Objects that kernels made, on the host: as data, and on their way back.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <new>

struct Filter {
  float by;
  __host__ __device__ explicit Filter(float b) : by(b) {}
  __host__ __device__ virtual float run(float x) const = 0;
};
struct Gain : Filter {
  __host__ __device__ explicit Gain(float b) : Filter(b) {}
  __host__ __device__ float run(float x) const override { return x * by; }
};

__global__ void make(Gain* gain, float by) { new (gain) Gain(by); }
__global__ void use(float* out, const Filter* filter) { *out = filter->run(2.0f); }

int main() {
  Gain *in_device, *in_both;
  float* out;
  float got[2] = {0, 0};
  cudaMalloc(&in_device, sizeof(Gain));
  cudaMalloc(&out, sizeof(float));
  cudaMallocManaged(&in_both, sizeof(Gain));
  make<<<1, 1>>>(in_device, 3.0f);
  make<<<1, 1>>>(in_both, 4.0f);
  cudaDeviceSynchronize();
  auto* copy = static_cast<Gain*>(malloc(sizeof(Gain)));
  cudaMemcpy(static_cast<void*>(copy), in_device, sizeof(Gain), cudaMemcpyDeviceToHost);
  // Back to the device it is what the kernel made, and on the host one of its own may take its place.
  copy->by = 5.0f;
  cudaMemcpy(static_cast<void*>(in_device), copy, sizeof(Gain), cudaMemcpyHostToDevice);
  use<<<1, 1>>>(out, in_device);
  cudaMemcpy(&got[0], out, sizeof(float), cudaMemcpyDeviceToHost);
  const Filter* filter = new (copy) Gain(in_both->by);
  got[1] = filter->run(2.0f);
  printf("%g %g\n", got[0], got[1]);
  free(copy);
  cudaFree(in_device);
  cudaFree(in_both);
  cudaFree(out);
}
