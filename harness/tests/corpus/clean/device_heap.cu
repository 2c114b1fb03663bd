// Lists built by new in one kernel, read by the next and deleted by a third; scratch memory from malloc()
// within a kernel; a heap that is asked to be larger, and tested where it is full.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Node {
  int value;
  Node* next;
};

__global__ void build(Node** heads, int length) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  Node* list = nullptr;
  for (int i = 0; i < length; ++i) list = new Node{t + i, list};
  heads[t] = list;
}

__global__ void sum(Node* const* heads, int* sums) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int all = 0;
  for (const Node* node = heads[t]; node != nullptr; node = node->next) all += node->value;
  sums[t] = all;
}

__global__ void drop(Node** heads) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (Node* node = heads[t]; node != nullptr;) {
    Node* const next = node->next;
    delete node;
    node = next;
  }
}

__global__ void reverse(int* y, int n) {
  int* copy = static_cast<int*>(malloc(n * sizeof(int)));
  if (copy == nullptr) return;
  for (int i = 0; i < n; ++i) copy[i] = y[threadIdx.x * n + i];
  for (int i = 0; i < n; ++i) y[threadIdx.x * n + i] = copy[n - 1 - i];
  free(copy);
}

/// One allocation for the block, which all of its threads use.
__global__ void share(int* y) {
  __shared__ int* row;
  if (threadIdx.x == 0) row = new int[64];
  __syncthreads();
  row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] += row[63 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) delete[] row;
}

__global__ void fill_heap(int* taken, size_t bytes) {
  char* held[64];
  int n = 0;
  while (n < 64 && (held[n] = static_cast<char*>(malloc(bytes))) != nullptr) ++n;
  *taken = n;
  while (n > 0) free(held[--n]);
}

int main() {
  const int threads = 128, length = 10;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20);
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  Node** heads;
  int *sums, *taken, h_sums[threads], h_taken = 0, wrong = 0;
  cudaMalloc(&heads, threads * sizeof(Node*));
  cudaMalloc(&sums, threads * sizeof(int));
  cudaMalloc(&taken, sizeof(int));
  build<<<2, threads / 2>>>(heads, length);
  sum<<<2, threads / 2>>>(heads, sums);
  drop<<<2, threads / 2>>>(heads);
  reverse<<<1, 32>>>(sums, 4);
  share<<<1, 64>>>(sums);
  fill_heap<<<1, 1>>>(taken, 1 << 20);
  cudaMemcpy(h_sums, sums, sizeof h_sums, cudaMemcpyDeviceToHost);
  cudaMemcpy(&h_taken, taken, sizeof h_taken, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t) {
    const int from = t / 4 * 4 + 3 - t % 4;
    wrong += h_sums[t] != from * length + length * (length - 1) / 2 + (t < 64 ? 63 - t : 0);
  }
  std::printf("limit %zu, %d wrong, %d MiB at once\n", limit, wrong, h_taken);
  cudaFree(heads), cudaFree(sums), cudaFree(taken);
  return wrong != 0 || limit != 32 << 20 || h_taken < 24 || h_taken > 32;
}
