// Wrong: each thread leaves the loop when its own value has converged, and the others wait for it in the
// barrier.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void square_roots(float* x, int* steps) {
  const int t = threadIdx.x;
  const float a = x[t];
  float root = a;
  int step = 0;
  for (; step < 100; ++step) {
    const float next = 0.5f * (root + a / root);
    const bool converged = fabsf(next - root) < 1e-6f * next;
    root = next;
    if (converged) break;
    __syncthreads();  // expect: divergent_barrier
  }
  x[t] = root;
  steps[t] = step;
}

int main() {
  const int n = 64;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>((i + 1) * (i + 1) * (i + 1));
  float* d_x;
  int* d_steps;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_steps, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  square_roots<<<1, n>>>(d_x, d_steps);
  cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("the root of 8 is %g\n", x[1]);
  cudaFree(d_x);
  cudaFree(d_steps);
}
