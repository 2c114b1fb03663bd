// All threads of all blocks read the same few words, from global and from shared memory: a broadcast, no
// conflict.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void transform(float2* points, const float* __restrict__ matrix, int n) {
  __shared__ float shift[2];
  if (threadIdx.x == 0) shift[0] = __ldg(&matrix[4]), shift[1] = __ldg(&matrix[5]);
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float2 p = points[i];
    points[i] = make_float2(matrix[0] * p.x + matrix[1] * p.y + shift[0],
                            matrix[2] * p.x + matrix[3] * p.y + shift[1]);
  }
}

int main() {
  const int n = 3000;
  const float matrix[6] = {0, -1, 1, 0, 5, 6};
  std::vector<float2> points(n);
  for (int i = 0; i < n; ++i) points[i] = make_float2(static_cast<float>(i), 1.0f);
  float2* d_points;
  float* d_matrix;
  cudaMalloc(&d_points, n * sizeof(float2));
  cudaMalloc(&d_matrix, sizeof matrix);
  cudaMemcpy(d_points, points.data(), n * sizeof(float2), cudaMemcpyHostToDevice);
  cudaMemcpy(d_matrix, matrix, sizeof matrix, cudaMemcpyHostToDevice);
  transform<<<4, 128>>>(d_points, d_matrix, n);
  cudaMemcpy(points.data(), d_points, n * sizeof(float2), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += points[i].x != 4.0f || points[i].y != static_cast<float>(i + 6);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_points);
  cudaFree(d_matrix);
  return wrong != 0;
}
