#include "image.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <unordered_map>

namespace workbook::viewer {
namespace {

constexpr std::size_t kColours = 256;
// How hard stb looks for what it has seen before: more makes a hundredth of difference.
constexpr int kEffort = 8;

using Colour = std::uint32_t;  // 0xRRGGBB

Colour colour_at(const Image& image, std::size_t pixel) {
  const std::uint8_t* at = &image.rgba[pixel * 4];
  return static_cast<Colour>(at[0] << 16 | at[1] << 8 | at[2]);
}

int distance(Colour a, Colour b) {
  int sum = 0;
  for (const int shift : {16, 8, 0}) {
    const int apart = static_cast<int>(a >> shift & 255) - static_cast<int>(b >> shift & 255);
    sum += apart * apart;
  }
  return sum;
}

struct Palette {
  std::vector<Colour> colours;
  std::unordered_map<Colour, std::uint8_t> index;  ///< of every colour of the picture
};

Palette palette_of(const Image& image) {
  std::unordered_map<Colour, std::size_t> counts;
  for (std::size_t pixel = 0; pixel < image.rgba.size() / 4; ++pixel) ++counts[colour_at(image, pixel)];
  std::vector<std::pair<std::size_t, Colour>> by_count;
  for (const auto& [colour, count] : counts) by_count.emplace_back(count, colour);
  std::sort(by_count.rbegin(), by_count.rend());
  Palette palette;
  for (const auto& [count, colour] : by_count) {
    if (palette.colours.size() < kColours) palette.colours.push_back(colour);
    const auto nearest = std::min_element(
        palette.colours.begin(), palette.colours.end(),
        [colour = colour](Colour a, Colour b) { return distance(a, colour) < distance(b, colour); });
    palette.index[colour] = static_cast<std::uint8_t>(nearest - palette.colours.begin());
  }
  return palette;
}

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 255);
  return bytes;
}

// Length, name, content and checksum.
std::string chunk(const std::string& name, const std::string& content) {
  std::string named = name + content;
  const unsigned int check =
      stbiw__crc32(reinterpret_cast<unsigned char*>(named.data()), static_cast<int>(named.size()));
  return big_endian(static_cast<std::uint32_t>(content.size())) + named + big_endian(check);
}

std::string compressed(std::string bytes) {
  int size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> found(
      stbi_zlib_compress(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size()),
                         &size, kEffort),
      std::free);
  return {reinterpret_cast<const char*>(found.get()), static_cast<std::size_t>(size)};
}

}  // namespace

void write_png(const Image& image, const std::string& path) {
  if (stbi_write_png(path.c_str(), image.width, image.height, 4, image.rgba.data(), image.width * 4) == 0)
    throw std::runtime_error("cannot write " + path);
}

void write_png_of_256(const Image& image, const std::string& path) {
  const Palette palette = palette_of(image);
  std::string colours, rows;
  for (const Colour colour : palette.colours) colours += big_endian(colour).substr(1);
  const auto width = static_cast<std::size_t>(image.width);
  for (std::size_t pixel = 0; pixel < image.rgba.size() / 4; ++pixel) {
    if (pixel % width == 0) rows += '\0';  // the row is as it is, no difference to its neighbour
    rows += static_cast<char>(palette.index.at(colour_at(image, pixel)));
  }
  constexpr char kEightBitsOfPalette[] = {8, 3, 0, 0, 0};
  const std::string size = big_endian(static_cast<std::uint32_t>(image.width)) +
                           big_endian(static_cast<std::uint32_t>(image.height));
  std::ofstream file(path, std::ios::binary);
  file << "\x89PNG\r\n\x1a\n"
       << chunk("IHDR", size + std::string(kEightBitsOfPalette, sizeof kEightBitsOfPalette))
       << chunk("PLTE", colours) << chunk("IDAT", compressed(std::move(rows))) << chunk("IEND", "");
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace workbook::viewer
