// Indices as their descriptor says.
#include <cuda_runtime.h>
#include <cusparse.h>
#include <cstdio>
int main() {
  const int n = 4, nnz = 6;
  int row[] = {0, 2, 3, 5, 6}, col[] = {0, 1, 1, 2, 3, 3};
  float val[] = {1, 2, 3, 4, 5, 6}, x[] = {1, 1, 1, 1}, y[4], one = 1, zero = 0;
  int *dr, *dc;
  float *dv, *dx, *dy;
  cudaMalloc(&dr, sizeof row);
  cudaMalloc(&dc, sizeof col);
  cudaMalloc(&dv, sizeof val);
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof y);
  cudaMemcpy(dr, row, sizeof row, cudaMemcpyHostToDevice);
  cudaMemcpy(dc, col, sizeof col, cudaMemcpyHostToDevice);
  cudaMemcpy(dv, val, sizeof val, cudaMemcpyHostToDevice);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  cusparseHandle_t h;
  cusparseCreate(&h);
  cusparseSpMatDescr_t A;
  cusparseDnVecDescr_t X, Y;
  cusparseCreateCsr(&A, n, n, nnz, dr, dc, dv, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&X, n, dx, CUDA_R_32F);
  cusparseCreateDnVec(&Y, n, dy, CUDA_R_32F);
  size_t bytes = 0;
  void* buf = nullptr;
  cusparseSpMV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &zero, Y, CUDA_R_32F,
                          CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  cudaMalloc(&buf, bytes + 1);
  cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &zero, Y, CUDA_R_32F,
               CUSPARSE_SPMV_ALG_DEFAULT, buf);
  cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
  printf("%g %g\n", y[0], y[3]);
  cusparseDestroySpMat(A);
  cusparseDestroyDnVec(X);
  cusparseDestroyDnVec(Y);
  cusparseDestroy(h);
  cudaFree(dr);
  cudaFree(dc);
  cudaFree(dv);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(buf);
}
