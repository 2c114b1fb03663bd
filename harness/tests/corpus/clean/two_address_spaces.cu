// Variables and functions of the device, named in host code in every right way, beside names that are the
// same and mean something else.
#include <cstdio>
#include <new>
#include <vector>

__device__ int hits;
__constant__ float taps[4];
__device__ const int kScale = 7;
namespace tables {
__device__ double sums[2] = {1.5, 2.5};
}
__device__ __forceinline__ float twice(float x) { return 2 * x; }
using Op = float (*)(float);
__device__ Op op_of_device = twice;

struct Functor {
  __device__ float operator()(float x) const { return twice(x) + taps[0] + hits; }
};
struct Shape {
  int side;
  __device__ explicit Shape(int s) : side(s) {}
  __device__ virtual int area() const { return side * side; }
};

template <class F>
__global__ void apply(F f, float* out) {
  out[threadIdx.x] = f(static_cast<float>(threadIdx.x));
}
template <Op kOp>
__global__ void apply_named(float* out) {
  out[threadIdx.x] = kOp(out[threadIdx.x]);
}
__global__ void count() { atomicAdd(&hits, kScale); }
__global__ void area(int* out) {
  __shared__ alignas(Shape) unsigned char room[sizeof(Shape)];
  __shared__ Shape* shape;
  if (threadIdx.x == 0) shape = new (room) Shape(3);
  __syncthreads();
  out[threadIdx.x] = shape->area();
}

int plus_one(int hits) { return hits + 1; }

int other_names() {
  int hits = 3;
  for (int taps = 0, sums = 1; taps < 2; ++taps) hits += taps + sums;
  std::vector<int> twice(2, hits);
  return plus_one(hits) + twice[0];
}

struct Holder {
  int hits = 5;
};

int main() {
  const float h[4] = {1, 2, 3, 4};
  const int zero = 0;
  int got = 0, of_scale[kScale] = {};
  float out[32];
  float* x;
  void* where;
  std::size_t bytes;
  cudaMalloc(&x, sizeof out);
  cudaMemcpyToSymbol(taps, h, sizeof(taps));
  cudaMemcpyToSymbol(hits, &zero, sizeof hits);
  count<<<1, 32>>>();
  cudaMemcpyFromSymbol(&got, hits, sizeof(int));
  cudaGetSymbolAddress(&where, taps);
  cudaGetSymbolSize(&bytes, tables::sums);
  const int k = kScale;
  apply<<<1, 32>>>([=] __device__(float v) { return twice(v) + hits + k; }, x);
  apply<<<1, 32>>>([=] __host__ __device__(float v) { return v + k; }, x);
  apply<<<1, 32>>>(Functor(), x);
  apply_named<twice><<<1, 32>>>(x);
  Op op;
  cudaMemcpyFromSymbol(&op, op_of_device, sizeof op);
  apply<<<1, 32>>>(op, x);
  cudaMemcpy(out, where, sizeof h, cudaMemcpyDeviceToHost);
  area<<<1, 32>>>(reinterpret_cast<int*>(x));
  const bool right = got == 32 * 7 && out[3] == 4 && bytes == sizeof(double[2]) && other_names() == 13 &&
                     Holder().hits == 5 && of_scale[0] == 0;
  cudaFree(x);
  return right ? 0 : 1;
}
