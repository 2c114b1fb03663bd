// Rows that are padded, and structs with a gap between their members: what nobody wrote is copied to the host
// and there from array to array, and nobody uses it.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

struct Item {
  char kind;
  double value;
};

__global__ void fill(float* rows, int width, int pitch, Item* items) {
  const int row = blockIdx.x, i = threadIdx.x;
  if (i < width) rows[row * pitch + i] = 1.0f;
  if (row == 0) {
    items[i].kind = 'a';
    items[i].value = i;
  }
}

int main() {
  const int width = 30, pitch = 32, height = 4;
  std::vector<float> rows(pitch * height), other(pitch * height);
  std::vector<Item> items(32);
  float* d_rows;
  Item* d_items;
  cudaMalloc(&d_rows, rows.size() * sizeof(float));
  cudaMalloc(&d_items, items.size() * sizeof(Item));
  fill<<<height, 32>>>(d_rows, width, pitch, d_items);
  cudaMemcpy(rows.data(), d_rows, rows.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(items.data(), d_items, items.size() * sizeof(Item), cudaMemcpyDeviceToHost);
  std::memcpy(other.data(), rows.data(), rows.size() * sizeof(float));
  double sum = 0.0;
  for (int r = 0; r < height; ++r)
    for (int i = 0; i < width; ++i) sum += other[r * pitch + i];
  std::vector<Item> sorted = items;
  std::swap(sorted[0], sorted[31]);
  const Item last = sorted[0];
  sum += last.value;
  std::fill(other.begin(), other.end(), 2.0f);
  sum += other[31];
  std::printf("sum %g\n", sum);
  cudaFree(d_rows), cudaFree(d_items);
  return sum != width * height + 31.0 + 2.0;
}
