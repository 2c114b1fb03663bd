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

TEST_CASE("cuSPARSE: columns and lists of coordinates give what rows give") {
  Device device;
  // 1 0 2 / 0 0 0 / 3 4 0 / 0 5 6 in columns, and as a list in no order.
  DeviceArray<int> offsets({0, 2, 4, 6}), rows({0, 2, 2, 3, 0, 3});
  DeviceArray<int> list_rows({3, 0, 2, 0, 3, 2}), list_columns({2, 0, 1, 2, 1, 0});
  DeviceArray<double> by_column({1, 3, 4, 5, 2, 6}), listed({6, 1, 4, 2, 5, 3}), x({1, 10, 100}),
      y(std::vector<double>(4, 0));
  cusparseHandle_t handle = nullptr;
  cusparseCreate(&handle);
  cusparseSpMatDescr_t columns = nullptr, list = nullptr;
  cusparseDnVecDescr_t vx = nullptr, vy = nullptr;
  REQUIRE(cusparseCreateCsc(&columns, 4, 3, 6, offsets.data(), rows.data(), by_column.data(),
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                            CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS);
  REQUIRE(cusparseCreateCoo(&list, 4, 3, 6, list_rows.data(), list_columns.data(), listed.data(),
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                            CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS);
  cusparseCreateDnVec(&vx, 3, x.data(), CUDA_R_64F);
  cusparseCreateDnVec(&vy, 4, y.data(), CUDA_R_64F);
  const double one = 1, zero = 0;
  for (const cusparseSpMatDescr_t a : {columns, list}) {
    CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &zero, vy, CUDA_R_64F,
                       CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_SUCCESS);
    CHECK(y.values() == std::vector<double>{201, 0, 43, 650});
    cusparseDestroySpMat(a);
  }
  cusparseDestroyDnVec(vx);
  cusparseDestroyDnVec(vy);
  cusparseDestroy(handle);
  CHECK(device.findings().empty());
}

TEST_CASE(
    "cuSPARSE: incomplete factors of a matrix that needs no more are its factors; both triangles are solved") {
  Device device;
  // 4 1 0 / 1 4 1 / 0 1 4: its factors fill nothing in.
  DeviceArray<int> offsets({0, 2, 5, 7}), columns({0, 1, 0, 1, 2, 1, 2});
  DeviceArray<double> values({4, 1, 1, 4, 1, 1, 4}), b({6, 12, 14}), between(std::vector<double>(3, 0)),
      x(std::vector<double>(3, 0));
  cusparseHandle_t handle = nullptr;
  cusparseCreate(&handle);
  cusparseMatDescr_t description = nullptr;
  csrilu02Info_t info = nullptr;
  cusparseCreateMatDescr(&description);
  cusparseCreateCsrilu02Info(&info);
  int bytes = 0, position = 7;
  CHECK(cusparseDcsrilu02_bufferSize(handle, 3, 7, description, values.data(), offsets.data(), columns.data(),
                                     info, &bytes) == CUSPARSE_STATUS_SUCCESS);
  CHECK(bytes > 0);
  CHECK(cusparseDcsrilu02(handle, 3, 7, description, values.data(), offsets.data(), columns.data(), info,
                          CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseXcsrilu02_zeroPivot(handle, info, &position) == CUSPARSE_STATUS_SUCCESS);
  CHECK(position == -1);
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t vb = nullptr, vz = nullptr, vx = nullptr;
  cusparseCreateCsr(&a, 3, 3, 7, offsets.data(), columns.data(), values.data(), CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
  cusparseCreateDnVec(&vb, 3, b.data(), CUDA_R_64F);
  cusparseCreateDnVec(&vz, 3, between.data(), CUDA_R_64F);
  cusparseCreateDnVec(&vx, 3, x.data(), CUDA_R_64F);
  cusparseSpSVDescr_t solve = nullptr;
  cusparseSpSV_createDescr(&solve);
  const double one = 1;
  const auto triangle = [&](cusparseFillMode_t fill, cusparseDiagType_t diagonal, cusparseDnVecDescr_t from,
                            cusparseDnVecDescr_t to) {
    cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
    cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal);
    return cusparseSpSV_solve(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, from, to, CUDA_R_64F,
                              CUSPARSE_SPSV_ALG_DEFAULT, solve);
  };
  CHECK(triangle(CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT, vb, vz) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseSpSV_analysis(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vb, vz, CUDA_R_64F,
                              CUSPARSE_SPSV_ALG_DEFAULT, solve, nullptr) == CUSPARSE_STATUS_SUCCESS);
  CHECK(triangle(CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT, vb, vz) == CUSPARSE_STATUS_SUCCESS);
  CHECK(triangle(CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_NON_UNIT, vz, vx) == CUSPARSE_STATUS_SUCCESS);
  for (int i = 0; i < 3; ++i) CHECK(std::abs(x.values()[static_cast<std::size_t>(i)] - (i + 1)) < 1e-14);
  cusparseSpSV_destroyDescr(solve);
  cusparseDestroySpMat(a);
  for (const cusparseDnVecDescr_t v : {vb, vz, vx}) cusparseDestroyDnVec(v);
  cusparseDestroyCsrilu02Info(info);
  cusparseDestroyMatDescr(description);
  cusparseDestroy(handle);
  CHECK(device.findings().empty());
}

TEST_CASE("cuSPARSE: a dense matrix is counted, made sparse and made dense again") {
  Device device;
  // 1 0 2 / 0 3 0, in columns with a row between.
  DeviceArray<float> dense({1, 0, 9, 0, 3, 9, 2, 0, 9}), again(std::vector<float>(6, 7)), values({0, 0, 0});
  DeviceArray<int> each({0, 0}), offsets({0, 0, 0}), columns({0, 0, 0});
  cusparseHandle_t handle = nullptr;
  cusparseMatDescr_t description = nullptr;
  cusparseCreate(&handle);
  cusparseCreateMatDescr(&description);
  int total = 0;
  CHECK(cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, 2, 3, description, dense.data(), 3, each.data(),
                     &total) == CUSPARSE_STATUS_SUCCESS);
  CHECK(total == 3);
  CHECK(each.values() == std::vector<int>{2, 1});
  cusparseDnMatDescr_t from = nullptr, to = nullptr;
  cusparseSpMatDescr_t sparse = nullptr;
  cusparseCreateDnMat(&from, 2, 3, 3, dense.data(), CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&to, 2, 3, 3, again.data(), CUDA_R_32F, CUSPARSE_ORDER_ROW);
  cusparseCreateCsr(&sparse, 2, 3, 0, offsets.data(), nullptr, nullptr, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
  CHECK(cusparseDenseToSparse_analysis(handle, from, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr) ==
        CUSPARSE_STATUS_SUCCESS);
  std::int64_t rows = 0, cols = 0, entries = 0;
  cusparseSpMatGetSize(sparse, &rows, &cols, &entries);
  CHECK(entries == 3);
  cusparseCsrSetPointers(sparse, offsets.data(), columns.data(), values.data());
  CHECK(cusparseDenseToSparse_convert(handle, from, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr) ==
        CUSPARSE_STATUS_SUCCESS);
  CHECK(offsets.values() == std::vector<int>{1, 3, 4});
  CHECK(columns.values() == std::vector<int>{1, 3, 2});
  CHECK(values.values() == std::vector<float>{1, 2, 3});
  CHECK(cusparseSparseToDense(handle, sparse, to, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr) ==
        CUSPARSE_STATUS_SUCCESS);
  CHECK(again.values() == std::vector<float>{1, 0, 2, 0, 3, 0});
  cusparseDestroySpMat(sparse);
  cusparseDestroyDnMat(from);
  cusparseDestroyDnMat(to);
  cusparseDestroyMatDescr(description);
  cusparseDestroy(handle);
  CHECK(device.findings().empty());
}
