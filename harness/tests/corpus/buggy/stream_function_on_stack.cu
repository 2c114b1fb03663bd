// Wrong: a function that the stream calls leaves its result in a variable of main(), which nobody waits for.
#include <cuda_runtime.h>
#include <cstdio>

struct Sum {
  const float* values;
  int count;
  float result;
};

static void CUDART_CB add_up(void* user) {
  Sum& sum = *static_cast<Sum*>(user);
  float result = 0;
  for (int i = 0; i < sum.count; ++i) result += sum.values[i];
  sum.result = result;  // expect-other: stream_race
}

__global__ void fill(float* x) { x[threadIdx.x] = 1.0f; }

int main() {
  const int n = 64;
  float *d_x, *x;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMallocHost(&x, n * sizeof(float));
  cudaStream_t s;
  cudaStreamCreate(&s);
  Sum sum = {x, n, 0};
  fill<<<1, n, 0, s>>>(d_x);
  cudaMemcpyAsync(x, d_x, n * sizeof(float), cudaMemcpyDeviceToHost, s);
  cudaLaunchHostFunc(s, add_up, &sum);
  const float early = sum.result;  // expect: stream_race
  cudaStreamSynchronize(s);
  std::printf("%g, %g\n", early, sum.result);
  cudaStreamDestroy(s);
  cudaFreeHost(x);
  cudaFree(d_x);
}
