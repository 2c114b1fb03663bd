// Kernels that launch kernels: a recursion, a child for each block with arguments of several kinds, and a
// stream of the device's own. What the children write, they write after all that their parents did.
#include <cstdio>
#include <cstdlib>

struct Range {
  int first, count;
};

__global__ void fill(int* out, Range range, double factor) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < range.count) out[range.first + i] += static_cast<int>(factor * (range.first + i));
}

__global__ void parent(int* out, int count) {
  if (threadIdx.x < count) out[blockIdx.x * count + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    const Range range{static_cast<int>(blockIdx.x) * count, count};
    fill<<<(count + 31) / 32, 32>>>(out, range, 2.0);
  }
}

/// Halves the range until it is small: a launch for each half.
__global__ void split(int* depth_of, int first, int count, int depth) {
  if (count <= 4) {
    for (int i = 0; i < count; ++i) depth_of[first + i] = depth;
    return;
  }
  cudaStream_t stream;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return;
  split<<<1, 1, 0, stream>>>(depth_of, first, count / 2, depth + 1);
  split<<<1, 1>>>(depth_of, first + count / 2, count - count / 2, depth + 1);
  cudaStreamDestroy(stream);
}

int main() {
  const int blocks = 3, count = 40;
  int *out, host[blocks * count], wrong = 0;
  cudaMalloc(&out, sizeof host);
  parent<<<blocks, 64>>>(out, count);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < blocks * count; ++i) wrong += host[i] != 1 + 2 * i;
  split<<<1, 1>>>(out, 0, 64, 0);
  cudaMemcpy(host, out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) wrong += host[i] != 4;
  cudaFree(out);
  printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
