// What looks like the host's and is not: all of it compiles with nvcc, and runs.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#define BOTH __host__ __device__

struct Defaulted {
  float x = 1.0f;
  Defaulted() = default;
  Defaulted(const Defaulted&) = default;
};

struct Implicit {
  Defaulted first;
  float second = 2.0f;
};

struct Marked {
  BOTH explicit Marked(float value) : value_(value) {}
  BOTH ~Marked() {}
  __host__ __device__ float get() const { return value_; }
  __device__ Marked operator*(float factor) const { return Marked(value_ * factor); }
  static constexpr int kSize = 4;

 private:
  float value_;
};

float only_on_the_host(float x) { return x + static_cast<float>(std::rand() % 2); }

__host__ __device__ float either(float x) {
#ifdef __CUDA_ARCH__
  return x;
#else
  return only_on_the_host(x) - only_on_the_host(0.0f) + 0.0f * x;
#endif
}

BOTH constexpr int squared(int n) { return n * n; }

template <class Op>
__device__ float applied(Op op, float x) {
  return op(x);
}

struct Twice {
  __device__ float operator()(float x) const { return 2.0f * x; }
};

/// The host has a function of that name, too.
namespace host {
float shifted(float x) { return x - 1.0f; }
}  // namespace host
__device__ float shifted(float x) { return x + 1.0f; }

template <class T>
BOTH T larger(T a, T b) {
  return a < b ? b : a;
}

__global__ void all(float* out, const float* in) {
  static int calls = 0;
  const int i = threadIdx.x;
  const Implicit made;
  const Implicit copy = made;
  out[i] = copy.first.x + copy.second + Marked(in[i]).get() + (Marked(in[i]) * 2.0f).get();
  out[i] += applied(Twice(), in[i]) + applied([=](float x) { return x + in[i]; }, 1.0f) + shifted(in[i]);
  out[i] += std::sqrt(in[i]) + std::abs(in[i]) + fabsf(in[i]) + std::pow(in[i], 2.0f) + fminf(in[i], 1.0f) +
            std::fmax(in[i], 1.0f);
  out[i] += larger(in[i], static_cast<float>(squared(Marked::kSize)));
  float pair[2] = {in[i], 1.0f}, other[2];
  memcpy(other, pair, sizeof(pair));
  memset(pair, 0, sizeof(pair));
  float moved = std::move(other[0]);
  auto* memory = static_cast<float*>(malloc(sizeof(float)));
  if (memory != nullptr) *new (memory) float(moved) += pair[0];
  out[i] += memory != nullptr ? *memory : 0.0f;
  free(memory);
  float* one = new float(in[i]);
  if (one != nullptr) out[i] -= *one;
  delete one;
  assert(out[i] == out[i]);
  if (i == 0) printf("kernel\n");
  if (i == 0) printf("%d\n", calls);
}

int main() {
  std::vector<float> values(32, 1.0f);
  float *out, *in;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMemcpy(in, values.data(), 32 * sizeof(float), cudaMemcpyHostToDevice);
  all<<<1, 32>>>(out, in);
  cudaMemcpy(values.data(), out, 32 * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  const float sum = host::shifted(values[0]) + either(1.0f) + larger(1.0f, Marked(2.0f).get());
  return sum == sum ? 0 : 1;
}
