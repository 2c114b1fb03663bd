// Values in device memory, as tests of libraries hand them over.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "tests/catch.h"

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : n_(n) { REQUIRE(cudaMalloc(&data_, n * sizeof(T)) == cudaSuccess); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    cudaMemcpy(data_, values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* data() { return data_; }
  std::vector<T> values() const {
    std::vector<T> out(n_);
    cudaMemcpy(out.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost);
    return out;
  }

 private:
  T* data_ = nullptr;
  std::size_t n_;
};
