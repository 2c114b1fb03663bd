// cuFFT against sums on the host: all types, ranks and layouts; and what is found in its memory.
#include <cufft.h>

#include <cmath>
#include <complex>
#include <random>

#include "device.h"
#include "device_array.h"
#include "tests/catch.h"

namespace {

using Complex = std::complex<double>;

std::vector<double> numbers(std::size_t n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<double> out(n);
  for (double& v : out) v = static_cast<double>(random() % 2001) / 1000.0 - 1.0;
  return out;
}

/// sum over j of x_j exp(sign 2 pi i j k / n), of rank two.
std::vector<Complex> sums(const std::vector<Complex>& x, int rows, int columns, int sign) {
  std::vector<Complex> out(x.size());
  const double turn = sign * 2.0 * std::acos(-1.0);
  for (int k = 0; k < rows; ++k)
    for (int l = 0; l < columns; ++l)
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
          out[static_cast<std::size_t>(k * columns + l)] +=
              x[static_cast<std::size_t>(i * columns + j)] *
              std::polar(1.0,
                         turn * (static_cast<double>(i * k) / rows + static_cast<double>(j * l) / columns));
  return out;
}

template <class T>
void check_near(const T& got, const Complex& want) {
  CHECK(static_cast<double>(got.x) == Approx(want.real()).margin(1e-4));
  CHECK(static_cast<double>(got.y) == Approx(want.imag()).margin(1e-4));
}

}  // namespace

TEST_CASE("cuFFT: complex to complex, forward and back, of both precisions") {
  Device device;
  constexpr int kRows = 3, kColumns = 4, kAll = kRows * kColumns;
  const std::vector<double> n = numbers(2 * kAll);
  std::vector<Complex> x;
  std::vector<cufftComplex> f;
  std::vector<cufftDoubleComplex> d;
  for (int i = 0; i < kAll; ++i) {
    const double re = n[static_cast<std::size_t>(2 * i)], im = n[static_cast<std::size_t>(2 * i + 1)];
    x.emplace_back(re, im);
    f.push_back({static_cast<float>(re), static_cast<float>(im)});
    d.push_back({re, im});
  }
  cufftHandle single = 0, twice = 0;
  REQUIRE(cufftPlan2d(&single, kRows, kColumns, CUFFT_C2C) == CUFFT_SUCCESS);
  REQUIRE(cufftPlan2d(&twice, kRows, kColumns, CUFFT_Z2Z) == CUFFT_SUCCESS);
  for (const int way : {CUFFT_FORWARD, CUFFT_INVERSE}) {
    const std::vector<Complex> want = sums(x, kRows, kColumns, way);
    DeviceArray<cufftComplex> a(f), out(static_cast<std::size_t>(kAll));
    REQUIRE(cufftExecC2C(single, a.data(), out.data(), way) == CUFFT_SUCCESS);
    DeviceArray<cufftDoubleComplex> b(d);
    REQUIRE(cufftExecZ2Z(twice, b.data(), b.data(), way) == CUFFT_SUCCESS);
    for (std::size_t i = 0; i < kAll; ++i) {
      check_near(out.values()[i], want[i]);
      check_near(b.values()[i], want[i]);
    }
  }
  CHECK(cufftExecR2C(single, nullptr, nullptr) == CUFFT_INVALID_TYPE);
  CHECK(cufftDestroy(single) == CUFFT_SUCCESS);
  CHECK(cufftDestroy(single) == CUFFT_INVALID_PLAN);
  CHECK(cufftDestroy(twice) == CUFFT_SUCCESS);
  CHECK(device.findings().empty());
}

TEST_CASE(
    "cuFFT: real rows in a batch, out of place, in place with room for the complex ones, and with strides") {
  Device device;
  constexpr int kN = 6, kHalf = kN / 2 + 1, kBatch = 3;
  const std::vector<double> n = numbers(kN * kBatch);
  std::vector<float> real;
  for (const double v : n) real.push_back(static_cast<float>(v));
  const auto want = [&](int b) {
    std::vector<Complex> row;
    for (int i = 0; i < kN; ++i) row.emplace_back(n[static_cast<std::size_t>(b * kN + i)], 0.0);
    return sums(row, 1, kN, CUFFT_FORWARD);
  };
  DeviceArray<float> in(real), back(static_cast<std::size_t>(kN * kBatch));
  DeviceArray<cufftComplex> out(static_cast<std::size_t>(kHalf * kBatch));
  cufftHandle plan = 0, inverse = 0, strided = 0;
  REQUIRE(cufftPlan1d(&plan, kN, CUFFT_R2C, kBatch) == CUFFT_SUCCESS);
  REQUIRE(cufftPlan1d(&inverse, kN, CUFFT_C2R, kBatch) == CUFFT_SUCCESS);
  REQUIRE(cufftExecR2C(plan, in.data(), out.data()) == CUFFT_SUCCESS);
  for (int b = 0; b < kBatch; ++b)
    for (int k = 0; k < kHalf; ++k)
      check_near(out.values()[static_cast<std::size_t>(b * kHalf + k)], want(b)[static_cast<std::size_t>(k)]);
  REQUIRE(cufftExecC2R(inverse, out.data(), back.data()) == CUFFT_SUCCESS);
  for (std::size_t i = 0; i < real.size(); ++i)
    CHECK(static_cast<double>(back.values()[i]) == Approx(kN * n[i]).margin(1e-4));

  std::vector<float> padded;
  for (int b = 0; b < kBatch; ++b) {
    padded.insert(padded.end(), real.begin() + b * kN, real.begin() + (b + 1) * kN);
    padded.insert(padded.end(), {99.0f, 99.0f});
  }
  DeviceArray<float> both(padded);
  auto* const as_complex = reinterpret_cast<cufftComplex*>(both.data());
  REQUIRE(cufftExecR2C(plan, both.data(), as_complex) == CUFFT_SUCCESS);
  const std::vector<float> in_place = both.values();
  for (int b = 0; b < kBatch; ++b)
    for (int k = 0; k < kHalf; ++k) {
      const auto at = static_cast<std::size_t>(2 * (b * kHalf + k));
      check_near(cufftComplex{in_place[at], in_place[at + 1]}, want(b)[static_cast<std::size_t>(k)]);
    }

  // The batch lies across: element i of row b at i * kBatch + b.
  std::vector<cufftComplex> across(static_cast<std::size_t>(kN * kBatch));
  for (int b = 0; b < kBatch; ++b)
    for (int i = 0; i < kN; ++i)
      across[static_cast<std::size_t>(i * kBatch + b)] = {real[static_cast<std::size_t>(b * kN + i)], 0.0f};
  int size[] = {kN};
  DeviceArray<cufftComplex> columns(across);
  REQUIRE(cufftPlanMany(&strided, 1, size, size, kBatch, 1, size, kBatch, 1, CUFFT_C2C, kBatch) ==
          CUFFT_SUCCESS);
  REQUIRE(cufftExecC2C(strided, columns.data(), columns.data(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  for (int b = 0; b < kBatch; ++b)
    for (int k = 0; k < kN; ++k)
      check_near(columns.values()[static_cast<std::size_t>(k * kBatch + b)],
                 want(b)[static_cast<std::size_t>(k)]);
  long long wide[] = {kN};
  cufftHandle typed = 0;
  REQUIRE(cufftCreate(&typed) == CUFFT_SUCCESS);
  CHECK(cufftXtMakePlanMany(typed, 1, wide, nullptr, 1, kN, CUDA_R_32F, nullptr, 1, kHalf, CUDA_C_64F, kBatch,
                            nullptr, CUDA_C_32F) == CUFFT_INVALID_TYPE);
  REQUIRE(cufftXtMakePlanMany(typed, 1, wide, nullptr, 1, kN, CUDA_R_32F, nullptr, 1, kHalf, CUDA_C_32F,
                              kBatch, nullptr, CUDA_C_32F) == CUFFT_SUCCESS);
  REQUIRE(cufftExecR2C(typed, in.data(), out.data()) == CUFFT_SUCCESS);
  check_near(out.values()[kHalf + 1], want(1)[1]);
  CHECK(cufftDestroy(typed) == CUFFT_SUCCESS);
  for (const cufftHandle one : {plan, inverse, strided}) CHECK(cufftDestroy(one) == CUFFT_SUCCESS);
  CHECK(device.findings().empty());
}

TEST_CASE("cuFFT: memory that is too small, and memory that nothing has written, is found at the call") {
  Device device;
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 16, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  DeviceArray<cufftComplex> whole(std::vector<cufftComplex>(16)), small(std::size_t{8}),
      unset(std::size_t{16});
  const int line = __LINE__ + 1;
  CHECK(cufftExecC2C(plan, whole.data(), small.data(), CUFFT_FORWARD) == CUFFT_EXEC_FAILED);
  REQUIRE_ONE_FINDING(device, workbook::runs::FindingClass::oob_global, line, "cufftExecC2C");
  const int second = __LINE__ + 1;
  CHECK(cufftExecC2C(plan, unset.data(), whole.data(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  REQUIRE_ONE_FINDING(device, workbook::runs::FindingClass::uninit_global, second, "nothing has written");
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
}
