// The first program of every course, with the error macro that the second lesson adds to it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                     \
  do {                                                                                                  \
    const cudaError_t error_ = (call);                                                                  \
    if (error_ != cudaSuccess) {                                                                        \
      fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      exit(EXIT_FAILURE);                                                                               \
    }                                                                                                   \
  } while (0)

#define N 50000
#define THREADS_PER_BLOCK 256

__global__ void vecAdd(const float* a, const float* b, float* c, int n) {
  int tid = blockDim.x * blockIdx.x + threadIdx.x;
  if (tid < n) {
    c[tid] = a[tid] + b[tid];
  }
}

int main(void) {
  size_t size = N * sizeof(float);
  float* h_a = (float*)malloc(size);
  float* h_b = (float*)malloc(size);
  float* h_c = (float*)malloc(size);
  for (int i = 0; i < N; i++) {
    h_a[i] = rand() / (float)RAND_MAX;
    h_b[i] = rand() / (float)RAND_MAX;
  }

  float *d_a = NULL, *d_b = NULL, *d_c = NULL;
  CHECK(cudaMalloc((void**)&d_a, size));
  CHECK(cudaMalloc((void**)&d_b, size));
  CHECK(cudaMalloc((void**)&d_c, size));
  CHECK(cudaMemcpy(d_a, h_a, size, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, h_b, size, cudaMemcpyHostToDevice));

  int blocks = (N + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
  printf("%d blocks of %d threads\n", blocks, THREADS_PER_BLOCK);
  vecAdd<<<blocks, THREADS_PER_BLOCK>>>(d_a, d_b, d_c, N);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(h_c, d_c, size, cudaMemcpyDeviceToHost));

  for (int i = 0; i < N; i++) {
    if (h_a[i] + h_b[i] != h_c[i]) {
      fprintf(stderr, "element %d is wrong\n", i);
      exit(EXIT_FAILURE);
    }
  }
  printf("PASSED\n");

  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
  free(h_a);
  free(h_b);
  free(h_c);
  return 0;
}
