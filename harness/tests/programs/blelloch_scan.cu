// The work-efficient exclusive scan: up the tree, down the tree, indices padded against bank conflicts; the
// sums of the blocks are scanned by the same kernel, as often as it takes.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define BLOCK 128
#define ELEMENTS (2 * BLOCK)
#define LOG_BANKS 5
#define PADDED(i) ((i) + ((i) >> LOG_BANKS))

__global__ void scan_block(unsigned int* out, const unsigned int* in, unsigned int* sums, int n) {
  __shared__ unsigned int tree[PADDED(ELEMENTS)];
  const int t = threadIdx.x, first = blockIdx.x * ELEMENTS;
  const int ai = t, bi = t + BLOCK;
  tree[PADDED(ai)] = first + ai < n ? in[first + ai] : 0;
  tree[PADDED(bi)] = first + bi < n ? in[first + bi] : 0;

  int offset = 1;
  for (int d = ELEMENTS >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tree[PADDED(offset * (2 * t + 2) - 1)] += tree[PADDED(offset * (2 * t + 1) - 1)];
    offset *= 2;
  }
  __syncthreads();
  if (t == 0) {
    if (sums != nullptr) sums[blockIdx.x] = tree[PADDED(ELEMENTS - 1)];
    tree[PADDED(ELEMENTS - 1)] = 0;
  }
  for (int d = 1; d < ELEMENTS; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int left = PADDED(offset * (2 * t + 1) - 1), right = PADDED(offset * (2 * t + 2) - 1);
      const unsigned int value = tree[left];
      tree[left] = tree[right];
      tree[right] += value;
    }
  }
  __syncthreads();
  if (first + ai < n) out[first + ai] = tree[PADDED(ai)];
  if (first + bi < n) out[first + bi] = tree[PADDED(bi)];
}

__global__ void add_offsets(unsigned int* out, const unsigned int* offsets, int n) {
  const unsigned int offset = offsets[blockIdx.x];
  for (int i = threadIdx.x; i < ELEMENTS; i += blockDim.x) {
    const int at = blockIdx.x * ELEMENTS + i;
    if (at < n) out[at] += offset;
  }
}

static void scan(unsigned int* d_out, const unsigned int* d_in, int n) {
  const int blocks = (n + ELEMENTS - 1) / ELEMENTS;
  if (blocks == 1) {
    scan_block<<<1, BLOCK>>>(d_out, d_in, nullptr, n);
    return;
  }
  unsigned int *d_sums, *d_offsets;
  cudaMalloc(&d_sums, blocks * sizeof(unsigned int));
  cudaMalloc(&d_offsets, blocks * sizeof(unsigned int));
  scan_block<<<blocks, BLOCK>>>(d_out, d_in, d_sums, n);
  scan(d_offsets, d_sums, blocks);
  add_offsets<<<blocks, BLOCK>>>(d_out, d_offsets, n);
  cudaFree(d_sums);
  cudaFree(d_offsets);
}

int main() {
  for (int n : {1, 255, 256, 257, 70001}) {
    std::vector<unsigned int> in(n), out(n);
    for (auto& v : in) v = rand() & 0xff;
    unsigned int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(unsigned int));
    cudaMalloc(&d_out, n * sizeof(unsigned int));
    cudaMemcpy(d_in, in.data(), n * sizeof(unsigned int), cudaMemcpyHostToDevice);
    scan(d_out, d_in, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(unsigned int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    unsigned int sum = 0;
    for (int i = 0; i < n; ++i) {
      if (out[i] != sum) {
        printf("n = %d: element %d is %u, should be %u\n", n, i, out[i], sum);
        return 1;
      }
      sum += in[i];
    }
    printf("n = %d ok\n", n);
  }
  return 0;
}
