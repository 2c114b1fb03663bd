// Each panel beside a picture of it that somebody has looked at (viewer/tests/golden, a quarter of the size).
// WORKBOOK_DRAW_GOLDEN=1 draws those anew: viewer/tests/golden.sh.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "fixture.h"
#include "pictures.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

constexpr int kWidth = 1320, kHeight = 900, kShrink = 4;

// A quarter of the size: what a glance takes in, whatever the rasteriser makes of the edge of a letter.
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

Image load(const std::string& path) {
  Image image;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(path.c_str(), &image.width, &image.height, nullptr, 4), stbi_image_free);
  if (pixels)
    image.rgba.assign(pixels.get(),
                      pixels.get() + std::size_t{4} * static_cast<std::size_t>(image.width * image.height));
  return image;
}

/// The share of pixels that differ so much that one sees it.
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

constexpr double kMost = 0.01;

}  // namespace

// Puzzles shows the checkout that it finds and has no golden picture.
TEST_CASE("panels look as they did when somebody last looked") {
  const std::filesystem::path folder = WORKBOOK_GOLDEN_DIR;
  const bool draw = std::getenv("WORKBOOK_DRAW_GOLDEN") != nullptr;
  Library library = filled(), wrong;
  wrong.add(run_with_values(false));
  Selection selection;
  selection.launch = 2;  // the tiled matmul, in the panels of one launch
  for (const std::string panel : {"compare", "mapping", "steps", "memory", "roofline", "errors", "source"})
    for (const bool dark : {false, true}) {
      const std::string name = panel + (dark ? "_dark.png" : "_light.png");
      INFO(name << ": if it is meant to look different now, run viewer/tests/golden.sh and look at it");
      const Image now =
          shrunk(shoot(panel == "errors" ? wrong : library, selection, panel, dark, kWidth, kHeight));
      if (draw) write_png(now, (folder / name).string());
      CHECK(difference(now, load((folder / name).string())) <= kMost);
    }
}

// Over what lies behind them, the same in both.
TEST_CASE("the help says what each key does, the palette what there is") {
  const std::filesystem::path folder = WORKBOOK_GOLDEN_DIR;
  Library library = filled();
  for (const std::string name : {"keys.png", "commands.png"}) {
    shoot(library, {}, "puzzles", false, kWidth, kHeight);  // what stood alone last is the first tab
    App app(library, {}, {});
    if (name == "commands.png") ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    const Image now = shrunk(press(app, name == "keys.png" ? ImGuiKey_F1 : ImGuiKey_P));
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    if (std::getenv("WORKBOOK_DRAW_GOLDEN") != nullptr) write_png(now, (folder / name).string());
    INFO(name);
    CHECK(difference(now, load((folder / name).string())) <= kMost);
  }
}

TEST_CASE("a panel that looks different is noticed") {
  Library library = filled();
  const Image compare = shrunk(shoot(library, {}, "compare", false, kWidth, kHeight));
  Selection other;
  other.launch = 1;
  CHECK(difference(compare, shrunk(shoot(library, {}, "compare", true, kWidth, kHeight))) > kMost);
  CHECK(difference(shrunk(shoot(library, {}, "mapping", false, kWidth, kHeight)),
                   shrunk(shoot(library, other, "mapping", false, kWidth, kHeight))) > kMost);
  CHECK(difference(compare, compare) == 0.0);
}
