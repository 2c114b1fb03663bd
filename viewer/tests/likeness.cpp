#include "likeness.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace workbook::viewer {
namespace {

constexpr int kShrink = 4;

}  // namespace

Image shrunk(const Image& image) {
  Image out{image.width / kShrink, image.height / kShrink, {}};
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      for (int channel = 0; channel < 4; ++channel) {
        int sum = 0;
        for (int dy = 0; dy < kShrink; ++dy)
          for (int dx = 0; dx < kShrink; ++dx)
            sum += image.rgba[static_cast<std::size_t>(
                ((y * kShrink + dy) * image.width + x * kShrink + dx) * 4 + channel)];
        out.rgba.push_back(static_cast<std::uint8_t>(sum / (kShrink * kShrink)));
      }
  return out;
}

Image load_png(const std::string& path) {
  Image image;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(path.c_str(), &image.width, &image.height, nullptr, 4), stbi_image_free);
  if (pixels)
    image.rgba.assign(pixels.get(),
                      pixels.get() + std::size_t{4} * static_cast<std::size_t>(image.width * image.height));
  return image;
}

double difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return 1.0;
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    int most = 0;
    for (std::size_t channel = 0; channel < 3; ++channel)
      most = std::max(most, std::abs(a.rgba[i + channel] - b.rgba[i + channel]));
    different += most > 20;
  }
  return static_cast<double>(different) / static_cast<double>(a.rgba.size() / 4);
}

}  // namespace workbook::viewer
