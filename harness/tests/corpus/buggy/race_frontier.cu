// Wrong: two threads of a search may both find a neighbour new.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void expand(const int* offsets, const int* edges, int* level, const int* frontier, int size,
                       int* next, int* next_size, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  int u = frontier[i];
  for (int e = offsets[u]; e < offsets[u + 1]; ++e) {
    int v = edges[e];
    if (level[v] == -1) {  // expect: race_global; says: let atomicCAS() store
      level[v] = depth;    // expect-other: race_global
      next[atomicAdd(next_size, 1)] = v;
    }
  }
}

int main() {
  const int n = 256;
  std::vector<int> offsets(n + 1), edges, level(n, -1);
  for (int v = 0; v < n; ++v) {
    offsets[v] = edges.size();
    for (int d : {1, 7, 16}) edges.push_back((v + d) % n);
  }
  offsets[n] = edges.size();
  level[0] = 0;
  int *o, *e, *l, *a, *b, *count, size = 1, zero = 0;
  cudaMalloc(&o, offsets.size() * 4);
  cudaMalloc(&e, edges.size() * 4);
  cudaMalloc(&l, n * 4);
  cudaMalloc(&a, edges.size() * 4);
  cudaMalloc(&b, edges.size() * 4);
  cudaMalloc(&count, 4);
  cudaMemcpy(o, offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(e, edges.data(), edges.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(l, level.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(a, &zero, 4, cudaMemcpyHostToDevice);
  for (int depth = 1; size > 0; ++depth) {
    cudaMemcpy(count, &zero, 4, cudaMemcpyHostToDevice);
    expand<<<(size + 63) / 64, 64>>>(o, e, l, a, size, b, count, depth);
    cudaMemcpy(&size, count, 4, cudaMemcpyDeviceToHost);
    std::swap(a, b);
  }
  cudaMemcpy(level.data(), l, n * 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", level[n - 1]);
  for (int* p : {o, e, l, a, b, count}) cudaFree(p);
}
