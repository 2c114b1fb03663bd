// More than there is of constant memory.
__constant__ float table[20000];  // refused: __constant__ memory has 64 KiB, table

__global__ void look(float* out) { out[threadIdx.x] = table[threadIdx.x]; }

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  look<<<1, 32>>>(out);
  cudaFree(out);
}
