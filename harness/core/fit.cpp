#include "fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace workbook::core {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::string number_text(double number) {
  for (const int whole : {1, 2, 3, 4, 5, 6, 7, 8, 16, 32})
    if (const double times = number * whole;
        std::abs(times - std::round(times)) < 1e-4 && std::abs(times) < 1e4 && std::round(times) != 0.0) {
      char text[48];
      std::snprintf(text, sizeof text, whole == 1 ? "%.0f" : "%.0f/%d", std::round(times), whole);
      return text;
    }
  char text[48];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

}  // namespace

double value_of(const Formula& formula, std::size_t i) {
  double sum = 0.0;
  for (const Term& term : formula) sum += term.factor * term.of->values[i];
  return sum;
}

Formula fit(const std::vector<Ingredient>& ingredients, const std::vector<std::size_t>& rows,
            std::vector<double> target) {
  struct Direction {
    const Ingredient* of;
    std::vector<double> unit, from;  ///< from: of the directions before it
    double length, share = 0.0;
  };
  std::vector<Direction> directions;
  for (const Ingredient& each : ingredients) {
    std::vector<double> rest;
    for (const std::size_t i : rows) rest.push_back(each.values[i]);
    const double whole = std::sqrt(dot(rest, rest));
    std::vector<double> from;
    for (const Direction& before : directions) {
      from.push_back(dot(before.unit, rest));
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= from.back() * before.unit[i];
    }
    const double length = std::sqrt(dot(rest, rest));
    if (!(length > 1e-6 * whole)) continue;
    for (double& value : rest) value /= length;
    directions.push_back({&each, std::move(rest), std::move(from), length});
    if (2 * directions.size() > rows.size()) return {};
  }
  const double whole_target = std::sqrt(dot(target, target));
  for (Direction& each : directions) {
    each.share = dot(each.unit, target);
    for (std::size_t i = 0; i < target.size(); ++i) target[i] -= each.share * each.unit[i];
  }
  for (std::size_t k = directions.size(); k-- > 0;) {
    directions[k].share /= directions[k].length;
    for (std::size_t j = 0; j < k; ++j) directions[j].share -= directions[k].share * directions[k].from[j];
  }
  Formula formula;
  for (const Direction& each : directions) {
    double size = 0.0;
    for (const std::size_t i : rows) size += each.of->values[i] * each.of->values[i];
    if (std::abs(each.share) > 2e-4 && std::abs(each.share) * std::sqrt(size) > 1e-5 * whole_target)
      formula.push_back({each.of, each.share});
  }
  return formula;
}

std::vector<std::size_t> rows_of(const Evidence& e, const std::vector<Ingredient>& ingredients,
                                 std::size_t most) {
  std::vector<std::size_t> rows;
  for (const std::size_t i : e.computed)
    if (std::none_of(ingredients.begin(), ingredients.end(),
                     [i](const Ingredient& each) { return std::isnan(each.values[i]); }))
      rows.push_back(i);
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < rows.size(); k += 1 + rows.size() / most) some.push_back(rows[k]);
  return some;
}

std::string text_of(const Formula& formula) {
  // What stands first among the ingredients, the constant and the indices, is read last.
  Formula terms(formula);
  std::stable_partition(terms.begin(), terms.end(), [](const Term& term) { return !term.of->text.empty(); });
  std::stable_partition(terms.begin(), terms.end(),
                        [](const Term& term) { return term.of->text.find('[') != std::string::npos; });
  std::string text;
  for (const Term& term : terms) {
    const std::string number = number_text(std::abs(term.factor));
    text += text.empty() ? (term.factor < 0 ? "-" : "") : (term.factor < 0 ? " - " : " + ");
    text += term.of->text.empty() ? number : (number == "1" ? "" : number + " * ") + term.of->text;
  }
  return text;
}

std::string those_are(const Evidence& e, std::size_t count) {
  if (count == e.size()) return "every element of " + e.name + " is";
  if (count == e.wrong.size()) return "each wrong element is";
  return std::to_string(count) + " of the " + std::to_string(e.wrong.size()) + " wrong elements are";
}

bool is_enough(const Evidence& e, std::size_t count, std::size_t terms) {
  return 4 * count >= 3 * e.wrong.size() && count >= 4 * terms + 6;
}

}  // namespace workbook::core
