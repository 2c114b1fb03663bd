// The flags of a chained scan are reset before each launch.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kThreads = 64, kBlocks = 8;
struct Carry {
  volatile int flag;
  volatile int sum;
};

__global__ void scan(const int* in, int* out, Carry* carry) {
  __shared__ int s[kThreads], before;
  const int t = threadIdx.x, b = blockIdx.x;
  s[t] = in[b * kThreads + t];
  __syncthreads();
  for (int d = 1; d < kThreads; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (t == 0) {
    before = 0;
    if (b > 0) {
      while (carry[b - 1].flag == 0) {
      }
      __threadfence();
      before = carry[b - 1].sum;
    }
    carry[b].sum = before + s[kThreads - 1];
    __threadfence();
    carry[b].flag = 1;
  }
  __syncthreads();
  out[b * kThreads + t] = before + s[t];
}

int main() {
  const int n = kThreads * kBlocks;
  int *in, *out, h[n];
  Carry* carry;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&carry, kBlocks * sizeof(Carry));
  cudaMemset(carry, 0, kBlocks * sizeof(Carry));
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < n; ++i) h[i] = i % 5 + turn;
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(carry, 0, kBlocks * sizeof(Carry));
    scan<<<kBlocks, kThreads>>>(in, out, carry);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d\n", h[n - 1]);
  }
  cudaFree(in);
  cudaFree(out);
  cudaFree(carry);
}
