// Wrong: threads past the end return before they have loaded their part of the shared weights, which all of
// the others read. That they miss the barrier is what GPUs since Volta allow and CUDA does not; that their
// loads are missing is seen at once.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128;

__global__ void filter(float* out, const float* in, const float* weights, int n) {
  __shared__ float cache[kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  if (i >= n) return;
  cache[t] = weights[t];
  __syncthreads();  // expect-warning: divergent_barrier
  float sum = 0.0f;
  for (int k = 0; k < kBlock; ++k) sum += cache[k] * in[i];  // expect: uninit_shared
  out[i] = sum;
}

int main() {
  const int n = 200;
  std::vector<float> in(n, 1.0f), weights(kBlock, 0.5f), out(n);
  float *d_in, *d_weights, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_weights, kBlock * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_weights, weights.data(), kBlock * sizeof(float), cudaMemcpyHostToDevice);
  filter<<<2, kBlock>>>(d_out, d_in, d_weights, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[%d] = %g, should be %g\n", n - 1, out[n - 1], 0.5f * kBlock);
  cudaFree(d_in), cudaFree(d_weights), cudaFree(d_out);
}
