// Sums of ingredients that give a tensor's wrong elements, by least squares. For formula.cpp and
// thread_place.cpp.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "evidence.h"

namespace workbook::core {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// What an element may be made of: its value for each element, kNone where it has none there.
struct Ingredient {
  std::string text;
  std::vector<double> values;
};

struct Term {
  const Ingredient* of;
  double factor;
};
using Formula = std::vector<Term>;

double value_of(const Formula& formula, std::size_t i);

/// The least-squares fit of `target` on the rows, by Gram and Schmidt; ingredients that those before them
/// give are left out, and so are factors that are nothing but rounding.
Formula fit(const std::vector<Ingredient>& ingredients, const std::vector<std::size_t>& rows,
            std::vector<double> target);

/// Of the wrong elements for which all ingredients are there, at most `most`, evenly spread.
std::vector<std::size_t> rows_of(const Evidence& e, const std::vector<Ingredient>& ingredients,
                                 std::size_t most);

/// How many of `positions` it gives.
template <class Value>
std::size_t count_of(const Evidence& e, const std::vector<std::size_t>& positions, Value value) {
  std::size_t count = 0;
  for (const std::size_t i : positions)
    count += std::abs(value(i)) < std::numeric_limits<double>::infinity() && e.near(i, value(i));
  return count;
}

/// "a[i] + 1/2 * b[i] - 3"
std::string text_of(const Formula& formula);

/// "each wrong element is", or of how many that is so.
std::string those_are(const Evidence& e, std::size_t count);

/// Three quarters of the wrong elements, and many more than the formula has terms.
bool is_enough(const Evidence& e, std::size_t count, std::size_t terms);

}  // namespace workbook::core
