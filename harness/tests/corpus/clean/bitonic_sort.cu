// A bitonic sort in shared memory: each exchange belongs to one thread, each step ends with a barrier.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kSize = 256;

__global__ void sort(float* keys) {
  __shared__ float tile[kSize];
  const int t = threadIdx.x;
  tile[t] = keys[t];
  tile[t + kSize / 2] = keys[t + kSize / 2];
  for (int run = 2; run <= kSize; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const int low = 2 * t - (t & (distance - 1)), high = low + distance;
      const bool ascending = (low & run) == 0;
      const float a = tile[low], b = tile[high];
      if ((a > b) == ascending) tile[low] = b, tile[high] = a;
    }
  }
  __syncthreads();
  keys[t] = tile[t];
  keys[t + kSize / 2] = tile[t + kSize / 2];
}

int main() {
  std::vector<float> keys(kSize);
  for (int i = 0; i < kSize; ++i) keys[i] = static_cast<float>(i * 97 % kSize);
  float* d_keys;
  cudaMalloc(&d_keys, kSize * sizeof(float));
  cudaMemcpy(d_keys, keys.data(), kSize * sizeof(float), cudaMemcpyHostToDevice);
  sort<<<1, kSize / 2>>>(d_keys);
  cudaMemcpy(keys.data(), d_keys, kSize * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kSize; ++i) wrong += keys[i] != static_cast<float>(i);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_keys);
  return wrong != 0;
}
