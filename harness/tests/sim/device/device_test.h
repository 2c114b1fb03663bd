// Tests of what device code can call, written as ordinary CUDA programs: a test launches kernels and compares
// what they leave with a reference computed on the host. The files compile with nvcc as well; runner.cpp runs
// them in the simulator, in both of its builds.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace device_test {

struct Test {
  const char* says;
  void (*run)();
};
std::vector<Test>& all();
struct Registration {
  Registration(const char* says, void (*run)()) { all().push_back({says, run}); }
};

/// Records that the running test has failed.
void fail(const std::string& what);

/// The test is there to be found out: the diagnosing simulator must report a finding of this class at the
/// line of `file` that ends with `// mark: MARK`. Every other test must be quiet.
void expect_finding(const char* klass, const char* file, const char* mark);

/// What the latest launch asked of global and shared memory: a warp's access is one request. False where
/// nothing counts.
bool latest_traffic(long long& requests, long long& bytes);
/// What its tensor cores multiplied and added, in the time of as many for half. False where nothing counts.
bool latest_tensor_flops(double& flops);

inline void expect(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

/// got[i] within `relative` times max(1, |want[i]|) of want[i]; 0: equal, where two NaN are equal.
template <class T, class U>
void expect_values(const std::vector<T>& got, const std::vector<U>& want, const std::string& what,
                   double relative = 0.0) {
  if (got.size() != want.size()) return fail(what + ": another number of values");
  for (std::size_t i = 0; i < got.size(); ++i) {
    bool same = got[i] == static_cast<T>(want[i]);
    if constexpr (std::is_floating_point_v<T>) {
      const double g = static_cast<double>(got[i]), w = static_cast<double>(want[i]);
      same = same || (std::isnan(g) && std::isnan(w)) ||
             std::fabs(g - w) <= relative * std::fmax(1.0, std::fabs(w));
    }
    if (same) continue;
    return fail(what + ": [" + std::to_string(i) + "] is " + std::to_string(got[i]) + ", not " +
                std::to_string(want[i]));
  }
}

/// want[i] = value(i) for i < n.
template <class T>
std::vector<T> generate(std::size_t n, const std::function<T(std::size_t)>& value) {
  std::vector<T> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(value(i));
  return out;
}

/// Device memory that frees itself.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T));
  }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) {
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }
  T* data() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> out(count_);
    if (cudaDeviceSynchronize() != cudaSuccess) fail("the kernel did not run");
    cudaMemcpy(out.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return out;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

}  // namespace device_test

#define DEVICE_TEST_JOIN2(A, B) A##B
#define DEVICE_TEST_JOIN(A, B) DEVICE_TEST_JOIN2(A, B)
/// DEVICE_TEST("what holds") { ... }
#define DEVICE_TEST(SAYS)                                                                   \
  static void DEVICE_TEST_JOIN(test_of_line_, __LINE__)();                                  \
  static const device_test::Registration DEVICE_TEST_JOIN(registration_of_line_, __LINE__)( \
      SAYS, DEVICE_TEST_JOIN(test_of_line_, __LINE__));                                     \
  static void DEVICE_TEST_JOIN(test_of_line_, __LINE__)()
