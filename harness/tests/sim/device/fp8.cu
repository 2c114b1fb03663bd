// 8 bit floats: every value there and back, rounding and saturation.
#include <cuda_fp8.h>

#include "device_test.h"

using device_test::Buffer;
using device_test::expect_values;

namespace {

__global__ void decode_all(float* e4m3, float* e5m2) {
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = static_cast<__nv_fp8_storage_t>(threadIdx.x);
  b.__x = static_cast<__nv_fp8_storage_t>(threadIdx.x);
  e4m3[threadIdx.x] = static_cast<float>(a);
  e5m2[threadIdx.x] = static_cast<float>(b);
}

__global__ void encode(float* e4m3, float* e5m2, const float* in, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  e4m3[i] = static_cast<float>(__nv_fp8_e4m3(in[i]));
  e5m2[i] = static_cast<float>(__nv_fp8_e5m2(__float2half(in[i])));
}

__global__ void vectors(float* out, __nv_fp8x4_e4m3* packed) {
  packed[0] = __nv_fp8x4_e4m3(make_float4(1.0f, -2.5f, 1000.0f, 0.0f));
  const float4 back = static_cast<float4>(packed[0]);
  out[0] = back.x + back.y + back.z + back.w;
  const float2 two = static_cast<float2>(__nv_fp8x2_e5m2(make_float2(3.0f, -1e9f)));
  out[1] = two.x;
  out[2] = two.y;
  out[3] = __half2float(
      __half(__nv_cvt_fp8_to_halfraw(__nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2), __NV_E5M2)));
}

}  // namespace

DEVICE_TEST("8 bit floats hold what their formats say") {
  const Buffer<float> e4m3(256), e5m2(256);
  decode_all<<<1, 256>>>(e4m3.data(), e5m2.data());
  std::vector<float> want4(256), want5(256);
  for (int bits = 0; bits < 256; ++bits) {
    const auto value = [&](int mantissa_bits, int bias) {
      const int exponent = bits % 128 >> mantissa_bits, mantissa = bits % (1 << mantissa_bits);
      const float fraction = static_cast<float>(mantissa) / static_cast<float>(1 << mantissa_bits);
      const float magnitude =
          exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1.0f + fraction, exponent - bias);
      return bits >= 128 ? -magnitude : magnitude;
    };
    const auto at = static_cast<std::size_t>(bits);
    want4[at] = bits % 128 == 127 ? std::nanf("") : value(3, 7);
    want5[at] = bits % 128 > 124    ? std::nanf("")
                : bits % 128 == 124 ? (bits >= 128 ? -HUGE_VALF : HUGE_VALF)
                                    : value(2, 15);
  }
  expect_values(e4m3.values(), want4, "e4m3");
  expect_values(e5m2.values(), want5, "e5m2");
}

DEVICE_TEST("8 bit floats round to nearest even and saturate") {
  const std::vector<float> in = {1.0f,   1.0625f, 1.1875f, 17.0f,  19.0f,  448.0f,
                                 470.0f, 1e6f,    -1e6f,   0.001f, 0.0009f};
  const Buffer<float> from(in), e4m3(in.size()), e5m2(in.size());
  encode<<<1, 32>>>(e4m3.data(), e5m2.data(), from.data(), static_cast<int>(in.size()));
  expect_values(e4m3.values(),
                std::vector<float>{1.0f, 1.0f, 1.25f, 16.0f, 20.0f, 448.0f, 448.0f, 448.0f, -448.0f,
                                   0.001953125f, 0.0f},
                "e4m3");
  expect_values(e5m2.values(),
                std::vector<float>{1.0f, 1.0f, 1.25f, 16.0f, 20.0f, 448.0f, 448.0f, 57344.0f, -57344.0f,
                                   0.0009765625f, 0.0008544921875f},
                "e5m2");
  const Buffer<float> out(4);
  const Buffer<__nv_fp8x4_e4m3> packed(1);
  vectors<<<1, 1>>>(out.data(), packed.data());
  expect_values(out.values(), std::vector<float>{446.5f, 3.0f, -57344.0f, HUGE_VALF}, "vectors");
}
