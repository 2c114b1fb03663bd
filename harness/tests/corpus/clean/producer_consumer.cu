// Warp 0 fills a buffer, the other warps empty it; two cuda::barriers say full and empty for each of two
// buffers.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>
#include <vector>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int kWarp = 32, kConsumers = 64, kThreads = kWarp + kConsumers;

__global__ void stream(int* out, const int* in, int turns) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full[2], empty[2];
  __shared__ int buffer[2][kConsumers];
  if (threadIdx.x == 0)
    for (int b = 0; b < 2; ++b) init(&full[b], kThreads), init(&empty[b], kThreads);
  __syncthreads();
  if (threadIdx.x < kWarp) {
    for (int turn = 0; turn < turns; ++turn) {
      const int b = turn % 2;
      empty[b].arrive_and_wait();
      for (int i = threadIdx.x; i < kConsumers; i += kWarp) buffer[b][i] = in[turn * kConsumers + i];
      (void)full[b].arrive();
    }
  } else {
    const int c = threadIdx.x - kWarp;
    (void)empty[0].arrive();  // both buffers are empty at the start
    (void)empty[1].arrive();
    for (int turn = 0; turn < turns; ++turn) {
      const int b = turn % 2;
      full[b].arrive_and_wait();
      out[turn * kConsumers + c] = 2 * buffer[b][kConsumers - 1 - c];
      (void)empty[b].arrive();
    }
  }
}

int main() {
  const int turns = 9, n = turns * kConsumers;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  stream<<<1, kThreads>>>(d_out, d_in, turns);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += out[i] != 2 * (i / kConsumers * kConsumers + kConsumers - 1 - i % kConsumers);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
