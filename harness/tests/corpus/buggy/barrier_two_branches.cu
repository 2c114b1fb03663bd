// Wrong: producers and consumers each have a barrier of their own in their branch; a barrier is a place in
// the code, and all threads of the block must come to the same one.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void produce_consume(float* out, const float* in) {
  __shared__ float slot[32];
  const int t = threadIdx.x;
  if (t < 32) {
    slot[t] = 2.0f * in[t];
    __syncthreads();  // expect: divergent_barrier
  } else {
    __syncthreads();  // expect-other: divergent_barrier
    out[t - 32] = slot[t - 32];
  }
}

int main() {
  std::vector<float> in(32, 1.5f), out(32);
  float *d_in, *d_out;
  cudaMalloc(&d_in, 32 * sizeof(float));
  cudaMalloc(&d_out, 32 * sizeof(float));
  cudaMemcpy(d_in, in.data(), 32 * sizeof(float), cudaMemcpyHostToDevice);
  produce_consume<<<1, 64>>>(d_out, d_in);
  cudaMemcpy(out.data(), d_out, 32 * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g\n", out[0]);
  cudaFree(d_in);
  cudaFree(d_out);
}
