// Given to small.cu: two function objects, a clock, and what a program needs. Nothing in here is wrong.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#if __has_include(<workbook_sim/host_clock.h>)
extern "C" double workbook_sim_host_us();
// The host's clock in microseconds. On the simulator it is the modelled one: a launch and waiting take the
// time that they would take beside the GPU that is modelled.
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

constexpr int kCount = 1024, kSteps = 200;

// Fade{share}: what is left of a value, and what comes to it.
struct Fade {
  float share;
  __host__ __device__ float operator()(float value, float more) const { return share * value + more; }
};

// Fold{limit}: a value above the limit comes back from it as from a mirror.
struct Fold {
  float limit;
  __host__ __device__ float operator()(float value) const {
    return value > limit ? 2.0f * limit - value : value;
  }
};

/// kCount floats on the device, freed with the variable.
class Floats {
 public:
  explicit Floats(const std::vector<float>& values) {
    check(cudaMalloc(&data_, kBytes), "cudaMalloc");
    check(cudaMemcpy(data_, values.data(), kBytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~Floats() { cudaFree(data_); }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;

  float* begin() const { return data_; }
  float* end() const { return data_ + kCount; }
  std::vector<float> on_host() const {
    std::vector<float> values(kCount);
    check(cudaMemcpy(values.data(), data_, kBytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }

 private:
  static constexpr std::size_t kBytes = kCount * sizeof(float);
  float* data_ = nullptr;
};

inline std::vector<float> numbers(int factor, float first) {
  std::vector<float> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = first + static_cast<float>(i * factor % 61) * 0.03125f;
  return values;
}

/// The steps on the host, one element after the other. A GPU may round a product and a sum at once: that and
/// the limit let a value differ a little.
inline bool is_right(const Floats& result, std::vector<float> x, const std::vector<float>& y, int steps) {
  const std::vector<float> got = result.on_host();
  for (int i = 0; i < kCount; ++i) {
    for (int step = 0; step < steps; ++step) x[i] = Fold{1.5f}(Fade{0.75f}(x[i], y[i]));
    if (!(std::fabs(x[i] - got[i]) <= 1e-4f)) return false;
  }
  return true;
}
