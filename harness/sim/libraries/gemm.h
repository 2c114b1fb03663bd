// Matrix products of all the types and layouts that cuBLAS and cuBLASLt accept, reduced to two of BLAS.
#pragma once

#include <cstdint>

#include "sim/libraries/library_launch.h"
#include "workbook_sim/libraries/blas_types.h"

namespace workbook::sim {

/// A matrix as it lies in memory. Column-major: column j begins at element j * ld; row-major: row i does.
struct Matrix {
  void* data = nullptr;
  cudaDataType type = CUDA_R_32F;
  std::int64_t rows = 0, cols = 0, ld = 0;
  bool row_major = false;
};

enum class Activation { none, relu, gelu };

/// D = activation(alpha * op(A) * op(B) + beta * C + bias), with op(A) of D's rows and op(B) of D's columns.
struct Gemm {
  Call call;
  bool transpose_a = false, transpose_b = false;
  Scalar alpha = Scalar(1), beta = Scalar(0);
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  bool tf32 = false;  ///< float inputs are rounded to 10 bits of mantissa first
  Activation activation = Activation::none;
  const void* bias = nullptr;  ///< an element for each row of D
  cudaDataType bias_type = CUDA_R_32F;
  void* aux = nullptr;  ///< where the activation's input goes, in D's type and layout, with aux_ld
  std::int64_t aux_ld = 0;

  struct Operands {
    Matrix a, b, c, d;
  };
  std::vector<Operands> batch;  ///< of one shape
  /// Where the operands' places stand in lists in device memory: these, and who fills them in when it runs.
  std::vector<Range> lists = {};
  std::function<void(std::vector<Operands>&)> follow = {};
};

std::size_t bytes_of(cudaDataType type);
/// Whether products of these types are computed; others are CUBLAS_STATUS_NOT_SUPPORTED.
bool is_supported(cudaDataType type);

/// CUBLAS_STATUS_INVALID_VALUE for shapes that do not fit together or leading dimensions that are too small,
/// CUBLAS_STATUS_EXECUTION_FAILED after a finding about memory.
cublasStatus_t run_gemm(cudaStream_t stream, const Gemm& gemm);

/// One element of memory as a number, and the other way round with the type's rounding.
double load(const void* data, cudaDataType type, std::int64_t index);
void store(void* data, cudaDataType type, std::int64_t index, double value);

}  // namespace workbook::sim
