// Compares arrays with their references and says, by pattern, what is wrong with them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "prepare.h"
#include "runs/record.h"

namespace workbook::core {

/// A device tensor's contents. `has_writer` tells, for an element that looks untouched, whether a thread
/// wrote it all the same (a NaN that came from poison): only the simulator knows.
struct Contents {
  std::span<const float> values;
  std::function<bool(std::size_t)> has_writer = [](std::size_t) { return false; };

  bool was_written(std::size_t position) const;
};

/// Full comparison: an element is right when |got - expected| <= tolerance, so NaN never is.
/// `shape` turns positions into indices. Writers are filled in by the caller.
runs::Check compare(std::string who, std::string tensor, const Contents& got,
                    std::span<const double> expected, double tolerance,
                    const std::vector<std::int64_t>& shape);
/// The same for what the host computed.
runs::Check compare(std::string who, std::string tensor, std::span<const float> got,
                    std::span<const double> expected, double tolerance,
                    const std::vector<std::int64_t>& shape);
runs::Check compare(std::string who, std::string tensor, std::span<const double> got,
                    std::span<const double> expected, double tolerance,
                    const std::vector<std::int64_t>& shape);

/// "y[2][0][5]"
std::string element_name(std::string_view tensor, const std::vector<std::int64_t>& index);

/// What the wrong elements have in common, in one or two sentences a learner can act on; empty when nothing
/// is recognised. Knows: never written (all, a tail, some), NaN, a puzzle's suspects, one place too early or
/// late, a constant offset or factor, a wrong tail, only some columns.
std::string diagnose(const Puzzle& puzzle, const Prepared& data, const Tensor& tensor, const Contents& got);

}  // namespace workbook::core
