// The CUDA Math API: what the C library lacks, integer intrinsics, rounding modes, conversions, SIMD in a
// word.
#include <device_launch_parameters.h>

#include <cfloat>
#include <climits>
#include <cstdint>

#include "device_test.h"

using device_test::Buffer;
using device_test::expect_values;

namespace {

template <class Out, class In, class F>
__global__ void map(Out* out, const In* in, int n, F f) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = f(in[i]);
}

/// f of every input, computed on the device.
template <class Out, class In, class F>
std::vector<Out> on_device(const std::vector<In>& in, F f) {
  const Buffer<In> input(in);
  const Buffer<Out> output(in.size());
  const int n = static_cast<int>(in.size());
  map<<<(n + 63) / 64, 64>>>(output.data(), input.data(), n, f);
  return output.values();
}

struct SinPi {
  __device__ float operator()(float x) const { return sinpif(x); }
};
struct CosPi {
  __device__ double operator()(double x) const { return cospi(x); }
};
struct Rsqrt {
  __device__ float operator()(float x) const { return rsqrtf(x) * rsqrtf(x) * x; }
};
struct NormalThereAndBack {
  __device__ double operator()(double p) const { return normcdf(normcdfinv(p)); }
};
struct ErrorThereAndBack {
  __device__ double operator()(double x) const { return erf(erfinv(x)); }
};
struct ComplementThereAndBack {
  __device__ double operator()(double q) const { return erfc(erfcinv(q)); }
};
struct ScaledComplement {
  __device__ double operator()(double x) const { return erfcx(x); }
};
struct Length {
  __device__ float operator()(float x) const { return norm3df(x, 2 * x, 2 * x) + rnorm4df(x, x, x, x); }
};
struct FastMath {
  __device__ float operator()(float x) const {
    return __expf(__logf(x)) + __fdividef(__sinf(x), __cosf(x)) - __tanf(x) + __powf(x, 2.0f) -
           __saturatef(x);
  }
};
struct MixedMinMax {
  __device__ int operator()(int x) const { return min(x, 3) + static_cast<int>(max(2u, 7)) + abs(x); }
};
struct Overloads {
  __device__ float operator()(float x) const {
    return sqrt(x) + fabs(-x) + floor(x) + pow(x, 2.0f) + exp(0.0f * x);
  }
};

struct Bits {
  __device__ unsigned operator()(unsigned x) const {
    return __brev(x) ^ static_cast<unsigned>(__popc(x)) ^
           static_cast<unsigned>(__clz(static_cast<int>(x))) << 8 ^
           static_cast<unsigned>(__ffs(static_cast<int>(x))) << 16;
  }
};
struct Permute {
  __device__ unsigned operator()(unsigned selector) const {
    return __byte_perm(0x83020100u, 0x07060504u, selector);
  }
};
struct Funnel {
  __device__ unsigned operator()(unsigned shift) const {
    return __funnelshift_l(0x89abcdefu, 0x01234567u, shift) ^
           __funnelshift_r(0x89abcdefu, 0x01234567u, shift) ^
           __funnelshift_lc(0x89abcdefu, 0x01234567u, shift) ^
           __funnelshift_rc(0x89abcdefu, 0x01234567u, shift);
  }
};
struct HighProducts {
  __device__ long long operator()(long long x) const {
    return __mul64hi(x, 0x123456789abcdefll) + __mulhi(static_cast<int>(x), -77777777) +
           static_cast<long long>(__umulhi(static_cast<unsigned>(x), 0xdeadbeefu));
  }
};
struct Dots {
  __device__ int operator()(int x) const {
    return __dp4a(x, 0x01fe03fc, 5) + static_cast<int>(__dp4a(static_cast<unsigned>(x), 0x01fe03fcu, 5u)) +
           __dp2a_lo(x, 0x01fe03fc, 1) + __dp2a_hi(x, 0x01fe03fc, 1);
  }
};

struct ToIntegers {
  __device__ int operator()(float x) const {
    return __float2int_rn(x) + 10 * __float2int_rd(x) + 100 * __float2int_ru(x) + 1000 * __float2int_rz(x);
  }
};
struct Saturates {
  __device__ int operator()(float x) const { return __float2int_rz(x); }
};
struct SaturatesUnsigned {
  __device__ unsigned long long operator()(double x) const { return __double2ull_rn(x); }
};
struct Third {
  int mode;
  __device__ float operator()(float x) const {
    if (mode == 0) return __fdiv_rd(x, 3.0f);
    if (mode == 1) return __fdiv_ru(x, 3.0f);
    if (mode == 2) return __fdiv_rz(x, 3.0f);
    return __fdiv_rn(x, 3.0f);
  }
};
struct IntegerToFloat {
  int mode;
  __device__ float operator()(int x) const {
    return mode == 0   ? __int2float_rd(x)
           : mode == 1 ? __int2float_ru(x)
           : mode == 2 ? __int2float_rz(x)
                       : __int2float_rn(x);
  }
};
struct FusedExact {
  __device__ double operator()(double x) const {
    return __fma_rd(x, x, -1.0) + __dadd_ru(x, 1e-30) + __fmaf_rn(2.0f, 3.0f, 4.0f);
  }
};
struct Simd {
  int which;
  __device__ unsigned operator()(uint2 v) const {
    switch (which) {
      case 0:
        return __vadd4(v.x, v.y);
      case 1:
        return __vsubus2(v.x, v.y);
      case 2:
        return __vmaxs4(v.x, v.y);
      case 3:
        return __vcmpgtu2(v.x, v.y);
      case 4:
        return __vsadu4(v.x, v.y);
      default:
        return __vavgu4(v.x, v.y);
    }
  }
};
struct LoadsAndStores {
  float4* to;
  __device__ float operator()(const float4& v) const {
    const float4 a = __ldg(&v), b = __ldcs(&v);
    __stcs(to, make_float4(a.x, b.y, __ldcg(&v.z), __ldca(&v.w)));
    return a.x + b.w;
  }
};

}  // namespace

DEVICE_TEST("functions that the C library lacks") {
  expect_values(on_device<float>(std::vector<float>{0, 0.5f, 1, 1.5f, -0.5f, 1e6f, 0.25f}, SinPi{}),
                std::vector<float>{0, 1, 0, -1, -1, 0, 0.70710678f}, "sinpif", 1e-7);
  expect_values(on_device<double>(std::vector<double>{0, 0.5, 1, 1.5, 2, -1, 0.25}, CosPi{}),
                std::vector<double>{1, 0, -1, 0, 1, -1, std::sqrt(0.5)}, "cospi", 1e-15);
  expect_values(on_device<float>(std::vector<float>{1, 2, 1e-20f, 3e30f}, Rsqrt{}),
                std::vector<float>(4, 1.0f), "rsqrtf", 1e-6);
  const std::vector<double> probabilities = {1e-300, 1e-12, 0.01, 0.3, 0.5, 0.9, 1 - 1e-9};
  expect_values(on_device<double>(probabilities, NormalThereAndBack{}), probabilities, "normcdfinv", 1e-14);
  expect_values(on_device<double>(probabilities, ErrorThereAndBack{}), probabilities, "erfinv", 1e-15);
  expect_values(on_device<double>(probabilities, ComplementThereAndBack{}), probabilities, "erfcinv", 1e-14);
  expect_values(on_device<double>(std::vector<double>{0, 1, 10, 24.9, 25.1, 1000}, ScaledComplement{}),
                std::vector<double>{1, 0.42758357615580700, 0.056140992743822585, 0.0226399877760495,
                                    0.0224598758175814, 0.000564189301453388},
                "erfcx", 1e-13);
  expect_values(on_device<float>(std::vector<float>{1, 2, 0.5f}, Length{}),
                std::vector<float>{3.5f, 6.25f, 2.5f}, "norms", 1e-6);
}

DEVICE_TEST("fast math, minima and the overloads for float") {
  expect_values(on_device<float>(std::vector<float>{0.5f, 2, 3}, FastMath{}),
                std::vector<float>{0.25f, 5, 11}, "fast math", 1e-4);
  expect_values(on_device<int>(std::vector<int>{-4, 2, 9}, MixedMinMax{}), std::vector<int>{7, 11, 19},
                "min, max");
  expect_values(on_device<float>(std::vector<float>{4, 2.25f}, Overloads{}), std::vector<float>{27, 11.8125f},
                "overloads", 1e-6);
}

DEVICE_TEST("integer intrinsics") {
  const std::vector<unsigned> words = {0u, 1u, 0x80000000u, 0x12345678u, 0xffffffffu};
  std::vector<unsigned> want;
  for (const unsigned x : words) {
    unsigned reversed = 0, ones = 0, leading = 32, first = 0;
    for (unsigned i = 0; i < 32; ++i) {
      if (!(x >> i & 1u)) continue;
      reversed |= 0x80000000u >> i;
      ++ones;
      leading = 31 - i;
      if (first == 0) first = i + 1;
    }
    want.push_back(reversed ^ ones ^ leading << 8 ^ first << 16);
  }
  expect_values(on_device<unsigned>(words, Bits{}), want, "bits");
  expect_values(on_device<unsigned>(std::vector<unsigned>{0x3210u, 0x7654u, 0x0123u, 0xb080u}, Permute{}),
                std::vector<unsigned>{0x83020100u, 0x07060504u, 0x00010283u, 0xff000000u}, "__byte_perm");
  std::vector<unsigned> shifts, shifted;
  for (unsigned s = 0; s < 40; ++s) {
    const std::uint64_t both = 0x0123456789abcdefull;
    const unsigned wrapped = s % 32, capped = s < 32 ? s : 32;
    const auto left = [&](unsigned n) {
      return n == 32 ? 0x89abcdefu : static_cast<unsigned>((both << n) >> 32);
    };
    const auto right = [&](unsigned n) { return static_cast<unsigned>(both >> n); };
    shifts.push_back(s);
    shifted.push_back(left(wrapped) ^ right(wrapped) ^ left(capped) ^ right(capped));
  }
  expect_values(on_device<unsigned>(shifts, Funnel{}), shifted, "funnel shifts");
  const std::vector<long long> factors = {0, 1, -1, LLONG_MAX, LLONG_MIN, 987654321987654321ll};
  std::vector<long long> high;
  for (const long long x : factors)
    high.push_back(
        static_cast<long long>((static_cast<__int128>(x) * 0x123456789abcdefll) >> 64) +
        ((static_cast<long long>(static_cast<int>(x)) * -77777777ll) >> 32) +
        static_cast<long long>((static_cast<std::uint64_t>(static_cast<unsigned>(x)) * 0xdeadbeefull) >> 32));
  expect_values(on_device<long long>(factors, HighProducts{}), high, "high products");
  // Bytes of 0x01fe03fc, lowest first: -4, 3, -2, 1 signed and 252, 3, 254, 1 unsigned.
  expect_values(on_device<int>(std::vector<int>{0x01020304, 0x00010001}, Dots{}),
                std::vector<int>{(5 - 16 + 9 - 4 + 1) + (5 + 1008 + 9 + 508 + 1) +
                                     (1 + 0x0304 * -4 + 0x0102 * 3) + (1 + 0x0304 * -2 + 0x0102 * 1),
                                 (5 - 4 - 2) + (5 + 252 + 254) + (1 - 4 + 3) + (1 - 2 + 1)},
                "dot products of bytes");
}

DEVICE_TEST("conversions round as named and saturate") {
  expect_values(on_device<int>(std::vector<float>{2.5f, -2.5f, 3.5f, 0.2f}, ToIntegers{}),
                std::vector<int>{2 + 20 + 300 + 2000, -2 - 30 - 200 - 2000, 4 + 30 + 400 + 3000, 100},
                "rounding");
  expect_values(on_device<int>(std::vector<float>{3e9f, -3e9f, std::nanf(""), HUGE_VALF}, Saturates{}),
                std::vector<int>{INT_MAX, INT_MIN, 0, INT_MAX}, "__float2int_rz");
  expect_values(on_device<unsigned long long>(std::vector<double>{-1.0, 1e30, 18446744073709549568.0, 2.5},
                                              SaturatesUnsigned{}),
                std::vector<unsigned long long>{0, ULLONG_MAX, 18446744073709549568ull, 2},
                "__double2ull_rn");
  const float exact = 1.0f / 3.0f;  // above a third
  const float below = std::nextafter(exact, 0.0f);
  const std::vector<float> one = {1.0f, -1.0f};
  expect_values(on_device<float>(one, Third{0}), std::vector<float>{below, -exact}, "__fdiv_rd");
  expect_values(on_device<float>(one, Third{1}), std::vector<float>{exact, -below}, "__fdiv_ru");
  expect_values(on_device<float>(one, Third{2}), std::vector<float>{below, -below}, "__fdiv_rz");
  expect_values(on_device<float>(one, Third{3}), std::vector<float>{exact, -exact}, "__fdiv_rn");
  const std::vector<int> odd = {16777217, -16777217};
  expect_values(on_device<float>(odd, IntegerToFloat{0}), std::vector<float>{16777216.0f, -16777218.0f},
                "rd");
  expect_values(on_device<float>(odd, IntegerToFloat{1}), std::vector<float>{16777218.0f, -16777216.0f},
                "ru");
  expect_values(on_device<float>(odd, IntegerToFloat{2}), std::vector<float>{16777216.0f, -16777216.0f},
                "rz");
  const double x = 1.0 + DBL_EPSILON;
  expect_values(on_device<double>(std::vector<double>{x}, FusedExact{}),
                std::vector<double>{std::fma(x, x, -1.0) + (x + DBL_EPSILON) + 10.0}, "fma and add", 0.0);
}

DEVICE_TEST("SIMD in a word") {
  const std::vector<uint2> words = {{0x01ff7f80u, 0x01020304u}, {0x80007fffu, 0x7fff8000u}};
  const auto run = [&](int which) { return on_device<unsigned>(words, Simd{which}); };
  expect_values(run(0), std::vector<unsigned>{0x02018284u, 0xffffffffu}, "__vadd4");
  expect_values(run(1), std::vector<unsigned>{0x00fd7c7cu, 0x00010000u}, "__vsubus2");
  expect_values(run(2), std::vector<unsigned>{0x01027f04u, 0x7f007f00u}, "__vmaxs4");
  expect_values(run(3), std::vector<unsigned>{0xffffffffu, 0xffff0000u}, "__vcmpgtu2");
  expect_values(run(4), std::vector<unsigned>{253 + 124 + 124, 1 + 255 + 1 + 255}, "__vsadu4");
  expect_values(run(5), std::vector<unsigned>{0x01814142u, 0x80808080u}, "__vavgu4");
}

DEVICE_TEST("loads and stores with a cache hint") {
  const Buffer<float4> to(1);
  const std::vector<float> got =
      on_device<float>(std::vector<float4>{{1, 2, 3, 4}}, LoadsAndStores{to.data()});
  expect_values(got, std::vector<float>{5}, "__ldg, __ldcs");
  device_test::expect(to.values()[0].w == 4.0f && to.values()[0].x == 1.0f, "__stcs");
}
