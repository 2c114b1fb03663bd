// Whether two pictures look alike, whatever rasteriser drew them.
#pragma once

#include <string>

#include "image.h"

namespace workbook::viewer {

/// Of pixels, the share that may look different in pictures that are the same.
constexpr double kMostDifferent = 0.01;

/// A quarter of the size: what a glance takes in, whatever the rasteriser makes of the edge of a letter.
Image shrunk(const Image& image);

/// An empty picture where there is none.
Image load_png(const std::string& path);

/// The share of pixels that differ so much that one sees it.
double difference(const Image& a, const Image& b);

}  // namespace workbook::viewer
