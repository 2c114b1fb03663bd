// Wrong: the column numbers count from 1, as in a MatrixMarket file; the kernel takes them as they are.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

// One thread a row of the sparse matrix: row r owns entries starts[r] to starts[r + 1].
__global__ void spmv(float* y, const int* starts, const int* columns, const float* values, const float* x,
                     int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int e = starts[r]; e < starts[r + 1]; ++e) sum += values[e] * x[columns[e]];  // expect: oob_global
  y[r] = sum;
}

template <class T>
T* to_device(const std::vector<T>& host) {
  T* device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  const int n = 64;
  std::vector<int> starts{0}, columns;
  for (int r = 0; r < n; ++r) {  // the diagonal and its left neighbour
    if (r > 0) columns.push_back(r);
    columns.push_back(r + 1);
    starts.push_back(static_cast<int>(columns.size()));
  }
  std::vector<float> values(columns.size(), 1.0f), x(n, 2.0f), y(n, 0.0f);
  int *d_starts = to_device(starts), *d_columns = to_device(columns);
  float *d_values = to_device(values), *d_x = to_device(x), *d_y = to_device(y);
  spmv<<<1, n>>>(d_y, d_starts, d_columns, d_values, d_x, n);
  cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("y[0] = %g, y[%d] = %g\n", y[0], n - 1, y[n - 1]);
  cudaFree(d_starts), cudaFree(d_columns), cudaFree(d_values), cudaFree(d_x), cudaFree(d_y);
}
