// k-means in the plane: assign with centroids in shared memory, add up with atomics, divide, until nothing
// moves.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#define TPB 64
#define K 4

__device__ float distance(float x1, float y1, float x2, float y2) {
  return sqrtf((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1));
}

__global__ void assign(const float2* points, int* cluster, const float2* centroids, int* changed, int n) {
  __shared__ float2 c[K];
  if (threadIdx.x < K) c[threadIdx.x] = centroids[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = INFINITY;
  int closest = 0;
  for (int k = 0; k < K; ++k) {
    const float d = distance(points[i].x, points[i].y, c[k].x, c[k].y);
    if (d < best) best = d, closest = k;
  }
  if (cluster[i] != closest) {
    cluster[i] = closest;
    atomicAdd(changed, 1);
  }
}

__global__ void accumulate(const float2* points, const int* cluster, float2* sums, int* sizes, int n) {
  __shared__ float2 local_sums[K];
  __shared__ int local_sizes[K];
  if (threadIdx.x < K) {
    local_sums[threadIdx.x] = make_float2(0.0f, 0.0f);
    local_sizes[threadIdx.x] = 0;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int k = cluster[i];
    atomicAdd(&local_sums[k].x, points[i].x);
    atomicAdd(&local_sums[k].y, points[i].y);
    atomicAdd(&local_sizes[k], 1);
  }
  __syncthreads();
  if (threadIdx.x < K) {
    atomicAdd(&sums[threadIdx.x].x, local_sums[threadIdx.x].x);
    atomicAdd(&sums[threadIdx.x].y, local_sums[threadIdx.x].y);
    atomicAdd(&sizes[threadIdx.x], local_sizes[threadIdx.x]);
  }
}

__global__ void update(float2* centroids, const float2* sums, const int* sizes) {
  const int k = threadIdx.x;
  if (k < K && sizes[k] > 0) centroids[k] = make_float2(sums[k].x / sizes[k], sums[k].y / sizes[k]);
}

int main() {
  const int n = 1000;
  std::mt19937 random(3);
  std::normal_distribution<float> spread(0.0f, 0.5f);
  std::vector<float2> points(n);
  for (int i = 0; i < n; ++i)
    points[i] = make_float2(i % 2 * 10.0f + spread(random), i / 2 % 2 * 10.0f + spread(random));
  const float2 start[K] = {{1, 1}, {8, 1}, {1, 8}, {8, 8}};
  float2 *d_points, *d_centroids, *d_sums;
  int *d_cluster, *d_sizes, *d_changed;
  cudaMalloc(&d_points, n * sizeof(float2));
  cudaMalloc(&d_centroids, K * sizeof(float2));
  cudaMalloc(&d_sums, K * sizeof(float2));
  cudaMalloc(&d_cluster, n * sizeof(int));
  cudaMalloc(&d_sizes, K * sizeof(int));
  cudaMalloc(&d_changed, sizeof(int));
  cudaMemcpy(d_points, points.data(), n * sizeof(float2), cudaMemcpyHostToDevice);
  cudaMemcpy(d_centroids, start, sizeof start, cudaMemcpyHostToDevice);
  cudaMemset(d_cluster, -1, n * sizeof(int));

  int rounds = 0, changed = 1;
  const int blocks = (n + TPB - 1) / TPB;
  while (changed > 0 && rounds < 20) {
    cudaMemset(d_changed, 0, sizeof(int));
    cudaMemset(d_sums, 0, K * sizeof(float2));
    cudaMemset(d_sizes, 0, K * sizeof(int));
    assign<<<blocks, TPB>>>(d_points, d_cluster, d_centroids, d_changed, n);
    accumulate<<<blocks, TPB>>>(d_points, d_cluster, d_sums, d_sizes, n);
    update<<<1, K>>>(d_centroids, d_sums, d_sizes);
    cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
    ++rounds;
  }
  float2 centroids[K];
  int sizes[K], failures = rounds >= 20;
  cudaMemcpy(centroids, d_centroids, sizeof centroids, cudaMemcpyDeviceToHost);
  cudaMemcpy(sizes, d_sizes, sizeof sizes, cudaMemcpyDeviceToHost);
  for (int k = 0; k < K; ++k) {
    std::printf("%d points around (%.2f, %.2f)\n", sizes[k], centroids[k].x, centroids[k].y);
    const float2 goal = make_float2(k % 2 * 10.0f, k / 2 * 10.0f);
    failures += sizes[k] != n / K || std::fabs(centroids[k].x - goal.x) > 0.3f ||
                std::fabs(centroids[k].y - goal.y) > 0.3f;
  }
  cudaFree(d_points), cudaFree(d_centroids), cudaFree(d_sums);
  cudaFree(d_cluster), cudaFree(d_sizes), cudaFree(d_changed);
  return failures;
}
