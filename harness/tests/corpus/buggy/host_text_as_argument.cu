// Wrong: a kernel is given the text of a literal of the host.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

__global__ void count(int* out, const char* text, int n, char c) {
  const int i = threadIdx.x;
  if (i < n && text[i] == c) atomicAdd(out, 1);  // expect: oob_global
}

int main() {
  const char* text = "how many vowels are in here";
  const int n = strlen(text);
  int *d, h = 0;
  cudaMalloc(&d, sizeof(int));
  cudaMemset(d, 0, sizeof(int));
  count<<<1, 64>>>(d, text, n, 'e');
  cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(d);
}
