// CUDA arrays: device memory with a format and a shape.
#include "sim/calls/arrays.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/engine/arena.h"
#include "sim/runtime/capturing.h"

namespace workbook::sim {
namespace {

struct Arrays {
  static Arrays& get() {
    static Arrays& all = *new Arrays;
    return all;
  }
  std::mutex mutex;
  std::vector<std::unique_ptr<cudaArray>> arrays;
};

cudaError_t allocate(const Call& call, cudaArray_t* array, const cudaChannelFormatDesc* format,
                     const cudaExtent& extent, unsigned int flags) {
  if (array == nullptr || format == nullptr || extent.width == 0) return cudaErrorInvalidValue;
  if ((flags & ~15u) != 0) return cudaErrorInvalidValue;
  if ((flags & cudaArrayTextureGather) != 0) return cudaErrorNotSupported;
  if ((flags & cudaArrayCubemap) != 0) {  // six square faces, or of each layer six
    const bool layered = (flags & cudaArrayLayered) != 0;
    if (extent.width != extent.height || extent.depth == 0 ||
        (layered ? extent.depth % 6 != 0 : extent.depth != 6))
      return cudaErrorInvalidValue;
  }
  const std::size_t element = element_bytes_of(*format);
  if (element == 0) return cudaErrorInvalidValue;
  if (const cudaError_t error = check_not_capturing(); error != cudaSuccess) return error;
  auto made = std::make_unique<cudaArray>(cudaArray{*format, extent, flags, nullptr, element});
  const std::size_t bytes = made->pitch() * made->rows() * made->slices();
  made->memory = Arena::get().allocate(bytes, MemoryKind::device, call.pc);
  if (made->memory == nullptr) return cudaErrorMemoryAllocation;
  Allocation* const a = Arena::get().find_start(made->memory);
  a->element_bytes = element;
  a->typed = true;
  a->shape.clear();
  if (extent.depth > 0) a->shape.push_back(static_cast<std::int64_t>(extent.depth));
  if (extent.height > 0) a->shape.push_back(static_cast<std::int64_t>(extent.height));
  a->shape.push_back(static_cast<std::int64_t>(extent.width));
  *array = made.get();
  Arrays& all = Arrays::get();
  const std::lock_guard lock(all.mutex);
  all.arrays.push_back(std::move(made));
  return cudaSuccess;
}

cudaError_t copy_to_rows(const Call& call, const Copy& copy, cudaStream_t stream, bool wait) {
  if (!pitches_fit(copy)) return finish(cudaErrorInvalidPitchValue);
  if (!wait) return finish(enqueue(stream, copy_work(call, copy)));
  return finish_waiting(enqueue_and_wait(copy_work(call, copy)));
}

bool fits(const cudaArray& a, std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
  return x + width <= a.pitch() && y + height <= a.rows();
}

cudaError_t to_array(const Call& call, cudaArray_t to, std::size_t x, std::size_t y, const Range& from,
                     cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  if (!is_array(to) || !fits(*to, x, y, from.width, from.height)) return finish(cudaErrorInvalidValue);
  return copy_to_rows(call, {rows_of(*to, x, y, from.width, from.height), from, kind}, stream, wait);
}

cudaError_t from_array(const Call& call, const Range& to, cudaArray_const_t from, std::size_t x,
                       std::size_t y, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  if (!is_array(from) || !fits(*from, x, y, to.width, to.height)) return finish(cudaErrorInvalidValue);
  return copy_to_rows(call, {to, rows_of(*from, x, y, to.width, to.height), kind}, stream, wait);
}

cudaError_t copy_box(const Call& call, const cudaMemcpy3DParms* p, cudaStream_t stream, bool wait) {
  if (p == nullptr) return finish(cudaErrorInvalidValue);
  if ((p->dstArray != nullptr && !is_array(p->dstArray)) ||
      (p->srcArray != nullptr && !is_array(p->srcArray)))
    return finish(cudaErrorInvalidValue);
  const Box to = box_of(p->dstArray, p->dstPtr, p->dstPos), from = box_of(p->srcArray, p->srcPtr, p->srcPos);
  const std::size_t width = width_of(*p), height = std::max<std::size_t>(p->extent.height, 1);
  cudaError_t error = cudaSuccess;
  for (std::size_t z = 0; z < p->extent.depth && error == cudaSuccess; ++z) {
    const Copy copy{{to.start + z * to.slice, width, height, to.pitch},
                    {from.start + z * from.slice, width, height, from.pitch},
                    p->kind};
    if (!pitches_fit(copy)) return finish(cudaErrorInvalidPitchValue);
    error = wait ? copy_now(call, copy) : copy_async(call, copy, stream);
  }
  return error;
}

}  // namespace

std::size_t element_bytes_of(const cudaChannelFormatDesc& f) {
  return static_cast<std::size_t>(f.x + f.y + f.z + f.w) / 8;
}

bool is_array(const cudaArray* array) {
  Arrays& all = Arrays::get();
  const std::lock_guard lock(all.mutex);
  return std::any_of(all.arrays.begin(), all.arrays.end(), [&](const auto& a) { return a.get() == array; });
}

Range rows_of(const cudaArray& a, std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
  return {static_cast<const char*>(a.memory) + y * a.pitch() + x, width, height, a.pitch()};
}

Box box_of(cudaArray_t array, const cudaPitchedPtr& pitched, const cudaPos& at) {
  if (array == nullptr) return box_of(pitched, at);
  const std::size_t slice = array->pitch() * array->rows();
  return {static_cast<const char*>(array->memory) + at.z * slice + at.y * array->pitch() +
              at.x * array->element_bytes,
          array->pitch(), slice};
}

std::size_t width_of(const cudaMemcpy3DParms& p) {
  const cudaArray* const array = p.dstArray != nullptr ? p.dstArray : p.srcArray;
  return p.extent.width * (array == nullptr ? 1 : array->element_bytes);
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return copy_box(WORKBOOK_CALL, parameters, nullptr, true);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copy_box(WORKBOOK_CALL, parameters, stream, false);
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                            std::size_t height, unsigned int flags) {
  return finish(allocate(WORKBOOK_CALL, array, format, {width, height, 0}, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int flags) {
  return finish(allocate(WORKBOOK_CALL, array, format, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr) return finish_waiting(cudaSuccess);
  if (!is_array(array)) return finish_waiting(cudaErrorInvalidValue);
  Arena::get().release(array->memory, WORKBOOK_CALL.pc);
  Arrays& all = Arrays::get();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.arrays, [&](const auto& a) { return a.get() == array; });
  return finish_waiting(cudaSuccess);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  if (!is_array(array)) return finish(cudaErrorInvalidValue);
  if (format != nullptr) *format = array->format;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return finish(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  if (format == nullptr || !is_array(array)) return finish(cudaErrorInvalidValue);
  *format = array->format;
  return finish(cudaSuccess);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind) {
  if (!is_array(to) || y * to->pitch() + x + bytes > to->pitch() * to->rows())
    return finish(cudaErrorInvalidValue);
  const Range rows{rows_of(*to, x, y, bytes, 1)};
  return copy_to_rows(WORKBOOK_CALL, {rows, {from, bytes}, kind}, nullptr, true);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind) {
  if (!is_array(from) || y * from->pitch() + x + bytes > from->pitch() * from->rows())
    return finish(cudaErrorInvalidValue);
  const Range rows{rows_of(*from, x, y, bytes, 1)};
  return copy_to_rows(WORKBOOK_CALL, {{to, bytes}, rows, kind}, nullptr, true);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                std::size_t pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
  return to_array(WORKBOOK_CALL, to, x, y, {from, width, height, pitch}, kind, nullptr, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                     std::size_t pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return to_array(WORKBOOK_CALL, to, x, y, {from, width, height, pitch}, kind, stream, false);
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
                                  std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return from_array(WORKBOOK_CALL, {to, width, height, pitch}, from, x, y, kind, nullptr, true);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
                                       std::size_t y, std::size_t width, std::size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return from_array(WORKBOOK_CALL, {to, width, height, pitch}, from, x, y, kind, stream, false);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                     cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  if (!is_array(from) || !fits(*from, from_x, from_y, width, height)) return finish(cudaErrorInvalidValue);
  return to_array(WORKBOOK_CALL, to, to_x, to_y, rows_of(*from, from_x, from_y, width, height), kind, nullptr,
                  true);
}

}  // extern "C"
