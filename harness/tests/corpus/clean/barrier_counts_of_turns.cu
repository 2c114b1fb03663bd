// Right: more threads use a barrier than a phase counts, in turns, each behind the end of the phase before.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>

constexpr int kThreads = 128, kHalf = kThreads / 2;

__global__ void take_turns(const int* in, int* out) {
  __shared__ int tile[kHalf];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> turn, seen;
  const int t = threadIdx.x;
  if (t == 0) {
    init(&turn, kHalf);
    init(&seen, kThreads);
  }
  __syncthreads();
  if (t < kHalf) {
    tile[t] = in[t];
    (void)turn.arrive();
  } else {
    turn.wait_parity(false);
    out[t - kHalf] = tile[kThreads - 1 - t];
  }
  seen.arrive_and_wait();
  if (t >= kHalf) {
    tile[t - kHalf] = in[t];
    (void)turn.arrive();
  } else {
    turn.wait_parity(true);
    out[kHalf + t] = tile[kHalf - 1 - t];
  }
}

int main() {
  int h[kThreads], *in, *out;
  for (int i = 0; i < kThreads; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  take_turns<<<1, kThreads>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", h[0], h[kHalf]);
  cudaFree(in);
  cudaFree(out);
  return h[0] != kHalf - 1 || h[kHalf] != kThreads - 1;
}
