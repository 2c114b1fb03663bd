// Wrong: no barrier between storing what a function returns and passing a neighbour's to one by value. Both
// are calls, which a compiler may leave untraced.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int kBlock = 64;

struct Best {
  float value;
  int at;
};
struct Particle {
  float x, y, z, mass, charge;
};

__device__ __noinline__ Best candidate(float v, int i) { return {v, i}; }
__device__ __noinline__ float value_of(Best b) { return b.value; }
__device__ __noinline__ Particle particle(int i) { return {1.0f * i, 2.0f * i, 3.0f * i, 1.0f, 0.5f}; }
__device__ __noinline__ float norm(Particle p) { return p.x * p.x + p.y * p.y + p.z * p.z; }
__device__ float4 operator+(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

__global__ void exchange(float* out) {
  __shared__ Best best[kBlock];
  __shared__ Particle particles[kBlock];
  __shared__ float4 vectors[kBlock];
  __shared__ int words[kBlock];
  const int t = threadIdx.x, other = kBlock - 1 - t;
  best[t] = candidate(t, t);                           // expect-other: race_shared
  out[t] = value_of(best[other]);                      // expect: race_shared; may: uninit_shared
  particles[t] = particle(t);                          // expect-other: race_shared
  out[t] += norm(particles[other]);                    // expect: race_shared; may: uninit_shared
  vectors[t] = float4{1, 2, 3, 4};                     // expect-other: race_shared
  const float4 sum = vectors[other] + vectors[other];  // expect: race_shared; may: uninit_shared
  out[t] += sum.x;
  __builtin_memset(&words[t], 0, sizeof(int));  // expect-other: race_shared
  int word;
  __builtin_memcpy(&word, &words[other], sizeof(int));  // expect: race_shared; may: uninit_shared
  out[t] += word;
}

int main() {
  float* d_out;
  cudaMalloc(&d_out, kBlock * sizeof(float));
  exchange<<<1, kBlock>>>(d_out);
  cudaFree(d_out);
  return cudaDeviceSynchronize();
}
