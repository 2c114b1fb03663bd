// Device functions that take references and arrays of the thread's own, and one that host and device share.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Complex {
  float re, im;
  __host__ __device__ Complex operator*(const Complex& o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __host__ __device__ Complex& operator+=(const Complex& o) {
    re += o.re, im += o.im;
    return *this;
  }
};

__host__ __device__ void power_table(Complex base, Complex (&powers)[5]) {
  powers[0] = {1.0f, 0.0f};
  for (int k = 1; k < 5; ++k) powers[k] = powers[k - 1] * base;
}

__host__ __device__ Complex polynomial(const float* coefficients, Complex z) {
  Complex powers[5], sum{0.0f, 0.0f};
  power_table(z, powers);
  for (int k = 0; k < 5; ++k) sum += powers[k] * Complex{coefficients[k], 0.0f};
  return sum;
}

__global__ void evaluate(Complex* out, const Complex* z, const float* coefficients, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = polynomial(coefficients, z[i]);
}

int main() {
  const int n = 77;
  const float coefficients[5] = {1, -2, 0, 3, 1};
  std::vector<Complex> z(n), out(n);
  for (int i = 0; i < n; ++i) z[i] = {0.125f * (i % 9), -0.25f * (i % 5)};
  Complex *d_z, *d_out;
  float* d_coefficients;
  cudaMalloc(&d_z, n * sizeof(Complex));
  cudaMalloc(&d_out, n * sizeof(Complex));
  cudaMalloc(&d_coefficients, sizeof coefficients);
  cudaMemcpy(d_z, z.data(), n * sizeof(Complex), cudaMemcpyHostToDevice);
  cudaMemcpy(d_coefficients, coefficients, sizeof coefficients, cudaMemcpyHostToDevice);
  evaluate<<<1, 96>>>(d_out, d_z, d_coefficients, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(Complex), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const Complex expected = polynomial(coefficients, z[i]);
    const float error = fabsf(out[i].re - expected.re) + fabsf(out[i].im - expected.im);
    wrong += !(error < 1e-4f);
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_z), cudaFree(d_out), cudaFree(d_coefficients);
  return wrong != 0;
}
