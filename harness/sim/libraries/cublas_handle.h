// What a cuBLAS handle holds, and what all routines begin with.
#pragma once

#include "sim/libraries/blas.h"
#include "sim/libraries/gemm.h"
#include "workbook_sim/libraries/cublas.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace workbook::sim {

/// Whether it came from cublasCreate() and was not destroyed.
bool is_handle(cublasHandle_t handle);

/// alpha or beta, which lies where the pointer mode says. Not null.
Scalar scalar(const Call& call, cublasHandle_t handle, const void* pointer, cudaDataType type);

cublasStatus_t status_of(cudaError_t error);

inline Turned turned(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? Turned::no : op == CUBLAS_OP_T ? Turned::transposed : Turned::conjugated;
}

template <class T>
constexpr cudaDataType kType = CUDA_R_32F;
template <>
constexpr cudaDataType kType<double> = CUDA_R_64F;
template <>
constexpr cudaDataType kType<__half> = CUDA_R_16F;

}  // namespace workbook::sim
