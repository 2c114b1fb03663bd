// Wrong: a list's length is compared with its room before a place is taken, and others take places in
// between.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kRoom = 64;

__global__ void collect(const int* in, int n, int* list, int* length) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || in[i] % 3 != 0) return;
  if (*length < kRoom) {
    const int at = atomicAdd(length, 1);
    list[at] = in[i];  // expect: oob_global
  }
}

int main() {
  constexpr int n = 1024;
  int h[n], *in, *list, *length, got = 0;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&list, kRoom * sizeof(int));
  cudaMalloc(&length, sizeof(int));
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(length, 0, sizeof(int));
  collect<<<8, 128>>>(in, n, list, length);
  cudaMemcpy(&got, length, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got >= kRoom);
  cudaFree(in);
  cudaFree(list);
  cudaFree(length);
}
