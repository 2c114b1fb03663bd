#include "workbook_sim/libraries/cublaslt.h"

#include <cmath>
#include <cstring>

#include "clock/gpus.h"
#include "sim/libraries/blas.h"
#include "sim/libraries/gemm.h"

struct cublasLtContext {};
namespace workbook::sim {
namespace {

struct Field {
  void* data = nullptr;
  std::size_t bytes = 0;
};

template <class T>
Field field(T& member) {
  return {const_cast<std::remove_const_t<T>*>(&member), sizeof(T)};
}

Field field_of(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t attribute) {
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
      return field(d->compute);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
      return field(d->scale);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE:
      return field(d->pointer_mode);
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return field(d->op_a);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return field(d->op_b);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return field(d->epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return field(d->bias);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
      return field(d->aux);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
      return field(d->aux_ld);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return field(d->bias_type);
  }
  return {};
}

Field field_of(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t attribute) {
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE:
      return field(l->type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
      return field(l->order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS:
      return field(l->rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS:
      return field(l->cols);
    case CUBLASLT_MATRIX_LAYOUT_LD:
      return field(l->ld);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return field(l->batch);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return field(l->stride);
  }
  return {};
}

cublasStatus_t set(const Field& f, const void* value, std::size_t bytes) {
  if (f.data == nullptr || value == nullptr || bytes != f.bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(f.data, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get(const Field& f, void* value, std::size_t bytes, std::size_t* written) {
  if (written != nullptr) *written = f.bytes;
  if (bytes == 0 && written != nullptr) return CUBLAS_STATUS_SUCCESS;
  if (f.data == nullptr || value == nullptr || bytes < f.bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(value, f.data, f.bytes);
  return CUBLAS_STATUS_SUCCESS;
}

Matrix matrix_of(const cublasLtMatrixLayoutOpaque_t& l, const void* data, int batch) {
  const auto type = static_cast<cudaDataType>(l.type);
  const std::int64_t offset = l.stride * batch * static_cast<std::int64_t>(bytes_of(type));
  return {static_cast<char*>(const_cast<void*>(data)) + offset,
          type,
          static_cast<std::int64_t>(l.rows),
          static_cast<std::int64_t>(l.cols),
          l.ld,
          l.order == CUBLASLT_ORDER_ROW};
}

Scalar scalar(const Call& call, const cublasLtMatmulDescOpaque_t& d, const void* pointer) {
  return {call, pointer, static_cast<cudaDataType>(d.scale), d.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE};
}

/// The epilogue into the terms of Gemm; false when it is not simulated.
bool read_epilogue(const cublasLtMatmulDescOpaque_t& d, cudaDataType type_d, Gemm& g) {
  constexpr std::uint32_t kAux = 128;
  const std::uint32_t activation =
      d.epilogue & ~std::uint32_t{CUBLASLT_EPILOGUE_BIAS | CUBLASLT_EPILOGUE_DEFAULT | kAux};
  if (activation == CUBLASLT_EPILOGUE_RELU)
    g.activation = Activation::relu;
  else if (activation == CUBLASLT_EPILOGUE_GELU)
    g.activation = Activation::gelu;
  else if (activation != 0)
    return false;
  if ((d.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0) {
    g.bias = d.bias;
    g.bias_type = d.bias_type < 0 ? type_d : static_cast<cudaDataType>(d.bias_type);
  }
  if ((d.epilogue & kAux) != 0) {
    if (g.activation != Activation::gelu) return false;  // ReLU's is a mask of bits
    g.aux = d.aux;
    g.aux_ld = d.aux_ld;
  }
  return true;
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (!blas_is_there()) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

std::size_t cublasLtGetVersion() { return 130000; }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* descriptor, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  if (descriptor == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *descriptor = new cublasLtMatmulDescOpaque_t{compute, scale};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t descriptor, cublasComputeType_t compute,
                                      cudaDataType_t scale) {
  if (descriptor == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *descriptor = {compute, scale};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t descriptor) {
  delete descriptor;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              std::size_t bytes) {
  if (descriptor == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return set(field_of(descriptor, attribute), value, bytes);
}

cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatmulDescAttributes_t attribute, void* value,
                                              std::size_t bytes, std::size_t* written) {
  if (descriptor == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return get(field_of(descriptor, attribute), value, bytes, written);
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t cols, std::int64_t ld) {
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *layout =
      new cublasLtMatrixLayoutOpaque_t{static_cast<std::uint32_t>(type), CUBLASLT_ORDER_COL, rows, cols, ld};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type, std::uint64_t rows,
                                        std::uint64_t cols, std::int64_t ld) {
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *layout = {static_cast<std::uint32_t>(type), CUBLASLT_ORDER_COL, rows, cols, ld};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                std::size_t bytes) {
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return set(field_of(layout, attribute), value, bytes);
}

cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, void* value,
                                                std::size_t bytes, std::size_t* written) {
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return get(field_of(layout, attribute), value, bytes, written);
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  if (preference == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *preference = new cublasLtMatmulPreferenceOpaque_t;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  return preference == nullptr ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t, const void* value,
                                                    std::size_t) {
  return preference == nullptr || value == nullptr ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* given) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (descriptor == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr || wanted <= 0 ||
      results == nullptr || given == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  *given = 0;
  Gemm ignored;
  for (const cublasLtMatrixLayout_t layout : {a, b, c, d})
    if (!is_supported(static_cast<cudaDataType>(layout->type))) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!read_epilogue(*descriptor, CUDA_R_32F, ignored)) return CUBLAS_STATUS_NOT_SUPPORTED;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  const double tiles =
      std::ceil(static_cast<double>(d->rows) / 128) * std::ceil(static_cast<double>(d->cols) / 128);
  results[0].wavesCount = static_cast<float>(tiles * d->batch / current_gpu().sms);
  *given = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t descriptor, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t layout_a, const void* b,
                              cublasLtMatrixLayout_t layout_b, const void* beta, const void* c,
                              cublasLtMatrixLayout_t layout_c, void* d, cublasLtMatrixLayout_t layout_d,
                              const cublasLtMatmulAlgo_t*, void*, std::size_t, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (descriptor == nullptr || layout_a == nullptr || layout_b == nullptr || layout_c == nullptr ||
      layout_d == nullptr || alpha == nullptr || beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  Gemm g;
  g.call = WORKBOOK_CALL;
  g.alpha = scalar(g.call, *descriptor, alpha);
  g.beta = scalar(g.call, *descriptor, beta);
  g.transpose_a = descriptor->op_a != CUBLAS_OP_N;
  g.transpose_b = descriptor->op_b != CUBLAS_OP_N;
  g.compute = static_cast<cublasComputeType_t>(descriptor->compute);
  g.tf32 = g.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const auto type_d = static_cast<cudaDataType>(layout_d->type);
  if (!read_epilogue(*descriptor, type_d, g)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (layout_d->batch > 1 && g.aux != nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < layout_d->batch; ++i)
    g.batch.push_back({matrix_of(*layout_a, a, i), matrix_of(*layout_b, b, i), matrix_of(*layout_c, c, i),
                       matrix_of(*layout_d, d, i)});
  return run_gemm(stream, g);
}

}  // extern "C"
