// A barrier before the row sums are used again.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

// y = A x: a block takes rows in turn, thread 0 adds up what the others left in shared memory.
__global__ void gemv(float* y, const float* a, const float* x, int rows, int cols) {
  __shared__ float part[128];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float mine = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) mine += a[row * cols + c] * x[c];
    part[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
      float sum = 0.0f;
      for (int i = 0; i < blockDim.x; ++i) sum += part[i];
      y[row] = sum;
    }
    __syncthreads();
  }
}

int main() {
  const int rows = 200, cols = 300;
  std::vector<float> a(rows * cols), x(cols), y(rows);
  for (int i = 0; i < rows * cols; ++i) a[i] = i % 7;
  for (int i = 0; i < cols; ++i) x[i] = i % 3;
  float *d_a, *d_x, *d_y;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_x, x.size() * sizeof(float));
  cudaMalloc(&d_y, y.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  gemv<<<32, 128>>>(d_y, d_a, d_x, rows, cols);
  cudaMemcpy(y.data(), d_y, y.size() * sizeof(float), cudaMemcpyDeviceToHost);
  printf("y[0] = %g\n", y[0]);
  cudaFree(d_a);
  cudaFree(d_x);
  cudaFree(d_y);
}
