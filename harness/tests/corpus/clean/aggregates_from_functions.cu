// Structs come from functions that are not inlined and are passed to such by value: their loads and stores
// are seen all the same. Pairs in registers, structs in memory, packed colours, complex numbers, matrices.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int kBlock = 64;

struct Best {
  float value;
  int at;
};
struct Colour {
  unsigned char r, g, b, a;
};
struct Matrix {
  float m[3][3];
};
struct Flags {
  unsigned int low : 5, high : 9;
};

__device__ __noinline__ Best better(Best a, Best b) { return a.value > b.value ? a : b; }
__device__ __noinline__ Best candidate(float v, int i) { return {v, i}; }
__device__ __noinline__ Colour grey(int v) {
  const auto c = static_cast<unsigned char>(v);
  return {c, c, c, 255};
}
__device__ __noinline__ int brightness(Colour c) { return c.r + c.g + c.b; }
__device__ __noinline__ Matrix diagonal(float d) { return {{{d, 0, 0}, {0, d, 0}, {0, 0, d}}}; }
__device__ __noinline__ Matrix operator*(Matrix a, Matrix b) {
  Matrix out{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) out.m[i][j] += a.m[i][k] * b.m[k][j];
  return out;
}
__device__ __noinline__ float4 twice(float4 v) { return make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w); }
__device__ __noinline__ Flags flags(int i) { return {static_cast<unsigned int>(i) % 32u, 7u}; }

__global__ void argmax(Best* out, const float* x, float4* v, int* sum) {
  __shared__ Best best[kBlock];
  __shared__ Colour colours[kBlock];
  __shared__ Matrix matrices[kBlock];
  __shared__ Flags all_flags[kBlock];
  const int t = threadIdx.x;
  best[t] = candidate(x[t], t);
  colours[t] = grey(t);
  matrices[t] = diagonal(static_cast<float>(t));
  all_flags[t] = flags(t);
  v[t] = twice(v[t]);
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) best[t] = better(best[t], best[t + stride]);
    __syncthreads();
  }
  const int other = kBlock - 1 - t;
  const Matrix product = matrices[t] * matrices[other];
  atomicAdd(sum, brightness(colours[other]) + static_cast<int>(product.m[1][1]) +
                     static_cast<int>(all_flags[other].high));
  if (t == 0) *out = best[0];
}

int main() {
  float x[kBlock];
  float4 v[kBlock];
  for (int i = 0; i < kBlock; ++i)
    x[i] = static_cast<float>((i * 37) % kBlock), v[i] = make_float4(i, 1, 2, 3);
  float* d_x;
  float4* d_v;
  Best *d_best, best;
  int *d_sum, sum = 0, expected = 0;
  cudaMalloc(&d_x, sizeof x);
  cudaMalloc(&d_v, sizeof v);
  cudaMalloc(&d_best, sizeof(Best));
  cudaMalloc(&d_sum, sizeof(int));
  cudaMemset(d_sum, 0, sizeof(int));
  cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(d_v, v, sizeof v, cudaMemcpyHostToDevice);
  argmax<<<1, kBlock>>>(d_best, d_x, d_v, d_sum);
  cudaMemcpy(&best, d_best, sizeof best, cudaMemcpyDeviceToHost);
  cudaMemcpy(v, d_v, sizeof v, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
  for (int t = 0; t < kBlock; ++t) expected += 3 * t + t * (kBlock - 1 - t) + 7;
  std::printf("best %g at %d, sum %d of %d, v %g\n", best.value, best.at, sum, expected, v[5].x);
  cudaFree(d_x), cudaFree(d_v), cudaFree(d_best), cudaFree(d_sum);
  return best.value != kBlock - 1 || sum != expected || v[5].x != 10.0f;
}
