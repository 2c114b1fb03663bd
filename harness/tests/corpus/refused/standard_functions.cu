// Such types and functions where no variable of the type is written.
#include <functional>
#include <memory>
#include <numeric>

__device__ float applied(const std::function<float(float)>& f, float x) {
  return f(x);  // refused: ("std::function::operator()"), __device__ function("applied")
}

__global__ void sum(float* out, const float* in, int n) {
  out[0] = std::accumulate(in, in + n, 0.0f);  // refused: ("std::accumulate"), function("sum")
  auto copy = std::make_unique<float[]>(n);    // refused: ("std::make_unique"), function("sum")
  out[1] = applied(*reinterpret_cast<const std::function<float(float)>*>(in), copy.get()[n - 1]);
}  // refused: ("std::unique_ptr::~unique_ptr"), __global__ function("sum")

int main() {
  float *out, *in;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  sum<<<1, 1>>>(out, in, 32);
  cudaFree(in);
  cudaFree(out);
}
