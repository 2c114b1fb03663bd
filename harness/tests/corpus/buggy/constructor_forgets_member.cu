// Wrong: constructors that leave a member without a value, which the kernel adds to.
#include <cuda_runtime.h>

#include <cstdio>

template <class T>
class Moments {
 public:
  __device__ Moments() : mean_(0), m2_(0) {}
  __device__ explicit Moments(T first) {
    mean_ = first;
    count_ = 1;
  }
  __device__ void add(T value) {
    ++count_;
    const T difference = value - mean_;
    mean_ += difference / count_;
    m2_ += difference * (value - mean_);
  }
  __device__ T mean() const { return mean_; }
  __device__ T variance() const { return m2_ / count_; }

 private:
  T mean_, m2_;  // expect-other: uninit_local
  int count_;    // expect-other: uninit_local
};

__global__ void means(const float* x, float* out, int n) {
  Moments<float> all;
  for (int i = 0; i < n; ++i) all.add(x[threadIdx.x * n + i]);
  out[threadIdx.x] = all.mean();  // expect: uninit_local; says: depends on count_, declared at line 25
}

__global__ void variances(const float* x, float* out, int n) {
  Moments<float> all(x[threadIdx.x * n]);
  for (int i = 1; i < n; ++i) all.add(x[threadIdx.x * n + i]);
  out[threadIdx.x] = all.variance();  // expect: uninit_local; says: depends on m2_, declared at line 24
}

int main() {
  constexpr int kRows = 32, kWidth = 8;
  float x[kRows * kWidth], *d_x, *d_out, out[kRows], sum = 0;
  for (int i = 0; i < kRows * kWidth; ++i) x[i] = static_cast<float>(i % kWidth);
  cudaMalloc(&d_x, sizeof x);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
  means<<<1, kRows>>>(d_x, d_out, kWidth);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (const float each : out) sum += each;
  variances<<<1, kRows>>>(d_x, d_out, kWidth);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (const float each : out) sum += each;
  std::printf("%g\n", sum);
  cudaFree(d_x);
  cudaFree(d_out);
}
