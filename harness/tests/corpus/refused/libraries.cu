// Functions of the C library, which kernels do not have, in a kernel and in what it calls.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ float noise() {
  return static_cast<float>(rand());  // refused: ("rand"), __device__ function("noise")
}

template <class T>
__device__ T parsed(const char* text) {
  return static_cast<T>(atof(text));  // refused: ("atof"), __device__ function("parsed")
}

__global__ void add(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  if (i >= n) exit(0);  // refused: ("exit"), __global__ function("add"), return ends a thread
  out[i] = in[i] + noise() + parsed<float>("3");
  FILE* log = fopen("log", "w");  // refused: ("fopen"), __global__ function("add")
  const char name[4] = {'a', 'b', 'c', static_cast<char>(n)};
  const bool same = memcmp(name, &in[i], 4) == 0;  // refused: ("memcmp"), __global__ function("add")
  if (same && log != nullptr) out[i] = 0;
}

int main() {
  float *out, *in;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  add<<<1, 32>>>(out, in, 32);
  cudaFree(in);
  cudaFree(out);
}
