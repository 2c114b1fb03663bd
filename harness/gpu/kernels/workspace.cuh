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

/// One set of arrays; a cold measurement goes from set to set.
struct Workspace {
  float *a, *b;             ///< inputs, [elements]
  float *out, *between[2];  ///< outputs and intermediate results, [elements]
  int* index;               ///< [elements], each below elements, in no order
  float* small[4];          ///< [kSmall]: gamma, beta or bias; statistics of rows; partial sums
  unsigned* bins;           ///< [kHistogramBins]

  static size_t bytes(const Sizes& sizes) {
    return (6 * static_cast<size_t>(sizes.elements) + 4 * kSmall + kHistogramBins) * sizeof(float);
  }

  /// The arrays of the set that begins at `memory`.
  static Workspace at(char* memory, const Sizes& sizes) {
    float* next = reinterpret_cast<float*>(memory);
    const auto take = [&next](size_t count) {
      float* taken = next;
      next += count;
      return taken;
    };
    const auto n = static_cast<size_t>(sizes.elements);
    Workspace w{};
    w.a = take(n), w.b = take(n), w.out = take(n);
    w.between[0] = take(n), w.between[1] = take(n);
    w.index = reinterpret_cast<int*>(take(n));
    for (float*& array : w.small) array = take(kSmall);
    w.bins = reinterpret_cast<unsigned*>(take(kHistogramBins));
    return w;
  }

  /// Fills the inputs: values in [-0.5, 0.5), the same on every machine.
  void fill(const Sizes& sizes) const {
    const auto n = static_cast<size_t>(sizes.elements);
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
};
