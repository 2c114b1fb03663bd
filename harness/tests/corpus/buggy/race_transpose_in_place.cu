// Wrong: the pair (i, j), (j, i) is swapped by two threads, one after the other or both at once.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void transpose(float* m, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n || x == y) return;
  const float mine = m[y * n + x];    // expect-other: race_global
  const float theirs = m[x * n + y];  // expect-other: race_global
  m[y * n + x] = theirs;              // expect: race_global
  m[x * n + y] = mine;                // expect: race_global
}

int main() {
  const int n = 48;
  std::vector<float> m(n * n);
  for (int i = 0; i < n * n; ++i) m[i] = static_cast<float>(i);
  float* d_m;
  cudaMalloc(&d_m, m.size() * sizeof(float));
  cudaMemcpy(d_m, m.data(), m.size() * sizeof(float), cudaMemcpyHostToDevice);
  transpose<<<dim3(3, 3), dim3(16, 16)>>>(d_m, n);
  cudaMemcpy(m.data(), d_m, m.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("m[1] = %g, should be %d\n", m[1], n);
  cudaFree(d_m);
}
