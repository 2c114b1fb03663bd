// Variables and lambdas of the host in many forms, beside those of the device: each side has its own.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#define HD __host__ __device__
#define ON_DEVICE __device__

int runs = 0, *last = nullptr;
static float scale = 2.0f, offsets[4] = {1, 2, 3, 4};
std::vector<int> history;
std::map<std::string, int> counts = {{"a", 1}};
struct {
  int width, height;
} window = {3, 4};
namespace {
unsigned long long total(0), seen{0};
float registered[64];
}  // namespace
enum Mode { fast, slow } mode = fast;
void (*done)(int) = nullptr;
const int kThreads = 64;
constexpr float kHalf = 0.5f;
static const float kTable[2] = {1.0f, 3.0f};
__device__ int hits;
static __device__ float gains[2] = {1.0f, 2.0f};
__constant__ float taps[4];
__managed__ int steps = 0;
ON_DEVICE int marked = 5;
template <class T>
constexpr T kTwo = T(2);
struct Counter {
  static int made;
  int value = [] { return 7; }();
};
int Counter::made = 0;

HD float twice(float x) {
  const auto by = [](float v, float f) { return v * f; };
  return by(x, kTwo<float>);
}

template <class F>
HD float apply(F f, float x) {
  return f(x);
}

template <class F>
__global__ void each(float* x, int n, F f) {
  const int runs = blockIdx.x * blockDim.x + threadIdx.x, scale = 1;  // names of the kernel's own
  const auto keep = [&](float v) { return v * gains[0] + static_cast<float>(scale - 1); };
  if (runs < n) x[runs] = keep(twice(f(x[runs])) * kHalf) + taps[3];
  if (runs == 0) hits += marked, steps += kThreads / 64;
}

__global__ void add_registered(const float* in, float* x) { x[threadIdx.x] += in[threadIdx.x] * kTwo<float>; }

template <class F>
void repeat(int n, F&& f) {
  for (int i = 0; i < n; ++i) f(i);
}

struct Job {
  std::vector<std::function<int(int)>> steps{[](int v) { return v + 1; }, [](int v) { return v * 2; }};
  int run(int v) const {
    for (auto& step : steps) v = step(v);
    return v;
  }
};

int main() {
  float *x, host[kThreads];
  cudaMalloc(&x, sizeof host);
  for (auto& value : host) value = 1;
  cudaMemcpyToSymbol(taps, offsets, sizeof taps);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  const auto launch = [&](int turn) {
    ++runs;
    each<<<1, kThreads>>>(x, kThreads, [turn] __device__(float v) { return v + turn; });
  };
  repeat(2, launch);
  repeat(2, [&](int turn) { each<<<1, kThreads>>>(x, kThreads, [=] HD(float v) { return v * turn; }); });
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaHostRegister(registered, sizeof registered, cudaHostRegisterMapped);
  for (float& r : registered) r = scale;
  float* mapped;
  cudaHostGetDevicePointer(&mapped, registered, 0);
  cudaDeviceSynchronize();
  add_registered<<<1, kThreads, 0, stream>>>(mapped, x);
  cudaLaunchHostFunc(
      stream, [](void* data) { *static_cast<int*>(data) += 1; }, &runs);
  cudaStreamSynchronize(stream);
  cudaHostUnregister(registered);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::sort(std::begin(host), std::end(host), [](const auto& a, const auto& b) -> bool { return a < b; });
  constexpr auto square = [](int v) { return v * v; };
  static_assert(square(3) == 9);
  const auto [low, high] = std::pair(host[0], host[kThreads - 1]);
  std::thread([&] { history.push_back(runs + window.width); }).join();
  done = [](int v) { total += static_cast<unsigned>(v) + seen; };
  done(Job().run(square(2)) + Counter().value + Counter::made + counts["a"] + static_cast<int>(kTable[1]));
  std::printf("%g %g %llu %d %d %g\n", low, high, total, history[0], mode == slow,
              apply([](float v) { return v; }, 1));
  last = &runs;
  cudaStreamDestroy(stream);
  cudaFree(x);
  return *last == 0;
}
