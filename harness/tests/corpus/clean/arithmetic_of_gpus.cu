// Shifts by the width and more, casts of what an integer cannot hold, integer division by zero: results as an
// H200 gave them.
#include <cmath>
#include <cstdio>

struct In {
  int a, b;
  unsigned u, s;
  long long l, m;
  float f;
  double d;
};
constexpr int kResults = 32;

__global__ void compute(const In* in, long long* out) {
  const In v = in[blockIdx.x];
  long long* r = out + kResults * blockIdx.x;
  int i = 0;
  r[i++] = v.u << v.s;
  r[i++] = v.u >> v.s;
  r[i++] = v.a << v.s;
  r[i++] = v.a >> v.s;
  r[i++] = v.l << v.s;
  r[i++] = v.l >> v.s;
  r[i++] = (unsigned long long)v.l >> v.s;
  r[i++] = v.a >> v.b;
  r[i++] = (int)v.f;
  r[i++] = (unsigned)v.f;
  r[i++] = (long long)v.f;
  r[i++] = (long long)(unsigned long long)v.f;
  r[i++] = (int)v.d;
  r[i++] = (unsigned)v.d;
  r[i++] = (long long)v.d;
  r[i++] = (long long)(unsigned long long)v.d;
  r[i++] = (unsigned char)v.f;
  r[i++] = (signed char)v.f;
  r[i++] = (short)v.f;
  r[i++] = (unsigned short)v.f;
  unsigned char c = (unsigned char)v.a;
  c <<= v.s;
  r[i++] = c;
  r[i++] = v.a / v.b;
  r[i++] = v.a % v.b;
  r[i++] = v.u / (unsigned)v.b;
  r[i++] = v.u % (unsigned)v.b;
  r[i++] = v.l / v.m;
  r[i++] = v.l % v.m;
  r[i++] = (unsigned long long)v.l / (unsigned long long)v.m;
  r[i++] = (unsigned long long)v.l % (unsigned long long)v.m;
  r[i++] = __float_as_int(fminf(v.f, 1.0f));
  r[i++] = __float_as_int(fmaxf(v.f, 1.0f));
  r[i++] = __float_as_int(min(v.f, 1.0f));
}

struct Row {
  In in;
  unsigned long long out[kResults];  // of an H200
};
const Row kRows[] = {
    {{5, 0, 0x12345678u, 31, 7, 0, 3e9f, 3e9},
     {0x0,
      0x0,
      0xffffffff80000000,
      0x0,
      0x380000000,
      0x0,
      0x0,
      0x5,
      0x7fffffff,
      0xb2d05e00,
      0xb2d05e00,
      0xb2d05e00,
      0x7fffffff,
      0xb2d05e00,
      0xb2d05e00,
      0xb2d05e00,
      0x0,
      0xffffffffffffffff,
      0xffffffffffffffff,
      0x5e00,
      0x0,
      0xffffffffffffffff,
      0x5,
      0xffffffff,
      0x12345678,
      0xffffffff,
      0x7,
      0xffffffff,
      0x7,
      0x3f800000,
      0x4f32d05e,
      0x3f800000}},
    {{-5, 0, 0x12345678u, 32, -7, 0, -3e9f, -3e9},
     {0x0,
      0x0,
      0x0,
      0xffffffffffffffff,
      0xfffffff900000000,
      0xffffffffffffffff,
      0xffffffff,
      0xfffffffffffffffb,
      0xffffffff80000000,
      0x0,
      0xffffffff4d2fa200,
      0x0,
      0xffffffff80000000,
      0x0,
      0xffffffff4d2fa200,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0xffffffffffffffff,
      0xfffffffffffffffb,
      0xffffffff,
      0x12345678,
      0xffffffffffffffff,
      0xfffffffffffffff9,
      0xffffffffffffffff,
      0xfffffffffffffff9,
      0xffffffffcf32d05e,
      0x3f800000,
      0xffffffffcf32d05e}},
    {{-5, 2, 0x80000001u, 33, -7, 2, NAN, NAN},
     {0x0,
      0x0,
      0x0,
      0xffffffffffffffff,
      0xfffffff200000000,
      0xffffffffffffffff,
      0x7fffffff,
      0xfffffffffffffffe,
      0x0,
      0x0,
      0x8000000000000000,
      0x8000000000000000,
      0xffffffff80000000,
      0x80000000,
      0x8000000000000000,
      0x8000000000000000,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0xfffffffffffffffe,
      0xffffffffffffffff,
      0x40000000,
      0x1,
      0xfffffffffffffffd,
      0xffffffffffffffff,
      0x7ffffffffffffffc,
      0x1,
      0x3f800000,
      0x3f800000,
      0x3f800000}},
    {{2147483647, -1, 7, 64, 1LL << 62, -1, INFINITY, INFINITY},
     {0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0x7fffffff,
      0xffffffff,
      0x7fffffffffffffff,
      0xffffffffffffffff,
      0x7fffffff,
      0xffffffff,
      0x7fffffffffffffff,
      0xffffffffffffffff,
      0xff,
      0xffffffffffffffff,
      0xffffffffffffffff,
      0xffff,
      0x0,
      0xffffffff80000001,
      0x0,
      0x0,
      0x7,
      0xc000000000000000,
      0x0,
      0x0,
      0x4000000000000000,
      0x3f800000,
      0x7f800000,
      0x3f800000}},
    {{-2147483647 - 1, -1, 7, 200, -9223372036854775807LL - 1, -1, -INFINITY, -INFINITY},
     {0x0,
      0x0,
      0x0,
      0xffffffffffffffff,
      0x0,
      0xffffffffffffffff,
      0x0,
      0xffffffffffffffff,
      0xffffffff80000000,
      0x0,
      0x8000000000000000,
      0x0,
      0xffffffff80000000,
      0x0,
      0x8000000000000000,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0xffffffff80000000,
      0x0,
      0x0,
      0x7,
      0x8000000000000000,
      0x0,
      0x0,
      0x8000000000000000,
      0xffffffffff800000,
      0x3f800000,
      0xffffffffff800000}},
    {{0, 0, 0, 0, 0, 0, 1e20f, 1e20},
     {0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0x0,
      0x7fffffff,
      0xffffffff,
      0x7fffffffffffffff,
      0xffffffffffffffff,
      0x7fffffff,
      0xffffffff,
      0x7fffffffffffffff,
      0xffffffffffffffff,
      0xff,
      0xffffffffffffffff,
      0xffffffffffffffff,
      0xffff,
      0x0,
      0xffffffffffffffff,
      0x0,
      0xffffffff,
      0x0,
      0xffffffff,
      0x0,
      0xffffffff,
      0x0,
      0x3f800000,
      0x60ad78ec,
      0x3f800000}},
    {{300, 40, 1, 63, 1, 3, 300.7f, 300.7}, {0x0,        0x0,       0x0,   0x0,   0x8000000000000000,
                                             0x0,        0x0,       0x0,   0x12c, 0x12c,
                                             0x12c,      0x12c,     0x12c, 0x12c, 0x12c,
                                             0x12c,      0x2c,      0x2c,  0x12c, 0x12c,
                                             0x0,        0x7,       0x14,  0x0,   0x1,
                                             0x0,        0x1,       0x0,   0x1,   0x3f800000,
                                             0x4396599a, 0x3f800000}},
    {{-300, -3, 1, 0xffffffffu, 1, -3, -300.7f, -300.7},
     {0x0,
      0x0,
      0x0,
      0xffffffffffffffff,
      0x0,
      0x0,
      0x0,
      0xffffffffffffffff,
      0xfffffffffffffed4,
      0x0,
      0xfffffffffffffed4,
      0x0,
      0xfffffffffffffed4,
      0x0,
      0xfffffffffffffed4,
      0x0,
      0x0,
      0xffffffffffffffd4,
      0xfffffffffffffed4,
      0x0,
      0x0,
      0x64,
      0x0,
      0x0,
      0x1,
      0x0,
      0x1,
      0x0,
      0x1,
      0xffffffffc396599a,
      0x3f800000,
      0xffffffffc396599a}},
};

int main() {
  constexpr int n = sizeof kRows / sizeof *kRows;
  In in[n];
  long long got[kResults * n];
  for (int i = 0; i < n; ++i) in[i] = kRows[i].in;
  In* d_in;
  long long* d_out;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof got);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  compute<<<n, 1>>>(d_in, d_out);
  cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < kResults; ++k) {
      const auto value = static_cast<unsigned long long>(got[kResults * i + k]);
      if (value == kRows[i].out[k]) continue;
      std::printf("row %d, result %d: %llx, not %llx\n", i, k, value, kRows[i].out[k]);
      ++wrong;
    }
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
