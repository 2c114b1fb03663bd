// Copies and fills as pieces of work, for streams and for nodes of graphs.
#pragma once

#include "sim/runtime/pointers.h"
#include "sim/runtime/streams.h"

namespace workbook::sim {

struct Copy {
  Range to, from;  ///< of the same width and height
  cudaMemcpyKind kind;
};
Work copy_work(const Call& call, const Copy& copy);
bool pitches_fit(const Copy& copy);
// As cudaMemcpy() and cudaMemcpyAsync() do: finish()ed.
cudaError_t copy_now(const Call& call, const Copy& copy);
cudaError_t copy_async(const Call& call, const Copy& copy, cudaStream_t stream);

/// Fills each element of `element_bytes` (1, 2 or 4) with the low bytes of `value`; the width is in bytes.
struct Fill {
  Range range;
  unsigned int value;
  unsigned int element_bytes;
};
Work fill_work(const Call& call, const Fill& fill);

/// Of linear memory that a texture reads: where it and each of its rows may begin (cudaDeviceProp).
inline constexpr std::size_t kTextureAlignment = 512, kTexturePitchAlignment = 32;

/// One slice of a pitched box in memory.
struct Box {
  const char* start;
  std::size_t pitch, slice;
};
Box box_of(const cudaPitchedPtr& pitched, const cudaPos& at);

}  // namespace workbook::sim
