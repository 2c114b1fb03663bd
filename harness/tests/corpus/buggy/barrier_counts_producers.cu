// Wrong: init() counts the producers, and the consumers arrive as well. Which arrivals end a phase hangs on
// who comes first.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>

constexpr int kProducers = 64, kThreads = 128;

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[kProducers];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  const int t = threadIdx.x;
  if (t == 0) init(&full, kProducers);  // expect: barrier_count
  __syncthreads();
  if (t < kProducers) {
    tile[t] = in[t];
    (void)full.arrive();
  } else {
    full.arrive_and_wait();
    out[t - kProducers] = tile[kThreads - 1 - t];
  }
}

int main() {
  int h[kProducers], *in, *out;
  for (int i = 0; i < kProducers; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  reverse<<<1, kThreads>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
