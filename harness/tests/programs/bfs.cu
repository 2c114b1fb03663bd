// Breadth-first search level by level, a queue filled by atomics; distances are checked against the host's.
#include <cuda_runtime.h>

#include <cstdio>
#include <queue>
#include <random>
#include <vector>

struct Graph {
  int nodes;
  const int *starts, *targets;
};

__global__ void expand(Graph graph, const int* frontier, int frontier_size, int* next, int* next_size,
                       int* distance, int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size) return;
  const int node = frontier[i];
  for (int e = graph.starts[node]; e < graph.starts[node + 1]; ++e) {
    const int neighbour = graph.targets[e];
    if (atomicCAS(&distance[neighbour], -1, level) == -1) next[atomicAdd(next_size, 1)] = neighbour;
  }
}

int main() {
  const int nodes = 600;
  std::mt19937 random(17);
  std::vector<int> starts{0}, targets;
  for (int v = 0; v < nodes; ++v) {
    for (unsigned int k = 0; k < 1 + random() % 3; ++k) targets.push_back(static_cast<int>(random() % nodes));
    starts.push_back(static_cast<int>(targets.size()));
  }
  std::vector<int> expected(nodes, -1), distance(nodes, -1);
  std::queue<int> queue;
  queue.push(0);
  expected[0] = 0;
  for (; !queue.empty(); queue.pop())
    for (int e = starts[queue.front()]; e < starts[queue.front() + 1]; ++e)
      if (expected[targets[e]] < 0) {
        expected[targets[e]] = expected[queue.front()] + 1;
        queue.push(targets[e]);
      }

  int *d_starts, *d_targets, *d_distance, *d_frontier[2], *d_size;
  cudaMalloc(&d_starts, starts.size() * sizeof(int));
  cudaMalloc(&d_targets, targets.size() * sizeof(int));
  cudaMalloc(&d_distance, nodes * sizeof(int));
  for (int*& frontier : d_frontier) cudaMalloc(&frontier, nodes * sizeof(int));
  cudaMalloc(&d_size, sizeof(int));
  cudaMemcpy(d_starts, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_targets, targets.data(), targets.size() * sizeof(int), cudaMemcpyHostToDevice);
  distance[0] = 0;
  cudaMemcpy(d_distance, distance.data(), nodes * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_frontier[0], 0, sizeof(int));
  int size = 1, level = 0;
  while (size > 0) {
    ++level;
    cudaMemset(d_size, 0, sizeof(int));
    expand<<<(size + 63) / 64, 64>>>(Graph{nodes, d_starts, d_targets}, d_frontier[(level - 1) % 2], size,
                                     d_frontier[level % 2], d_size, d_distance, level);
    cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
  }
  cudaMemcpy(distance.data(), d_distance, nodes * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d levels\n", level - 1);
  cudaFree(d_starts), cudaFree(d_targets), cudaFree(d_distance), cudaFree(d_size);
  for (int* frontier : d_frontier) cudaFree(frontier);
  return distance != expected;
}
