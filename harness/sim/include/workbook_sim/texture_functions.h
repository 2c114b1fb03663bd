// What kernels read of textures, and read and write of surfaces.
#pragma once

#include <cstddef>
#include <type_traits>

#include "attributes.h"
#include "runtime/array.h"
#include "vector_types.h"

extern "C" {
/// What a texture holds at a place, its channels as numbers: of 1 to 3 dimensions, and a layer. Coordinates
/// as the texture has them, normalised or not.
void workbook_sim_texture(cudaTextureObject_t texture, int dimensions, float x, float y, float z, int layer,
                          double* channels);
/// Element `index` of a texture of linear memory.
void workbook_sim_texture_element(cudaTextureObject_t texture, long long index, double* channels);
/// Moves `bytes` between `value` and a surface, at byte `x` of a row.
void workbook_sim_surface(cudaSurfaceObject_t surface, int dimensions, int x, int y, int z, int layer,
                          int boundary, void* value, std::size_t bytes, bool writes);
}

namespace workbook::sim {

/// The type and number of the channels of a texel's type.
template <class T>
struct TexelOf {
  using Channel = T;
  static constexpr int kChannels = 1;
  static T make(const double* c) { return static_cast<T>(c[0]); }
};
#define WORKBOOK_SIM_TEXEL(NAME, CHANNEL)                                                       \
  template <>                                                                                   \
  struct TexelOf<NAME##1> {                                                                     \
    using Channel = CHANNEL;                                                                    \
    static constexpr int kChannels = 1;                                                         \
    static NAME##1 make(const double* c) { return make_##NAME##1(static_cast<CHANNEL>(c[0])); } \
  };                                                                                            \
  template <>                                                                                   \
  struct TexelOf<NAME##2> {                                                                     \
    using Channel = CHANNEL;                                                                    \
    static constexpr int kChannels = 2;                                                         \
    static NAME##2 make(const double* c) {                                                      \
      return make_##NAME##2(static_cast<CHANNEL>(c[0]), static_cast<CHANNEL>(c[1]));            \
    }                                                                                           \
  };                                                                                            \
  template <>                                                                                   \
  struct TexelOf<NAME##4> {                                                                     \
    using Channel = CHANNEL;                                                                    \
    static constexpr int kChannels = 4;                                                         \
    static NAME##4 make(const double* c) {                                                      \
      return make_##NAME##4(static_cast<CHANNEL>(c[0]), static_cast<CHANNEL>(c[1]),             \
                            static_cast<CHANNEL>(c[2]), static_cast<CHANNEL>(c[3]));            \
    }                                                                                           \
  };
WORKBOOK_SIM_TEXEL(char, signed char)
WORKBOOK_SIM_TEXEL(uchar, unsigned char)
WORKBOOK_SIM_TEXEL(short, short)
WORKBOOK_SIM_TEXEL(ushort, unsigned short)
WORKBOOK_SIM_TEXEL(int, int)
WORKBOOK_SIM_TEXEL(uint, unsigned int)
WORKBOOK_SIM_TEXEL(float, float)
#undef WORKBOOK_SIM_TEXEL

}  // namespace workbook::sim

/// Of a type with 1, 2 or 4 channels: what an array of it is made with.
template <class T>
constexpr cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Texel = workbook::sim::TexelOf<T>;
  using Channel = typename Texel::Channel;
  constexpr int kBits = 8 * static_cast<int>(sizeof(Channel));
  return {kBits, Texel::kChannels > 1 ? kBits : 0, Texel::kChannels > 2 ? kBits : 0,
          Texel::kChannels > 3 ? kBits : 0,
          std::is_floating_point_v<Channel> ? cudaChannelFormatKindFloat
          : std::is_signed_v<Channel>       ? cudaChannelFormatKindSigned
                                            : cudaChannelFormatKindUnsigned};
}

// `value = tex2D<T>(texture, x, y)` and the older `tex2D(&value, texture, x, y)`.
#define WORKBOOK_SIM_TEXTURE(NAME, PARAMETERS, FETCH)                                      \
  template <class T>                                                                       \
  WORKBOOK_SIM_INLINE T NAME PARAMETERS {                                                  \
    double channels[4];                                                                    \
    FETCH;                                                                                 \
    return workbook::sim::TexelOf<T>::make(channels);                                      \
  }                                                                                        \
  template <class T, class... Places>                                                      \
  WORKBOOK_SIM_INLINE void NAME(T* value, cudaTextureObject_t texture, Places... places) { \
    *value = NAME<T>(texture, places...);                                                  \
  }
WORKBOOK_SIM_TEXTURE(tex1Dfetch, (cudaTextureObject_t texture, int i),
                     workbook_sim_texture_element(texture, i, channels))
WORKBOOK_SIM_TEXTURE(tex1D, (cudaTextureObject_t texture, float x),
                     workbook_sim_texture(texture, 1, x, 0, 0, 0, channels))
WORKBOOK_SIM_TEXTURE(tex2D, (cudaTextureObject_t texture, float x, float y),
                     workbook_sim_texture(texture, 2, x, y, 0, 0, channels))
WORKBOOK_SIM_TEXTURE(tex3D, (cudaTextureObject_t texture, float x, float y, float z),
                     workbook_sim_texture(texture, 3, x, y, z, 0, channels))
WORKBOOK_SIM_TEXTURE(tex1DLayered, (cudaTextureObject_t texture, float x, int layer),
                     workbook_sim_texture(texture, 1, x, 0, 0, layer, channels))
WORKBOOK_SIM_TEXTURE(tex2DLayered, (cudaTextureObject_t texture, float x, float y, int layer),
                     workbook_sim_texture(texture, 2, x, y, 0, layer, channels))
// There is one level of detail.
WORKBOOK_SIM_TEXTURE(tex1DLod, (cudaTextureObject_t texture, float x, float),
                     workbook_sim_texture(texture, 1, x, 0, 0, 0, channels))
WORKBOOK_SIM_TEXTURE(tex2DLod, (cudaTextureObject_t texture, float x, float y, float),
                     workbook_sim_texture(texture, 2, x, y, 0, 0, channels))
WORKBOOK_SIM_TEXTURE(tex3DLod, (cudaTextureObject_t texture, float x, float y, float z, float),
                     workbook_sim_texture(texture, 3, x, y, z, 0, channels))

namespace workbook::sim {

/// Where a direction meets the cube: the CUDA C++ Programming Guide, "Cubemap Textures".
struct CubePlace {
  int face;
  float s, t;  ///< in the face, from 0 to 1
};
WORKBOOK_SIM_INLINE CubePlace on_cube(float x, float y, float z) {
  const float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, az = z < 0 ? -z : z;
  CubePlace p{};
  float m = az, s = 0, t = 0;
  if (ax >= ay && ax >= az) {
    m = ax;
    p.face = x >= 0 ? 0 : 1;
    s = x >= 0 ? -z : z;
    t = -y;
  } else if (ay >= az) {
    m = ay;
    p.face = y >= 0 ? 2 : 3;
    s = x;
    t = y >= 0 ? z : -z;
  } else {
    p.face = z >= 0 ? 4 : 5;
    s = z >= 0 ? x : -x;
    t = -y;
  }
  p.s = (s / m + 1) / 2;
  p.t = (t / m + 1) / 2;
  return p;
}

}  // namespace workbook::sim

// Filtered inside of a face: seamlessCubemap has no effect.
WORKBOOK_SIM_TEXTURE(texCubemap, (cudaTextureObject_t texture, float x, float y, float z),
                     const auto p = workbook::sim::on_cube(x, y, z);
                     workbook_sim_texture(texture, 2, p.s, p.t, 0, p.face, channels))
WORKBOOK_SIM_TEXTURE(texCubemapLayered, (cudaTextureObject_t texture, float x, float y, float z, int layer),
                     const auto p = workbook::sim::on_cube(x, y, z);
                     workbook_sim_texture(texture, 2, p.s, p.t, 0, 6 * layer + p.face, channels))
WORKBOOK_SIM_TEXTURE(texCubemapLod, (cudaTextureObject_t texture, float x, float y, float z, float),
                     const auto p = workbook::sim::on_cube(x, y, z);
                     workbook_sim_texture(texture, 2, p.s, p.t, 0, p.face, channels))
#undef WORKBOOK_SIM_TEXTURE

// `x` is in bytes.
#define WORKBOOK_SIM_SURFACE(NAME, PLACE, DIMENSIONS, X, Y, Z, LAYER, ...)                           \
  template <class T>                                                                                 \
  WORKBOOK_SIM_INLINE T NAME##read(cudaSurfaceObject_t surface, __VA_ARGS__,                         \
                                   cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {        \
    alignas(T) unsigned char bytes[sizeof(T)];                                                       \
    workbook_sim_surface(surface, DIMENSIONS, X, Y, Z, LAYER, boundary, bytes, sizeof bytes, false); \
    return *reinterpret_cast<T*>(bytes);                                                             \
  }                                                                                                  \
  template <class T>                                                                                 \
  WORKBOOK_SIM_INLINE void NAME##read(T* value, cudaSurfaceObject_t surface, __VA_ARGS__,            \
                                      cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {     \
    *value = NAME##read<T>(surface, WORKBOOK_SIM_PLACE PLACE, boundary);                             \
  }                                                                                                  \
  template <class T>                                                                                 \
  WORKBOOK_SIM_INLINE void NAME##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,            \
                                       cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {    \
    workbook_sim_surface(surface, DIMENSIONS, X, Y, Z, LAYER, boundary, &value, sizeof value, true); \
  }
#define WORKBOOK_SIM_PLACE(...) __VA_ARGS__
WORKBOOK_SIM_SURFACE(surf1D, (x), 1, x, 0, 0, 0, int x)
WORKBOOK_SIM_SURFACE(surf2D, (x, y), 2, x, y, 0, 0, int x, int y)
WORKBOOK_SIM_SURFACE(surf3D, (x, y, z), 3, x, y, z, 0, int x, int y, int z)
WORKBOOK_SIM_SURFACE(surf1DLayered, (x, layer), 1, x, 0, 0, layer, int x, int layer)
WORKBOOK_SIM_SURFACE(surf2DLayered, (x, y, layer), 2, x, y, 0, layer, int x, int y, int layer)
#undef WORKBOOK_SIM_SURFACE
#undef WORKBOOK_SIM_PLACE
