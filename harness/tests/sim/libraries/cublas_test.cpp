#include <cublas_v2.h>

#include <cmath>

#include "device.h"
#include "sim/engine/launch.h"
#include "tests/catch.h"

namespace {

/// Column-major, element (i, j) = f(i, j), on the device.
template <class T, class F>
T* matrix(int rows, int cols, F f) {
  std::vector<T> host(static_cast<std::size_t>(rows * cols));
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) host[static_cast<std::size_t>(j * rows + i)] = static_cast<T>(f(i, j));
  T* data = nullptr;
  cudaMalloc(&data, host.size() * sizeof(T));
  cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return data;
}

template <class T>
std::vector<T> fetched(const T* data, std::size_t n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

float a_at(int i, int j) { return static_cast<float>(i - 2 * j + 1); }
float b_at(int i, int j) { return static_cast<float>(2 * i + j - 3); }

/// sum over k of a(i, k) * b(k, j).
float product_at(int i, int j, int inner) {
  float sum = 0;
  for (int k = 0; k < inner; ++k) sum += a_at(i, k) * b_at(k, j);
  return sum;
}

constexpr int M = 5, N = 4, K = 3;

struct Handle {
  cublasHandle_t handle = nullptr;
  Handle() { REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS); }
  ~Handle() { cublasDestroy(handle); }
  operator cublasHandle_t() const { return handle; }
};

}  // namespace

TEST_CASE("gemm multiplies in all its transpositions") {
  Device device;
  Handle handle;
  for (const bool ta : {false, true})
    for (const bool tb : {false, true}) {
      INFO(ta << tb);
      const float* a =
          ta ? matrix<float>(K, M, [](int i, int j) { return a_at(j, i); }) : matrix<float>(M, K, a_at);
      const float* b =
          tb ? matrix<float>(N, K, [](int i, int j) { return b_at(j, i); }) : matrix<float>(K, N, b_at);
      float* c = matrix<float>(M, N, [](int, int) { return 10; });
      const float alpha = 2, beta = 0.5f;
      REQUIRE(cublasSgemm(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, M, N, K,
                          &alpha, a, ta ? K : M, b, tb ? N : K, &beta, c, M) == CUBLAS_STATUS_SUCCESS);
      const auto got = fetched(c, M * N);
      for (int j = 0; j < N; ++j)
        for (int i = 0; i < M; ++i)
          REQUIRE(got[static_cast<std::size_t>(j * M + i)] == 2 * product_at(i, j, K) + 5);
    }
  CHECK(device.findings().empty());
}

TEST_CASE("double, half, bfloat16, TF32 and 8 bit integers multiply too") {
  Device device;
  Handle handle;
  const double one = 1, zero = 0;
  double* dc = matrix<double>(M, N, [](int, int) { return 0; });
  REQUIRE(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, matrix<double>(M, K, a_at), M,
                      matrix<double>(K, N, b_at), K, &zero, dc, M) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(dc, M * N)[7] == static_cast<double>(product_at(2, 1, K)));

  const auto half_of = [](auto f) { return [f](int i, int j) { return __half(f(i, j)); }; };
  const __half h_one(1.0f), h_zero(0.0f);
  __half* hc = matrix<__half>(M, N, half_of([](int, int) { return 0.0f; }));
  __half *ha = matrix<__half>(M, K, half_of(a_at)), *hb = matrix<__half>(K, N, half_of(b_at));
  REQUIRE(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &h_one, ha, M, hb, K, &h_zero, hc, M) ==
          CUBLAS_STATUS_SUCCESS);
  CHECK(static_cast<float>(fetched(hc, M * N)[7]) == product_at(2, 1, K));

  const float f_one = 1, f_zero = 0;
  float* fc = matrix<float>(M, N, [](int, int) { return 0; });
  REQUIRE(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &f_one, ha, CUDA_R_16F, M, hb, CUDA_R_16F,
                       K, &f_zero, fc, CUDA_R_32F, M, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT_TENSOR_OP) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(fc, M * N)[7] == product_at(2, 1, K));
  CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &f_one, ha, CUDA_R_16F, M, hb, CUDA_R_16F, K,
                     &f_zero, fc, CUDA_R_64F, M, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);

  const auto brain = [](auto f) { return [f](int i, int j) { return __nv_bfloat16(f(i, j)); }; };
  auto *ba = matrix<__nv_bfloat16>(M, K, brain(a_at)), *bb = matrix<__nv_bfloat16>(K, N, brain(b_at));
  REQUIRE(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &f_one, ba, CUDA_R_16BF, M, bb, CUDA_R_16BF,
                       K, &f_zero, fc, CUDA_R_32F, M, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(fc, M * N)[7] == product_at(2, 1, K));

  const int i_one = 1, i_zero = 0;
  auto* ic = matrix<int>(M, N, [](int, int) { return 0; });
  REQUIRE(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &i_one, matrix<signed char>(M, K, a_at),
                       CUDA_R_8I, M, matrix<signed char>(K, N, b_at), CUDA_R_8I, K, &i_zero, ic, CUDA_R_32I,
                       M, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(ic, M * N)[7] == static_cast<int>(product_at(2, 1, K)));

  // 1 + 2^-11 has more mantissa than TF32 keeps.
  const auto fine = [](int, int) { return 1.0f + 0x1p-12f; };
  float *x = matrix<float>(1, 1, fine), *y = matrix<float>(1, 1, [](int, int) { return 1; });
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &f_one, x, 1, y, 1, &f_zero, fc, 1);
  CHECK(fetched(fc, 1)[0] == 1.0f + 0x1p-12f);
  cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &f_one, x, 1, y, 1, &f_zero, fc, 1);
  CHECK(fetched(fc, 1)[0] == 1.0f);
  CHECK(device.findings().empty());
}

TEST_CASE("batches, strided and by pointers") {
  Device device;
  Handle handle;
  const float one = 1, zero = 0;
  const int count = 3;
  float* a = matrix<float>(M, K * count, [](int i, int j) { return a_at(i, j % K); });
  float* b = matrix<float>(K, N * count,
                           [](int i, int j) { return b_at(i, j % N) * static_cast<float>(j / N + 1); });
  float* c = matrix<float>(M, N * count, [](int, int) { return 0; });
  REQUIRE(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, M, M * K, b, K, K * N,
                                    &zero, c, M, M * N, count) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(c, M * N * count)[2 * M * N + 7] == 3 * product_at(2, 1, K));

  std::vector<float*> list = {a, a, b, b + K * N, c, c + M * N};
  float** pointers = nullptr;
  cudaMalloc(&pointers, list.size() * sizeof(float*));
  cudaMemcpy(pointers, list.data(), list.size() * sizeof(float*), cudaMemcpyHostToDevice);
  cudaMemset(c, 0, M * N * count * sizeof(float));
  REQUIRE(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, pointers, M, pointers + 2, K,
                             &zero, pointers + 4, M, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(c, M * N * 2)[M * N + 7] == 2 * product_at(2, 1, K));
  CHECK(device.findings().empty());
}

TEST_CASE("the routines on vectors") {
  Device device;
  Handle handle;
  const int n = 6;
  float* x = matrix<float>(n, 1, [](int i, int) { return i - 3; });
  float* y = matrix<float>(n, 1, [](int, int) { return 1; });
  const float two = 2, one = 1, zero = 0;
  float result = 0;
  int index = 0;
  REQUIRE(cublasSaxpy(handle, n, &two, x, 1, y, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(y, n) == std::vector<float>{-5, -3, -1, 1, 3, 5});
  REQUIRE(cublasSdot(handle, n, x, 1, y, 1, &result) == CUBLAS_STATUS_SUCCESS);
  CHECK(result == 15 + 6 + 1 + 0 + 3 + 10);
  REQUIRE(cublasSnrm2(handle, n, x, 1, &result) == CUBLAS_STATUS_SUCCESS);
  CHECK(result == Approx(std::sqrt(19.0)));
  REQUIRE(cublasSasum(handle, n, x, 1, &result) == CUBLAS_STATUS_SUCCESS);
  CHECK(result == 9);
  REQUIRE(cublasIsamax(handle, n, x, 1, &index) == CUBLAS_STATUS_SUCCESS);
  CHECK(index == 1);
  REQUIRE(cublasSscal(handle, n / 2, &two, x, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(x, n) == std::vector<float>{-6, -2, -2, 0, 2, 2});
  REQUIRE(cublasScopy(handle, 3, x, 2, y, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(y, 3) == std::vector<float>{-6, -2, 2});

  const float* a = matrix<float>(M, K, a_at);
  float* out = matrix<float>(M, 1, [](int, int) { return 0; });
  float* in = matrix<float>(K, 1, [](int i, int) { return i + 1; });
  REQUIRE(cublasSgemv(handle, CUBLAS_OP_N, M, K, &one, a, M, in, 1, &zero, out, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(out, M)[2] == a_at(2, 0) + 2 * a_at(2, 1) + 3 * a_at(2, 2));
  float* turned = matrix<float>(K, M, [](int, int) { return 0; });
  REQUIRE(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, K, M, &one, a, M, &zero, turned, K, turned, K) ==
          CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(turned, K * M)[K * 2 + 1] == a_at(2, 1));

  float* on_device = nullptr;
  cudaMalloc(&on_device, sizeof(float));
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  REQUIRE(cublasSdot(handle, 3, y, 1, y, 1, on_device) == CUBLAS_STATUS_SUCCESS);
  CHECK(fetched(on_device, 1)[0] == 44);
  CHECK(device.findings().empty());
}

TEST_CASE("memory that a product would overrun or that nothing wrote is a finding at the call") {
  Device device;
  Handle handle;
  const float one = 1, zero = 0;
  float *a = matrix<float>(M, K, a_at), *b = matrix<float>(K, N, b_at), *c = nullptr;
  cudaMalloc(&c, (M * N - 1) * sizeof(float));
  const int line = __LINE__ + 1;
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, M, b, K, &zero, c, M) ==
        CUBLAS_STATUS_EXECUTION_FAILED);
  REQUIRE_ONE_FINDING(device, workbook::runs::FindingClass::oob_global, line, "cublasSgemm writes 80 bytes");
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N - 1, K, &one, a, M, b, K, &one, c, M) ==
        CUBLAS_STATUS_SUCCESS);
  auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].klass == workbook::runs::FindingClass::uninit_global);
  std::vector<float> host(M * K);
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N - 1, K, &one, host.data(), M, b, K, &zero, c, M) ==
        CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK(device.findings().size() == 1);
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N - 1, K, &one, a, M - 1, b, K, &zero, c, M) ==
        CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, M, b, K, &zero, c, M) ==
        CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasGetStatusName(CUBLAS_STATUS_NOT_INITIALIZED) == std::string("CUBLAS_STATUS_NOT_INITIALIZED"));
}

TEST_CASE("a product counts as a launch, takes modelled time, and can be captured") {
  Device device;
  Handle handle;
  std::vector<workbook::sim::FinishedLaunch> launches;
  workbook::sim::launch_settings().on_finished = [&](const auto& l) { launches.push_back(l); };
  const int n = 256;
  const auto ones = [](int, int) { return 1; };
  float *a = matrix<float>(n, n, ones), *b = matrix<float>(n, n, ones), *c = matrix<float>(n, n, ones);
  const float one = 1, zero = 0;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cublasSetStream(handle, stream);
  cudaEvent_t start = nullptr, stop = nullptr;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start, stream);
  REQUIRE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n) ==
          CUBLAS_STATUS_SUCCESS);
  cudaEventRecord(stop, stream);
  cudaEventSynchronize(stop);
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].kernel == "cublasSgemm");
  CHECK(launches[0].modelled->total_us == Approx(static_cast<double>(ms) * 1e3));
  CHECK(launches[0].counters->flops == 2.0 * n * n * n);
  CHECK(launches[0].counters->dram_bytes_read == 2 * n * n * 4);
  CHECK(launches[0].counters->dram_bytes_written == n * n * 4);

  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &one, c, n);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(fetched(c, 1)[0] == n);
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph);
  cudaGraphLaunch(exec, stream);
  cudaGraphLaunch(exec, stream);
  CHECK(fetched(c, 1)[0] == 3 * n);
  CHECK(launches.size() == 3);
  workbook::sim::launch_settings().on_finished = nullptr;
}
