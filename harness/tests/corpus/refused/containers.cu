// Types of the standard library that hold memory of the host, or functions.
#include <functional>
#include <map>
#include <string>
#include <vector>

__global__ void collect(float* out, int n) {
  std::vector<float> values(n);  // refused: ("std::vector::vector"), __global__ function("collect")
  values.push_back(out[threadIdx.x]);
  out[threadIdx.x] = values[0];
}

__device__ int length(int n) {
  std::string text(n, 'x');  // refused: ("std::string::string"), __device__ function("length")
  return static_cast<int>(text.size());
}

__global__ void apply(float* out, int n) {
  std::function<float(float)> twice =  // refused: ("std::function::function"), function("apply")
      [](float x) { return 2 * x; };
  std::map<int, float> seen;  // refused: ("std::map::map"), __global__ function("apply")
  out[threadIdx.x] = twice(out[threadIdx.x]) + length(n) + seen.size();
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  collect<<<1, 32>>>(out, 32);
  apply<<<1, 32>>>(out, 32);
  cudaFree(out);
}
