// Inline PTX of tensor cores: mma.sync against sums on the host for every form, with factors that lanes load
// themselves and with ldmatrix; and what ldmatrix asks of shared memory.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

#include "device_test.h"

using device_test::Buffer;
using device_test::expect;

namespace {

// d[4] += a b, with a[kWords / 2] and b[kWords / 4] registers.
struct Half16 {
  static constexpr int kWords = 8;
  __device__ static void run(float* d, const unsigned* a, const unsigned* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct Bfloat16 {
  static constexpr int kWords = 8;
  __device__ static void run(float* d, const unsigned* a, const unsigned* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct Tf32 {
  static constexpr int kWords = 8;
  __device__ static void run(float* d, const unsigned* a, const unsigned* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct Half8 {
  static constexpr int kWords = 4;
  __device__ static void run(float* d, const unsigned* a, const unsigned* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]));
  }
};
struct Bfloat8 {
  static constexpr int kWords = 4;
  __device__ static void run(float* d, const unsigned* a, const unsigned* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]));
  }
};

/// a [16, kWords] and b [8, kWords] words, c and d [16, 8].
template <class Mma>
__global__ void multiply(float* d, const unsigned* a, const unsigned* b, const float* c) {
  constexpr int kWords = Mma::kWords;
  const int lane = static_cast<int>(threadIdx.x), group = lane / 4, word = lane % 4;
  unsigned a_words[4] = {}, b_words[2] = {};
  for (int r = 0; r < kWords / 2; ++r) a_words[r] = a[(group + r % 2 * 8) * kWords + word + r / 2 * 4];
  for (int r = 0; r < kWords / 4; ++r) b_words[r] = b[group * kWords + word + r * 4];
  float sums[4];
  for (int e = 0; e < 4; ++e) sums[e] = c[(group + e / 2 * 8) * 8 + word * 2 + e % 2];
  Mma::run(sums, a_words, b_words);
  for (int e = 0; e < 4; ++e) d[(group + e / 2 * 8) * 8 + word * 2 + e % 2] = sums[e];
}

/// Small integers are exact in every type; no two rows or columns are alike.
int value_a(int i, int k) { return (i * 3 + k * 5 + 1) % 7 - 3; }
int value_b(int k, int j) { return (k * 2 + j * 7 + 3) % 5 - 2; }

template <class Mma, class T>
void check(const std::string& name, double flops) {
  constexpr int kInner = Mma::kWords * 4 / static_cast<int>(sizeof(T));
  std::vector<T> a, b;
  for (int i = 0; i < 16; ++i)
    for (int k = 0; k < kInner; ++k) a.push_back(T(static_cast<float>(value_a(i, k))));
  for (int j = 0; j < 8; ++j)
    for (int k = 0; k < kInner; ++k) b.push_back(T(static_cast<float>(value_b(k, j))));
  std::vector<float> c, want;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      c.push_back(static_cast<float>(i - j));
      int sum = i - j;
      for (int k = 0; k < kInner; ++k) sum += value_a(i, k) * value_b(k, j);
      want.push_back(static_cast<float>(sum));
    }
  const Buffer<T> da(a), db(b);
  const Buffer<float> dc(c), d(128);
  multiply<Mma><<<1, 32>>>(d.data(), reinterpret_cast<const unsigned*>(da.data()),
                           reinterpret_cast<const unsigned*>(db.data()), dc.data());
  device_test::expect_values(d.values(), want, name);
  double counted = 0.0;
  if (device_test::latest_tensor_flops(counted))
    expect(counted == flops, name + ": " + std::to_string(counted) + " operations");
}

__device__ unsigned shared_address(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}

/// The registers of all lanes, of 32 rows of 8 halfs that lie `pitch` (at most 40) halfs apart: x4, x2, x1,
/// each as it is and turned.
__global__ void load(unsigned* out, int pitch) {
  __shared__ __align__(16) unsigned short rows[32 * 40];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 8; ++i) rows[lane * pitch + i] = static_cast<unsigned short>(lane * 8 + i);
  __syncwarp();
  const unsigned at = shared_address(&rows[lane * pitch]);
  unsigned* r = out + lane * 14;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[4]), "=r"(r[5]) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[6]) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[7]), "=r"(r[8]), "=r"(r[9]), "=r"(r[10])
               : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[11]), "=r"(r[12])
               : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[13]) : "r"(at));
}

__global__ void unwritten_row(unsigned* out) {
  __shared__ __align__(16) unsigned rows[32][4];
  const int lane = static_cast<int>(threadIdx.x);
  if (lane < 31)
    for (int i = 0; i < 4; ++i) rows[lane][i] = 0;
  __syncwarp();
  unsigned r[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"  // mark: unwritten_row
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(&rows[0][0] + lane * 4)));
  out[lane] = r[0] + r[1] + r[2] + r[3];
}

__global__ void round(unsigned* out, const float* x) {
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(out[threadIdx.x]) : "f"(x[threadIdx.x]));
}

}  // namespace

DEVICE_TEST("mma.sync multiplies half, bfloat16 and tf32") {
  check<Half16, half>("half, 16", 4096);
  check<Half8, half>("half, 8", 2048);
  check<Bfloat16, __nv_bfloat16>("bfloat16, 16", 4096);
  check<Bfloat8, __nv_bfloat16>("bfloat16, 8", 2048);
  check<Tf32, float>("tf32", 4096);  // half as many, in twice the time
}

DEVICE_TEST("mma.sync in tf32 reads 19 bits of a float") {
  std::vector<float> a(128), b(64), c(128);
  a[0] = 1.0f + 0x1p-10f + 0x1p-11f, b[0] = 1.0f;
  const Buffer<float> da(a), db(b), dc(c), d(128);
  multiply<Tf32><<<1, 32>>>(d.data(), reinterpret_cast<const unsigned*>(da.data()),
                            reinterpret_cast<const unsigned*>(db.data()), dc.data());
  expect(d.values()[0] == 1.0f + 0x1p-10f, "the rest is cut off");
}

DEVICE_TEST("ldmatrix hands a lane two elements of each matrix, of a row or turned round") {
  for (const int pitch : {8, 24, 40}) {
    const Buffer<unsigned> out(32 * 14);
    load<<<1, 32>>>(out.data(), pitch);
    std::vector<unsigned> want;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (const bool turned : {false, true})
        for (const unsigned matrices : {4u, 2u, 1u})
          for (unsigned m = 0; m < matrices; ++m) {
            const unsigned first = lane % 4 * 2, line = lane / 4;
            const auto value = [&](unsigned i) { return m * 64 + (turned ? i * 8 + line : line * 8 + i); };
            want.push_back(value(first) | value(first + 1) << 16);
          }
    device_test::expect_values(out.values(), want, "pitch " + std::to_string(pitch));
  }
}

DEVICE_TEST("a row that ldmatrix reads before it is written is found") {
  device_test::expect_finding("uninit_shared", __FILE__, "unwritten_row");
  const Buffer<unsigned> out(32);
  unwritten_row<<<1, 32>>>(out.data());
}

DEVICE_TEST("cvt.rna.tf32 rounds to the nearest, ties away from zero") {
  const std::vector<float> x = {1.0f, 1.0f + 0x1p-11f, -1.0f - 0x1p-11f, 1.0f + 0x1p-12f, 3.0e38f * 10.0f};
  const std::vector<float> want = {1.0f, 1.0f + 0x1p-10f, -1.0f - 0x1p-10f, 1.0f, 3.0e38f * 10.0f};
  const Buffer<float> dx(x);
  const Buffer<unsigned> out(x.size());
  round<<<1, static_cast<unsigned>(x.size())>>>(out.data(), dx.data());
  std::vector<float> got;
  for (const unsigned bits : out.values()) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    got.push_back(value);
  }
  device_test::expect_values(got, want, "rounded");
}
