// CUDA arrays from inside.
#pragma once

#include "sim/runtime/copies.h"
#include "workbook_sim/runtime/array.h"

struct cudaArray {
  cudaChannelFormatDesc format;
  cudaExtent extent;  ///< in elements; height and depth are 0 where there is no such dimension
  unsigned int flags;
  void* memory;
  std::size_t element_bytes;

  std::size_t pitch() const { return extent.width * element_bytes; }
  std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
};

namespace workbook::sim {

/// Bytes of an element of that format.
std::size_t element_bytes_of(const cudaChannelFormatDesc& format);
/// Whether the handle is of an array that was not freed.
bool is_array(const cudaArray* array);
/// Rows of an array, from byte `x` of row `y` on.
Range rows_of(const cudaArray& array, std::size_t x, std::size_t y, std::size_t width, std::size_t height);
/// What a copy of a box of memory or of an array begins with; x in elements where it is one.
Box box_of(cudaArray_t array, const cudaPitchedPtr& pitched, const cudaPos& at);
/// The width of such a copy, in bytes.
std::size_t width_of(const cudaMemcpy3DParms& parameters);

}  // namespace workbook::sim
