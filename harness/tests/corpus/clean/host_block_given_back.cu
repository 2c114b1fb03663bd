// Memory of the host is given back and taken again between copies, by many sizes.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

__global__ void fill(int* x, int n) {
  if (static_cast<int>(threadIdx.x) < n) x[threadIdx.x] = static_cast<int>(threadIdx.x);
}

int main() {
  constexpr int kMost = 256;
  int *x, wrong = 0;
  cudaMalloc(&x, kMost * sizeof(int));
  for (int round = 0; round < 600; ++round) {
    const int n = round % kMost + 1;
    if (round % 50 == 0) fill<<<1, kMost>>>(x, kMost);
    std::vector<int> all;
    for (int i = 0; i < n; ++i) all.push_back(i);
    int* list = static_cast<int*>(std::malloc(sizeof(int)));
    list = static_cast<int*>(std::realloc(list, static_cast<std::size_t>(n) * sizeof(int)));
    std::string text(static_cast<std::size_t>(n) * sizeof(int), 'x');
    auto* const own = new int[static_cast<std::size_t>(n)];
    for (int* to : {all.data(), list, reinterpret_cast<int*>(text.data()), own}) {
      cudaMemcpy(to, x, static_cast<std::size_t>(n) * sizeof(int), cudaMemcpyDeviceToHost);
      wrong += to[n - 1] != n - 1;
    }
    delete[] own;
    std::free(list);
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(x);
  return wrong != 0;
}
