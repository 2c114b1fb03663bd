// cuSPARSE: handles and descriptions.
#include "sim/libraries/cusparse_objects.h"

using namespace workbook::sim;

namespace {

struct Arrays {
  void *offsets, *indices, *values;
};

cusparseStatus_t create(cusparseSpMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                        std::int64_t entries, const Arrays& arrays, cusparseIndexType_t index_type,
                        cusparseIndexBase_t base, cudaDataType type, cusparseFormat_t format) {
  if (matrix == nullptr || rows < 0 || cols < 0 || entries < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (index_type != CUSPARSE_INDEX_32I || !is_known(type)) {
    *matrix = nullptr;
    because(
        CUSPARSE_STATUS_NOT_SUPPORTED,
        index_type != CUSPARSE_INDEX_32I
            ? "The simulator knows CUSPARSE_INDEX_32I alone: int arrays. Where these are arrays of int, a GPU "
              "takes two of them for one index, and reads past their ends."
            : "The simulator does not know matrices of this type.");
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
  *matrix = new cusparseSpMatDescr{rows,
                                   cols,
                                   entries,
                                   static_cast<int*>(arrays.offsets),
                                   static_cast<int*>(arrays.indices),
                                   arrays.values,
                                   base,
                                   type,
                                   format};
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t set_arrays(cusparseSpMatDescr_t matrix, const Arrays& arrays, cusparseFormat_t format) {
  if (matrix == nullptr || matrix->format != format) return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->offsets = static_cast<int*>(arrays.offsets);
  matrix->indices = static_cast<int*>(arrays.indices);
  matrix->values = arrays.values;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}

const char* cusparseGetErrorName(cusparseStatus_t status) {
  static constexpr const char* kNames[] = {"CUSPARSE_STATUS_SUCCESS",
                                           "CUSPARSE_STATUS_NOT_INITIALIZED",
                                           "CUSPARSE_STATUS_ALLOC_FAILED",
                                           "CUSPARSE_STATUS_INVALID_VALUE",
                                           "CUSPARSE_STATUS_ARCH_MISMATCH",
                                           "CUSPARSE_STATUS_MAPPING_ERROR",
                                           "CUSPARSE_STATUS_EXECUTION_FAILED",
                                           "CUSPARSE_STATUS_INTERNAL_ERROR",
                                           "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                           "CUSPARSE_STATUS_ZERO_PIVOT",
                                           "CUSPARSE_STATUS_NOT_SUPPORTED",
                                           "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
  return status < 0 || status > CUSPARSE_STATUS_INSUFFICIENT_RESOURCES ? "an unknown status" : kNames[status];
}
const char* cusparseGetErrorString(cusparseStatus_t status) {
  switch (status) {
    case CUSPARSE_STATUS_SUCCESS:
      return "success";
    case CUSPARSE_STATUS_NOT_INITIALIZED:
      return "initialization error";
    case CUSPARSE_STATUS_INVALID_VALUE:
      return "invalid value";
    case CUSPARSE_STATUS_EXECUTION_FAILED:
      return "kernel launch failure";
    case CUSPARSE_STATUS_NOT_SUPPORTED:
      return "operation not supported";
    default:
      return cusparseGetErrorName(status);
  }
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* description) {
  if (description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *description = new cusparseMatDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t description) {
  delete description;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t description, cusparseMatrixType_t type) {
  if (description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  description->type = type;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t description, cusparseIndexBase_t base) {
  if (description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  description->base = base;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                                   std::int64_t entries, void* offsets, void* columns, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t column_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
  if (offset_type != column_type) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return create(matrix, rows, cols, entries, {offsets, columns, values}, column_type, base, type,
                CUSPARSE_FORMAT_CSR);
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                                   std::int64_t entries, void* offsets, void* in_rows, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t row_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
  if (offset_type != row_type) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return create(matrix, rows, cols, entries, {offsets, in_rows, values}, row_type, base, type,
                CUSPARSE_FORMAT_CSC);
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                                   std::int64_t entries, void* in_rows, void* columns, void* values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType type) {
  return create(matrix, rows, cols, entries, {in_rows, columns, values}, index_type, base, type,
                CUSPARSE_FORMAT_COO);
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* columns,
                                        void* values) {
  return set_arrays(matrix, {offsets, columns, values}, CUSPARSE_FORMAT_CSR);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* in_rows, void* columns,
                                        void* values) {
  return set_arrays(matrix, {in_rows, columns, values}, CUSPARSE_FORMAT_COO);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  if (matrix == nullptr || values == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, std::int64_t* rows,
                                      std::int64_t* cols, std::int64_t* entries) {
  if (matrix == nullptr || rows == nullptr || cols == nullptr || entries == nullptr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *rows = matrix->rows;
  *cols = matrix->cols;
  *entries = matrix->entries;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void* data, std::size_t bytes) {
  if (matrix == nullptr || data == nullptr || bytes != sizeof(int)) return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    matrix->fill = *static_cast<const cusparseFillMode_t*>(data);
  else
    matrix->diagonal = *static_cast<const cusparseDiagType_t*>(data);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, std::int64_t size, void* values,
                                     cudaDataType type) {
  if (vector == nullptr || size < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!is_known(type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  *vector = new cusparseDnVecDescr{{size, 1, size, values, type, CUSPARSE_ORDER_COL}};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  delete vector;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  if (vector == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  vector->column.values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                                     std::int64_t leading, void* values, cudaDataType type,
                                     cusparseOrder_t order) {
  if (matrix == nullptr || rows < 0 || cols < 0 || leading < (order == CUSPARSE_ORDER_COL ? rows : cols))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!is_known(type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  *matrix = new cusparseDnMatDescr{rows, cols, leading, values, type, order};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // extern "C"
