// cuBLAS's complex routines, LU factors in batches and triangular solves, against sums on the host.
#include <cublasXt.h>
#include <cublas_v2.h>

#include <cmath>
#include <complex>

#include "device.h"
#include "device_array.h"
#include "tests/catch.h"

namespace {

struct BlasHandle {
  BlasHandle() { REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS); }
  ~BlasHandle() { cublasDestroy(handle); }
  operator cublasHandle_t() const { return handle; }
  cublasHandle_t handle = nullptr;
};

using Z = std::complex<double>;
Z as_std(cuDoubleComplex x) { return {x.x, x.y}; }

}  // namespace

TEST_CASE("cuBLAS: complex products, plain, turned and conjugated") {
  Device device;
  const BlasHandle handle;
  // 2 x 2, column-major.
  DeviceArray<cuDoubleComplex> a({{1, 2}, {0, 1}, {3, 0}, {-1, 1}}), b({{1, 1}, {2, 0}, {0, -1}, {1, 0}});
  const std::vector<cuDoubleComplex> before(4, {1, 0});
  const cuDoubleComplex alpha{0, 2}, beta{1, 1};
  for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    INFO(op);
    DeviceArray<cuDoubleComplex> c(before);
    REQUIRE(cublasZgemm(handle, op, CUBLAS_OP_N, 2, 2, 2, &alpha, a.data(), 2, b.data(), 2, &beta, c.data(),
                        2) == CUBLAS_STATUS_SUCCESS);
    const auto left = a.values(), right = b.values(), out = c.values();
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        Z sum = 0;
        for (std::size_t k = 0; k < 2; ++k) {
          Z x = as_std(op == CUBLAS_OP_N ? left[k * 2 + i] : left[i * 2 + k]);
          if (op == CUBLAS_OP_C) x = std::conj(x);
          sum += x * as_std(right[j * 2 + k]);
        }
        CHECK(std::abs(as_std(out[j * 2 + i]) - (Z(0, 2) * sum + Z(1, 1))) < 1e-14);
      }
  }
  DeviceArray<cuDoubleComplex> c(before);
  CHECK(cublasZgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, a.data(), 1, b.data(), 2, &beta,
                    c.data(), 2) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(device.findings().empty());
}

TEST_CASE("cuBLAS: complex vectors") {
  Device device;
  const BlasHandle handle;
  DeviceArray<cuComplex> x({{1, 2}, {3, -4}}), y({{0, 1}, {1, 0}});
  cuComplex u{}, c{};
  float norm = 0, sum = 0;
  CHECK(cublasCdotu(handle, 2, x.data(), 1, y.data(), 1, &u) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasCdotc(handle, 2, x.data(), 1, y.data(), 1, &c) == CUBLAS_STATUS_SUCCESS);
  CHECK((u.x == 1 && u.y == -3));  // (1 + 2i) i + 3 - 4i
  CHECK((c.x == 5 && c.y == 5));   // (1 - 2i) i + 3 + 4i
  CHECK(cublasScnrm2(handle, 2, x.data(), 1, &norm) == CUBLAS_STATUS_SUCCESS);
  CHECK(norm == Approx(std::sqrt(30.0)));
  CHECK(cublasScasum(handle, 2, x.data(), 1, &sum) == CUBLAS_STATUS_SUCCESS);
  CHECK(sum == 10);
  const cuComplex i{0, 1};
  const float half = 0.5f;
  CHECK(cublasCaxpy(handle, 2, &i, x.data(), 1, y.data(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasCsscal(handle, 2, &half, y.data(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasCscal(handle, 2, &i, y.data(), 1) == CUBLAS_STATUS_SUCCESS);
  const auto out = y.values();  // i (i x + y) / 2
  CHECK((out[0].x == -1 && out[0].y == -1));
  CHECK((out[1].x == -1.5f && out[1].y == 2.5f));
  CHECK(device.findings().empty());
}

TEST_CASE("cuBLAS: a batch is factored, solved and inverted") {
  Device device;
  const BlasHandle handle;
  // The first one has to exchange rows, the second one has none to divide by.
  DeviceArray<double> a({0, 2, 1, 1, 1, 1, 2, 3, 5}), singular({1, 2, 3, 2, 4, 6, 3, 6, 9});
  DeviceArray<double> b({6, 13, 22, 1, 0, 0}), inverse(std::vector<double>(9, 0)),
      other(std::vector<double>(9, 0));
  DeviceArray<double*> list({a.data(), singular.data()}), right({b.data()}),
      inverses({inverse.data(), other.data()});
  DeviceArray<int> pivots(std::vector<int>(6, 0)), info({7, 7});
  const std::vector<double> before = a.values();
  REQUIRE(cublasDgetrfBatched(handle, 3, list.data(), 3, pivots.data(), info.data(), 2) ==
          CUBLAS_STATUS_SUCCESS);
  CHECK(info.values()[0] == 0);
  CHECK(info.values()[1] > 0);
  int host_info = 7;
  REQUIRE(cublasDgetrsBatched(handle, CUBLAS_OP_N, 3, 2, list.data(), 3, pivots.data(), right.data(), 3,
                              &host_info, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(host_info == 0);
  REQUIRE(cublasDgetriBatched(handle, 3, list.data(), 3, pivots.data(), inverses.data(), 3, info.data(), 1) ==
          CUBLAS_STATUS_SUCCESS);
  const auto x = b.values(), inverted = inverse.values();
  const double rights[] = {6, 13, 22, 1, 0, 0};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double solved = 0, unit = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        if (j < 2) solved += before[k * 3 + i] * x[j * 3 + k];
        unit += before[k * 3 + i] * inverted[j * 3 + k];
      }
      if (j < 2) CHECK(std::abs(solved - rights[j * 3 + i]) < 1e-12);
      CHECK(std::abs(unit - (i == j ? 1 : 0)) < 1e-12);
    }
  CHECK(device.findings().empty());
}

TEST_CASE("cuBLAS: triangular solves from both sides, of both triangles") {
  Device device;
  const BlasHandle handle;
  const std::vector<float> triangles = {2, 1, 3, 4};  // 2 3 / 1 4
  const float two = 2;
  for (const bool left : {true, false})
    for (const bool lower : {true, false})
      for (const bool turned : {true, false})
        for (const bool unit : {true, false}) {
          INFO(left << lower << turned << unit);
          DeviceArray<float> a(triangles), b({1, 2, 3, 4});
          REQUIRE(cublasStrsm(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                              lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                              turned ? CUBLAS_OP_T : CUBLAS_OP_N,
                              unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, 2, 2, &two, a.data(), 2,
                              b.data(), 2) == CUBLAS_STATUS_SUCCESS);
          const auto entry = [&](std::size_t i, std::size_t j) {
            if (turned) std::swap(i, j);
            if (i == j) return unit ? 1.0f : triangles[j * 2 + i];
            return (i > j) == lower ? triangles[j * 2 + i] : 0.0f;
          };
          const auto x = b.values();
          for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j) {
              float sum = 0;
              for (std::size_t k = 0; k < 2; ++k)
                sum += left ? entry(i, k) * x[j * 2 + k] : x[k * 2 + i] * entry(k, j);
              CHECK(std::abs(sum - 2 * static_cast<float>(j * 2 + i + 1)) < 1e-5f);
            }
        }
  CHECK(device.findings().empty());
}

TEST_CASE("cuBLASXt: products of what lies on the host, and of what lies on the device") {
  Device device;
  cublasXtHandle_t handle = nullptr;
  REQUIRE(cublasXtCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  int devices[] = {0, 1};
  CHECK(cublasXtDeviceSelect(handle, 1, devices) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasXtDeviceSelect(handle, 2, devices) == CUBLAS_STATUS_INVALID_VALUE);
  const std::vector<float> a = {1, 2, 3, 4}, b = {1, 0, 1, 1};
  std::vector<float> c(4, 1);
  const float one = 1, two = 2;
  CHECK(cublasXtSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &two, a.data(), 2, b.data(), 2, &one,
                      c.data(), 2) == CUBLAS_STATUS_SUCCESS);
  const std::vector<float> expected = {3, 7, 7, 15};
  CHECK(c == expected);
  DeviceArray<float> there_a(a), there_b(b), there_c(std::vector<float>(4, 1));
  CHECK(cublasXtSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &two, there_a.data(), 2, there_b.data(), 2,
                      &one, there_c.data(), 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(there_c.values() == expected);
  CHECK(cublasXtSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &two, there_a.data(), 2, b.data(), 2, &one,
                      there_c.data(), 2) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cublasXtDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  CHECK(device.findings().empty());
}
