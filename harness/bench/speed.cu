// What the simulator's speed is measured with: an ordinary CUDA program of four kernels, timed by itself.
//
//   speed WORKLOAD SIZE REPEATS       WORKLOAD: matmul_tiled, matmul_naive (SIZE cubed), saxpy, reduce (SIZE)
//
// Prints "WORKLOAD SIZE best_ms median_ms peak_mb ok" and exits 1 when a result is wrong. A time is that of a
// launch and its synchronisation; one launch goes before and is not counted. speed_opencl.cpp is the same for
// Oclgrind and PoCL.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

constexpr int kTile = 16;
constexpr int kBlock = 256;

__global__ void matmul_tiled_kernel(float* c, const float* a, const float* b, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += kTile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void matmul_naive_kernel(float* c, const float* a, const float* b, int n) {
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void saxpy_kernel(float* y, const float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void reduce_kernel(float* partial, const float* x, int n) {
  __shared__ float sums[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  sums[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

namespace {

struct Device {
  explicit Device(std::size_t count) { cudaMalloc(&data, count * sizeof(float)); }
  ~Device() { cudaFree(data); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  float* data = nullptr;
};

/// Small whole numbers: every sum is exact, whatever its order.
float input(std::size_t i) { return static_cast<float>(static_cast<int>(i * 7 % 5) - 2); }

void upload(const Device& to, std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = input(i);
  cudaMemcpy(to.data, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
}

std::vector<float> download(const Device& from, std::size_t count) {
  std::vector<float> values(count);
  cudaMemcpy(values.data(), from.data, count * sizeof(float), cudaMemcpyDeviceToHost);
  return values;
}

/// Megabytes, the most that were resident at once; 0 where the system does not say.
double peak_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kb = 0.0; word == "VmHWM:" && status >> kb) return kb / 1000.0;
  return 0.0;
}

struct Result {
  double best_ms = 0.0, median_ms = 0.0;
  bool right = false;
};

Result time_launches(int repeats, const std::function<void()>& launch) {
  std::vector<double> times_ms;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    launch();
    cudaDeviceSynchronize();
    const auto end = std::chrono::steady_clock::now();
    if (repeat >= 0) times_ms.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
  }
  std::sort(times_ms.begin(), times_ms.end());
  return {times_ms.front(), times_ms[times_ms.size() / 2]};
}

Result matmul(bool tiled, int n, int repeats) {
  const auto count = static_cast<std::size_t>(n) * n;
  const Device a(count), b(count), c(count);
  upload(a, count);
  upload(b, count);
  const dim3 grid(n / kTile, n / kTile), block(kTile, kTile);
  Result result = time_launches(repeats, [&] {
    if (tiled)
      matmul_tiled_kernel<<<grid, block>>>(c.data, a.data, b.data, n);
    else
      matmul_naive_kernel<<<grid, block>>>(c.data, a.data, b.data, n);
  });
  const std::vector<float> got = download(c, count);
  result.right = true;
  for (int probe = 0; probe < 64; ++probe) {
    const int row = probe * 37 % n, column = probe * 101 % n;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k)
      sum += input(static_cast<std::size_t>(row) * n + k) * input(static_cast<std::size_t>(k) * n + column);
    result.right = result.right && got[static_cast<std::size_t>(row) * n + column] == sum;
  }
  return result;
}

Result saxpy(int n, int repeats) {
  const auto count = static_cast<std::size_t>(n);
  const Device x(count), y(count);
  upload(x, count);
  cudaMemset(y.data, 0, count * sizeof(float));
  Result result = time_launches(
      repeats, [&] { saxpy_kernel<<<(n + kBlock - 1) / kBlock, kBlock>>>(y.data, x.data, 2.0f, n); });
  const std::vector<float> got = download(y, count);
  result.right = true;
  for (std::size_t i = 0; i < count; ++i)
    result.right = result.right && got[i] == 2.0f * static_cast<float>(repeats + 1) * input(i);
  return result;
}

Result reduce(int n, int repeats) {
  const int blocks = (n + kBlock - 1) / kBlock;
  const Device x(static_cast<std::size_t>(n)), partial(static_cast<std::size_t>(blocks));
  upload(x, static_cast<std::size_t>(n));
  Result result = time_launches(repeats, [&] { reduce_kernel<<<blocks, kBlock>>>(partial.data, x.data, n); });
  double got = 0.0, expected = 0.0;
  for (const float sum : download(partial, static_cast<std::size_t>(blocks))) got += static_cast<double>(sum);
  for (int i = 0; i < n; ++i) expected += static_cast<double>(input(static_cast<std::size_t>(i)));
  result.right = got == expected;
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string workload = argc > 1 ? argv[1] : "";
  const int size = argc > 2 ? std::atoi(argv[2]) : 0, repeats = argc > 3 ? std::atoi(argv[3]) : 5;
  Result result;
  if (size < 1 || repeats < 1)
    return std::fprintf(stderr, "speed WORKLOAD SIZE REPEATS\n"), 2;
  else if (workload == "matmul_tiled" || workload == "matmul_naive")
    result = matmul(workload == "matmul_tiled", size / kTile * kTile, repeats);
  else if (workload == "saxpy")
    result = saxpy(size, repeats);
  else if (workload == "reduce")
    result = reduce(size, repeats);
  else
    return std::fprintf(stderr, "speed: there is no workload %s\n", workload.c_str()), 2;
  std::printf("%s %d %.3f %.3f %.1f %s\n", workload.c_str(), size, result.best_ms, result.median_ms,
              peak_mb(), result.right ? "ok" : "WRONG");
  return result.right ? 0 : 1;
}
