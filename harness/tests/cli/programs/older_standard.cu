// C++14 and C++17 as programs in the wild have it: names and habits that C++20 took over or frowns upon.
#include <cmath>
#include <cstdio>
#include <cstring>

__host__ __device__ inline float lerp(float a, float b, float t) { return a + t * (b - a); }

struct Size {
  Size() = delete;  // an aggregate until C++20
  explicit Size(int n) : n(n) {}
  bool operator==(const Size& other) { return n == other.n; }
  int n;
};

__global__ void reduce(const float* in, float* out) {
  __shared__ volatile float values[64];
  const int i = threadIdx.x;
  values[i] = lerp(in[i], in[i + 64], 0.5f);
  __syncthreads();
  for (int width = 32; width > 0; width /= 2) {
    if (i < width) values[i] += values[i + width];
    __syncthreads();
  }
  if (i == 0) *out = values[0];
}

int main() {
  const char* text = u8"\u00b5s";
  register int n = 128;
  float in[128], *device = nullptr, *sum = nullptr, result = 0.0f;
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i);
  cudaMalloc(&device, sizeof in);
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(device, in, sizeof in, cudaMemcpyHostToDevice);
  reduce<<<1, 64>>>(device, sum);
  cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device);
  cudaFree(sum);
  std::printf("%g %d\n", result, static_cast<int>(std::strlen(text)));
  return Size(3) == Size(3) && std::fabs(result - 4064.0f) < 1e-3f ? 0 : 1;
}
