// Which sizes a sweep goes through.
#pragma once

#include <string>
#include <vector>

#include "runs/record.h"

namespace workbook::cli {

/// "H=8,16,64", or "H=8..1024" for every doubling between the two.
struct SizeRange {
  std::string dimension;
  std::vector<std::int64_t> sizes;  ///< growing
};

/// Throws UsageError when the text is no range of at least two sizes.
SizeRange parse_range(const std::string& text);

/// `steps` sets of sizes from `first` to `last`, both included: each dimension grows by the same factor a
/// step, over powers of two. Sizes that come out alike are left out.
std::vector<runs::Sizes> sizes_between(const runs::Sizes& first, const runs::Sizes& last, int steps);

/// `base` with the range's dimension replaced by each of its sizes. Throws UsageError when there is none of
/// that name.
std::vector<runs::Sizes> sizes_of(const SizeRange& range, const runs::Sizes& base);

}  // namespace workbook::cli
