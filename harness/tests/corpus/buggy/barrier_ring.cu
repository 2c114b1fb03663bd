// Wrong: the producers wait until the buffer was emptied once, before they fill it for the first time.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int kWarp = 32, kConsumers = 64, kThreads = kWarp + kConsumers;

__global__ void stream(int* out, const int* in, int turns) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full, empty;
  __shared__ int buffer[kConsumers];
  if (threadIdx.x == 0) {
    init(&full, kWarp);
    init(&empty, kConsumers);
  }
  __syncthreads();
  for (int turn = 0; turn < turns; ++turn) {
    const bool parity = turn % 2 != 0;
    if (threadIdx.x < kWarp) {
      empty.wait_parity(parity);  // expect: barrier_deadlock
      for (int i = threadIdx.x; i < kConsumers; i += kWarp) buffer[i] = in[turn * kConsumers + i];
      (void)full.arrive();
    } else {
      const int c = threadIdx.x - kWarp;
      full.wait_parity(parity);  // expect-other: barrier_deadlock
      out[turn * kConsumers + c] = buffer[kConsumers - 1 - c];
      (void)empty.arrive();
    }
  }
}

int main() {
  const int turns = 9, n = turns * kConsumers;
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemset(d_in, 0, n * sizeof(int));
  stream<<<1, kThreads>>>(d_out, d_in, turns);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d_in);
  cudaFree(d_out);
}
