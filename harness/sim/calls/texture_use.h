// How kernels address a texture, and whether that is what it was made for: pixels where fractions of its
// extent are meant, or the other way round, modes that work for fractions alone, and layers that it does not
// have.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "sim/source/pc.h"
#include "workbook_sim/texture_functions.h"

namespace workbook::sim {

class TextureUse {
 public:
  /// Before any kernel reads it.
  void begin(const cudaTextureDesc& how, const std::array<std::int64_t, 3>& extent);
  /// A read at these coordinates.
  void note(const float* at, int dimensions, Pc pc);
  /// A read of that layer, which is none of its own.
  void note_layer(int layer, Pc pc);
  /// A read of linear memory at the element of that number, which is none of the texture's.
  void note_past(long long index, const char* memory, std::size_t element, Pc pc);
  /// No kernel reads it any more.
  void report();

 private:
  void count(std::atomic<std::uint64_t>& reads, std::atomic<Pc>& first, Pc pc);

  bool normalised_ = false, wraps_ = false, mirrors_ = false;
  std::array<std::int64_t, 3> extent_{};
  std::atomic<std::uint64_t> reads_{0}, far_{0}, fractions_{0}, outside_{0};
  std::atomic<std::uint64_t> past_{0};  ///< reads of what lies behind it in its memory, whose elements are
  std::atomic<std::uint64_t> layerless_{0};
  std::atomic<Pc> layerless_at_{0};
  std::atomic<int> layer_{0};  ///< one that it does not have
  std::atomic<long long> there_are_{0};
  std::atomic<Pc> past_at_{0};
  std::atomic<bool> passes_one_{false};  ///< some coordinate is more than 1, or less than 0
  std::atomic<Pc> far_at_{0}, fraction_at_{0}, outside_at_{0};  ///< the lowest of each
};

/// At the end of the program: of textures that were not destroyed.
void report_textures();

}  // namespace workbook::sim
