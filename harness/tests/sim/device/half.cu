// half and bfloat16: conversions against a table of all their values, arithmetic against exact sums, and that
// a half is one access of two bytes and a half2 one of four.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>

#include "device_test.h"

using device_test::Buffer;
using device_test::expect;
using device_test::expect_values;

namespace {

// ---- what a 16 bit format holds, by definition

struct Format {
  int exponent_bits, mantissa_bits;
  double value(unsigned bits) const {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
    const int mantissa = static_cast<int>(bits) & ((1 << mantissa_bits) - 1);
    const double sign = bits & 0x8000u ? -1.0 : 1.0;
    if (exponent == (1 << exponent_bits) - 1) return mantissa != 0 ? NAN : sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
    return sign * std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  }
  /// The nearest value's bits, ties to even: a search among all magnitudes.
  unsigned nearest(double x) const {
    const unsigned infinity = ((1u << exponent_bits) - 1u) << mantissa_bits;
    const unsigned sign = std::signbit(x) ? 0x8000u : 0u;
    unsigned low = 0, high = infinity;  // value(low) <= |x| < value(high)
    if (std::fabs(x) == HUGE_VAL) return sign | infinity;
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      (value(middle) <= std::fabs(x) ? low : high) = middle;
    }
    // Infinity stands where the next power of two would, for rounding's sake.
    const double above = high == infinity ? 2.0 * value(infinity - (1u << mantissa_bits)) : value(high);
    const double up = above - std::fabs(x), down = std::fabs(x) - value(low);
    return sign | (up < down || (up == down && low % 2 == 1) ? high : low);
  }
};

constexpr Format kHalf{5, 10}, kBfloat16{8, 7};

std::vector<float> samples() {
  std::mt19937 random(42);
  std::vector<float> out = {0.0f,   -0.0f, 1.0f,     65504.0f, 65519.99f, 65520.0f, 1e30f,
                            -1e30f, 6e-8f, 2.98e-8f, 2.99e-8f, 6.1e-5f,   HUGE_VALF};
  for (int i = 0; i < 3000; ++i) {
    const std::uint32_t bits = random();
    float x;
    std::memcpy(&x, &bits, sizeof x);
    if (std::isnan(x)) continue;
    out.push_back(x);
    out.push_back(std::ldexp(static_cast<float>(bits % 16384) / 8192.0f, static_cast<int>(bits >> 26) - 32));
  }
  return out;
}

__device__ float bits_of(half h) { return __half_as_ushort(h); }
__device__ float bits_of(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }

template <class T, class In>
__global__ void encode(float* bits, const In* in, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) bits[i] = bits_of(T(in[i]));
}

template <class T>
__global__ void decode(float* out, const unsigned short* bits, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = static_cast<float>(reinterpret_cast<const T*>(bits)[i]);
}

template <class T>
__global__ void arithmetic(float* out, const T* a, const T* b, const T* c, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  out[i] = a[i] + b[i];
  out[n + i] = a[i] - b[i];
  out[2 * n + i] = a[i] * b[i];
  out[3 * n + i] = a[i] / b[i];
  out[4 * n + i] = __hfma(a[i], b[i], c[i]);
  out[5 * n + i] = hsqrt(__habs(a[i]));
}

template <class T>
void check_conversions(const Format& format, const char* name) {
  const std::vector<float> in = samples();
  const int n = static_cast<int>(in.size());
  std::vector<float> want;
  for (const float x : in) want.push_back(static_cast<float>(format.nearest(static_cast<double>(x))));
  const Buffer<float> from(in), to(in.size());
  encode<T><<<(n + 127) / 128, 128>>>(to.data(), from.data(), n);
  expect_values(to.values(), want, std::string(name) + " from float");

  // Halfway points, and a hair beside them, which a float between would lose.
  std::vector<double> halfway;
  want.clear();
  for (unsigned bits = 0x3c00; bits < 0x3c40; ++bits)
    for (const double off : {0.0, 1e-14, -1e-14}) {
      halfway.push_back((format.value(bits) + format.value(bits + 1)) / 2.0 * (1.0 + off));
      want.push_back(static_cast<float>(format.nearest(halfway.back())));
    }
  const Buffer<double> doubles(halfway);
  const Buffer<float> bits(halfway.size());
  encode<T><<<1, 192>>>(bits.data(), doubles.data(), static_cast<int>(halfway.size()));
  expect_values(bits.values(), want, std::string(name) + " from double");

  std::vector<unsigned short> all;
  want.clear();
  for (unsigned b = 0; b < 65536; b += 7) {
    all.push_back(static_cast<unsigned short>(b));
    want.push_back(static_cast<float>(format.value(b)));
  }
  const Buffer<unsigned short> every(all);
  const Buffer<float> values(all.size());
  const int count = static_cast<int>(all.size());
  decode<T><<<(count + 127) / 128, 128>>>(values.data(), every.data(), count);
  expect_values(values.values(), want, std::string(name) + " to float");
}

template <class T>
void check_arithmetic(const Format& format, const char* name) {
  std::mt19937 random(7);
  std::vector<T> a, b, c;
  std::vector<double> x, y, z;
  for (int i = 0; i < 512; ++i) {
    for (auto* numbers : {&x, &y, &z}) {
      const double magnitude =
          std::ldexp(1.0 + random() % 4096 / 4096.0, static_cast<int>(random() % 12) - 6);
      numbers->push_back(format.value(format.nearest(random() % 2 ? magnitude : -magnitude)));
    }
    a.push_back(T(static_cast<float>(x.back())));
    b.push_back(T(static_cast<float>(y.back())));
    c.push_back(T(static_cast<float>(z.back())));
  }
  std::vector<float> want(6 * 512);
  const auto rounded = [&](double v) { return static_cast<float>(format.value(format.nearest(v))); };
  for (std::size_t i = 0; i < 512; ++i) {
    want[i] = rounded(x[i] + y[i]);
    want[512 + i] = rounded(x[i] - y[i]);
    want[1024 + i] = rounded(x[i] * y[i]);
    want[1536 + i] = rounded(x[i] / y[i]);
    want[2048 + i] = rounded(x[i] * y[i] + z[i]);
    want[2560 + i] = rounded(std::sqrt(std::fabs(x[i])));
  }
  const Buffer<T> da(a), db(b), dc(c);
  const Buffer<float> out(want.size());
  arithmetic<<<2, 256>>>(out.data(), da.data(), db.data(), dc.data(), 512);
  expect_values(out.values(), want, std::string(name) + " arithmetic");
}

// ---- one element of everything else

__global__ void rounding_modes(float* out) {
  out[0] = __half2float(__float2half_rd(1.0001f));
  out[1] = __half2float(__float2half_ru(1.0001f));
  out[2] = __half2float(__float2half_rz(-1.0001f));
  out[3] = __half2float(__float2half_rz(1e9f));
  out[4] = __half2float(__int2half_rd(2049));
  out[5] = __half2float(__int2half_rn(2051));
  out[6] = static_cast<float>(__half2int_rn(__float2half(2.5f)));
  out[7] = static_cast<float>(__half2int_ru(__float2half(2.25f)));
  out[8] = static_cast<float>(static_cast<int>(__float2half(-2.75f)));
  out[9] = __bfloat162float(__float2bfloat16_ru(1.001f));
  out[10] = static_cast<float>(__half2short_rz(__float2half(40000.0f)));
  out[11] = static_cast<float>(__half(__nv_bfloat16(1.5f)));
}

__global__ void vectors(float* out, const half2* in) {
  const half2 a = in[0], b = in[1];
  const half2 fused = __hfma2(a, b, __float2half2_rn(0.5f));
  out[0] = __low2float(fused);
  out[1] = __high2float(fused);
  const float2 both = __half22float2(__floats2half2_rn(3.0f, 4.0f));
  out[2] = both.x + 10.0f * both.y;
  out[3] = __half2float(__low2half(__lowhigh2highlow(a)));
  half2 sum = a + b;
  sum += a;
  ++sum;
  out[4] = __low2float(sum);
  out[5] = a == a && a != b ? 1.0f : 0.0f;
  out[6] = __hbgt2(b, a) ? 1.0f : 0.0f;
  out[7] = static_cast<float>(__hgt2_mask(a, __halves2half2(__float2half(1.5f), __float2half(1.5f))) >> 16);
  out[8] = __high2float(__hmax2(a, b)) + __low2float(h2exp2(b));
  out[9] = __half2float(__hmax(CUDART_NAN_FP16, __float2half(2.0f)));
  out[10] = __hisnan(__hmax_nan(CUDART_NAN_FP16, __float2half(2.0f))) ? 1.0f : 0.0f;
  out[11] = __bfloat162float(__high2bfloat16(__floats2bfloat162_rn(1.0f, 2.0f)));
  half h = __float2half(1.0f);
  h += __float2half(0.5f);
  if (h > __float2half(1.25f) && h) h = -h;
  out[12] = __half2float(h);
  out[13] = __half2float(hrcp(__float2half(4.0f))) + __half2float(hexp(__float2half(0.0f)));
  out[14] = __hlt(CUDART_NAN_FP16, h) || __hne(CUDART_NAN_FP16, h) ? 1.0f : 0.0f;
  out[15] = __hltu(CUDART_NAN_FP16, h) && __hneu(CUDART_NAN_FP16, h) ? 1.0f : 0.0f;
}

template <class T>
__global__ void copy_through_shared(T* to, const T* from) {
  __shared__ T tile[64];
  tile[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = tile[threadIdx.x];
}

struct alignas(16) EightHalves {
  half2 h[4];
};

__global__ void scale_eight(EightHalves* data, half factor) {
  EightHalves v = data[threadIdx.x];
  for (int i = 0; i < 4; ++i) v.h[i] = v.h[i] * half2(factor, factor);
  data[threadIdx.x] = v;
}

__global__ void warp_sum(half* data) {
  half v = data[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  half2 pair = __shfl_sync(0xffffffffu, half2(v, data[threadIdx.x]), 0);
  if (threadIdx.x == 31) data[32] = pair.x;
}

__global__ void add_atomically(half* sum, half2* pair, __nv_bfloat16* brain) {
  atomicAdd(sum, __float2half(0.5f));
  atomicAdd(pair, __floats2half2_rn(1.0f, 2.0f));
  atomicAdd(brain, __float2bfloat16(1.0f));
}

template <class T>
void check_traffic(const std::string& name) {
  const Buffer<T> from(std::vector<T>(64)), to(64);
  copy_through_shared<<<1, 64>>>(to.data(), from.data());
  long long requests = 0, bytes = 0;
  if (!device_test::latest_traffic(requests, bytes)) return;
  expect(requests == 8 && bytes == 4 * 64 * static_cast<long long>(sizeof(T)),
         name + ": " + std::to_string(requests) + " requests, " + std::to_string(bytes) + " bytes");
}

}  // namespace

DEVICE_TEST("half and bfloat16 convert to the nearest value") {
  check_conversions<half>(kHalf, "half");
  check_conversions<__nv_bfloat16>(kBfloat16, "bfloat16");
}

DEVICE_TEST("half and bfloat16 arithmetic is rounded once") {
  check_arithmetic<half>(kHalf, "half");
  check_arithmetic<__nv_bfloat16>(kBfloat16, "bfloat16");
}

DEVICE_TEST("conversions of half in all rounding modes") {
  const Buffer<float> out(12);
  rounding_modes<<<1, 1>>>(out.data());
  expect_values(out.values(),
                std::vector<float>{1.0f, 1.0009765625f, -1.0f, 65504.0f, 2048.0f, 2052.0f, 2.0f, 3.0f, -2.0f,
                                   1.0078125f, 32767.0f, 1.5f},
                "rounding");
}

DEVICE_TEST("half2: arithmetic, comparisons, halves and wholes") {
  const Buffer<half2> in(std::vector<half2>{half2(1.0f, 2.0f), half2(3.0f, 4.0f)});
  const Buffer<float> out(16);
  vectors<<<1, 1>>>(out.data(), in.data());
  expect_values(out.values(),
                std::vector<float>{3.5f, 8.5f, 43.0f, 2.0f, 6.0f, 1.0f, 1.0f, 65535.0f, 12.0f, 2.0f, 1.0f,
                                   2.0f, -1.5f, 1.25f, 0.0f, 1.0f},
                "half2");
}

DEVICE_TEST("a half moves as two bytes, a half2 as four, a struct of eight as sixteen") {
  check_traffic<half>("half");
  check_traffic<half2>("half2");
  check_traffic<__nv_bfloat16>("bfloat16");
  check_traffic<__nv_bfloat162>("bfloat162");
  EightHalves start{};
  for (half2& h : start.h) h = half2(1.0f, 2.0f);
  const Buffer<EightHalves> data(std::vector<EightHalves>(32, start));
  scale_eight<<<1, 32>>>(data.data(), __float2half(3.0f));
  long long requests = 0, bytes = 0;
  if (device_test::latest_traffic(requests, bytes)) expect(requests == 2 && bytes == 1024, "eight halves");
  expect(static_cast<float>(data.values()[31].h[3].y) == 6.0f, "eight halves scaled");
}

DEVICE_TEST("shuffles and atomics of 16 bit floats") {
  std::vector<half> values;
  for (int i = 0; i < 33; ++i) values.push_back(half(static_cast<float>(i)));
  const Buffer<half> data(values);
  warp_sum<<<1, 32>>>(data.data());
  expect(static_cast<float>(data.values()[32]) == 496.0f, "warp sum");
  const Buffer<half> sum(std::vector<half>{half(0.0f), half(9.0f)});
  const Buffer<half2> pair(std::vector<half2>{half2(0.0f, 0.0f)});
  const Buffer<__nv_bfloat16> brain(std::vector<__nv_bfloat16>{__nv_bfloat16(0.0f), __nv_bfloat16(9.0f)});
  add_atomically<<<4, 25>>>(sum.data(), pair.data(), brain.data());
  expect(static_cast<float>(sum.values()[0]) == 50.0f && static_cast<float>(sum.values()[1]) == 9.0f, "half");
  expect(static_cast<float>(pair.values()[0].y) == 200.0f, "half2");
  expect(static_cast<float>(brain.values()[0]) == 100.0f, "bfloat16");
}
