// An index that is used only where something was found, and has a value that says so.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

struct Best {
  float distance;
  int index;
};

__device__ Best nearest(float x, const float* points, int n, float limit) {
  Best best;
  best.distance = limit;
  best.index = -1;
  for (int i = 0; i < n; ++i) {
    const float distance = fabsf(points[i] - x);
    if (distance < best.distance) best.distance = distance, best.index = i;
  }
  return best;
}

__global__ void vote(const float* x, const float* points, int n, int* votes) {
  const Best best = nearest(x[threadIdx.x], points, n, 0.5f);
  int place;  // unset where nothing was found, and then not used
  if (best.index >= 0) place = best.index;
  if (best.index >= 0) atomicAdd(&votes[place], 1);
}

int main() {
  constexpr int kPoints = 16, kThreads = 128;
  float x[kThreads], points[kPoints];
  for (int i = 0; i < kThreads; ++i) x[i] = 0.25f * i;
  for (int i = 0; i < kPoints; ++i) points[i] = static_cast<float>(i);
  float *d_x, *d_points;
  int *d_votes, votes[kPoints];
  cudaMalloc(&d_x, sizeof x);
  cudaMalloc(&d_points, sizeof points);
  cudaMalloc(&d_votes, sizeof votes);
  cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(d_points, points, sizeof points, cudaMemcpyHostToDevice);
  cudaMemset(d_votes, 0, sizeof votes);
  vote<<<1, kThreads>>>(d_x, d_points, kPoints, d_votes);
  cudaMemcpy(votes, d_votes, sizeof votes, cudaMemcpyDeviceToHost);
  std::printf("%d\n", votes[3]);
  cudaFree(d_x), cudaFree(d_points), cudaFree(d_votes);
}
