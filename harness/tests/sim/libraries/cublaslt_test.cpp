#include <cublasLt.h>

#include <cmath>

#include "device.h"
#include "tests/catch.h"

namespace {

float* on_device(const std::vector<float>& host) {
  float* data = nullptr;
  cudaMalloc(&data, host.size() * sizeof(float));
  cudaMemcpy(data, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  return data;
}

constexpr int kM = 3, kN = 2, kK = 4;

/// D (3 x 2) of A (3 x 4) = i - k, B (4 x 2) = k + j.
float product_at(int i, int j) {
  float sum = 0;
  for (int k = 0; k < kK; ++k) sum += static_cast<float>((i - k) * (k + j));
  return sum;
}

/// A product with an epilogue, in row or column order.
struct Problem {
  bool rows = false;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  float* aux = nullptr;
  float bias_scale = 0;

  std::vector<float> run() const {
    std::vector<float> a(kM * kK), b(kK * kN), bias(kM);
    const auto place = [&](std::vector<float>& m, int r, int c, int i, int j, float v) {
      m[static_cast<std::size_t>(rows ? i * c + j : j * r + i)] = v;
    };
    for (int i = 0; i < kM; ++i)
      for (int k = 0; k < kK; ++k) place(a, kM, kK, i, k, static_cast<float>(i - k));
    for (int k = 0; k < kK; ++k)
      for (int j = 0; j < kN; ++j) place(b, kK, kN, k, j, static_cast<float>(k + j));
    for (int i = 0; i < kM; ++i) bias[static_cast<std::size_t>(i)] = bias_scale * static_cast<float>(i + 1);
    float *d_a = on_device(a), *d_b = on_device(b), *d_bias = on_device(bias), *d = nullptr;
    cudaMalloc(&d, kM * kN * sizeof(float));

    cublasLtHandle_t handle = nullptr;
    cublasLtCreate(&handle);
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    REQUIRE(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                           sizeof epilogue) == CUBLAS_STATUS_SUCCESS);
    REQUIRE(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d_bias,
                                           sizeof d_bias) == CUBLAS_STATUS_SUCCESS);
    if (aux != nullptr) {
      const std::int64_t ld = rows ? kN : kM;
      cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux, sizeof aux);
      cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &ld, sizeof ld);
    }
    const auto layout = [&](int r, int c) {
      cublasLtMatrixLayout_t l = nullptr;
      cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(c),
                                 rows ? c : r);
      const cublasLtOrder_t order = rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
      cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order);
      return l;
    };
    const auto la = layout(kM, kK), lb = layout(kK, kN), ld = layout(kM, kN);
    cublasLtMatmulPreference_t preference = nullptr;
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulHeuristicResult_t found[2];
    int count = 0;
    REQUIRE(cublasLtMatmulAlgoGetHeuristic(handle, operation, la, lb, ld, ld, preference, 2, found, &count) ==
            CUBLAS_STATUS_SUCCESS);
    REQUIRE(count == 1);
    const float one = 1, zero = 0;
    REQUIRE(cublasLtMatmul(handle, operation, &one, d_a, la, d_b, lb, &zero, d, ld, d, ld, &found[0].algo,
                           nullptr, 0, nullptr) == CUBLAS_STATUS_SUCCESS);
    std::vector<float> memory(kM * kN), out(kM * kN);
    cudaMemcpy(memory.data(), d, memory.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < kM; ++i)
      for (int j = 0; j < kN; ++j)
        out[static_cast<std::size_t>(j * kM + i)] =
            memory[static_cast<std::size_t>(rows ? i * kN + j : j * kM + i)];
    for (const auto l : {la, lb, ld}) cublasLtMatrixLayoutDestroy(l);
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatmulDescDestroy(operation);
    cublasLtDestroy(handle);
    return out;
  }
};

double gelu(double x) { return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x))); }

}  // namespace

TEST_CASE("LtMatmul multiplies in both orders") {
  Device device;
  for (const bool rows : {false, true}) {
    const auto d = Problem{rows}.run();
    for (int j = 0; j < kN; ++j)
      for (int i = 0; i < kM; ++i) CHECK(d[static_cast<std::size_t>(j * kM + i)] == product_at(i, j));
  }
  CHECK(device.findings().empty());
}

TEST_CASE("epilogues add the bias and activate") {
  Device device;
  for (const bool rows : {false, true}) {
    const auto expect = [&](cublasLtEpilogue_t epilogue, auto f) {
      const auto d = Problem{rows, epilogue, nullptr, 10}.run();
      for (int j = 0; j < kN; ++j)
        for (int i = 0; i < kM; ++i)
          CHECK(d[static_cast<std::size_t>(j * kM + i)] ==
                Approx(f(static_cast<double>(product_at(i, j)), 10.0 * (i + 1))).margin(1e-6));
    };
    expect(CUBLASLT_EPILOGUE_BIAS, [](double x, double b) { return x + b; });
    expect(CUBLASLT_EPILOGUE_RELU, [](double x, double) { return std::fmax(x, 0); });
    expect(CUBLASLT_EPILOGUE_RELU_BIAS, [](double x, double b) { return std::fmax(x + b, 0); });
    expect(CUBLASLT_EPILOGUE_GELU, [](double x, double) { return gelu(x); });
    expect(CUBLASLT_EPILOGUE_GELU_BIAS, [](double x, double b) { return gelu(x + b); });
  }
  float* aux = on_device(std::vector<float>(kM * kN));
  Problem{false, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, aux, 10}.run();
  std::vector<float> before(kM * kN);
  cudaMemcpy(before.data(), aux, before.size() * sizeof(float), cudaMemcpyDeviceToHost);
  CHECK(before[4] == product_at(1, 1) + 20);
  CHECK(device.findings().empty());
}

TEST_CASE("attributes have sizes, and come back") {
  Device device;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const cublasOperation_t turned = CUBLAS_OP_T;
  CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &turned, 2) ==
        CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned) ==
        CUBLAS_STATUS_SUCCESS);
  cublasOperation_t got = CUBLAS_OP_N;
  std::size_t written = 0;
  CHECK(cublasLtMatmulDescGetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &got, sizeof got, &written) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(got == CUBLAS_OP_T);
  CHECK(written == 4);
  cublasLtMatmulDescDestroy(operation);
}
