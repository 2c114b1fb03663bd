// CUDA's built-in vector types: char1 to double4, dim3, and their make_ functions.
// Alignments are those of the CUDA C++ Programming Guide, "Built-in Vector Types".
#pragma once

#include <cstddef>

#define WORKBOOK_SIM_VECTOR(NAME, TYPE, ALIGN2, ALIGN4)                          \
  struct NAME##1 {                                                               \
    TYPE x;                                                                      \
  };                                                                             \
  struct alignas(ALIGN2) NAME##2 {                                               \
    TYPE x, y;                                                                   \
  };                                                                             \
  struct NAME##3 {                                                               \
    TYPE x, y, z;                                                                \
  };                                                                             \
  struct alignas(ALIGN4) NAME##4 {                                               \
    TYPE x, y, z, w;                                                             \
  };                                                                             \
  constexpr NAME##1 make_##NAME##1(TYPE x) { return {x}; }                       \
  constexpr NAME##2 make_##NAME##2(TYPE x, TYPE y) { return {x, y}; }            \
  constexpr NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; } \
  constexpr NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }

WORKBOOK_SIM_VECTOR(char, signed char, 2, 4)
WORKBOOK_SIM_VECTOR(uchar, unsigned char, 2, 4)
WORKBOOK_SIM_VECTOR(short, short, 4, 8)
WORKBOOK_SIM_VECTOR(ushort, unsigned short, 4, 8)
WORKBOOK_SIM_VECTOR(int, int, 8, 16)
WORKBOOK_SIM_VECTOR(uint, unsigned int, 8, 16)
WORKBOOK_SIM_VECTOR(long, long, 16, 16)
WORKBOOK_SIM_VECTOR(ulong, unsigned long, 16, 16)
WORKBOOK_SIM_VECTOR(longlong, long long, 16, 16)
WORKBOOK_SIM_VECTOR(ulonglong, unsigned long long, 16, 16)
WORKBOOK_SIM_VECTOR(double, double, 16, 16)

#undef WORKBOOK_SIM_VECTOR

// float vectors are moved as one access of 8 or 16 bytes, as the hardware does: a plain struct copy would be
// seen as four loads of four bytes. may_alias vector types give exactly one access on gcc and clang.
namespace workbook::sim {
typedef float Vector2 __attribute__((vector_size(8), may_alias));
typedef float Vector4 __attribute__((vector_size(16), may_alias));
}  // namespace workbook::sim

struct float1 {
  float x;
};
struct alignas(8) float2 {
  float x, y;
  float2() = default;
  constexpr float2(float x_, float y_) : x(x_), y(y_) {}
  float2(const float2& other) { *this = other; }
  float2& operator=(const float2& other) {
    *reinterpret_cast<workbook::sim::Vector2*>(this) =
        *reinterpret_cast<const workbook::sim::Vector2*>(&other);
    return *this;
  }
};
struct float3 {
  float x, y, z;
};
struct alignas(16) float4 {
  float x, y, z, w;
  float4() = default;
  constexpr float4(float x_, float y_, float z_, float w_) : x(x_), y(y_), z(z_), w(w_) {}
  float4(const float4& other) { *this = other; }
  float4& operator=(const float4& other) {
    *reinterpret_cast<workbook::sim::Vector4*>(this) =
        *reinterpret_cast<const workbook::sim::Vector4*>(&other);
    return *this;
  }
};
constexpr float1 make_float1(float x) { return {x}; }
constexpr float2 make_float2(float x, float y) { return {x, y}; }
constexpr float3 make_float3(float x, float y, float z) { return {x, y, z}; }
constexpr float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
