// alpha and beta on the device, which a kernel of the same graph writes: each launch takes them as they are
// then.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstdio>

constexpr int kCount = 4;

#define CHECK(call) \
  if ((call) != 0) return std::printf("line %d\n", __LINE__), 1

// factors: alpha, which counts the launches, and a beta of 0.
__global__ void count_up(float* factors, const float* launches) {
  factors[0] = *launches + 1, factors[1] = 0;
}
__global__ void note_launch(float* launches) { *launches += 1; }

int expect(const char* what, const float* device, float wanted) {
  float x[kCount];
  CHECK(cudaMemcpy(x, device, sizeof x, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kCount; ++i)
    if (x[i] != wanted) return std::printf("%s[%d] is %g, not %g\n", what, i, x[i], wanted), 1;
  return 0;
}

int main() {
  // Of ones: a vector, the unit matrix in full and as compressed rows. Nothing has written what beta = 0
  // keeps.
  float ones[kCount] = {1, 1, 1, 1}, unit[kCount * kCount] = {};
  int rows[kCount + 1], columns[kCount];
  for (int i = 0; i < kCount; ++i) unit[i * kCount + i] = 1, rows[i] = columns[i] = i;
  rows[kCount] = kCount;
  float *launches, *factors, *x, *scaled, *sum, *matrix, *by_gemv, *by_geam, *by_spmv, *values;
  int *d_rows, *d_columns;
  for (float** p : {&scaled, &sum, &x, &values, &by_gemv}) CHECK(cudaMalloc(p, sizeof ones));
  for (float** p : {&matrix, &by_geam}) CHECK(cudaMalloc(p, sizeof unit));
  CHECK(cudaMalloc(&by_spmv, sizeof ones));
  CHECK(cudaMalloc(&factors, 2 * sizeof(float)));
  CHECK(cudaMalloc(&launches, sizeof(float)));
  CHECK(cudaMalloc(&d_rows, sizeof rows));
  CHECK(cudaMalloc(&d_columns, sizeof columns));
  for (float* p : {scaled, sum, x, values}) CHECK(cudaMemcpy(p, ones, sizeof ones, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(matrix, unit, sizeof unit, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_columns, columns, sizeof columns, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(launches, 0, sizeof(float)));

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cublasHandle_t blas;
  CHECK(cublasCreate(&blas));
  CHECK(cublasSetStream(blas, stream));
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  cusparseHandle_t sparse;
  CHECK(cusparseCreate(&sparse));
  CHECK(cusparseSetStream(sparse, stream));
  CHECK(cusparseSetPointerMode(sparse, CUSPARSE_POINTER_MODE_DEVICE));
  cusparseSpMatDescr_t rows_of_unit;
  cusparseDnVecDescr_t in, out;
  CHECK(cusparseCreateCsr(&rows_of_unit, kCount, kCount, kCount, d_rows, d_columns, values,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&in, kCount, x, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&out, kCount, by_spmv, CUDA_R_32F));

  const float *alpha = factors, *beta = factors + 1;
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  count_up<<<1, 1, 0, stream>>>(factors, launches);
  CHECK(cublasSscal(blas, kCount, alpha, scaled, 1));
  CHECK(cublasSaxpy(blas, kCount, alpha, x, 1, sum, 1));
  CHECK(cublasSgemv(blas, CUBLAS_OP_N, kCount, kCount, alpha, matrix, kCount, x, 1, beta, by_gemv, 1));
  CHECK(cublasSgeam(blas, CUBLAS_OP_N, CUBLAS_OP_N, kCount, kCount, alpha, matrix, kCount, beta, matrix,
                    kCount, by_geam, kCount));
  CHECK(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, rows_of_unit, in, beta, out, CUDA_R_32F,
                     CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  note_launch<<<1, 1, 0, stream>>>(launches);
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int launch = 0; launch < 3; ++launch) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  if (expect("scaled", scaled, 1 * 2 * 3) || expect("sum", sum, 1 + 1 + 2 + 3) ||
      expect("by_gemv", by_gemv, 3) || expect("by_spmv", by_spmv, 3))
    return 1;
  float corner;
  CHECK(cudaMemcpy(&corner, by_geam, sizeof corner, cudaMemcpyDeviceToHost));
  if (corner != 3) return std::printf("by_geam is %g\n", corner), 1;

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cusparseDestroySpMat(rows_of_unit));
  CHECK(cusparseDestroyDnVec(in));
  CHECK(cusparseDestroyDnVec(out));
  CHECK(cusparseDestroy(sparse));
  CHECK(cublasDestroy(blas));
  CHECK(cudaStreamDestroy(stream));
  for (float* p : {launches, factors, x, scaled, sum, matrix, by_gemv, by_geam, by_spmv, values})
    CHECK(cudaFree(p));
  for (int* p : {d_rows, d_columns}) CHECK(cudaFree(p));
  std::printf("scalars: PASSED\n");
  return 0;
}
