// The driver API's arrays, by the runtime.
#include "workbook_sim/runtime/driver_arrays.h"

#include <optional>

namespace workbook::sim {
namespace {

CUresult status(cudaError_t error) { return static_cast<CUresult>(error); }

std::optional<cudaChannelFormatDesc> channels(CUarray_format format, unsigned int count) {
  if (count != 1 && count != 2 && count != 4) return std::nullopt;
  int bits = 0;
  cudaChannelFormatKind kind{};
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      bits = 8;
      break;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      bits = 16;
      break;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      bits = 32;
      break;
    default:
      return std::nullopt;
  }
  kind = format >= CU_AD_FORMAT_HALF          ? cudaChannelFormatKindFloat
         : format >= CU_AD_FORMAT_SIGNED_INT8 ? cudaChannelFormatKindSigned
                                              : cudaChannelFormatKindUnsigned;
  return cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 2 ? bits : 0, kind);
}

CUarray_format format_of(const cudaChannelFormatDesc& d) {
  if (d.f == cudaChannelFormatKindFloat) return d.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  const int first =
      d.f == cudaChannelFormatKindSigned ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
  return static_cast<CUarray_format>(first + (d.x == 8 ? 0 : d.x == 16 ? 1 : 2));
}

/// One side of a copy: an array, or plain memory from its first byte on.
struct Side2D {
  cudaArray_t array = nullptr;
  char* memory = nullptr;
  std::size_t x = 0, y = 0, pitch = 0;
};

Side2D side_of(CUmemorytype type, const void* host, CUdeviceptr device, cudaArray_t array, std::size_t pitch,
               std::size_t x, std::size_t y, std::size_t width) {
  if (type == CU_MEMORYTYPE_ARRAY) return {array, nullptr, x, y, 0};
  if (pitch == 0) pitch = width;
  char* const memory = type == CU_MEMORYTYPE_HOST ? static_cast<char*>(const_cast<void*>(host))
                                                  : reinterpret_cast<char*>(device);
  return {nullptr, memory + y * pitch + x, 0, 0, pitch};
}

cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from) {
  if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  const bool to_host = to == CU_MEMORYTYPE_HOST, from_host = from == CU_MEMORYTYPE_HOST;
  return to_host ? (from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost)
                 : (from_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice);
}

/// A stream of its own: the call does not wait.
CUresult copy_2d(const CUDA_MEMCPY2D* c, std::optional<cudaStream_t> stream) {
  if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Side2D to = side_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstPitch,
                            c->dstXInBytes, c->dstY, c->WidthInBytes),
               from = side_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcPitch,
                              c->srcXInBytes, c->srcY, c->WidthInBytes);
  const cudaMemcpyKind kind = kind_of(c->dstMemoryType, c->srcMemoryType);
  const std::size_t width = c->WidthInBytes, height = c->Height;
  if (to.array != nullptr && from.array != nullptr)
    return status(
        cudaMemcpy2DArrayToArray(to.array, to.x, to.y, from.array, from.x, from.y, width, height, kind));
  if (to.array != nullptr)
    return status(
        stream ? cudaMemcpy2DToArrayAsync(to.array, to.x, to.y, from.memory, from.pitch, width, height, kind,
                                          *stream)
               : cudaMemcpy2DToArray(to.array, to.x, to.y, from.memory, from.pitch, width, height, kind));
  if (from.array != nullptr)
    return status(
        stream ? cudaMemcpy2DFromArrayAsync(to.memory, to.pitch, from.array, from.x, from.y, width, height,
                                            kind, *stream)
               : cudaMemcpy2DFromArray(to.memory, to.pitch, from.array, from.x, from.y, width, height, kind));
  return status(
      stream ? cudaMemcpy2DAsync(to.memory, to.pitch, from.memory, from.pitch, width, height, kind, *stream)
             : cudaMemcpy2D(to.memory, to.pitch, from.memory, from.pitch, width, height, kind));
}

/// What the runtime calls it; nothing where a format or a kind of resource is not known.
std::optional<cudaResourceDesc> resource(const CUDA_RESOURCE_DESC* what) {
  if (what == nullptr) return std::nullopt;
  cudaResourceDesc out{};
  switch (what->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      out.resType = cudaResourceTypeArray;
      out.res.array.array = what->res.array.hArray;
      return out;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& r = what->res.linear;
      const auto format = channels(r.format, r.numChannels);
      if (!format) return std::nullopt;
      out.resType = cudaResourceTypeLinear;
      out.res.linear.devPtr = reinterpret_cast<void*>(r.devPtr);
      out.res.linear.desc = *format;
      out.res.linear.sizeInBytes = r.sizeInBytes;
      return out;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& r = what->res.pitch2D;
      const auto format = channels(r.format, r.numChannels);
      if (!format) return std::nullopt;
      out.resType = cudaResourceTypePitch2D;
      out.res.pitch2D.devPtr = reinterpret_cast<void*>(r.devPtr);
      out.res.pitch2D.desc = *format;
      out.res.pitch2D.width = r.width;
      out.res.pitch2D.height = r.height;
      out.res.pitch2D.pitchInBytes = r.pitchInBytes;
      return out;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* how) {
  if (how == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto format = channels(how->Format, how->NumChannels);
  if (array == nullptr || !format) return CUDA_ERROR_INVALID_VALUE;
  return status(cudaMallocArray(array, &*format, how->Width, how->Height));
}

CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* how) {
  if (how == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto format = channels(how->Format, how->NumChannels);
  if (array == nullptr || !format) return CUDA_ERROR_INVALID_VALUE;
  return status(cudaMalloc3DArray(array, &*format, {how->Width, how->Height, how->Depth}, how->Flags));
}

CUresult cuArrayDestroy(CUarray array) {
  return array == nullptr ? CUDA_ERROR_INVALID_HANDLE : status(cudaFreeArray(array));
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* how, CUarray array) {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned int flags = 0;
  if (how == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const cudaError_t error = cudaArrayGetInfo(&format, &extent, &flags, array); error != cudaSuccess)
    return status(error);
  const unsigned int count = 1u + (format.y > 0) + (format.z > 0) + (format.w > 0);
  *how = {extent.width, extent.height, extent.depth, format_of(format), count, flags};
  return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* how, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR all{};
  if (how == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUresult known = cuArray3DGetDescriptor(&all, array);
  if (known == CUDA_SUCCESS) *how = {all.Width, all.Height, all.Format, all.NumChannels};
  return known;
}

CUresult cuMemcpyHtoA(CUarray to, std::size_t offset, const void* from, std::size_t bytes) {
  return status(cudaMemcpyToArray(to, offset, 0, from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyAtoH(void* to, CUarray from, std::size_t offset, std::size_t bytes) {
  return status(cudaMemcpyFromArray(to, from, offset, 0, bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoA(CUarray to, std::size_t offset, CUdeviceptr from, std::size_t bytes) {
  return status(
      cudaMemcpyToArray(to, offset, 0, reinterpret_cast<const void*>(from), bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, std::size_t offset, std::size_t bytes) {
  return status(
      cudaMemcpyFromArray(reinterpret_cast<void*>(to), from, offset, 0, bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) { return copy_2d(copy, std::nullopt); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) { return copy_2d(copy, std::nullopt); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) { return copy_2d(copy, stream); }

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* what, const CUDA_TEXTURE_DESC* how,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  const auto from = resource(what);
  if (!from || how == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (view != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  cudaTextureDesc out{};
  for (int d = 0; d < 3; ++d) out.addressMode[d] = static_cast<cudaTextureAddressMode>(how->addressMode[d]);
  for (int c = 0; c < 4; ++c) out.borderColor[c] = how->borderColor[c];
  out.filterMode = static_cast<cudaTextureFilterMode>(how->filterMode);
  out.readMode =
      (how->flags & CU_TRSF_READ_AS_INTEGER) != 0 ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  const cudaChannelFormatDesc format = [&] {
    cudaChannelFormatDesc f{};
    if (what->resType == CU_RESOURCE_TYPE_ARRAY) cudaGetChannelDesc(&f, what->res.array.hArray);
    return what->resType == CU_RESOURCE_TYPE_LINEAR    ? from->res.linear.desc
           : what->resType == CU_RESOURCE_TYPE_PITCH2D ? from->res.pitch2D.desc
                                                       : f;
  }();
  // Floats, and integers of 32 bits, are never made fractions of.
  if (format.f == cudaChannelFormatKindFloat || format.x == 32) out.readMode = cudaReadModeElementType;
  out.sRGB = (how->flags & CU_TRSF_SRGB) != 0;
  out.normalizedCoords = (how->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  return status(cudaCreateTextureObject(object, &*from, &out, nullptr));
}
CUresult cuTexObjectDestroy(CUtexObject object) { return status(cudaDestroyTextureObject(object)); }

CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* what) {
  const auto from = resource(what);
  return !from ? CUDA_ERROR_INVALID_VALUE : status(cudaCreateSurfaceObject(object, &*from));
}
CUresult cuSurfObjectDestroy(CUsurfObject object) { return status(cudaDestroySurfaceObject(object)); }

}  // extern "C"
