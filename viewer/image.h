// A picture in memory, and its files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace workbook::viewer {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  ///< top row first
};

/// Writes a PNG; throws std::runtime_error naming the path when that fails.
void write_png(const Image& image, const std::string& path);

/// The same with a palette of 256 colours, in a quarter of the bytes and of the time, without transparency.
/// The commonest colours are kept, so areas and lines stay as they are; the edges of letters take the
/// nearest.
void write_png_of_256(const Image& image, const std::string& path);

}  // namespace workbook::viewer
