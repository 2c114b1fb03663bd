// Output, endings and waits of the host.
#include <cstdlib>
#include <iostream>

__global__ void scale(float* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) abort();  // refused: ("abort"), __global__ function("scale")
  out[i] *= 2.0f;
  std::cout << out[i];     // refused: ("std::ostream::operator<<(float)"), kernels print with printf
  std::cout << std::endl;  // refused: ("std::ostream::operator<<, kernels print with printf
}

__global__ void wait(float* out) {
  out[0] = 1.0f;
  cudaDeviceSynchronize();  // refused: ("cudaDeviceSynchronize"), __global__ function("wait")
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(out, 0, 32 * sizeof(float));
  scale<<<1, 32>>>(out, 32);
  wait<<<1, 1>>>(out);
  cudaFree(out);
}
