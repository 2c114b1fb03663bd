// A text that was copied to the device.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

__global__ void count(int* out, const char* text, int n, char c) {
  const int i = threadIdx.x;
  if (i < n && text[i] == c) atomicAdd(out, 1);
}

int main() {
  const char* text = "how many vowels are in here";
  const int n = strlen(text);
  int *d, h = 0;
  cudaMalloc(&d, sizeof(int));
  cudaMemset(d, 0, sizeof(int));
  char* d_text;
  cudaMalloc(&d_text, n);
  cudaMemcpy(d_text, text, n, cudaMemcpyHostToDevice);
  count<<<1, 64>>>(d, d_text, n, 'e');
  cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(d);
  cudaFree(d_text);
}
