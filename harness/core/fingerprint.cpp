#include "fingerprint.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace workbook::core {
namespace {

constexpr std::size_t kProbes = 64;

}  // namespace

bool is_telling(const Probes& probes) {
  return std::any_of(probes.got.begin(), probes.got.end(), [](double value) { return !std::isnan(value); });
}

std::vector<std::size_t> probe_positions(const std::vector<std::int64_t>& shape,
                                         const std::vector<std::size_t>& wrong) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  std::set<std::size_t> chosen;
  if (count <= kProbes) {
    for (std::size_t i = 0; i < count; ++i) chosen.insert(i);
    return {chosen.begin(), chosen.end()};
  }
  // First and last of every dimension, the others at their first: then the far corner.
  std::size_t stride = 1;
  chosen.insert({0, count - 1});
  for (std::size_t d = shape.size(); d-- > 0;) {
    chosen.insert(stride * static_cast<std::size_t>(shape[d] - 1));
    stride *= static_cast<std::size_t>(shape[d]);
  }
  const std::size_t step = std::max<std::size_t>(1, wrong.size() / (kProbes / 2));
  for (std::size_t i = 0; i < wrong.size() && chosen.size() < kProbes * 3 / 4; i += step)
    chosen.insert(wrong[i]);
  for (std::size_t i = 1; chosen.size() < kProbes; ++i) chosen.insert(i * 0x9e3779b1u % count);
  return {chosen.begin(), chosen.end()};
}

std::vector<std::size_t> few_positions(std::size_t count, const std::vector<std::size_t>& wrong) {
  std::set<std::size_t> chosen = {0, count - 1};
  for (const std::size_t part : {0, 1, 2, 3})
    if (!wrong.empty()) chosen.insert(wrong[(wrong.size() - 1) * part / 3]);
  return {chosen.begin(), chosen.end()};
}

Likeness compare_probes(const Probes& probes, std::span<const double> values,
                        std::span<const double> expected, const Allowed& allowed) {
  double largest = 0.0, largest_expected = 0.0;
  for (const std::size_t position : probes.at) {
    if (position >= values.size()) return {};
    largest_expected = std::max(largest_expected, std::abs(expected[position]));
  }
  for (const double value : probes.got)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  // Two ways to compute a thing that is ten times too large are ten times as far apart.
  const double scale = largest_expected > 0.0 ? std::max(1.0, largest / largest_expected) : 1.0;
  Likeness likeness{true, false};
  for (std::size_t i = 0; i < probes.at.size() && likeness.same; ++i) {
    const double got = values[probes.at[i]], print = probes.got[i];
    likeness.wrong = likeness.wrong || !allowed.accepts(print, expected[probes.at[i]]);
    if (std::isfinite(print))  // the file keeps seven digits
      likeness.same = std::abs(got - print) <= scale * allowed.at(print) + 1e-6 * std::abs(print);
    else
      likeness.same = std::isnan(print) ? std::isnan(got) : got == print;
  }
  return likeness;
}

}  // namespace workbook::core
