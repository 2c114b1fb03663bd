// Wrong: the last warp has 16 threads, and its first lane adds what lane 16 would have.
__global__ void sum(const int* x, int* out) {
  int v = x[threadIdx.x];
  const unsigned lanes = threadIdx.x < 32 ? 0xffffffffu : 0xffffu;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(lanes, v, d);  // expect: bad_warp_mask
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}

int main() {
  int *x, *out;
  cudaMalloc(&x, 48 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(x, 0, 48 * sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  sum<<<1, 48>>>(x, out);
  cudaFree(x);
  cudaFree(out);
}
