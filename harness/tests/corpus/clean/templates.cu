// Kernels as templates of type, block size and operation, launched with the arguments spelled out and
// deduced.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Plus {
  template <class T>
  __device__ static T apply(T a, T b) {
    return a + b;
  }
};
struct Larger {
  template <class T>
  __device__ static T apply(T a, T b) {
    return a > b ? a : b;
  }
};

template <class T, int kBlock, class Operation>
__global__ void reduce(T* out, const T* x) {
  __shared__ T partial[kBlock];
  const int t = threadIdx.x;
  partial[t] = x[t];
  __syncthreads();
#pragma unroll
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] = Operation::apply(partial[t], partial[t + stride]);
    __syncthreads();
  }
  if (t == 0) *out = partial[0];
}

template <class T>
__global__ void count_up(T* x) {
  x[threadIdx.x] = static_cast<T>(threadIdx.x);
}

template <class T, int kBlock>
int wrong_results() {
  T *d_x, *d_out, sum{}, largest{};
  cudaMalloc(&d_x, kBlock * sizeof(T));
  cudaMalloc(&d_out, 2 * sizeof(T));
  count_up<<<1, kBlock>>>(d_x);
  reduce<T, kBlock, Plus><<<1, kBlock>>>(d_out, d_x);
  reduce<T, kBlock, Larger><<<1, kBlock>>>(d_out + 1, d_x);
  cudaMemcpy(&sum, d_out, sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(&largest, d_out + 1, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_out);
  return (sum != static_cast<T>(kBlock * (kBlock - 1) / 2)) + (largest != static_cast<T>(kBlock - 1));
}

int main() {
  const int wrong = wrong_results<int, 128>() + wrong_results<double, 64>() + wrong_results<float, 32>() +
                    wrong_results<unsigned short, 256>() + wrong_results<unsigned char, 16>();
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
