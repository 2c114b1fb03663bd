// Sorting 32-bit keys by one bit after the other: a scan of the bits gives every key its new place.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

constexpr int kBlock = 256;

__device__ unsigned int block_scan(unsigned int value, unsigned int* total) {
  __shared__ unsigned int sums[2][kBlock];
  const int t = threadIdx.x;
  int now = 0;
  sums[0][t] = value;
  __syncthreads();
  for (int offset = 1; offset < kBlock; offset *= 2) {
    sums[1 - now][t] = sums[now][t] + (t >= offset ? sums[now][t - offset] : 0u);
    now = 1 - now;
    __syncthreads();
  }
  *total = sums[now][kBlock - 1];
  const unsigned int exclusive = sums[now][t] - value;
  __syncthreads();
  return exclusive;
}

__global__ void count_zeros(unsigned int* zeros, const unsigned int* keys, int bit, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int count = __syncthreads_count(i < n && (keys[i] >> bit & 1u) == 0u);
  if (threadIdx.x == 0) zeros[blockIdx.x] = count;
}

// One block: zeros[b] becomes the number of zeros before block b, zeros[blocks] their total.
__global__ void scan_counts(unsigned int* zeros, int blocks) {
  unsigned int before = 0, total = 0;
  for (int first = 0; first < blocks; first += kBlock) {
    const int b = first + threadIdx.x;
    const unsigned int mine = block_scan(b < blocks ? zeros[b] : 0u, &total);
    if (b < blocks) zeros[b] = before + mine;
    before += total;
  }
  if (threadIdx.x == 0) zeros[blocks] = before;
}

__global__ void scatter(unsigned int* out, const unsigned int* keys, const unsigned int* zeros, int bit,
                        int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const unsigned int key = i < n ? keys[i] : ~0u;
  const bool zero = i < n && (key >> bit & 1u) == 0u;
  unsigned int total;
  const unsigned int before = block_scan(zero ? 1u : 0u, &total);
  if (i >= n) return;
  const unsigned int zeros_before = zeros[blockIdx.x] + before;
  out[zero ? zeros_before : zeros[gridDim.x] + static_cast<unsigned int>(i) - zeros_before] = key;
}

int main() {
  const int n = 1500, blocks = (n + kBlock - 1) / kBlock;
  std::mt19937 random(5);
  std::vector<unsigned int> keys(n), expected;
  for (auto& k : keys) k = random() >> 8;
  expected = keys;
  std::sort(expected.begin(), expected.end());
  unsigned int *d_keys, *d_out, *d_zeros;
  cudaMalloc(&d_keys, n * sizeof(unsigned int));
  cudaMalloc(&d_out, n * sizeof(unsigned int));
  cudaMalloc(&d_zeros, (blocks + 1) * sizeof(unsigned int));
  cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned int), cudaMemcpyHostToDevice);
  for (int bit = 0; bit < 24; ++bit) {
    count_zeros<<<blocks, kBlock>>>(d_zeros, d_keys, bit, n);
    scan_counts<<<1, kBlock>>>(d_zeros, blocks);
    scatter<<<blocks, kBlock>>>(d_out, d_keys, d_zeros, bit, n);
    std::swap(d_keys, d_out);
  }
  cudaMemcpy(keys.data(), d_keys, n * sizeof(unsigned int), cudaMemcpyDeviceToHost);
  std::puts(keys == expected ? "sorted" : "not sorted");
  cudaFree(d_keys), cudaFree(d_out), cudaFree(d_zeros);
  return keys != expected;
}
