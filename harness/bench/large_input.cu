// What the simulator's memory is measured with: input of so many MiB (1024), read once by one kernel and by
// neighbouring threads of another; small results.
//
//   workbook sim large_input.cu -- MIB
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum(float* partial, const float* x, size_t n) {
  float s = 0.0f;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    s += x[i];
  atomicAdd(&partial[blockIdx.x], s);
}

__global__ void rough(float* partial, const float* x, size_t n) {
  float s = 0.0f;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i + 1 < n;
       i += size_t{gridDim.x} * blockDim.x)
    s += x[i + 1] - x[i];
  atomicAdd(&partial[blockIdx.x], s);
}

int main(int argc, char** argv) {
  const size_t n = (argc > 1 ? std::atoll(argv[1]) : 1024) * (size_t{1} << 20) / sizeof(float);
  std::vector<float> host(n, 1.0f);
  float *x, *partial;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&partial, 1024 * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  std::vector<float>().swap(host);
  cudaMemset(partial, 0, 1024 * sizeof(float));
  sum<<<1024, 256>>>(partial, x, n);
  rough<<<1024, 256>>>(partial, x, n);
  std::vector<float> out(1024);
  cudaMemcpy(out.data(), partial, 1024 * sizeof(float), cudaMemcpyDeviceToHost);
  double all = 0.0;
  for (float p : out) all += p;
  std::printf("%.0f\n", all);
  cudaFree(x);
  cudaFree(partial);
}
