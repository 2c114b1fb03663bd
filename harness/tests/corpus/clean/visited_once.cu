// Breadth-first search, level by level. Each thread looks whether a neighbour was seen before it asks for it:
// what it reads may be out of date, and the exchange, which always stores the same, tells. Nothing is wrong
// here.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

constexpr int kNodes = 2048, kNeighbours = 4;

__global__ void expand(const int* frontier, int count, int* visited, int* level, int* next, int* next_count,
                       int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  for (int k = 1; k <= kNeighbours; ++k) {
    const int v = (frontier[i] * kNeighbours + k) % kNodes;
    if (!visited[v] && atomicExch(&visited[v], 1) == 0) {
      level[v] = depth;
      next[atomicAdd(next_count, 1)] = v;
    }
  }
}

int main() {
  int *visited, *level, *frontier, *next, *next_count;
  cudaMalloc(&visited, kNodes * sizeof(int));
  cudaMalloc(&level, kNodes * sizeof(int));
  cudaMalloc(&frontier, kNodes * sizeof(int));
  cudaMalloc(&next, kNodes * sizeof(int));
  cudaMalloc(&next_count, sizeof(int));
  cudaMemset(visited, 0, kNodes * sizeof(int));
  cudaMemset(level, 0, kNodes * sizeof(int));
  const int first = 0, one = 1;
  cudaMemcpy(frontier, &first, sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(visited, &one, sizeof(int), cudaMemcpyHostToDevice);
  int reached = 1;
  for (int count = 1, depth = 1; count > 0; ++depth) {
    cudaMemset(next_count, 0, sizeof(int));
    expand<<<(count + 127) / 128, 128>>>(frontier, count, visited, level, next, next_count, depth);
    cudaMemcpy(&count, next_count, sizeof(int), cudaMemcpyDeviceToHost);
    reached += count;
    int* const done = frontier;
    frontier = next;
    next = done;
  }
  std::vector<int> levels(kNodes);
  cudaMemcpy(levels.data(), level, kNodes * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d nodes, the last on level %d: %s\n", reached, levels[kNodes - 1],
         reached == kNodes ? "PASSED" : "FAILED");
  for (int* p : {visited, level, frontier, next, next_count}) cudaFree(p);
  return 0;
}
