// A bitonic sort of any power of two in global memory, one launch a step.
#include <cuda_runtime.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

using namespace std;

__global__ void bitonic_step(int* values, int j, int k) {
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
  unsigned int partner = i ^ j;
  if (partner <= i) return;
  bool ascending = (i & k) == 0;
  int a = values[i], b = values[partner];
  if ((a > b) == ascending) {
    values[i] = b;
    values[partner] = a;
  }
}

void bitonic_sort(int* d_values, int n) {
  const int threads = n < 256 ? n : 256;
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) bitonic_step<<<n / threads, threads>>>(d_values, j, k);
}

int main() {
  const int n = 1 << 11;
  vector<int> values(n);
  mt19937 generator(123);
  generate(values.begin(), values.end(), [&] { return static_cast<int>(generator() % 10000); });
  vector<int> expected = values;
  sort(expected.begin(), expected.end());

  int* d_values;
  cudaMalloc(&d_values, n * sizeof(int));
  cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  bitonic_sort(d_values, n);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    cerr << cudaGetErrorString(error) << endl;
    return 1;
  }
  cudaMemcpy(values.data(), d_values, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_values);
  cout << (values == expected ? "sorted" : "not sorted") << endl;
  return values == expected ? 0 : 1;
}
