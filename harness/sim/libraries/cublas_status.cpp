// The words for cuBLAS's statuses.
#include "workbook_sim/libraries/blas_types.h"

#define WORKBOOK_STATUSES(X)                                             \
  X(CUBLAS_STATUS_SUCCESS, "success")                                    \
  X(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized")    \
  X(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed")        \
  X(CUBLAS_STATUS_INVALID_VALUE, "an invalid value was provided")        \
  X(CUBLAS_STATUS_ARCH_MISMATCH, "the device lacks a needed feature")    \
  X(CUBLAS_STATUS_MAPPING_ERROR, "an access to GPU memory space failed") \
  X(CUBLAS_STATUS_EXECUTION_FAILED, "the GPU program failed to execute") \
  X(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed")        \
  X(CUBLAS_STATUS_NOT_SUPPORTED, "the operation is not supported")       \
  X(CUBLAS_STATUS_LICENSE_ERROR, "the license check failed")

extern "C" {

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define WORKBOOK_NAME(STATUS, TEXT) \
  case STATUS:                      \
    return #STATUS;
    WORKBOOK_STATUSES(WORKBOOK_NAME)
#undef WORKBOOK_NAME
  }
  return "CUBLAS_STATUS_UNKNOWN";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define WORKBOOK_TEXT(STATUS, TEXT) \
  case STATUS:                      \
    return TEXT;
    WORKBOOK_STATUSES(WORKBOOK_TEXT)
#undef WORKBOOK_TEXT
  }
  return "an unknown status";
}

}  // extern "C"
