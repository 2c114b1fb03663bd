// Inline PTX as a language: each group of instructions against what C++ says, the statement as programs write
// it. tests/sim/device/ptx.cu has the tensor cores'.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "device_test.h"

using device_test::Buffer;
using device_test::expect_values;

namespace {

__global__ void integers(int* out, int a, int b, unsigned u) {
  int i = 0;
  asm("add.s32 %0, %1, %2;" : "=r"(out[i]) : "r"(a), "r"(b));
  asm("sub.s32 %0, %1, %2;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("mul.lo.s32 %0, %1, %2;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(out[++i]) : "r"(u), "r"(u));
  asm("mad.lo.s32 %0, %1, %2, %1;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("div.s32 %0, %1, %2;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("rem.s32 %0, %1, %2;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("min.s32 %0, %1, %2;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("max.u32 %0, %1, %2;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("abs.s32 %0, %1;" : "=r"(out[++i]) : "r"(a));
  asm("sad.s32 %0, %1, %2, 100;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("add.sat.s32 %0, %1, 0x7fffffff;" : "=r"(out[++i]) : "r"(b));
  long long wide;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
  out[++i] = static_cast<int>(wide >> 32);
  asm("mad.wide.u32 %0, %1, %1, %2;" : "=l"(wide) : "r"(u), "l"(1ll));
  out[++i] = static_cast<int>(wide);
  unsigned low, high;  // 64 bits in two halves, with a carry
  asm("add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5;"
      : "=r"(low), "=r"(high)
      : "r"(0xffffffffu), "r"(7), "r"(2), "r"(1));
  out[++i] = static_cast<int>(low);
  out[++i] = static_cast<int>(high);
}

__global__ void bits(unsigned* out, unsigned a, unsigned b) {
  int i = 0;
  asm("and.b32 %0, %1, %2;" : "=r"(out[i]) : "r"(a), "r"(b));
  asm("or.b32 %0, %1, %2;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("xor.b32 %0, %1, %2;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("not.b32 %0, %1;" : "=r"(out[++i]) : "r"(a));
  asm("shl.b32 %0, %1, 4;" : "=r"(out[++i]) : "r"(a));
  asm("shl.b32 %0, %1, 32;" : "=r"(out[++i]) : "r"(a));
  asm("shr.u32 %0, %1, 4;" : "=r"(out[++i]) : "r"(a));
  asm("shr.s32 %0, %1, 40;" : "=r"(out[++i]) : "r"(a));
  asm("bfe.u32 %0, %1, 8, 8;" : "=r"(out[++i]) : "r"(a));
  asm("bfe.s32 %0, %1, 24, 8;" : "=r"(out[++i]) : "r"(a));
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(out[++i]) : "r"(a), "r"(b), "r"(0x0f0f0f0fu));
  asm("popc.b32 %0, %1;" : "=r"(out[++i]) : "r"(a));
  asm("clz.b32 %0, %1;" : "=r"(out[++i]) : "r"(b));
  asm("brev.b32 %0, %1;" : "=r"(out[++i]) : "r"(b));
  asm("bfind.u32 %0, %1;" : "=r"(out[++i]) : "r"(b));
  asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(out[++i]) : "r"(a), "r"(b));
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(out[++i]) : "r"(a), "r"(b), "r"(1u));
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(out[++i]) : "r"(0x01020304u), "r"(0x02020202u), "r"(5u));
}

/// Declarations, predicates, labels: as tutorials write them, over several lines, with a comment.
__device__ int sum_below(int n) {
  int sum;
  asm("{\n\t"
      ".reg .s32 i;           // counts\n\t"
      ".reg .pred more, %%p<2>;\n\t"
      "mov.s32 %0, 0;\n\t"
      "mov.s32 i, 0;\n"
      "LOOP:\n\t"
      "setp.lt.s32 more, i, %1;\n\t"
      "@!more bra DONE;\n\t"
      "add.s32 %0, %0, i;\n\t"
      "add.s32 i, i, 1;\n\t"
      "bra.uni LOOP;\n"
      "DONE:\n\t"
      "}"
      : "=r"(sum)
      : "r"(n));
  return sum;
}
__global__ void control(int* out, int n, float x) {
  out[0] = sum_below(n);
  asm("{ .reg .pred p, q; setp.gt.s32 p|q, %1, 3; selp.s32 %0, 1, 2, q; @p add.s32 %0, %0, 10; }"
      : "=r"(out[1])
      : "r"(n));
  asm("{ .reg .pred p, t; setp.eq.s32 t, 0, 0; setp.lt.and.f32 p, %1, 0f40000000, t; selp.b32 %0, 1, 0, p; }"
      : "=r"(out[2])
      : "f"(x));
  asm("set.gt.u32.f32 %0, %1, %2;" : "=r"(out[3]) : "f"(x), "f"(1.0f));
  asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(out[4]) : "r"(7), "r"(8), "r"(-1));
}

__global__ void numbers(float* out, float a, float b) {
  int i = 0;
  asm("add.rz.f32 %0, %1, %2;" : "=f"(out[i]) : "f"(1.0f), "f"(0x1.8p-24f));
  asm("add.rp.f32 %0, %1, %2;" : "=f"(out[++i]) : "f"(1.0f), "f"(0x1p-30f));
  asm("fma.rn.f32 %0, %1, %2, %1;" : "=f"(out[++i]) : "f"(a), "f"(b));
  asm("add.sat.f32 %0, %1, %2;" : "=f"(out[++i]) : "f"(a), "f"(b));
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(out[++i]) : "f"(0x1p-100f), "f"(0x1p-30f));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out[++i]) : "f"(3.0f));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(out[++i]) : "f"(4.0f));
  asm("min.f32 %0, %1, %2;" : "=f"(out[++i]) : "f"(a), "f"(b));
  asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }" : "=f"(out[++i]) : "f"(1.0009765625f));
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(out[++i]) : "r"(-5));
  int whole;
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(whole) : "f"(-2.75f));
  out[++i] = static_cast<float>(whole);
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(whole) : "r"(300));
  out[++i] = static_cast<float>(whole);
  double d;
  asm("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(a));
  out[++i] = static_cast<float>(d);
  unsigned pair;  // two halves in a register, one times two
  asm("{ cvt.rn.f16x2.f32 %0, %1, %2; fma.rn.f16x2 %0, %0, %3, %3; }"
      : "=r"(pair)
      : "f"(3.0f), "f"(1.0f), "r"(0x40004000u));
  out[++i] = static_cast<float>(pair);
}

__global__ void memory(int* data, int* out) {
  __shared__ int tile[64];
  const int t = static_cast<int>(threadIdx.x);
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(&tile[t]));
  int v;
  asm volatile("ld.global.nc.L1::no_allocate.s32 %0, [%1+4];" : "=r"(v) : "l"(data + t));
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared), "r"(v) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.shared.s32 %0, [%1];"
               : "=r"(v)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&tile[63 - t]))));
  out[t] = v;
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(out + 64), "r"(1) : "memory");
  int old;
  asm volatile("atom.global.max.s32 %0, [%1], %2;" : "=r"(old) : "l"(out + 65), "r"(t) : "memory");
  if (t == 0) {
    int4 four;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w)
                 : "l"(data));
    asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(out + 66), "r"(four.x + four.y),
                 "r"(four.z + four.w)
                 : "memory");
    unsigned long long both;
    asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(5), "r"(6));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(out[69]), "=r"(out[68]) : "l"(both));
    signed char small = -3;
    int wide;
    asm volatile("{ st.b8 [%1], %2; ld.s8 %0, [%1]; }" : "=r"(wide) : "l"(&small), "r"(0xf0) : "memory");
    out[70] = wide;
  }
}

__global__ void async_copy(const float* from, float* to) {
  __shared__ __align__(16) float tile[128];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x * 4]));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(at),
               "l"(from + threadIdx.x * 4), "r"(threadIdx.x == 31 ? 8 : 16));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group %0;" ::"n"(0));
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < 128; i += 32) to[i] = tile[i];
}

__global__ void warp(unsigned* out) {
  unsigned lane, id, mask, value;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%warpid;" : "=r"(id));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %1, 4, 0x1f, 0xffffffff; @!p mov.u32 %0, 99; }"
               : "=r"(value)
               : "r"(lane));
  unsigned ballot, sum;
  asm volatile("{ .reg .pred p; setp.ge.u32 p, %1, 30; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(ballot)
               : "r"(lane));
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane));
  unsigned* mine = out + threadIdx.x * 6;
  mine[0] = lane, mine[1] = id, mine[2] = mask, mine[3] = value, mine[4] = ballot, mine[5] = sum;
}

__global__ void out_of_bounds(float* out, const float* from) {
  float v;
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(from + 32));  // mark: past_the_end
  out[0] = v;
}

}  // namespace

DEVICE_TEST("PTX on integers") {
  const int a = -17, b = 5;
  const unsigned u = 0x90000001u;
  const Buffer<int> out(16);
  integers<<<1, 1>>>(out.data(), a, b, u);
  const std::vector<int> want = {a + b,     a - b,
                                 a * b,     static_cast<int>((std::uint64_t{u} * u) >> 32),
                                 a * b + a, a / b,
                                 a % b,     a,
                                 a,         -a,
                                 122,       2147483647,
                                 -1,        static_cast<int>(std::uint64_t{u} * u + 1),
                                 1,         9};
  expect_values(out.values(), want, "integers");
}

DEVICE_TEST("PTX on bits") {
  const unsigned a = 0x92345678u, b = 0x00abcdefu;
  const Buffer<unsigned> out(20);
  bits<<<1, 1>>>(out.data(), a, b);
  const std::vector<unsigned> want = {a & b,
                                      a | b,
                                      a ^ b,
                                      ~a,
                                      a << 4,
                                      0,
                                      a >> 4,
                                      0xffffffffu,
                                      0x56,
                                      0xffffff92u,
                                      (b & ~0xff0u) | (a & 0xffu) << 4,
                                      0xcdef5678u,
                                      a ^ b ^ 0x0f0f0f0fu,
                                      14,
                                      8,
                                      0xf7b3d500u,
                                      23,
                                      0xabcdef92u,
                                      1 + 0x92 + (0xab - 0x34) + (0xcd - 0x56) + (0xef - 0x78),
                                      5 + 2 * (1 + 2 + 3 + 4)};
  expect_values(out.values(), want, "bits");
}

DEVICE_TEST("PTX with registers, predicates and labels of its own") {
  const Buffer<int> out(5);
  control<<<1, 1>>>(out.data(), 10, 1.5f);
  expect_values(out.values(), std::vector<int>{45, 12, 1, -1, 8}, "control");
}

DEVICE_TEST("PTX on floating point numbers rounds, saturates and converts as it says") {
  const Buffer<float> out(14);
  numbers<<<1, 1>>>(out.data(), 1.5f, 2.0f);
  const float half = 1.0009765625f;
  expect_values(out.values(),
                std::vector<float>{1.0f, 1.0f + 0x1p-23f, 4.5f, 1.0f, 0.0f, 8.0f, 0.5f, 1.5f, half, -5.0f,
                                   -2.0f, 255.0f, 1.5f, static_cast<float>(0x48004400u)},
                "numbers");
}

DEVICE_TEST("PTX loads, stores and updates memory, and its accesses are checked") {
  std::vector<int> data;
  for (int i = 0; i < 68; ++i) data.push_back(3 * i);
  std::vector<int> want;
  for (int t = 0; t < 64; ++t) want.push_back(3 * (64 - t));
  want.insert(want.end(), {64, 63, 3, 15, 6, 5, -16});
  const Buffer<int> from(data);
  const Buffer<int> out(std::vector<int>(71, 0));
  memory<<<1, 64>>>(from.data(), out.data());
  expect_values(out.values(), want, "memory");
}

DEVICE_TEST("cp.async copies, and fills with zero what is not read") {
  std::vector<float> data, want;
  for (int i = 0; i < 128; ++i) data.push_back(static_cast<float>(i));
  want = data;
  want[126] = want[127] = 0.0f;
  const Buffer<float> from(data), to(std::size_t{128});
  async_copy<<<1, 32>>>(from.data(), to.data());
  expect_values(to.values(), want, "copied");
}

DEVICE_TEST("PTX of a warp: special registers, shuffles, votes and reductions") {
  const Buffer<unsigned> out(64 * 6);
  warp<<<1, 64>>>(out.data());
  std::vector<unsigned> want;
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned lane = t % 32;
    want.insert(want.end(), {lane, t / 32, (1u << lane) - 1, lane < 28 ? lane + 4 : 99, 0xc0000000u, 496});
  }
  expect_values(out.values(), want, "warp");
}

DEVICE_TEST("a load of PTX past the end is found at its line") {
  device_test::expect_finding("oob_global", __FILE__, "past_the_end");
  const Buffer<float> out(1), from(std::vector<float>(32, 1.0f));
  out_of_bounds<<<1, 1>>>(out.data(), from.data());
}
