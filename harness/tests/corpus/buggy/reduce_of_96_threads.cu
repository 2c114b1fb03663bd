// Wrong: a reduction that halves the number of its threads is launched with 96: of the last three sums it
// adds two.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void sum(int* out, const int* in) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {  // expect-warning: bad_launch; says: 24, 12, 6, 3, 1
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  int host[192], *in, *out;
  for (int& value : host) value = 1;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<2, 96, 96 * sizeof(int)>>>(out, in);
  cudaMemcpy(host, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(in);
  cudaFree(out);
}
