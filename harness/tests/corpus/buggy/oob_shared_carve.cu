// Wrong: two arrays are carved out of the dynamic shared memory, and the launch counts only the first.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sort_by_parity(int* out, const int* in, int n) {
  extern __shared__ int pool[];
  int* even = pool;
  int* odd = pool + n;
  const int t = threadIdx.x;
  even[t] = in[t] % 2 == 0 ? in[t] : 0;
  odd[t] = in[t] % 2 == 0 ? 0 : in[t];  // expect: oob_shared
  __syncthreads();
  out[t] = even[t] + odd[n - 1 - t];  // expect-other: oob_shared
}

int main() {
  const int n = 128;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sort_by_parity<<<1, n, n * sizeof(int)>>>(d_out, d_in, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %d\n", out[0]);
  cudaFree(d_in);
  cudaFree(d_out);
}
