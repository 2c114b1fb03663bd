// The same chain of small kernels launched one by one, as a captured graph and as a graph built node by node.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

inline void check(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " +
                             cudaGetErrorString(error));
}
#define CUDA_CHECK(call) check((call), __FILE__, __LINE__)

__global__ void fma_kernel(float* x, float a, float b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = a * x[i] + b;
}

class Stream {
 public:
  Stream() { CUDA_CHECK(cudaStreamCreate(&stream_)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_{};
};

static void chain(float* d_x, int n, int length, cudaStream_t stream) {
  for (int k = 0; k < length; ++k) fma_kernel<<<(n + 127) / 128, 128, 0, stream>>>(d_x, 0.5f, 1.0f, n);
}

int main() try {
  const int n = 300, length = 5, repeats = 3;
  std::vector<float> start(n), x(n), expected(n);
  for (int i = 0; i < n; ++i) start[i] = expected[i] = static_cast<float>(i);
  for (int k = 0; k < length * repeats; ++k)
    for (float& v : expected) v = 0.5f * v + 1.0f;
  float* d_x;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  Stream stream;
  int failures = 0;
  const auto timed = [&](const char* name, auto&& work) {
    CUDA_CHECK(cudaMemcpyAsync(d_x, start.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    const auto begin = std::chrono::steady_clock::now();
    for (int r = 0; r < repeats; ++r) work();
    CUDA_CHECK(cudaStreamSynchronize(stream));
    const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - begin;
    CUDA_CHECK(cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost));
    std::printf("%-9s %s\n", name, x == expected ? "ok" : "WRONG");
    std::fprintf(stderr, "%-9s %.1f us\n", name, elapsed.count());
    failures += x != expected;
  };
  timed("launches", [&] { chain(d_x, n, length, stream); });

  cudaGraph_t captured;
  cudaGraphExec_t run_captured;
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  chain(d_x, n, length, stream);
  CUDA_CHECK(cudaStreamEndCapture(stream, &captured));
  CUDA_CHECK(cudaGraphInstantiate(&run_captured, captured, 0));
  timed("captured", [&] { CUDA_CHECK(cudaGraphLaunch(run_captured, stream)); });

  cudaGraph_t built;
  cudaGraphExec_t run_built;
  CUDA_CHECK(cudaGraphCreate(&built, 0));
  float a = 0.5f, b = 1.0f;
  int count = n;
  void* arguments[] = {&d_x, &a, &b, &count};
  cudaKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(fma_kernel);
  params.gridDim = dim3((n + 127) / 128);
  params.blockDim = dim3(128);
  params.kernelParams = arguments;
  cudaGraphNode_t before{};
  for (int k = 0; k < length; ++k) {
    cudaGraphNode_t node;
    CUDA_CHECK(cudaGraphAddKernelNode(&node, built, k > 0 ? &before : nullptr, k > 0 ? 1 : 0, &params));
    before = node;
  }
  CUDA_CHECK(cudaGraphInstantiate(&run_built, built, 0));
  timed("built", [&] { CUDA_CHECK(cudaGraphLaunch(run_built, stream)); });

  CUDA_CHECK(cudaGraphExecDestroy(run_captured));
  CUDA_CHECK(cudaGraphExecDestroy(run_built));
  CUDA_CHECK(cudaGraphDestroy(captured));
  CUDA_CHECK(cudaGraphDestroy(built));
  CUDA_CHECK(cudaFree(d_x));
  return failures;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
