// Wrong: the address of a __constant__ array that the host takes is that of its own copy.
__constant__ float taps[4];

__global__ void scale(const float* factors, float* x) {
  x[threadIdx.x] *= factors[threadIdx.x % 4];  // expect: host_deref
}

int main() {
  const float h[4] = {1, 2, 3, 4};
  float* x;
  cudaMalloc(&x, 32 * sizeof(float));
  cudaMemset(x, 0, 32 * sizeof(float));
  cudaMemcpyToSymbol(taps, h, sizeof h);
  scale<<<1, 32>>>(taps, x);
  cudaFree(x);
}
