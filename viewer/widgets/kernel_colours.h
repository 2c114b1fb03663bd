// Which hue a kernel has: the same in ribbons, bars and lists.
#pragma once

#include <string>
#include <vector>

#include "model/compare.h"
#include "widgets/theme.h"

namespace workbook::viewer {

/// Kernels of both runs, each with its own hue in every chart.
class KernelColours {
 public:
  KernelColours() = default;
  KernelColours(const Side& a, const Side& b);
  void add(const std::string& kernel);
  ImU32 of(const Theme& theme, const std::string& kernel) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace workbook::viewer
