// Tensor core fragments: every shape and type against sums on the host, all layouts, and what they access.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>

#include "device_test.h"

using namespace nvcuda;
using device_test::Buffer;
using device_test::expect;

namespace {

template <int M, int N, int K, class T, class Stored, class Sum, class LayoutA, class LayoutB>
__global__ void multiply(Sum* d, const Stored* a, const Stored* b, const Sum* c, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
  wmma::load_matrix_sync(fa, a, std::is_same<LayoutA, wmma::row_major>::value ? K : M);
  wmma::load_matrix_sync(fb, b, std::is_same<LayoutB, wmma::row_major>::value ? N : K);
  wmma::load_matrix_sync(sum, c, layout == wmma::mem_row_major ? N : M, layout);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, layout == wmma::mem_row_major ? N : M, layout);
}

template <int M, int N, int K, class T, class Stored, class Sum, class LayoutA, class LayoutB>
void check(const std::string& name, wmma::layout_t layout) {
  const auto at = [](bool by_rows, int row, int column, int rows, int columns) {
    return static_cast<std::size_t>(by_rows ? row * columns + column : column * rows + row);
  };
  const bool a_rows = std::is_same<LayoutA, wmma::row_major>::value,
             b_rows = std::is_same<LayoutB, wmma::row_major>::value;
  const bool c_rows = layout == wmma::mem_row_major;
  // Small integers are exact in every type; no two rows or columns are alike.
  const auto value_a = [](int i, int k) {
    return (i * 3 + k * 5 + 1) % 7 - (std::is_unsigned<Stored>::value ? 0 : 3);
  };
  const auto value_b = [](int k, int j) {
    return (k * 2 + j * 7 + 3) % 5 - (std::is_unsigned<Stored>::value ? 0 : 2);
  };
  std::vector<Stored> a(M * K), b(K * N);
  std::vector<Sum> c(M * N);
  std::vector<int> want(M * N);
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < K; ++k)
      a[at(a_rows, i, k, M, K)] = static_cast<Stored>(static_cast<float>(value_a(i, k)));
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < N; ++j)
      b[at(b_rows, k, j, K, N)] = static_cast<Stored>(static_cast<float>(value_b(k, j)));
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      int sum = i - j;
      c[at(c_rows, i, j, M, N)] = static_cast<Sum>(static_cast<float>(sum));
      for (int k = 0; k < K; ++k) sum += value_a(i, k) * value_b(k, j);
      want[at(c_rows, i, j, M, N)] = sum;
    }
  const Buffer<Stored> da(a), db(b);
  const Buffer<Sum> dc(c), dd(c.size());
  multiply<M, N, K, T, Stored, Sum, LayoutA, LayoutB>
      <<<1, 32>>>(dd.data(), da.data(), db.data(), dc.data(), layout);
  const std::vector<Sum> got = dd.values();
  for (std::size_t i = 0; i < got.size(); ++i)
    if (static_cast<float>(got[i]) != static_cast<float>(want[i]))
      return device_test::fail(name + ": [" + std::to_string(i) + "] is " +
                               std::to_string(static_cast<float>(got[i])) + ", not " +
                               std::to_string(want[i]));
}

template <int M, int N, int K, class T, class Stored, class Sum>
void check_layouts(const std::string& name) {
  using Row = wmma::row_major;
  using Column = wmma::col_major;
  check<M, N, K, T, Stored, Sum, Row, Row>(name + " row, row", wmma::mem_row_major);
  check<M, N, K, T, Stored, Sum, Row, Column>(name + " row, column", wmma::mem_row_major);
  check<M, N, K, T, Stored, Sum, Column, Row>(name + " column, row", wmma::mem_col_major);
  check<M, N, K, T, Stored, Sum, Column, Column>(name + " column, column", wmma::mem_row_major);
}

template <class T, class Sum>
void check_shapes(const std::string& name) {
  check_layouts<16, 16, 16, T, T, Sum>(name + " 16x16x16");
  check_layouts<32, 8, 16, T, T, Sum>(name + " 32x8x16");
  check_layouts<8, 32, 16, T, T, Sum>(name + " 8x32x16");
}

// C = relu(A B) of 64 cubed, a warp a tile, A through shared memory.
__global__ void tiled(float* c, const half* a, const half* b, int n) {
  __shared__ alignas(32) half stage[16][16];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  const int row = static_cast<int>(blockIdx.y) * 16, column = static_cast<int>(blockIdx.x) * 16;
  for (int k = 0; k < n; k += 16) {
    for (int i = static_cast<int>(threadIdx.x); i < 256; i += 32)
      stage[i / 16][i % 16] = a[(row + i / 16) * n + k + i % 16];
    __syncwarp();
    wmma::load_matrix_sync(fa, &stage[0][0], 16);
    wmma::load_matrix_sync(fb, b + k * n + column, static_cast<unsigned>(n));
    wmma::mma_sync(sum, fa, fb, sum);
    __syncwarp();
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] > 0.0f ? sum.x[i] : 0.0f;
  wmma::store_matrix_sync(c + row * n + column, sum, static_cast<unsigned>(n), wmma::mem_row_major);
}

__global__ void past_the_end(float* c, const half* a) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a + 16, 16);  // mark: past_the_end
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

}  // namespace

DEVICE_TEST("wmma multiplies half, bfloat16, tf32, bytes and double in all shapes and layouts") {
  check_shapes<half, float>("half to float");
  check_shapes<half, half>("half to half");
  check_shapes<__nv_bfloat16, float>("bfloat16");
  check_shapes<signed char, int>("signed char");
  check_shapes<unsigned char, int>("unsigned char");
  check_layouts<16, 16, 8, wmma::precision::tf32, float, float>("tf32");
  check_layouts<8, 8, 4, double, double, double>("double");
}

DEVICE_TEST("a tiled product with an epilogue on the fragment") {
  const int n = 64;
  std::vector<half> a, b;
  for (int i = 0; i < n * n; ++i) {
    a.push_back(half(static_cast<float>(i % 9 - 4)));
    b.push_back(half(static_cast<float>(i * 7 % 11 - 5)));
  }
  const Buffer<half> da(a), db(b);
  const Buffer<float> c(n * n);
  tiled<<<dim3(4, 4), 32>>>(c.data(), da.data(), db.data(), n);
  std::vector<float> want;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k)
        sum += static_cast<float>(a[static_cast<std::size_t>(i * n + k)]) *
               static_cast<float>(b[static_cast<std::size_t>(k * n + j)]);
      want.push_back(sum > 0.0f ? sum : 0.0f);
    }
  device_test::expect_values(c.values(), want, "tiled");
}

DEVICE_TEST("a fragment loads packs of four bytes") {
  const Buffer<half> a(std::vector<half>(512, half(1.0f)));
  const Buffer<float> c(std::vector<float>(256)), d(256);
  multiply<16, 16, 16, half, half, float, wmma::row_major, wmma::col_major>
      <<<1, 32>>>(d.data(), a.data(), a.data(), c.data(), wmma::mem_row_major);
  long long requests = 0, bytes = 0;
  // Four words of A, four of B, four pairs of floats of C, and of D.
  if (device_test::latest_traffic(requests, bytes))
    expect(requests == 16 && bytes == 512 + 512 + 1024 + 1024,
           "requests " + std::to_string(requests) + ", bytes " + std::to_string(bytes));
  expect(d.values()[255] == 16.0f, "sum of ones");
}

DEVICE_TEST("the products of fragments are counted once a warp") {
  const Buffer<half> a(std::vector<half>(512, half(1.0f)));
  const Buffer<__nv_bfloat16> b(std::vector<__nv_bfloat16>(512, __nv_bfloat16(1.0f)));
  const Buffer<float> c(std::vector<float>(256)), d(256), e(std::vector<float>(128, 1.0f));
  double flops = 0.0;
  multiply<16, 16, 16, half, half, float, wmma::row_major, wmma::col_major>
      <<<2, 32>>>(d.data(), a.data(), a.data(), c.data(), wmma::mem_row_major);
  if (device_test::latest_tensor_flops(flops)) expect(flops == 2 * 8192, "half: " + std::to_string(flops));
  multiply<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float, wmma::row_major, wmma::col_major>
      <<<1, 32>>>(d.data(), b.data(), b.data(), c.data(), wmma::mem_row_major);
  if (device_test::latest_tensor_flops(flops)) expect(flops == 8192, "bfloat16: " + std::to_string(flops));
  // Half as many, and tf32 takes twice the time.
  multiply<16, 16, 8, wmma::precision::tf32, float, float, wmma::row_major, wmma::col_major>
      <<<1, 32>>>(d.data(), e.data(), e.data(), c.data(), wmma::mem_row_major);
  if (device_test::latest_tensor_flops(flops)) expect(flops == 8192, "tf32: " + std::to_string(flops));
}

DEVICE_TEST("a fragment that reaches past an allocation is found") {
  device_test::expect_finding("oob_global", __FILE__, "past_the_end");
  const Buffer<half> a(std::vector<half>(256, half(1.0f)));
  const Buffer<float> c(256);
  past_the_end<<<1, 32>>>(c.data(), a.data());
}
