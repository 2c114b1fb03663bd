// Constructors that leave members without a value, which get one before they are used.
#include <cuda_runtime.h>

#include <cstdio>

struct Vector {
  float x, y, z;
  __host__ __device__ Vector() {}
  __host__ __device__ Vector(float a, float b, float c) : x(a), y{b}, z(c) {}
  __device__ Vector operator+(const Vector& other) const {
    Vector sum;
    sum.x = x + other.x, sum.y = y + other.y, sum.z = z + other.z;
    return sum;
  }
};

template <class T>
class Range {
 public:
  __host__ __device__ Range() : Range(T{}) {}
  __host__ __device__ explicit Range(T both) : low_(both) { high_ = both; }
  __device__ void widen(T to) { high_ = to; }
  __host__ __device__ T width() const { return high_ - low_; }

 private:
  T low_, high_;
  int id = 3, flags : 4;
  T spare_[4];
  const T* source_;
  static constexpr int kKinds = 3;
};

__global__ void add(const Vector* a, float* out) {
  Vector twice[2];
  twice[0] = a[threadIdx.x];
  twice[1] = twice[0];
  Range<float> range;
  range.widen(1.0f);
  out[threadIdx.x] = (twice[0] + twice[1]).y + range.width();
}

int main() {
  Vector v[32], *d_v;
  for (int i = 0; i < 32; ++i) v[i] = Vector(1, static_cast<float>(i), 3);
  float *d_out, out[32];
  cudaMalloc(&d_v, sizeof v);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_v, v, sizeof v, cudaMemcpyHostToDevice);
  add<<<1, 32>>>(d_v, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = Range<int>(4).width() != 0;
  for (int i = 0; i < 32; ++i) wrong += out[i] != 2.0f * static_cast<float>(i) + 1.0f;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_v);
  cudaFree(d_out);
  return wrong != 0;
}
