// The device memory that all cases work in, and the sizes they take.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(CALL)                                                                                   \
  do {                                                                                                \
    const cudaError_t status = (CALL);                                                                \
    if (status != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #CALL, cudaGetErrorString(status)); \
      std::exit(5);                                                                                   \
    }                                                                                                 \
  } while (false)

struct Sizes {
  int elements = 1 << 22;  ///< of the long arrays: a power of four, so that it is a square matrix, too
  int columns = 1024;      ///< of the row kernels, at most 2048; a divisor of elements
  int matmul = 256;        ///< rows of the matrices that are multiplied, a multiple of 16
  int rows() const { return elements / columns; }
  int side() const {
    int side = 1;
    while (side * side < elements) side *= 2;
    return side;
  }
};

constexpr int kSmall = 1 << 16;  ///< floats in each short array
constexpr int kHistogramBins = 256;

/// One set of arrays, each an allocation of its own; a cold measurement goes from set to set.
class Workspace {
 public:
  explicit Workspace(const Sizes& sizes) {
    const auto n = static_cast<size_t>(sizes.elements);
    for (float** array : {&a, &b, &out, &between[0], &between[1]})
      CHECK(cudaMalloc(array, n * sizeof(float)));
    for (float*& array : small) CHECK(cudaMalloc(&array, kSmall * sizeof(float)));
    CHECK(cudaMalloc(&index, n * sizeof(int)));
    CHECK(cudaMalloc(&bins, kHistogramBins * sizeof(unsigned)));
  }
  ~Workspace() {
    for (float* array : {a, b, out, between[0], between[1], small[0], small[1], small[2], small[3]})
      cudaFree(array);
    cudaFree(index);
    cudaFree(bins);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  static size_t bytes(const Sizes& sizes) {
    return (6 * static_cast<size_t>(sizes.elements) + 4 * kSmall + kHistogramBins) * sizeof(float);
  }

  float *a = nullptr, *b = nullptr;        ///< inputs, [elements]
  float *out = nullptr, *between[2] = {};  ///< outputs and intermediate results, [elements]
  int* index = nullptr;                    ///< [elements], each below elements, in no order
  float* small[4] = {};                    ///< [kSmall]: gamma, beta or bias; statistics of rows
  unsigned* bins = nullptr;                ///< [kHistogramBins]

  /// Fills the inputs: values in [-0.5, 0.5), the same on every machine; with `other`, copies of its own.
  void fill(const Sizes& sizes, const Workspace* other = nullptr) const {
    const auto n = static_cast<size_t>(sizes.elements);
    if (other != nullptr) return copy_inputs(*other, n);
    const auto bits = [](size_t i, unsigned seed) {
      unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
      x = (x ^ (x >> 15)) * 2246822519u;
      return x ^ (x >> 13);
    };
    std::vector<float> values(n);
    const auto upload = [&](float* to, size_t count, unsigned seed) {
      for (size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(bits(i, seed) >> 8) / 16777216.0f - 0.5f;
      CHECK(cudaMemcpy(to, values.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    };
    upload(a, n, 1);
    upload(b, n, 2);
    for (int k = 0; k < 4; ++k) upload(small[k], n < kSmall ? n : kSmall, 3 + static_cast<unsigned>(k));
    std::vector<int> places(n);
    for (size_t i = 0; i < n; ++i) places[i] = static_cast<int>(bits(i, 9) % n);
    CHECK(cudaMemcpy(index, places.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    clear(sizes);
  }

  /// Zeros where results go, so that a kernel that writes nothing is seen to.
  void clear(const Sizes& sizes) const {
    CHECK(cudaMemset(out, 0, static_cast<size_t>(sizes.elements) * sizeof(float)));
    CHECK(cudaMemset(bins, 0, kHistogramBins * sizeof(unsigned)));
  }

 private:
  void copy_inputs(const Workspace& from, size_t n) const {
    CHECK(cudaMemcpy(a, from.a, n * sizeof(float), cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(b, from.b, n * sizeof(float), cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(index, from.index, n * sizeof(int), cudaMemcpyDeviceToDevice));
    for (int k = 0; k < 4; ++k)
      CHECK(cudaMemcpy(small[k], from.small[k], kSmall * sizeof(float), cudaMemcpyDeviceToDevice));
  }
};
