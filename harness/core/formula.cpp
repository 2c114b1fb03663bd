#include "formula.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <numeric>

#include "fit.h"

namespace workbook::core {
namespace {

std::string shifted_text(const std::string& index, std::int64_t by) {
  return by == 0 ? index : index + (by < 0 ? " - " : " + ") + std::to_string(std::abs(by));
}

class Ingredients {
 public:
  explicit Ingredients(const Evidence& e) : e_(e), names_(index_names(e.s.shape.size())) {
    all.push_back({"", std::vector<double>(e_.size(), 1.0)});
    for (std::size_t k = 0; k < e_.s.shape.size() && e_.s.shape.size() == 2; ++k) add_index(k);
    // Own elements before their neighbours: of two that say the same the first one is taken.
    for (const std::int64_t by : offsets()) {
      for (std::size_t input = 0; input < e_.s.inputs.size(); ++input) add(input, by);
      if (by == 0 && e_.s.shape.size() == 1) add_index(0);
    }
  }

  std::vector<Ingredient> all;

 private:
  using At = std::vector<std::int64_t>;

  std::vector<std::int64_t> offsets() const {
    std::vector<std::int64_t> all_offsets = {0, 1, -1, 2, -2, 3, -3, 4, -4};
    for (const std::int64_t size : e_.s.sizes)
      for (const std::int64_t by : {size, -size, size - 1, 1 - size, size + 1, -size - 1})
        if (std::find(all_offsets.begin(), all_offsets.end(), by) == all_offsets.end())
          all_offsets.push_back(by);
    return all_offsets;
  }

  void add_index(std::size_t axis) {
    Ingredient index{names_[axis], {}};
    index.values.reserve(e_.size());
    At own(e_.s.shape.size());
    for (std::size_t i = 0; i < e_.size(); ++i, step(own))
      index.values.push_back(static_cast<double>(own[axis]));
    all.push_back(std::move(index));
  }

  /// To the next element's index.
  void step(At& index) const {
    for (std::size_t k = index.size(); k-- > 0;) {
      if (++index[k] < e_.s.shape[k]) return;
      index[k] = 0;
    }
  }

  /// What `element` finds of an input, whose index it fills.
  template <class Element>
  void add(std::size_t input, const std::string& text, Element element) {
    const auto& shape = e_.s.input_shapes[input];
    const auto& values = e_.s.inputs[input].second;
    Ingredient made{std::string(e_.s.inputs[input].first) + text, {}};
    made.values.reserve(e_.size());
    At index(shape.size()), own(e_.s.shape.size());
    for (std::size_t i = 0; i < e_.size(); ++i, step(own)) {
      element(own, index);
      std::size_t at = 0;
      bool inside = true;
      for (std::size_t k = 0; k < shape.size(); ++k) {
        inside = inside && index[k] >= 0 && index[k] < shape[k];
        at = at * static_cast<std::size_t>(shape[k]) + static_cast<std::size_t>(inside ? index[k] : 0);
      }
      made.values.push_back(inside ? values[at] : kNone);
    }
    all.push_back(std::move(made));
  }

  void add(std::size_t input, std::int64_t by) {
    const auto& own = e_.s.shape;
    const auto& shape = e_.s.input_shapes[input];
    if (own.size() > 2 || std::abs(by) >= *std::max_element(own.begin(), own.end())) return;
    if (own.size() == 1 && shape == own) {
      add(input, "[" + shifted_text("i", by) + "]", [by](const At& i, At& at) { at[0] = i[0] + by; });
      if (by == 0)
        add(input, "[" + std::to_string(own[0] - 1) + " - i]",
            [last = own[0] - 1](const At& i, At& at) { at[0] = last - i[0]; });
    }
    if (own.size() != 2 || std::abs(by) > 1) return;
    for (std::size_t axis = 0; axis < 2 && shape.size() == 1; ++axis)
      add(input, "[" + shifted_text(names_[axis], by) + "]",
          [by, axis](const At& i, At& at) { at[0] = i[axis] + by; });
    if (shape.size() != 2) return;
    for (std::size_t axis = 0; axis < (by == 0 ? 1u : 2u); ++axis)
      add(input,
          "[" + shifted_text("r", axis == 0 ? by : 0) + "][" + shifted_text("c", axis == 1 ? by : 0) + "]",
          [by, axis](const At& i, At& at) { at = i, at[axis] += by; });
    if (by != 0) return;
    add(input, "[c][r]", [](const At& i, At& at) { at = {i[1], i[0]}; });
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::string index = "[" + names_[axis] + "]";
      add(input, "[0]" + index, [axis](const At& i, At& at) { at = {0, i[axis]}; });
      add(input, index + "[0]", [axis](const At& i, At& at) { at = {i[axis], 0}; });
      add(input, index + index, [axis](const At& i, At& at) { at = {i[axis], i[axis]}; });
    }
    for (const std::int64_t pitch : e_.s.sizes) {
      const std::string times = "[" + std::to_string(pitch) + " * ";
      const auto flat = [&shape](std::int64_t place, At& at) { at = {place / shape[1], place % shape[1]}; };
      if (pitch != shape[1])
        add(input, times + "r + c]", [=](const At& i, At& at) { flat(i[0] * pitch + i[1], at); });
      add(input, times + "c + r]", [=](const At& i, At& at) { flat(i[1] * pitch + i[0], at); });
    }
  }

  const Evidence& e_;
  const std::vector<std::string> names_;
};

/// Whether the wrong elements lie in so few rows that numbers of rows alone could give anything: a matrix of
/// three rows has three of them. The same for columns.
bool is_too_flexible(const Evidence& e, const Ingredient& each) {
  constexpr std::size_t kEnough = 12;
  if (e.s.shape.size() != 2 || each.text.empty()) return false;
  for (const std::size_t axis : {0, 1}) {
    std::map<std::size_t, double> of_line;
    const auto agrees = [&](std::size_t i) {
      const auto [at, is_new] = of_line.emplace(axis == 0 ? i / e.row() : i % e.row(), each.values[i]);
      return of_line.size() < kEnough &&
             (is_new || at->second == each.values[i] || std::isnan(each.values[i]));
    };
    if (std::all_of(e.computed.begin(), e.computed.end(), agrees)) return true;
  }
  return false;
}

/// What was computed, beside what should have been where that is as short.
std::string of_value(const Evidence& e, const std::vector<Ingredient>& ingredients,
                     const std::vector<std::size_t>& rows) {
  std::vector<double> got, expected;
  for (const std::size_t i : rows) got.push_back(e.got(i)), expected.push_back(e.s.expected[i]);
  const Formula is = fit(ingredients, rows, got), meant = fit(ingredients, rows, expected);
  const auto is_meant = [&](std::size_t i) {
    return std::abs(value_of(meant, i) - e.s.expected[i]) <= e.room(e.s.expected[i]);
  };
  const bool has_meaning = !meant.empty() && meant.size() <= 6 && text_of(meant) != text_of(is) &&
                           std::all_of(rows.begin(), rows.end(), is_meant);
  // A long one tells something beside another one of its length alone.
  if (is.empty() || is.size() > (has_meaning ? 6u : 4u)) return {};
  const std::size_t count = count_of(e, e.computed, [&](std::size_t i) { return value_of(is, i); });
  if (!is_enough(e, count, is.size())) return {};
  return those_are(e, count) + " " + text_of(is) +
         (has_meaning ? ", where " + text_of(meant) + " is right." : ".");
}

std::string of_difference(const Evidence& e, const std::vector<Ingredient>& ingredients,
                          const std::vector<std::size_t>& rows) {
  std::vector<double> difference;
  for (const std::size_t i : rows) difference.push_back(e.got(i) - e.s.expected[i]);
  const Formula by = fit(ingredients, rows, difference);
  if (by.empty() || by.size() > 2) return {};
  const std::size_t count =
      count_of(e, e.computed, [&](std::size_t i) { return e.s.expected[i] + value_of(by, i); });
  if (!is_enough(e, count, by.size())) return {};
  return those_are(e, count) + " what is right and " + text_of(by) + " more.";
}

}  // namespace

std::string is_formula(const Evidence& e) {
  if (e.computed.size() < 10 || e.s.inputs.empty()) return {};
  const Ingredients made(e);
  const auto is_there = [&](const Ingredient& each) {
    const auto reach = std::count_if(e.computed.begin(), e.computed.end(),
                                     [&](std::size_t i) { return !std::isnan(each.values[i]); });
    return 4 * static_cast<std::size_t>(reach) >= 3 * e.computed.size() && !is_too_flexible(e, each);
  };
  std::vector<Ingredient> there;
  std::copy_if(made.all.begin(), made.all.end(), std::back_inserter(there), is_there);
  // Few ingredients first: what a few elements are made of can be told from no more.
  for (const std::size_t most : {std::size_t{6}, std::size_t{14}, there.size()}) {
    const std::vector<Ingredient> some(
        there.begin(), there.begin() + static_cast<std::ptrdiff_t>(std::min(most, there.size())));
    const std::vector<std::size_t> rows = rows_of(e, some, 400);
    if (rows.size() < 10) continue;
    if (std::string words = of_value(e, some, rows); !words.empty()) return words;
    if (std::string words = of_difference(e, some, rows); !words.empty()) return words;
  }
  return {};
}

std::string is_off_by_row(const Evidence& e) {
  if (e.s.shape.size() < 2 || e.row() < 3 || e.size() <= e.row() || !e.unwritten.empty()) return {};
  std::vector<double> offsets, factors;
  bool same_offset = true, same_factor = true;
  for (std::size_t first = 0; first < e.size(); first += e.row()) {
    // Of the largest, which has the least rounding.
    std::size_t best = first;
    for (std::size_t i = first; i < first + e.row(); ++i)
      if (std::abs(e.s.expected[i]) > std::abs(e.s.expected[best])) best = i;
    const double offset = e.got(best) - e.s.expected[best], factor = e.got(best) / e.s.expected[best];
    for (std::size_t i = first; i < first + e.row(); ++i) {
      const double room = e.room(e.s.expected[i]) + e.room(e.s.expected[best]);
      same_offset = same_offset && std::abs(e.got(i) - e.s.expected[i] - offset) <= room;
      same_factor =
          same_factor && std::abs(e.got(i) - e.s.expected[i] * factor) <= room * (1 + std::abs(factor));
    }
    const auto wrong = std::lower_bound(e.wrong.begin(), e.wrong.end(), first);
    if (wrong != e.wrong.end() && *wrong < first + e.row())
      offsets.push_back(offset), factors.push_back(factor);
  }
  if (same_offset == same_factor || offsets.empty()) return {};
  char text[80];
  std::snprintf(text, sizeof text,
                same_offset ? "off by the same amount (%.4g" : "off by the same factor (%.4g",
                same_offset ? offsets.front() : factors.front());
  return "in each row of " + e.name + " that is wrong all elements are " + text +
         " in the first of them): what all elements of a row share is wrong.";
}

std::string is_off_by_run(const Evidence& e) {
  constexpr std::size_t kShortest = 16;
  if (e.s.shape.size() != 1 || e.computed.size() != e.wrong.size() || e.size() < 2 * kShortest) return {};
  std::size_t length = 0, runs = 1, begin = 0;
  for (std::size_t i = 1; i < e.size(); ++i) {
    const double before = e.got(begin) - e.s.expected[begin], now = e.got(i) - e.s.expected[i];
    if (std::abs(now - before) <= e.room(e.got(i)) + e.room(e.got(begin))) continue;
    length = std::gcd(length, i);
    if (length < kShortest) return {};
    ++runs, begin = i;
  }
  if (runs < 3) return {};
  return "what " + e.name + " is off by stays the same within each run of " + std::to_string(length) +
         " elements and changes only from one run to another: what a run shares is wrong, not what its elements "
         "have of their own.";
}

}  // namespace workbook::core
