#include "check.h"

#include <cmath>
#include <limits>

namespace workbook::core {

double Allowed::at(double expected) const {
  // Where something infinite or not a number is expected, only the same will do.
  return std::isfinite(expected) ? absolute + relative * std::abs(expected) : 0.0;
}

bool Allowed::accepts(double got, double expected) const {
  if (!std::isfinite(expected)) return got == expected || (std::isnan(got) && std::isnan(expected));
  return std::abs(got - expected) <= at(expected);
}

std::vector<std::int64_t> index_of(std::size_t position, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  auto rest = static_cast<std::int64_t>(position);
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = rest % shape[d];
    rest /= shape[d];
  }
  return index;
}

std::string element_name(std::string_view tensor, const std::vector<std::int64_t>& index) {
  std::string name(tensor);
  for (const std::int64_t i : index) name += "[" + std::to_string(i) + "]";
  return name;
}

namespace {

double ratio(double error, double accepted) {
  if (error == 0.0) return 0.0;
  return accepted > 0.0 ? error / accepted : std::numeric_limits<double>::infinity();
}

/// Keeps the pair with the largest ratio: of two ratios without bound the larger difference. NaN stays.
void note_worst(runs::Check& check, double error, double accepted) {
  const double before = ratio(check.worst_difference, check.worst_accepted), now = ratio(error, accepted);
  if (std::isnan(before) || now < before || (now == before && error < check.worst_difference)) return;
  check.worst_difference = error;
  check.worst_accepted = accepted;
}

}  // namespace

runs::Check compare(std::string who, std::string tensor, const Contents& got,
                    std::span<const double> expected, const Allowed& allowed,
                    const std::vector<std::int64_t>& shape) {
  runs::Check check;
  check.who = std::move(who);
  check.tensor = std::move(tensor);
  check.tolerance = allowed.absolute;
  check.relative = allowed.relative;
  check.total = static_cast<std::int64_t>(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool right = allowed.accepts(got.values[i], expected[i]);
    const double error = right && !std::isfinite(expected[i]) ? 0.0 : std::abs(got.values[i] - expected[i]);
    // Not std::max: a NaN must stay in sight.
    if (!(error <= check.max_difference) && !std::isnan(check.max_difference)) check.max_difference = error;
    note_worst(check, error, allowed.at(expected[i]));
    if (right || ++check.wrong > 1) continue;
    check.first_wrong = runs::FirstWrong{index_of(i, shape), got.values[i], expected[i],
                                         got.was_written(i), std::nullopt,  std::nullopt};
  }
  return check;
}

}  // namespace workbook::core
