// Kernels throw nothing.
__global__ void check(int* out, int n) {
  if (n < 0) throw n;  // refused: device code does not support exception handling
  out[threadIdx.x] = n;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  check<<<1, 32>>>(out, 32);
  cudaFree(out);
}
