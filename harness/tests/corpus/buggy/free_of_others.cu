// Wrong: cudaFree is given what cudaMalloc did not give.
#include <cuda_runtime.h>
#include <cstdlib>

__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
  int *a, *b;
  cudaMalloc(&a, 64 * sizeof(int));         // expect-warning: leak
  cudaMallocManaged(&b, 64 * sizeof(int));  // expect-warning: leak
  int* h = static_cast<int*>(malloc(64 * sizeof(int)));
  fill<<<1, 64>>>(a);
  fill<<<1, 64>>>(b);
  cudaDeviceSynchronize();
  cudaFree(&a);     // expect: bad_api_call
  cudaFree(b + 4);  // expect: bad_api_call
  cudaFree(h);      // expect: bad_api_call
  free(h);
}
