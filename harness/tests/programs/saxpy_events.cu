// SAXPY timed with events, and the bandwidth that follows. The size may be given on the command line.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <memory>

template <typename T>
__global__ void axpy(std::size_t n, T a, const T* __restrict__ x, T* __restrict__ y) {
  const std::size_t first = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t step = static_cast<std::size_t>(blockDim.x) * gridDim.x;
  for (std::size_t i = first; i < n; i += step) y[i] = a * x[i] + y[i];
}

struct DeviceDeleter {
  void operator()(void* p) const { cudaFree(p); }
};
template <typename T>
using DeviceArray = std::unique_ptr<T[], DeviceDeleter>;

template <typename T>
DeviceArray<T> make_device_array(std::size_t n) {
  T* p = nullptr;
  if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
  return DeviceArray<T>(p);
}

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1 << 18;
  auto x = std::make_unique<float[]>(n), y = std::make_unique<float[]>(n);
  std::fill_n(x.get(), n, 1.0f);
  std::fill_n(y.get(), n, 2.0f);
  auto d_x = make_device_array<float>(n), d_y = make_device_array<float>(n);

  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaMemcpy(d_x.get(), x.get(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y.get(), y.get(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaEventRecord(start);
  axpy<<<64, 256>>>(n, 2.0f, d_x.get(), d_y.get());
  cudaEventRecord(stop);
  cudaMemcpy(y.get(), d_y.get(), n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaEventSynchronize(stop);
  float milliseconds = 0.0f;
  cudaEventElapsedTime(&milliseconds, start, stop);

  float worst = 0.0f;
  for (std::size_t i = 0; i < n; ++i) worst = std::max(worst, std::abs(y[i] - 4.0f));
  std::cout << "largest error " << worst << ", " << std::fixed << std::setprecision(3) << milliseconds
            << " ms, " << 3.0 * static_cast<double>(n * sizeof(float)) / milliseconds / 1e6 << " GB/s"
            << std::endl;
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return worst == 0.0f && milliseconds > 0.0f ? EXIT_SUCCESS : EXIT_FAILURE;
}
