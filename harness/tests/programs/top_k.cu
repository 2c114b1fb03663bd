// The k largest of each row and where they stand: every thread keeps a short sorted list, lists are merged in
// pairs.
#include <cuda_runtime.h>

#include <algorithm>
#include <cfloat>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

template <int kCount>
struct TopList {
  float value[kCount];
  int index[kCount];

  __device__ void clear() {
    for (int i = 0; i < kCount; ++i) value[i] = -FLT_MAX, index[i] = -1;
  }
  __device__ void insert(float v, int at) {
    if (v <= value[kCount - 1]) return;
    int i = kCount - 1;
    for (; i > 0 && value[i - 1] < v; --i) value[i] = value[i - 1], index[i] = index[i - 1];
    value[i] = v;
    index[i] = at;
  }
};

template <int kCount, int kThreads>
__global__ void top_k(float* values, int* indices, const float* scores, int columns) {
  __shared__ TopList<kCount> lists[kThreads];
  const int t = threadIdx.x, row = blockIdx.x;
  TopList<kCount> mine;
  mine.clear();
  for (int c = t; c < columns; c += kThreads) mine.insert(scores[row * columns + c], c);
  lists[t] = mine;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t >= half) continue;
    for (int i = 0; i < kCount; ++i) mine.insert(lists[t + half].value[i], lists[t + half].index[i]);
    lists[t] = mine;
  }
  if (t == 0)
    for (int i = 0; i < kCount; ++i)
      values[row * kCount + i] = mine.value[i], indices[row * kCount + i] = mine.index[i];
}

int main() {
  constexpr int kCount = 5, kThreads = 64;
  const int rows = 12, columns = 777;
  std::mt19937 random(99);
  std::vector<float> scores(rows * columns), values(rows * kCount);
  std::vector<int> indices(rows * kCount);
  for (int r = 0; r < rows; ++r) {
    std::iota(scores.begin() + r * columns, scores.begin() + (r + 1) * columns, 0.0f);
    std::shuffle(scores.begin() + r * columns, scores.begin() + (r + 1) * columns, random);
  }
  float *d_scores, *d_values;
  int* d_indices;
  cudaMalloc(&d_scores, scores.size() * sizeof(float));
  cudaMalloc(&d_values, values.size() * sizeof(float));
  cudaMalloc(&d_indices, indices.size() * sizeof(int));
  cudaMemcpy(d_scores, scores.data(), scores.size() * sizeof(float), cudaMemcpyHostToDevice);
  top_k<kCount, kThreads><<<rows, kThreads>>>(d_values, d_indices, d_scores, columns);
  cudaMemcpy(values.data(), d_values, values.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(indices.data(), d_indices, indices.size() * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < kCount; ++i) {
      const float expected = static_cast<float>(columns - 1 - i);
      const int at = indices[r * kCount + i];
      wrong += values[r * kCount + i] != expected || at < 0 || scores[r * columns + at] != expected;
    }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_scores), cudaFree(d_values), cudaFree(d_indices);
  return wrong != 0;
}
