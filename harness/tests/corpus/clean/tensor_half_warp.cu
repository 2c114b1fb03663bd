// Whole warps work with tensor cores.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>
#include <vector>

using namespace nvcuda;

__global__ void tiles(const half* a, const half* b, float* c, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int warp = t / 32;
  if (warp % 2 == 0) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    wmma::load_matrix_sync(fa, a, n);
    wmma::load_matrix_sync(fb, b, n);
    wmma::mma_sync(acc, fa, fb, acc);
    wmma::store_matrix_sync(c + (warp / 2) * 256, acc, 16, wmma::mem_row_major);
  }
}

int main() {
  const int n = 16;
  std::vector<half> a(256, __float2half(1.0f));
  half *da, *db;
  float *dc, c[512];
  cudaMalloc(&da, 512);
  cudaMalloc(&db, 512);
  cudaMalloc(&dc, sizeof c);
  cudaMemset(dc, 0, sizeof c);
  cudaMemcpy(da, a.data(), 512, cudaMemcpyHostToDevice);
  cudaMemcpy(db, a.data(), 512, cudaMemcpyHostToDevice);
  tiles<<<1, 64>>>(da, db, dc, n);
  cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
  std::printf("%f\n", c[0]);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
}
