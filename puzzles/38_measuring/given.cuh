// Given to all four programs: kernels, a clock, and what the programs print. Nothing in here is wrong.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#if __has_include(<workbook_sim/host_clock.h>)
extern "C" double workbook_sim_host_us();
// The host's clock in microseconds. On the simulator it is the modelled one: a launch, loading a kernel and
// waiting take the time that they would take beside the GPU that is modelled.
inline double host_us() { return workbook_sim_host_us(); }
#else
#include <chrono>
inline double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}
#endif

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// Floats on the device, freed with the variable.
class Floats {
 public:
  explicit Floats(std::size_t count, float first = 0.0f) : count_(count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
      values[i] = first + static_cast<float>(i * 7 % 13) * 0.0625f - 0.375f;
    check(cudaMalloc(&data_, count * sizeof(float)), "cudaMalloc");
    check(cudaMemcpy(data_, values.data(), count * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~Floats() { cudaFree(data_); }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;

  operator float*() { return data_; }
  std::vector<float> on_host() const {
    std::vector<float> values(count_);
    check(cudaMemcpy(values.data(), data_, count_ * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }

 private:
  float* data_ = nullptr;
  std::size_t count_;
};

constexpr int kTile = 16;

// y[i] = 2 x[i]: as many bytes written as read.
static __global__ void scale_kernel(float* y, const float* x, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = 2.0f * x[i];
}

// The same, a thread a run of kRun neighbours: the lanes of a warp are kRun elements apart. What the
// simulator advises against that is true, and is not to be followed here: one of the two kernels has to be
// the slower one.
constexpr int kRun = 16;
static __global__ void scale_runs_kernel(float* y, const float* x, int count) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * kRun;
  for (int i = first; i < first + kRun && i < count; ++i) y[i] = 2.0f * x[i];
}

// y[rows, outs] = x[rows, ins] w[ins, outs], tile by tile through shared memory, as in Puzzle 16.
static __global__ void linear_kernel(float* y, const float* x, const float* w, int rows, int ins, int outs) {
  __shared__ float x_tile[kTile][kTile], w_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, out = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int start = 0; start < ins; start += kTile) {
    const int in_x = start + threadIdx.x, in_w = start + threadIdx.y;
    x_tile[threadIdx.y][threadIdx.x] = row < rows && in_x < ins ? x[row * ins + in_x] : 0.0f;
    w_tile[threadIdx.y][threadIdx.x] = in_w < ins && out < outs ? w[in_w * outs + out] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += x_tile[threadIdx.y][k] * w_tile[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && out < outs) y[row * outs + out] = sum;
}

static __global__ void gelu_kernel(float* y, const float* x, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float v = x[i];
  y[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

inline dim3 tiles(int rows, int columns) {
  return dim3((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
}
inline dim3 tile_threads() { return dim3(kTile, kTile); }
