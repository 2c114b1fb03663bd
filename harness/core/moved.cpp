#include "moved.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

namespace workbook::core {
namespace {

/// What should stand where, to be asked by value.
class Expected {
 public:
  explicit Expected(const Evidence& evidence) : e_(evidence) {
    for (std::size_t i = 0; i < e_.size(); ++i)
      if (std::isfinite(e_.s.expected[i])) sorted_.emplace_back(e_.s.expected[i], i);
    std::sort(sorted_.begin(), sorted_.end());
  }

  /// Where what `i` holds would be right; nothing where there are too many such places to tell anything.
  std::vector<std::size_t> places_of(std::size_t i) const {
    constexpr std::size_t kMost = 4;
    const double room = e_.room(e_.got(i));
    std::vector<std::size_t> places;
    for (auto at = first(e_.got(i) - room); at != sorted_.end() && at->first <= e_.got(i) + room; ++at) {
      if (places.size() == kMost) return {};
      places.push_back(at->second);
    }
    return places;
  }

  /// How likely it is that two elements are alike by accident.
  double alike() const {
    double pairs = 1.0;
    for (auto a = sorted_.begin(), b = a; a != sorted_.end(); ++a) {
      const double upto = a->first + e_.room(a->first);
      if (b < a) b = a;
      while (b != sorted_.end() && b->first <= upto) ++b;
      pairs += 2.0 * static_cast<double>(b - a - 1);
    }
    const auto n = static_cast<double>(sorted_.size());
    return std::min(1.0, pairs / (n * n));
  }

 private:
  std::vector<std::pair<double, std::size_t>>::const_iterator first(double value) const {
    return std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{value, std::size_t{0}});
  }

  const Evidence& e_;
  std::vector<std::pair<double, std::size_t>> sorted_;
};

using Rule = std::function<std::ptrdiff_t(std::size_t)>;

/// How many of the wrong elements hold what belongs where the rule says; none where that is no evidence.
std::size_t holds_for(const Evidence& e, const Rule& rule, double alike) {
  std::size_t matches = 0, misses = 0;
  std::set<double> distinct;
  for (const std::size_t i : e.computed) {
    const std::ptrdiff_t from = rule(i);
    const bool is_match = from >= 0 && from != static_cast<std::ptrdiff_t>(i) &&
                          from < static_cast<std::ptrdiff_t>(e.size()) &&
                          e.near(i, e.s.expected[static_cast<std::size_t>(from)]);
    ++(is_match ? matches : misses);
    if (is_match && distinct.size() < 64) distinct.insert(e.got(i));
    if (4 * misses > e.computed.size()) return 0;
  }
  constexpr double kBits = 40.0;  // what a rule that was searched for has to have against it
  const bool is_evidence =
      distinct.size() >= 3 && -std::log2(alike) * static_cast<double>(distinct.size()) >= kBits;
  return is_evidence && 4 * matches >= 3 * e.wrong.size() ? matches : 0;
}

/// The place `origin + sum of factors[k] * index[k]`.
struct Affine {
  std::ptrdiff_t origin = 0;
  std::vector<std::ptrdiff_t> factors;

  std::ptrdiff_t operator()(const std::vector<std::int64_t>& index) const {
    std::ptrdiff_t place = origin;
    for (std::size_t k = 0; k < factors.size(); ++k) place += factors[k] * index[k];
    return place;
  }
};

std::vector<std::ptrdiff_t> strides_of(const std::vector<std::int64_t>& shape) {
  std::vector<std::ptrdiff_t> strides(shape.size(), 1);
  for (std::size_t k = shape.size() - 1; k-- > 0;) strides[k] = strides[k + 1] * shape[k + 1];
  return strides;
}

/// A wrong element that differs from `base` in index `axis` alone, and how far away it is.
std::optional<std::pair<std::size_t, std::ptrdiff_t>> neighbour(const Evidence& e, const Expected& values,
                                                                std::size_t base, std::size_t axis) {
  const std::ptrdiff_t stride = strides_of(e.s.shape)[axis];
  const auto own = index_of(base, e.s.shape)[axis];
  for (const std::ptrdiff_t by : {1, -1, 2, -2, 3, -3, 4, -4}) {
    if (own + by < 0 || own + by >= e.s.shape[axis]) continue;
    const auto at = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(base) + by * stride);
    if (std::binary_search(e.computed.begin(), e.computed.end(), at) && !values.places_of(at).empty())
      return std::pair{at, by};
  }
  return std::nullopt;
}

/// All rules that explain a few wrong elements side by side.
std::vector<Affine> rules_from(const Evidence& e, const Expected& values, std::size_t base) {
  const auto strides = strides_of(e.s.shape);
  const auto own = index_of(base, e.s.shape);
  std::vector<Affine> rules;
  for (const std::size_t place : values.places_of(base))
    rules.push_back({static_cast<std::ptrdiff_t>(place), {}});
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    const auto next = neighbour(e, values, base, axis);
    std::vector<Affine> longer;
    for (const Affine& rule : rules) {
      const auto with = [&](std::ptrdiff_t factor) {
        longer.push_back(rule);
        longer.back().factors.push_back(factor);
      };
      if (!next) {
        with(strides[axis]);
        continue;
      }
      for (const std::size_t place : values.places_of(next->first)) {
        const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(place) - rule.origin;
        if (step % next->second == 0) with(step / next->second);
      }
    }
    rules = std::move(longer);
  }
  for (Affine& rule : rules)
    for (std::size_t k = 0; k < own.size(); ++k) rule.origin -= rule.factors[k] * own[k];
  return rules;
}

/// "i + 3", "199 - i", "2 * i", "4".
std::string sum_text(const std::vector<std::pair<std::ptrdiff_t, std::string>>& terms,
                     std::ptrdiff_t constant) {
  std::string text;
  const auto add = [&](std::ptrdiff_t factor, const std::string& what) {
    if (factor == 0) return;
    const std::ptrdiff_t size = std::abs(factor);
    text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    text += what.empty() ? std::to_string(size) : (size == 1 ? "" : std::to_string(size) + " * ") + what;
  };
  const bool leads = constant > 0 && std::none_of(terms.begin(), terms.end(),
                                                  [](const auto& term) { return term.first > 0; });
  if (leads) add(constant, "");
  for (const auto& [factor, what] : terms) add(factor, what);
  if (!leads) add(constant, "");
  return text.empty() ? "0" : text;
}

/// The rule as an index for each dimension, where it is one: nothing runs over the end of a row by it. How
/// much of the constant is whole rows is open: `whole` says it.
std::optional<std::string> by_index(const Evidence& e, const Affine& rule, double (*whole)(double)) {
  const std::size_t dims = e.s.shape.size();
  const auto strides = strides_of(e.s.shape);
  const auto names = index_names(dims);
  std::vector<Affine> parts(dims);
  std::vector<std::ptrdiff_t> rest = rule.factors;
  std::ptrdiff_t origin = rule.origin;
  std::string text;
  for (std::size_t k = 0; k < dims; ++k) {
    std::vector<std::pair<std::ptrdiff_t, std::string>> terms;
    for (std::size_t j = 0; j < dims; ++j) {
      const std::ptrdiff_t factor = rest[j] / strides[k];
      rest[j] -= factor * strides[k];
      parts[k].factors.push_back(factor);
      terms.emplace_back(factor, names[j]);
    }
    const double rows = static_cast<double>(origin) / static_cast<double>(strides[k]);
    parts[k].origin = static_cast<std::ptrdiff_t>(whole(rows));
    origin -= parts[k].origin * strides[k];
    text += "[" + sum_text(terms, parts[k].origin) + "]";
  }
  for (const std::size_t i : e.computed) {
    const auto index = index_of(i, e.s.shape);
    const std::ptrdiff_t place = rule(index);
    if (place < 0 || place >= static_cast<std::ptrdiff_t>(e.size())) continue;
    if (!e.near(i, e.s.expected[static_cast<std::size_t>(place)])) continue;
    for (std::size_t k = 0; k < dims; ++k)
      if (const std::ptrdiff_t at = parts[k](index); at < 0 || at >= e.s.shape[k]) return std::nullopt;
  }
  return e.name + text;
}

std::string any_element(const Evidence& e) {
  std::string text = e.name;
  for (const std::string& index : index_names(e.s.shape.size())) text += "[" + index + "]";
  return text;
}

std::string affine_words(const Evidence& e, const Affine& rule, std::size_t count) {
  std::string target;
  std::optional<std::string> indexed;
  for (double (*const whole)(double) :
       {+[](double x) { return std::floor(x); }, +[](double x) { return std::round(x); },
        +[](double x) { return std::trunc(x); }})
    if (!indexed) indexed = by_index(e, rule, whole);
  if (indexed) {
    target = "that of " + *indexed;
  } else {
    std::vector<std::pair<std::ptrdiff_t, std::string>> terms;
    const auto names = index_names(e.s.shape.size());
    for (std::size_t k = 0; k < names.size(); ++k) terms.emplace_back(rule.factors[k], names[k]);
    target = "that of the element at place " + sum_text(terms, rule.origin) + ", counted row by row";
  }
  return subject_of(e, count) + " the value of another place: " + any_element(e) + " " + target + ".";
}

std::string affine(const Evidence& e, const Expected& values, double alike) {
  std::size_t tried = 0;
  for (std::size_t k = 0; k < e.computed.size() && tried < 4;
       k += std::max<std::size_t>(1, e.computed.size() / 8)) {
    const auto rules = rules_from(e, values, e.computed[k]);
    tried += !rules.empty();
    for (const Affine& rule : rules) {
      const Rule place = [&](std::size_t i) { return rule(index_of(i, e.s.shape)); };
      if (const std::size_t count = holds_for(e, place, alike); count > 0)
        return affine_words(e, rule, count);
    }
  }
  return {};
}

/// Rules that begin anew with each run of `length` elements: of a block, a warp or a row.
std::string in_runs(const Evidence& e, double alike) {
  std::vector<std::pair<std::size_t, std::string>> runs;
  for (const std::int64_t threads : e.s.block_threads)
    runs.emplace_back(static_cast<std::size_t>(threads), "a block's threads");
  runs.emplace_back(32, "a warp");
  for (const auto& [length, of_what] : runs) {
    if (length < 2 || length >= e.size()) continue;
    const std::size_t run = length;
    const std::string those = std::to_string(length) + " elements (" + of_what + ")";
    const std::vector<std::pair<Rule, std::string>> rules = {
        {[run](std::size_t i) { return static_cast<std::ptrdiff_t>(i % run); },
         "of the same place in the first " + those},
        {[run](std::size_t i) { return static_cast<std::ptrdiff_t>(i - i % run); },
         "of the first of its " + those},
        {[run](std::size_t i) { return static_cast<std::ptrdiff_t>(i - i % run + run - 1 - i % run); },
         "of the place as far from the other end of its " + those}};
    for (const auto& [rule, words] : rules)
      if (const std::size_t count = holds_for(e, rule, alike); count > 0)
        return subject_of(e, count) + " the value " + words + ".";
  }
  return {};
}

}  // namespace

std::string subject_of(const Evidence& evidence, std::size_t count) {
  return count == evidence.wrong.size() ? "each wrong element holds"
                                        : std::to_string(count) + " of the " +
                                              std::to_string(evidence.wrong.size()) + " wrong elements hold";
}

std::vector<std::string> index_names(std::size_t dimensions) {
  if (dimensions == 1) return {"i"};
  if (dimensions == 2) return {"r", "c"};
  std::vector<std::string> names;
  for (std::size_t k = 0; k < dimensions; ++k) names.emplace_back(1, static_cast<char>('i' + k));
  return names;
}

std::string is_moved(const Evidence& e) {
  if (e.computed.size() < 3) return {};
  const Expected values(e);
  const double alike = values.alike();
  if (std::string words = affine(e, values, alike); !words.empty()) return words;
  return in_runs(e, alike);
}

}  // namespace workbook::core
