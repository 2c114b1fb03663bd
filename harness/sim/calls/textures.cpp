// Textures and surfaces: what they are made of, and what a kernel gets of them at a place. Weights of linear
// filtering have 8 bits, as the hardware's do.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sim/calls/arrays.h"
#include "sim/calls/texture_use.h"
#include "sim/check/hooks.h"
#include "workbook_sim/texture_functions.h"

namespace workbook::sim {
namespace {

/// Both of textures and of surfaces; a handle is its address.
struct Texture {
  cudaResourceDesc resource;
  cudaTextureDesc how;
  cudaChannelFormatDesc format;
  const char* memory;
  std::array<std::int64_t, 3> extent;  ///< elements, rows, slices
  std::size_t pitch, slice, element;   ///< bytes
  mutable TextureUse use = {};
};

struct Objects {
  static Objects& get() {
    static Objects& all = *new Objects;
    return all;
  }
  std::mutex mutex;
  std::vector<std::unique_ptr<Texture>> objects;
};

Texture* find(unsigned long long handle) {
  Objects& all = Objects::get();
  const std::lock_guard lock(all.mutex);
  for (const auto& object : all.objects)
    if (reinterpret_cast<unsigned long long>(object.get()) == handle) return object.get();
  return nullptr;
}

cudaError_t refused(std::string why) {
  because(cudaErrorInvalidValue, std::move(why));
  return cudaErrorInvalidValue;
}

cudaError_t make(unsigned long long* handle, const cudaResourceDesc* resource, const cudaTextureDesc& how) {
  if (handle == nullptr || resource == nullptr) return cudaErrorInvalidValue;
  auto made = std::make_unique<Texture>();
  Texture& t = *made;
  t.resource = *resource;
  t.how = how;
  const auto lay_out = [&](const void* memory, const cudaChannelFormatDesc& format,
                           std::array<std::int64_t, 3> extent, std::size_t pitch) {
    t.memory = static_cast<const char*>(memory);
    t.format = format;
    t.extent = extent;
    t.pitch = pitch;
    t.slice = pitch * static_cast<std::size_t>(extent[1]);
    t.element = element_bytes_of(format);
  };
  switch (resource->resType) {
    case cudaResourceTypeArray: {
      const cudaArray* const a = resource->res.array.array;
      if (!is_array(a))
        return refused(
            "Its array is none that cudaMallocArray() or cudaMalloc3DArray() made, or it is freed.");
      lay_out(a->memory, a->format,
              {static_cast<std::int64_t>(a->extent.width), static_cast<std::int64_t>(a->rows()),
               static_cast<std::int64_t>(a->slices())},
              a->pitch());
      break;
    }
    case cudaResourceTypeLinear: {
      const auto& r = resource->res.linear;
      const std::size_t element = element_bytes_of(r.desc);
      if (r.devPtr == nullptr || element == 0)
        return refused(
            "The description of linear memory wants its address, and a format by cudaCreateChannelDesc().");
      lay_out(r.devPtr, r.desc, {static_cast<std::int64_t>(r.sizeInBytes / element), 1, 1}, r.sizeInBytes);
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& r = resource->res.pitch2D;
      if (r.devPtr == nullptr || element_bytes_of(r.desc) == 0 ||
          r.pitchInBytes % kTexturePitchAlignment != 0 ||
          reinterpret_cast<std::uintptr_t>(r.devPtr) % kTextureAlignment != 0)
        return refused("Rows of a texture begin at multiples of " + std::to_string(kTexturePitchAlignment) +
                       " bytes, the first at one of " + std::to_string(kTextureAlignment) +
                       ": allocate them by cudaMallocPitch(), and pass its pitch.");
      lay_out(r.devPtr, r.desc, {static_cast<std::int64_t>(r.width), static_cast<std::int64_t>(r.height), 1},
              r.pitchInBytes);
      break;
    }
    default:
      return cudaErrorNotSupported;
  }
  // Integers are not filtered.
  if (how.filterMode == cudaFilterModeLinear && how.readMode == cudaReadModeElementType &&
      t.format.f != cudaChannelFormatKindFloat)
    return refused(
        "cudaFilterModeLinear needs numbers with a fraction: elements of float, or readMode = "
        "cudaReadModeNormalizedFloat, which makes fractions of 8 and 16 bit integers. Integers are read by "
        "cudaFilterModePoint.");
  // As an H200 answers.
  if (how.readMode == cudaReadModeNormalizedFloat && t.format.x == 32) {
    if (how.filterMode == cudaFilterModeLinear && t.format.f != cudaChannelFormatKindFloat)
      return cudaErrorInvalidFilterSetting;
    because(
        cudaErrorInvalidNormSetting,
        "cudaReadModeNormalizedFloat makes fractions of 8 and 16 bit integers; elements of 32 bits are read by "
        "cudaReadModeElementType.");
    return cudaErrorInvalidNormSetting;
  }
  *handle = reinterpret_cast<unsigned long long>(made.get());
  Objects& all = Objects::get();
  const std::lock_guard lock(all.mutex);
  made->use.begin(how, made->extent);
  all.objects.push_back(std::move(made));
  return cudaSuccess;
}

cudaError_t destroy(unsigned long long handle) {
  Objects& all = Objects::get();
  const std::lock_guard lock(all.mutex);
  const auto removed = std::erase_if(all.objects, [&](const auto& object) {
    const bool it_is = reinterpret_cast<unsigned long long>(object.get()) == handle;
    if (it_is) object->use.report();
    return it_is;
  });
  return removed > 0 || handle == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

using Channels = std::array<double, 4>;

double half_of(const char* at) {
  std::uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double value = exponent == 0    ? std::ldexp(fraction, -24)
                       : exponent == 31 ? (fraction == 0 ? std::numeric_limits<double>::infinity()
                                                         : std::numeric_limits<double>::quiet_NaN())
                                        : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

template <class T>
double number_at(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

double channel_at(const char* at, int bits, cudaChannelFormatKind kind) {
  if (kind == cudaChannelFormatKindFloat) return bits == 16 ? half_of(at) : number_at<float>(at);
  const bool is_signed = kind == cudaChannelFormatKindSigned;
  switch (bits) {
    case 8:
      return is_signed ? number_at<std::int8_t>(at) : number_at<std::uint8_t>(at);
    case 16:
      return is_signed ? number_at<std::int16_t>(at) : number_at<std::uint16_t>(at);
    default:
      return is_signed ? number_at<std::int32_t>(at) : number_at<std::uint32_t>(at);
  }
}

/// An element, as the texture's read mode has it.
Channels element_at(const Texture& t, const char* at, Pc pc) {
  note_range(at, t.element, false, pc);
  Channels out{0.0, 0.0, 0.0, 0.0};
  const int bits[4] = {t.format.x, t.format.y, t.format.z, t.format.w};
  const bool normal =
      t.how.readMode == cudaReadModeNormalizedFloat && t.format.f != cudaChannelFormatKindFloat;
  for (std::size_t c = 0; c < 4 && bits[c] > 0; ++c) {
    out[c] = channel_at(at, bits[c], t.format.f);
    at += bits[c] / 8;
    if (!normal) continue;
    const bool is_signed = t.format.f == cudaChannelFormatKindSigned;
    out[c] = std::max(-1.0, out[c] / (std::ldexp(1.0, is_signed ? bits[c] - 1 : bits[c]) - 1.0));
    out[c] = static_cast<double>(static_cast<float>(out[c]));
  }
  return out;
}

/// The element that an index outside of the texture stands for; -1: the border.
std::int64_t addressed(std::int64_t i, std::int64_t extent, cudaTextureAddressMode mode, bool normalised) {
  if (i >= 0 && i < extent) return i;
  if (mode == cudaAddressModeBorder) return -1;
  if (!normalised || mode == cudaAddressModeClamp) return std::clamp<std::int64_t>(i, 0, extent - 1);
  const std::int64_t period = mode == cudaAddressModeMirror ? 2 * extent : extent;
  const std::int64_t within = (i % period + period) % period;
  return within < extent ? within : period - 1 - within;
}

struct Place {
  std::int64_t low;  ///< the element, or of two the first
  double weight;     ///< of the second
};

Place place_of(float x, std::int64_t extent, const cudaTextureDesc& how) {
  // What lies far outside is clamped alike; an integer has to hold it.
  double at = static_cast<double>(x);
  if (how.normalizedCoords != 0) at *= static_cast<double>(extent);
  at = std::isnan(at) ? 0.0 : std::clamp(at, -1e15, 1e15);
  if (how.filterMode == cudaFilterModePoint) return {static_cast<std::int64_t>(std::floor(at)), 0.0};
  const double low = std::floor(at - 0.5);
  return {static_cast<std::int64_t>(low), std::floor((at - 0.5 - low) * 256.0 + 0.5) / 256.0};
}

Channels sample(const Texture& t, int dimensions, const float* at, int layer, Pc pc) {
  std::array<Place, 3> places{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d)
    places[d] = place_of(at[d], t.extent[d], t.how);
  const bool linear = t.how.filterMode == cudaFilterModeLinear;
  Channels sum{0.0, 0.0, 0.0, 0.0};
  for (unsigned corner = 0; corner < (linear ? 1u << dimensions : 1u); ++corner) {
    double weight = 1.0;
    std::array<std::int64_t, 3> index{};
    bool border = false;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
      const bool second = (corner >> d & 1u) != 0;
      weight *= !linear ? 1.0 : second ? places[d].weight : 1.0 - places[d].weight;
      index[d] =
          addressed(places[d].low + second, t.extent[d], t.how.addressMode[d], t.how.normalizedCoords != 0);
      border |= index[d] < 0;
    }
    if (weight == 0.0) continue;
    // A layered array of one dimension has its layers as slices of one row.
    if (dimensions < 3) index[2] = std::clamp<std::int64_t>(layer, 0, t.extent[2] - 1);
    const char* const element = t.memory + static_cast<std::size_t>(index[2]) * t.slice +
                                static_cast<std::size_t>(index[1]) * t.pitch +
                                static_cast<std::size_t>(index[0]) * t.element;
    Channels texel{};
    if (border)
      for (std::size_t c = 0; c < 4; ++c) texel[c] = static_cast<double>(t.how.borderColor[c]);
    else
      texel = element_at(t, element, pc);
    for (std::size_t c = 0; c < 4; ++c) sum[c] += weight * texel[c];
  }
  return sum;
}

/// The object of a handle that a kernel uses; ends the kernel where there is none.
const Texture& used(unsigned long long handle, const char* what, Pc pc) {
  const Texture* const t = find(handle);
  if (t == nullptr) running_worker(what).refuse(what, pc);
  return *t;
}

}  // namespace
}  // namespace workbook::sim

namespace workbook::sim {

void report_textures() {
  Objects& all = Objects::get();
  const std::lock_guard lock(all.mutex);
  for (const auto& object : all.objects) object->use.report();
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
  if (texture == nullptr) return finish(cudaErrorInvalidValue);
  if (view != nullptr) return finish(cudaErrorNotSupported);
  return finish(make(object, resource, *texture));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return finish(destroy(object)); }

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  const Texture* const t = find(object);
  if (resource == nullptr || t == nullptr) return finish(cudaErrorInvalidValue);
  *resource = t->resource;
  return finish(cudaSuccess);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  const Texture* const t = find(object);
  if (texture == nullptr || t == nullptr) return finish(cudaErrorInvalidValue);
  *texture = t->how;
  return finish(cudaSuccess);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  if (resource == nullptr || resource->resType != cudaResourceTypeArray) return finish(cudaErrorInvalidValue);
  const cudaArray* const array = resource->res.array.array;
  if (!is_array(array) || (array->flags & cudaArraySurfaceLoadStore) == 0)
    return finish(refused("A surface needs an array that was made with the flag cudaArraySurfaceLoadStore."));
  return finish(make(object, resource, {}));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return finish(destroy(object)); }

void workbook_sim_texture(cudaTextureObject_t texture, int dimensions, float x, float y, float z, int layer,
                          double* channels) {
  const Pc pc = WORKBOOK_PC;
  const Texture& t = used(texture, "a texture is read that does not exist, or was destroyed", pc);
  const float at[3] = {x, y, z};
  t.use.note(at, dimensions, pc);
  if (dimensions < 3 && (layer < 0 || layer >= t.extent[2])) t.use.note_layer(layer, pc);
  const Channels found = sample(t, dimensions, at, layer, pc);
  std::copy(found.begin(), found.end(), channels);
}

void workbook_sim_texture_element(cudaTextureObject_t texture, long long index, double* channels) {
  const Pc pc = WORKBOOK_PC;
  const Texture& t = used(texture, "a texture is read that does not exist, or was destroyed", pc);
  Channels found{0.0, 0.0, 0.0, 0.0};
  if (index >= 0 && index < t.extent[0])
    found = element_at(t, t.memory + static_cast<std::size_t>(index) * t.element, pc);
  else
    t.use.note_past(index, t.memory, t.element, pc);
  std::copy(found.begin(), found.end(), channels);
}

void workbook_sim_surface(cudaSurfaceObject_t surface, int dimensions, int x, int y, int z, int layer,
                          int boundary, void* value, std::size_t bytes, bool writes) {
  const Pc pc = WORKBOOK_PC;
  const Texture& t = used(surface, "a surface is used that does not exist, or was destroyed", pc);
  if (x % static_cast<int>(bytes) != 0)
    running_worker("a surface")
        .refuse(
            "the x of a surface counts in bytes, and here it is no multiple of the element's size: "
            "multiply the column by sizeof of an element",
            pc);
  const auto width = static_cast<std::int64_t>(t.pitch), wide = static_cast<std::int64_t>(bytes);
  std::int64_t at[3] = {x, dimensions > 1 ? y : 0, dimensions > 2 ? z : layer};
  const std::int64_t most[3] = {width - wide, t.extent[1] - 1, t.extent[2] - 1};
  bool inside = true;
  for (int d = 0; d < 3; ++d) inside &= at[d] >= 0 && at[d] <= most[d];
  if (!inside && boundary == cudaBoundaryModeTrap)
    running_worker("a surface")
        .refuse(writes ? "a surface is written outside of its array (x counts in bytes)"
                       : "a surface is read outside of its array (x counts in bytes)",
                pc);
  if (!inside && boundary == cudaBoundaryModeZero) {
    if (!writes) std::memset(value, 0, bytes);
    return;
  }
  for (int d = 0; d < 3; ++d) at[d] = std::clamp<std::int64_t>(at[d], 0, most[d]);
  char* const element = const_cast<char*>(t.memory) + static_cast<std::size_t>(at[2]) * t.slice +
                        static_cast<std::size_t>(at[1]) * t.pitch + static_cast<std::size_t>(at[0]);
  note_range(element, bytes, writes, pc);
  if (writes)
    std::memcpy(element, value, bytes);
  else
    std::memcpy(value, element, bytes);
}

}  // extern "C"
