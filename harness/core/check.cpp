#include "check.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace workbook::core {
namespace {

std::vector<std::int64_t> index_of(std::size_t position, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  auto rest = static_cast<std::int64_t>(position);
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = rest % shape[d];
    rest /= shape[d];
  }
  return index;
}

template <class T, class WasWritten>
runs::Check compare_arrays(std::string who, std::string tensor, std::span<const T> got,
                           std::span<const double> expected, double tolerance,
                           const std::vector<std::int64_t>& shape, WasWritten was_written) {
  runs::Check check;
  check.who = std::move(who);
  check.tensor = std::move(tensor);
  check.tolerance = tolerance;
  check.total = static_cast<std::int64_t>(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = std::abs(static_cast<double>(got[i]) - expected[i]);
    // Not std::max: a NaN must stay in sight.
    if (!(error <= check.max_difference) && !std::isnan(check.max_difference)) check.max_difference = error;
    if (error <= tolerance) continue;
    if (++check.wrong == 1)
      check.first_wrong = runs::FirstWrong{index_of(i, shape), static_cast<double>(got[i]),
                                           expected[i],        was_written(i),
                                           std::nullopt,       std::nullopt};
  }
  return check;
}

}  // namespace

bool Contents::was_written(std::size_t position) const {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &values[position], sizeof bits);
  return bits != kPoisonBits || has_writer(position);
}

runs::Check compare(std::string who, std::string tensor, const Contents& got,
                    std::span<const double> expected, double tolerance,
                    const std::vector<std::int64_t>& shape) {
  return compare_arrays(std::move(who), std::move(tensor), got.values, expected, tolerance, shape,
                        [&](std::size_t i) { return got.was_written(i); });
}

runs::Check compare(std::string who, std::string tensor, std::span<const float> got,
                    std::span<const double> expected, double tolerance,
                    const std::vector<std::int64_t>& shape) {
  return compare_arrays(std::move(who), std::move(tensor), got, expected, tolerance, shape,
                        [](std::size_t) { return true; });
}

runs::Check compare(std::string who, std::string tensor, std::span<const double> got,
                    std::span<const double> expected, double tolerance,
                    const std::vector<std::int64_t>& shape) {
  return compare_arrays(std::move(who), std::move(tensor), got, expected, tolerance, shape,
                        [](std::size_t) { return true; });
}

std::string element_name(std::string_view tensor, const std::vector<std::int64_t>& index) {
  std::string name(tensor);
  for (const std::int64_t i : index) name += "[" + std::to_string(i) + "]";
  return name;
}

namespace {

/// The evidence a pattern looks at.
struct Evidence {
  const Tensor& tensor;
  std::vector<std::int64_t> shape;
  std::span<const float> got;
  std::span<const double> expected;
  double tolerance;
  std::vector<std::size_t> wrong;  ///< positions, ascending
  std::vector<bool> written;
  std::size_t unwritten = 0;

  bool right(std::size_t i, double value) const {
    return std::abs(static_cast<double>(got[i]) - value) <= tolerance;
  }
  std::string at(std::size_t i) const { return element_name(tensor.name, index_of(i, shape)); }
};

std::string never_written(const Evidence& e) {
  const std::string name(e.tensor.name);
  if (e.unwritten == 0) return {};
  if (e.unwritten == e.got.size())
    return "nothing was written to " + name + ": no thread stored a single element.";
  std::size_t first = 0;
  while (e.written[first]) ++first;
  if (first + e.unwritten == e.got.size())
    return name + " was written only up to " + e.at(first - 1) + ": nothing from " + e.at(first) +
           " on. Is the grid too small, the index capped, or the guard too strict?";
  return std::to_string(e.unwritten) + " of " + std::to_string(e.got.size()) + " elements of " + name +
         " were never written, the first of them " + e.at(first) + ".";
}

std::string matches_suspect(const Puzzle& puzzle, const Prepared& data, const Evidence& e) {
  for (const Suspect& suspect : puzzle.suspects) {
    auto wrong = run_on_host<double>(puzzle, data, suspect.reference);
    const auto& values = wrong.arrays[std::string(e.tensor.name)];
    bool same = true, finite = false;
    for (std::size_t i = 0; i < values.size() && same; ++i) {
      const bool both_nan = std::isnan(values[i]) && std::isnan(e.got[i]);
      finite = finite || !std::isnan(values[i]);
      same = e.right(i, values[i]) || both_nan;
    }
    if (same && finite) return std::string(suspect.diagnosis);
  }
  return {};
}

std::string is_nan(const Evidence& e) {
  std::size_t count = 0;
  for (const std::size_t i : e.wrong) count += std::isnan(e.got[i]) && e.written[i];
  if (count == 0 || count < e.wrong.size()) return {};
  return "every wrong element is NaN: something uninitialised was read, or a root or a quotient left its "
         "domain.";
}

std::string is_shifted(const Evidence& e) {
  const std::size_t n = e.got.size();
  if (n < 4) return {};
  bool early = true, late = true;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    late = late && e.right(i + 1, e.expected[i]);
    early = early && e.right(i, e.expected[i + 1]);
  }
  if (late) return "every value stands one place too late: the index is off by one.";
  if (early) return "every value stands one place too early: the index is off by one.";
  return {};
}

std::string is_offset(const Evidence& e) {
  if (e.wrong.size() < e.got.size() || e.got.size() < 4) return {};
  const double offset = static_cast<double>(e.got[0]) - e.expected[0];
  const double factor = e.expected[0] == 0 ? 0 : static_cast<double>(e.got[0]) / e.expected[0];
  bool same_offset = true, same_factor = factor != 0;
  for (std::size_t i = 0; i < e.got.size(); ++i) {
    same_offset = same_offset && e.right(i, e.expected[i] + offset);
    same_factor = same_factor && std::abs(static_cast<double>(e.got[i]) - e.expected[i] * factor) <=
                                     e.tolerance * std::max(1.0, std::abs(factor));
  }
  char text[120];
  if (same_offset) {
    std::snprintf(text, sizeof text,
                  "every element is off by the same amount, %.6g: a term is missing or added twice.", offset);
    return text;
  }
  if (!same_factor) return {};
  std::snprintf(text, sizeof text,
                "every element is %.6g times what it should be: a factor is missing or doubled.", factor);
  return text;
}

std::string is_regular(const Evidence& e) {
  const std::string name(e.tensor.name);
  if (e.wrong.size() == e.got.size()) return {};
  const std::size_t first = e.wrong.front();
  if (first > 0 && first + e.wrong.size() == e.got.size())
    return name + " is right up to " + e.at(first - 1) + " and wrong from " + e.at(first) +
           " to the end: look at the last, partly filled block.";
  if (e.wrong.size() < 3) return {};
  const std::size_t step = e.wrong[1] - first;
  for (std::size_t i = 1; i < e.wrong.size(); ++i)
    if (e.wrong[i] - e.wrong[i - 1] != step) return {};
  if (step == 1) return {};
  return "every " + std::to_string(step) + ". element is wrong, from " + e.at(first) +
         " on: compare that step with the block, the warp and the row.";
}

}  // namespace

std::string diagnose(const Puzzle& puzzle, const Prepared& data, const Tensor& tensor, const Contents& got) {
  const auto& expected = data.reference.arrays.find(tensor.name)->second;
  Evidence e{tensor, extents(tensor, data.dims), got.values, expected, tensor.tolerance(data.dims), {}, {},
             0};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool right = e.right(i, expected[i]);
    if (!right) e.wrong.push_back(i);
    e.written.push_back(right || got.was_written(i));
    e.unwritten += !e.written.back();
  }
  if (e.wrong.empty()) return {};
  // From the most telling to the least: what was never written explains itself, a known slip names the line.
  if (std::string text = never_written(e); !text.empty()) return text;
  if (std::string text = matches_suspect(puzzle, data, e); !text.empty()) return text;
  if (std::string text = is_nan(e); !text.empty()) return text;
  if (std::string text = is_shifted(e); !text.empty()) return text;
  if (std::string text = is_offset(e); !text.empty()) return text;
  return is_regular(e);
}

}  // namespace workbook::core
