#include "cli/run/sweep_plan.h"

#include <algorithm>
#include <cmath>

#include "cli/base/errors.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kMostSizes = 64;
constexpr std::int64_t kLargest = 1 << 30;

std::int64_t read_size(const std::string& text, const std::string& whole) {
  if (text.empty() || text.size() > 10 || text.find_first_not_of("0123456789") != std::string::npos ||
      std::stoll(text) == 0 || std::stoll(text) > kLargest)
    throw UsageError("--sizes wants NAME=8,16,32 or NAME=8..1024, not '" + whole + "'.");
  return std::stoll(text);
}

}  // namespace

SizeRange parse_range(const std::string& text) {
  SizeRange range;
  const std::size_t equals = text.find('='), dots = text.find("..");
  range.dimension = text.substr(0, equals);
  if (equals == 0 || equals == std::string::npos) read_size("", text);
  const std::string rest = text.substr(equals + 1);
  if (dots != std::string::npos) {
    const std::int64_t last = read_size(text.substr(dots + 2), text);
    for (std::int64_t size = read_size(text.substr(equals + 1, dots - equals - 1), text); size < last;
         size *= 2)
      range.sizes.push_back(size);
    range.sizes.push_back(last);
  } else {
    for (std::size_t at = 0; at <= rest.size();) {
      const std::size_t comma = std::min(rest.find(',', at), rest.size());
      range.sizes.push_back(read_size(rest.substr(at, comma - at), text));
      at = comma + 1;
    }
  }
  std::sort(range.sizes.begin(), range.sizes.end());
  range.sizes.erase(std::unique(range.sizes.begin(), range.sizes.end()), range.sizes.end());
  if (range.sizes.size() < 2 || range.sizes.size() > kMostSizes)
    throw UsageError("--sizes wants from 2 to 64 different sizes, such as " + range.dimension + "=8..1024.");
  return range;
}

std::vector<runs::Sizes> sizes_between(const runs::Sizes& first, const runs::Sizes& last, int steps) {
  std::vector<runs::Sizes> all;
  for (int step = 0; step < steps; ++step) {
    const double share = static_cast<double>(step) / (steps - 1);
    runs::Sizes sizes = step == 0 ? first : last;
    if (step > 0 && step + 1 < steps)
      for (std::size_t d = 0; d < sizes.size(); ++d) {
        const auto from = static_cast<double>(first[d].second), to = static_cast<double>(last[d].second);
        const double exact = std::log2(from) + share * (std::log2(to) - std::log2(from));
        const auto [low, high] = std::minmax(first[d].second, last[d].second);
        sizes[d].second = std::clamp(static_cast<std::int64_t>(std::exp2(std::round(exact))), low, high);
      }
    if (std::find(all.begin(), all.end(), sizes) == all.end()) all.push_back(std::move(sizes));
  }
  return all;
}

std::vector<runs::Sizes> sizes_of(const SizeRange& range, const runs::Sizes& base) {
  std::vector<runs::Sizes> all;
  std::string names;
  for (const auto& [name, size] : base) names += (names.empty() ? "" : ", ") + name;
  for (const std::int64_t size : range.sizes) {
    runs::Sizes sizes = base;
    const auto found = std::find_if(sizes.begin(), sizes.end(),
                                    [&](const auto& each) { return each.first == range.dimension; });
    if (found == sizes.end())
      throw UsageError("There is no dimension '" + range.dimension + "' here. There are: " + names + ".");
    found->second = size;
    all.push_back(std::move(sizes));
  }
  return all;
}

}  // namespace workbook::cli
