// Wrong: the index of the search moves on only when the element is not negative.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_of_rows(int* sums, const int* x, int rows, int columns) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int c = 0, sum = 0;
  while (c < columns)  // expect: infinite_loop
    if (x[r * columns + c] >= 0) sum += x[r * columns + c++];
  sums[r] = sum;
}

int main() {
  const int rows = 8, columns = 10;
  std::vector<int> x(rows * columns, 2), sums(rows);
  x[35] = -1;
  int *d_x, *d_sums;
  cudaMalloc(&d_x, x.size() * sizeof(int));
  cudaMalloc(&d_sums, rows * sizeof(int));
  cudaMemcpy(d_x, x.data(), x.size() * sizeof(int), cudaMemcpyHostToDevice);
  sum_of_rows<<<1, 32>>>(d_sums, d_x, rows, columns);
  cudaMemcpy(sums.data(), d_sums, rows * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sums[0] = %d\n", sums[0]);
  cudaFree(d_x);
  cudaFree(d_sums);
}
