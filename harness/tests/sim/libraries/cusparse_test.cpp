// cuSPARSE's products against sums on the host; and what is found in their memory.
#include <cusparse.h>

#include "device.h"
#include "device_array.h"
#include "tests/catch.h"

namespace {

// 1 0 2 / 0 0 0 / 3 4 0 / 0 5 6, indices from 1 on.
const std::vector<int> kOffsets = {1, 3, 3, 5, 7}, kColumns = {1, 3, 1, 2, 2, 3};

}  // namespace

TEST_CASE("cuSPARSE: rows times a vector, also turned, and times a matrix") {
  Device device;
  DeviceArray<int> offsets(kOffsets), columns(kColumns);
  DeviceArray<float> values({1, 2, 3, 4, 5, 6}), x({1, 10, 100}), y({1, 1, 1, 1}), turned({7, 7, 7});
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t vx = nullptr, vy = nullptr, vt = nullptr;
  REQUIRE(cusparseCreate(&handle) == CUSPARSE_STATUS_SUCCESS);
  REQUIRE(cusparseCreateCsr(&a, 4, 3, 6, offsets.data(), columns.data(), values.data(), CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE,
                            CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS);
  cusparseCreateDnVec(&vx, 3, x.data(), CUDA_R_32F);
  cusparseCreateDnVec(&vy, 4, y.data(), CUDA_R_32F);
  cusparseCreateDnVec(&vt, 3, turned.data(), CUDA_R_32F);
  const float two = 2.0f, three = 3.0f, zero = 0.0f;
  CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, a, vx, &three, vy, CUDA_R_32F,
                     CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_SUCCESS);
  CHECK(y.values() == std::vector<float>{405, 3, 89, 1303});
  CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &two, a, vy, &zero, vt, CUDA_R_32F,
                     CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_SUCCESS);
  CHECK(turned.values() ==
        std::vector<float>{2 * (405 + 3 * 89), 2 * (4 * 89 + 5 * 1303), 2 * (2 * 405 + 6 * 1303)});
  CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, a, vy, &zero, vt, CUDA_R_32F,
                     CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, a, vx, &zero, vy, CUDA_R_64F,
                     CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_NOT_SUPPORTED);

  DeviceArray<float> b({1, 10, 100, 2, 20, 200}), c(std::vector<float>(8, 0));  // two columns
  cusparseDnMatDescr_t mb = nullptr, mc = nullptr;
  cusparseCreateDnMat(&mb, 3, 2, 3, b.data(), CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&mc, 4, 2, 2, c.data(), CUDA_R_32F, CUSPARSE_ORDER_ROW);
  const float one = 1.0f;
  CHECK(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, mb,
                     &zero, mc, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_SUCCESS);
  CHECK(c.values() == std::vector<float>{201, 402, 0, 0, 43, 86, 650, 1300});
  cusparseMatDescr_t description = nullptr;
  CHECK(cusparseSetMatIndexBase(description, CUSPARSE_INDEX_BASE_ZERO) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseCreateMatDescr(&description) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseSetMatType(description, CUSPARSE_MATRIX_TYPE_GENERAL) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseDestroyMatDescr(description) == CUSPARSE_STATUS_SUCCESS);
  for (const cusparseDnVecDescr_t v : {vx, vy, vt}) cusparseDestroyDnVec(v);
  for (const cusparseDnMatDescr_t m : {mb, mc}) cusparseDestroyDnMat(m);
  cusparseDestroySpMat(a);
  CHECK(cusparseDestroy(handle) == CUSPARSE_STATUS_SUCCESS);
  CHECK(device.findings().empty());
}

TEST_CASE("cuSPARSE: a vector that is too small is found at the call, a column outside is refused") {
  Device device;
  DeviceArray<int> offsets(kOffsets), columns({1, 3, 1, 2, 2, 9});
  DeviceArray<double> values({1, 2, 3, 4, 5, 6}), x({1, 10, 100}), y({1, 1});
  DeviceArray<double> whole({0, 0, 0, 0});
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t vx = nullptr, vy = nullptr;
  cusparseCreate(&handle);
  cusparseCreateCsr(&a, 4, 3, 6, offsets.data(), columns.data(), values.data(), CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F);
  cusparseCreateDnVec(&vx, 3, x.data(), CUDA_R_64F);
  cusparseCreateDnVec(&vy, 4, y.data(), CUDA_R_64F);
  const double one = 1.0, zero = 0.0;
  const auto product = [&] {
    return cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &zero, vy, CUDA_R_64F,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  };
  CHECK(product() == CUSPARSE_STATUS_EXECUTION_FAILED);
  const auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].klass == workbook::runs::FindingClass::oob_global);
  cusparseDnVecSetValues(vy, whole.data());
  CHECK(product() == CUSPARSE_STATUS_EXECUTION_FAILED);
  cusparseDestroyDnVec(vx);
  cusparseDestroyDnVec(vy);
  cusparseDestroySpMat(a);
  cusparseDestroy(handle);
}
