// Wrong: blocks write bit fields that lie in one byte.
#include <cuda_runtime.h>

#include <cstdio>

struct Cell {
  unsigned char alive : 4;
  unsigned char age : 4;
};

__global__ void step(Cell* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i].alive = i & 1;  // expect-other: race_global
  else if (i < 2 * n)
    c[i - n].age = 3;  // expect: race_global
}

int main() {
  const int n = 128;
  Cell *d, h[n];
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  step<<<2, 128>>>(d, n);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int alive = 0, age = 0;
  for (int i = 0; i < n; i++) alive += h[i].alive, age += h[i].age;
  std::printf("%d %d\n", alive, age);
  cudaFree(d);
}
