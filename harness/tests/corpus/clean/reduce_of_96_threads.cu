// Reductions of 96 threads: halved rounded up; with the odd one added beside; and one by powers of two that
// stands beside them in text that is not compiled.
#include <cuda_runtime.h>
#include <cstdio>

#define ROUND_UP

__global__ void sum(int* out, const int* in) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
#ifdef ROUND_UP
  for (int n = blockDim.x; n > 1; n = (n + 1) / 2) {
    const int half = (n + 1) / 2;
    if (t + half < n) s[t] += s[t + half];
    __syncthreads();
  }
#else
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
#endif
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void sum_with_odd(int* out, const int* in) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  int n = blockDim.x;
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    if (n % 2 == 1 && t == 0) s[0] += s[n - 1];
    n = d;
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  int host[192], *in, *out;
  for (int& value : host) value = 1;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<2, 96, 96 * sizeof(int)>>>(out, in);
  sum_with_odd<<<2, 96, 96 * sizeof(int)>>>(out + 2, in);
  cudaMemcpy(host, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[3]);
  cudaFree(in);
  cudaFree(out);
  return host[0] == 96 && host[3] == 96 ? 0 : 2;
}
