// Wrong: a thread's own array is handed to functions that use the place before its first element, where the
// compiler knows of no size, and the place behind its last.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kMost = 4;

__device__ float horner(const float* c, int degree, float x) {
  float v = c[degree - 1];  // expect: oob_local; says: reads c[-1], but c, an array of the thread's own
  for (int k = degree - 2; k >= 0; --k) v = v * x + c[k];
  return v;
}

template <class T>
__device__ __forceinline__ void push(T* stack, int& top, T value) {
  stack[top++] = value;  // expect: oob_local; says: writes stack[6]
}

__device__ int pop(const int* stack, int& top) {
  return stack[--top];  // may: oob_local
}

__device__ void clear(double (*rows)[2], int n) {
  for (int i = 0; i < n; ++i) rows[i][0] = rows[i][1] = 0.0;  // expect: oob_local; says: has 4 elements
}

__global__ void evaluate(const int* degrees, float* y) {
  float c[kMost];
  for (int k = 0; k < kMost; ++k) c[k] = k;
  y[threadIdx.x] = horner(c, degrees[threadIdx.x], 0.5f);
}

__global__ void walk(int* out) {
  int stack[6] = {};
  int top = 0, sum = 0;
  for (int i = 0; i < 7; ++i) push(stack, top, i);
  while (top > 0) sum += pop(stack, top);
  double rows[2][2] = {{1.0, 2.0}, {3.0, 4.0}};
  clear(rows, 3);
  out[threadIdx.x] = sum + static_cast<int>(rows[1][1]);
}

int main() {
  int degrees[32], *d, *out;
  float* y;
  for (int i = 0; i < 32; ++i) degrees[i] = i % 5;
  cudaMalloc(&d, sizeof degrees);
  cudaMalloc(&y, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemcpy(d, degrees, sizeof degrees, cudaMemcpyHostToDevice);
  evaluate<<<1, 32>>>(d, y);
  walk<<<1, 32>>>(out);
  cudaMemcpy(degrees, out, sizeof degrees, cudaMemcpyDeviceToHost);
  std::printf("%d\n", degrees[0]);
  cudaFree(d), cudaFree(y), cudaFree(out);
}
