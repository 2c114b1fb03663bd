// Every instance of a kernel template has shared memory of its own: two of 30 KB each are within the 48 KB of
// a block.
#include <cstdio>

template <int kStep, class T>
__global__ void every(T* out, const T* in, int size) {
  __shared__ T staged[7680];
  for (int i = threadIdx.x; i < size; i += blockDim.x) staged[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i * kStep < size; i += blockDim.x) out[i] = staged[i * kStep];
}

int main() {
  constexpr int kSize = 1000;
  int *in, *out;
  cudaMallocManaged(&in, kSize * sizeof(int));
  cudaMallocManaged(&out, kSize * sizeof(int));
  for (int i = 0; i < kSize; ++i) in[i] = i;
  every<2><<<1, 128>>>(out, in, kSize);
  cudaError_t status = cudaDeviceSynchronize();
  const int second = out[1];
  every<3, int><<<1, 128>>>(out, in, kSize);
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  std::printf("%s: %d %d\n", cudaGetErrorString(status), second, out[1]);
  const bool good = status == cudaSuccess && second == 2 && out[1] == 3;
  cudaFree(in);
  cudaFree(out);
  return good ? 0 : 1;
}
