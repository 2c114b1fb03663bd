// Compares arrays with their references.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runs/record.h"
#include "workbook/puzzle.h"

namespace workbook::core {

/// A tolerance on one set of sizes.
struct Allowed {
  double absolute = 0.0, relative = 0.0;
  Allowed(const Tensor& tensor, const Dims& dims)
      : absolute(tensor.tolerance->absolute(dims)), relative(tensor.tolerance->relative(dims)) {}
  Allowed(double of_all, double of_expected) : absolute(of_all), relative(of_expected) {}

  double at(double expected) const;
  /// False for NaN, too, unless one is expected.
  bool accepts(double got, double expected) const;
};

/// What a tensor holds, as the checks see it. `was_written` tells for an element whether anything stored it.
struct Contents {
  std::vector<double> values;
  std::function<bool(std::size_t)> was_written = [](std::size_t) { return true; };
};

/// Full comparison. `shape` turns positions into indices. Writers are filled in by the caller.
runs::Check compare(std::string who, std::string tensor, const Contents& got,
                    std::span<const double> expected, const Allowed& allowed,
                    const std::vector<std::int64_t>& shape);

std::vector<std::int64_t> index_of(std::size_t position, const std::vector<std::int64_t>& shape);

/// "y[2][0][5]"
std::string element_name(std::string_view tensor, const std::vector<std::int64_t>& index);

}  // namespace workbook::core
