// The other direction: the host calls what runs on the device only.
#include <cstdio>

__device__ int twice(int x) { return 2 * x; }

__global__ void fill(int* out) { out[threadIdx.x] = twice(threadIdx.x); }

int main(int argc, char**) {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  fill<<<1, 32>>>(out);
  std::printf("%d\n", twice(argc));  // refused: __device__ function("twice(int)"), __host__ function("main")
  cudaFree(out);
}
