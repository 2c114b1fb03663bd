// Tiles for tensor cores whose rows lie a multiple of 16 bytes apart, and that begin at multiples of 32
// bytes.
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

__global__ void multiply(const half* a, const half* b, float* c) {
  __shared__ half tile[16][24];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i / 16][i % 16] = a[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(fa, &tile[0][0], 24);
  wmma::load_matrix_sync(fb, b + 16, 16);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

int main() {
  half ones[512], *a, *b;
  float got[256], *c;
  for (half& one : ones) one = __float2half(1.0f);
  cudaMalloc(&a, sizeof ones);
  cudaMalloc(&b, sizeof ones);
  cudaMalloc(&c, sizeof got);
  cudaMemcpy(a, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaMemcpy(b, ones, sizeof ones, cudaMemcpyHostToDevice);
  multiply<<<1, 32>>>(a, b, c);
  cudaMemcpy(got, c, sizeof got, cudaMemcpyDeviceToHost);
  for (float v : got)
    if (v != 16.0f) return 1;
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
