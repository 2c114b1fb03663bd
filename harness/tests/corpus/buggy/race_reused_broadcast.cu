// Wrong: thread 0 hands out the next row's mean while slower threads still read this row's.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void subtract_means(float* x, int rows, int columns) {
  __shared__ float mean;
  for (int r = 0; r < rows; ++r) {
    float* row = x + r * columns;
    if (threadIdx.x == 0) {
      float sum = 0.0f;
      for (int c = 0; c < columns; ++c) sum += row[c];
      mean = sum / columns;  // expect: race_shared
    }
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += blockDim.x) row[c] -= mean;  // expect-other: race_shared
  }
}

int main() {
  const int rows = 6, columns = 100;
  std::vector<float> x(rows * columns);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  float* d_x;
  cudaMalloc(&d_x, x.size() * sizeof(float));
  cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  subtract_means<<<1, 64>>>(d_x, rows, columns);
  cudaMemcpy(x.data(), d_x, x.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %g, should be -49.5\n", x[0]);
  cudaFree(d_x);
}
