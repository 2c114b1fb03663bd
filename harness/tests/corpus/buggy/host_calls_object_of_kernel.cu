// Wrong: the host calls virtual functions of objects that kernels made.
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
  __host__ __device__ explicit Gain(float b) : Filter(b) {}  // expect-other: host_deref
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
  cudaMemcpy(static_cast<void*>(copy), in_device, sizeof(Gain),
             cudaMemcpyDeviceToHost);  // expect-other: host_deref
  const Filter* filter = copy;
  got[0] = filter->run(2.0f);  // expect: host_deref
  filter = in_both;
  got[1] = filter->run(2.0f);  // expect: host_deref
  printf("%g %g\n", got[0], got[1]);
  free(copy);
  cudaFree(in_device);
  cudaFree(in_both);
  cudaFree(out);
}
