// cuBLAS: handles, and matrix products in all their forms.
#include <map>
#include <memory>

#include "sim/libraries/blas.h"
#include "sim/libraries/cublas_handle.h"

namespace workbook::sim {
namespace {

std::map<cublasHandle_t, std::unique_ptr<cublasContext>>& handles() {
  static std::map<cublasHandle_t, std::unique_ptr<cublasContext>> all;
  return all;
}

/// One product or a batch of them, in the words of cuBLAS. The operands of number i come from `at(i)`.
struct Request {
  Call call;
  cublasHandle_t handle;
  cublasOperation_t op_a, op_b;
  int m, n, k;
  const void *alpha, *beta;
  cudaDataType type_a, type_b, type_c;
  int lda, ldb, ldc;
  cublasComputeType_t compute;
  int count;
};

struct Pointers {
  const void *a, *b;
  void* c;
};

cudaDataType scale_type(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return CUDA_R_32I;
    default:
      return CUDA_R_32F;
  }
}

/// The table of cublasGemmEx() in the cuBLAS documentation, as far as its types are simulated.
bool types_go_together(cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t compute) {
  if (a != b) return false;
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return a == CUDA_R_16F && c == CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return a == CUDA_R_64F && c == CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return a == CUDA_R_8I && c == CUDA_R_32I;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      if (a == CUDA_R_16F || a == CUDA_R_16BF) return c == a || c == CUDA_R_32F;
      return (a == CUDA_R_32F || a == CUDA_R_8I) && c == CUDA_R_32F;
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return a == CUDA_R_32F && c == CUDA_R_32F;
  }
  return false;
}

Matrix operand(const void* data, cudaDataType type, cublasOperation_t op, int rows, int cols, int ld) {
  const bool flipped = op != CUBLAS_OP_N;
  return {const_cast<void*>(data), type, flipped ? cols : rows, flipped ? rows : cols, ld, false};
}

/// Pointers in lists, which lie in device memory.
struct Lists {
  const void* const* a;
  const void* const* b;
  void* const* c;
};

template <class At>
cublasStatus_t multiply_all(const Request& r, const At& at, const Lists* lists = nullptr) {
  if (!is_handle(r.handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (r.m < 0 || r.n < 0 || r.k < 0 || r.count < 0 || r.alpha == nullptr || r.beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!types_go_together(r.type_a, r.type_b, r.type_c, r.compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (r.m == 0 || r.n == 0) return CUBLAS_STATUS_SUCCESS;
  Gemm g;
  g.call = r.call;
  g.transpose_a = r.op_a != CUBLAS_OP_N;
  g.transpose_b = r.op_b != CUBLAS_OP_N;
  g.alpha = scalar(r.call, r.handle, r.alpha, scale_type(r.compute));
  g.beta = scalar(r.call, r.handle, r.beta, scale_type(r.compute));
  g.compute = r.compute;
  const bool tensor_cores =
      r.handle->math == CUBLAS_TF32_TENSOR_OP_MATH || r.handle->math == CUBLAS_TENSOR_OP_MATH;
  g.tf32 = r.type_a == CUDA_R_32F &&
           (r.compute == CUBLAS_COMPUTE_32F_FAST_TF32 || (r.compute == CUBLAS_COMPUTE_32F && tensor_cores));
  for (int i = 0; i < r.count; ++i) {
    const Pointers p = at(i);
    const Matrix c = operand(p.c, r.type_c, CUBLAS_OP_N, r.m, r.n, r.ldc);
    g.batch.push_back({operand(p.a, r.type_a, r.op_a, r.m, r.k, r.lda),
                       operand(p.b, r.type_b, r.op_b, r.k, r.n, r.ldb), c, c});
  }
  if (lists != nullptr) {
    for (const void* list : {static_cast<const void*>(lists->a), static_cast<const void*>(lists->b),
                             static_cast<const void*>(lists->c)})
      g.lists.push_back({list, static_cast<std::size_t>(r.count) * sizeof(void*)});
    g.follow = [from = *lists](std::vector<Gemm::Operands>& batch) {
      for (std::size_t i = 0; i < batch.size(); ++i) {
        batch[i].a.data = const_cast<void*>(from.a[i]);
        batch[i].b.data = const_cast<void*>(from.b[i]);
        batch[i].c.data = batch[i].d.data = from.c[i];
      }
    };
  }
  return run_gemm(r.handle->stream, g);
}

cublasStatus_t multiply_strided(const Request& r, const void* a, long long stride_a, const void* b,
                                long long stride_b, void* c, long long stride_c) {
  const auto step = [](const void* base, cudaDataType type, long long stride, int i) {
    return static_cast<char*>(const_cast<void*>(base)) + stride * i * static_cast<long long>(bytes_of(type));
  };
  return multiply_all(r, [&](int i) {
    return Pointers{step(a, r.type_a, stride_a, i), step(b, r.type_b, stride_b, i),
                    step(c, r.type_c, stride_c, i)};
  });
}

cublasStatus_t multiply_listed(const Request& r, const Lists& lists) {
  return multiply_all(
      r, [](int) { return Pointers{}; }, &lists);
}

template <class T>
constexpr cublasComputeType_t kCompute = CUBLAS_COMPUTE_32F;
template <>
constexpr cublasComputeType_t kCompute<double> = CUBLAS_COMPUTE_64F;
template <>
constexpr cublasComputeType_t kCompute<__half> = CUBLAS_COMPUTE_16F;

template <class T>
Request request(const Call& call, cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                int m, int n, int k, const T* alpha, int lda, int ldb, const T* beta, int ldc, int count) {
  return {call,     handle,   op_a,     op_b, m,   n,   k,           alpha, beta,
          kType<T>, kType<T>, kType<T>, lda,  ldb, ldc, kCompute<T>, count};
}

}  // namespace

bool is_handle(cublasHandle_t handle) { return handles().count(handle) > 0; }

Scalar scalar(const Call& call, cublasHandle_t handle, const void* pointer, cudaDataType type) {
  return {call, pointer, type, handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE};
}

cublasStatus_t status_of(cudaError_t error) {
  if (error == cudaSuccess) return CUBLAS_STATUS_SUCCESS;
  return error == cudaErrorInvalidResourceHandle ? CUBLAS_STATUS_INVALID_VALUE
                                                 : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (!blas_is_there()) return CUBLAS_STATUS_NOT_INITIALIZED;
  auto made = std::make_unique<cublasContext>();
  *handle = made.get();
  handles().emplace(*handle, std::move(made));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  return handles().erase(handle) == 0 ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  *version = 130000;
  return CUBLAS_STATUS_SUCCESS;
}

#define WORKBOOK_SETTING(NAME, TYPE, FIELD)                            \
  cublasStatus_t cublasSet##NAME(cublasHandle_t handle, TYPE value) {  \
    if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;      \
    handle->FIELD = value;                                             \
    return CUBLAS_STATUS_SUCCESS;                                      \
  }                                                                    \
  cublasStatus_t cublasGet##NAME(cublasHandle_t handle, TYPE* value) { \
    if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;      \
    if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;          \
    *value = handle->FIELD;                                            \
    return CUBLAS_STATUS_SUCCESS;                                      \
  }
WORKBOOK_SETTING(Stream, cudaStream_t, stream)
WORKBOOK_SETTING(PointerMode, cublasPointerMode_t, pointer_mode)
WORKBOOK_SETTING(MathMode, cublasMath_t, math)
#undef WORKBOOK_SETTING

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t) {
  return is_handle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, std::size_t bytes) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Call call = WORKBOOK_CALL;
  if (bytes > 0 && (!check_device_side(call, workspace) || !may_use(call, {workspace, bytes}, Use::writes)))
    return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

#define WORKBOOK_GEMM(P, T)                                                                                \
  cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,    \
                                 int m, int n, int k, const T* alpha, const T* a, int lda, const T* b,     \
                                 int ldb, const T* beta, T* c, int ldc) {                                  \
    return multiply_strided(                                                                               \
        request<T>(WORKBOOK_CALL, handle, op_a, op_b, m, n, k, alpha, lda, ldb, beta, ldc, 1), a, 0, b, 0, \
        c, 0);                                                                                             \
  }                                                                                                        \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                            \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,          \
      const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb, long long stride_b,    \
      const T* beta, T* c, int ldc, long long stride_c, int count) {                                       \
    return multiply_strided(                                                                               \
        request<T>(WORKBOOK_CALL, handle, op_a, op_b, m, n, k, alpha, lda, ldb, beta, ldc, count), a,      \
        stride_a, b, stride_b, c, stride_c);                                                               \
  }
WORKBOOK_GEMM(S, float)
WORKBOOK_GEMM(D, double)
WORKBOOK_GEMM(H, __half)
#undef WORKBOOK_GEMM

#define WORKBOOK_GEMM_BATCHED(P, T)                                                                  \
  cublasStatus_t cublas##P##gemmBatched(cublasHandle_t handle, cublasOperation_t op_a,               \
                                        cublasOperation_t op_b, int m, int n, int k, const T* alpha, \
                                        const T* const a[], int lda, const T* const b[], int ldb,    \
                                        const T* beta, T* const c[], int ldc, int count) {           \
    return multiply_listed(                                                                          \
        request<T>(WORKBOOK_CALL, handle, op_a, op_b, m, n, k, alpha, lda, ldb, beta, ldc, count),   \
        {reinterpret_cast<const void* const*>(a), reinterpret_cast<const void* const*>(b),           \
         reinterpret_cast<void* const*>(c)});                                                        \
  }
WORKBOOK_GEMM_BATCHED(S, float)
WORKBOOK_GEMM_BATCHED(D, double)
WORKBOOK_GEMM_BATCHED(H, __half)
#undef WORKBOOK_GEMM_BATCHED

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                            const void* b, cudaDataType type_b, int ldb, const void* beta, void* c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply_strided({WORKBOOK_CALL, handle, op_a, op_b, m, n, k, alpha, beta, type_a, type_b, type_c,
                           lda, ldb, ldc, compute, 1},
                          a, 0, b, 0, c, 0);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType type_a, int lda, long long stride_a,
                                          const void* b, cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
  return multiply_strided({WORKBOOK_CALL, handle, op_a, op_b, m, n, k, alpha, beta, type_a, type_b, type_c,
                           lda, ldb, ldc, compute, count},
                          a, stride_a, b, stride_b, c, stride_c);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                   int m, int n, int k, const void* alpha, const void* const a[],
                                   cudaDataType type_a, int lda, const void* const b[], cudaDataType type_b,
                                   int ldb, const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply_listed({WORKBOOK_CALL, handle, op_a, op_b, m, n, k, alpha, beta, type_a, type_b, type_c,
                          lda, ldb, ldc, compute, count},
                         {a, b, c});
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                             int n, int k, const float* alpha, const void* a, cudaDataType type_a, int lda,
                             const void* b, cudaDataType type_b, int ldb, const float* beta, void* c,
                             cudaDataType type_c, int ldc) {
  return multiply_strided({WORKBOOK_CALL, handle, op_a, op_b, m, n, k, alpha, beta, type_a, type_b, type_c,
                           lda, ldb, ldc, CUBLAS_COMPUTE_32F, 1},
                          a, 0, b, 0, c, 0);
}

}  // extern "C"
