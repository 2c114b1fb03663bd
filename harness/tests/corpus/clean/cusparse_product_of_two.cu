// The product of two sparse matrices, step by step.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstdio>

int main() {
  // 1 2 / 0 3, times itself: 1 8 / 0 9
  const int offsets[3] = {0, 2, 3}, columns[3] = {0, 1, 1};
  const float values[3] = {1, 2, 3}, one = 1, zero = 0;
  int *d_offsets, *d_columns, *c_offsets, *c_columns;
  float *d_values, *c_values, out[3] = {};
  cudaMalloc(&d_offsets, sizeof offsets);
  cudaMalloc(&d_columns, sizeof columns);
  cudaMalloc(&d_values, sizeof values);
  cudaMalloc(&c_offsets, sizeof offsets);
  cudaMemcpy(d_offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice);
  cudaMemcpy(d_columns, columns, sizeof columns, cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a, c;
  cusparseSpGEMMDescr_t state;
  cusparseCreate(&handle);
  cusparseCreateCsr(&a, 2, 2, 3, d_offsets, d_columns, d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateCsr(&c, 2, 2, 0, c_offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseSpGEMM_createDescr(&state);
  const cusparseOperation_t as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpGEMMAlg_t any = CUSPARSE_SPGEMM_DEFAULT;
  std::size_t first_bytes = 0, second_bytes = 0;
  void *first, *second;
  cusparseSpGEMM_workEstimation(handle, as_is, as_is, &one, a, a, &zero, c, CUDA_R_32F, any, state,
                                &first_bytes, nullptr);
  cudaMalloc(&first, first_bytes);
  cusparseSpGEMM_workEstimation(handle, as_is, as_is, &one, a, a, &zero, c, CUDA_R_32F, any, state,
                                &first_bytes, first);
  cusparseSpGEMM_compute(handle, as_is, as_is, &one, a, a, &zero, c, CUDA_R_32F, any, state, &second_bytes,
                         nullptr);
  cudaMalloc(&second, second_bytes);
  cusparseSpGEMM_compute(handle, as_is, as_is, &one, a, a, &zero, c, CUDA_R_32F, any, state, &second_bytes,
                         second);
  std::int64_t rows, cols, entries;
  cusparseSpMatGetSize(c, &rows, &cols, &entries);
  cudaMalloc(&c_columns, static_cast<std::size_t>(entries) * sizeof(int));
  cudaMalloc(&c_values, static_cast<std::size_t>(entries) * sizeof(float));
  cusparseCsrSetPointers(c, c_offsets, c_columns, c_values);
  cusparseSpGEMM_copy(handle, as_is, as_is, &one, a, a, &zero, c, CUDA_R_32F, any, state);
  cudaMemcpy(out, c_values, sizeof out, cudaMemcpyDeviceToHost);
  const int wrong = entries != 3 || out[0] != 1 || out[1] != 8 || out[2] != 9;
  std::printf("%d wrong\n", wrong);
  cusparseSpGEMM_destroyDescr(state);
  cusparseDestroySpMat(a);
  cusparseDestroySpMat(c);
  cusparseDestroy(handle);
  for (void* each : {static_cast<void*>(d_offsets), static_cast<void*>(d_columns),
                     static_cast<void*>(d_values), static_cast<void*>(c_offsets),
                     static_cast<void*>(c_columns), static_cast<void*>(c_values), first, second})
    cudaFree(each);
  return wrong;
}
