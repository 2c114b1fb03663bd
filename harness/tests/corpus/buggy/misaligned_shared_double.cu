// Wrong: 33 floats come before the doubles in the dynamic shared memory: 132 bytes, no multiple of 8.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void accumulate(double* out, const float* in, int n) {
  extern __shared__ unsigned char pool[];
  float* values = reinterpret_cast<float*>(pool);
  double* squares = reinterpret_cast<double*>(values + n);
  const int t = threadIdx.x;
  values[t] = in[t];
  squares[t] = static_cast<double>(values[t]) * values[t];  // expect: misaligned
  __syncthreads();
  out[t] = squares[n - 1 - t];  // expect-other: misaligned
}

int main() {
  const int n = 33;
  std::vector<float> in(n, 1.5f);
  std::vector<double> out(n);
  float* d_in;
  double* d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(double));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  accumulate<<<1, n, n*(sizeof(float) + sizeof(double))>>>(d_out, d_in, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g\n", out[0]);
  cudaFree(d_in);
  cudaFree(d_out);
}
