// Wrong: grid.sync() in a launch that is no cooperative one.
#include <cooperative_groups.h>

__global__ void rotate(int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2 * a[i];
  cooperative_groups::this_grid().sync();  // expect: bad_launch
  if (i < n) a[i] = b[(i + 1) % n];
}

int main() {
  int *a, *b;
  cudaMalloc(&a, 256 * sizeof(int));
  cudaMalloc(&b, 256 * sizeof(int));
  cudaMemset(a, 0, 256 * sizeof(int));
  rotate<<<2, 128>>>(a, b, 256);
  cudaFree(a);
  cudaFree(b);
}
