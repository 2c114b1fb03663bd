#include "model/error_map.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "model/format.h"

namespace workbook::viewer {
namespace {

bool is_poison(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits == ~0u;
}

ElementFacts facts_at(const runs::TensorValues& values, std::size_t at, const std::vector<bool>& written) {
  ElementFacts facts;
  facts.got = static_cast<double>(values.got[at]);
  facts.expected = static_cast<double>(values.expected[at]);
  facts.error = std::fabs(facts.got - facts.expected);
  if (is_poison(values.got[at]) && !(at < written.size() && written[at]))
    facts.state = ElementState::unwritten;
  else if (std::isnan(facts.error))
    facts.state = ElementState::not_a_number;
  else if (!(facts.error <= values.tolerance))
    facts.state = ElementState::wrong;
  return facts;
}

float in_tolerances(double error, double tolerance) {
  if (std::isnan(error) || (error > 0 && tolerance <= 0)) return std::numeric_limits<float>::infinity();
  return error > 0 ? static_cast<float>(error / tolerance) : 0.0f;
}

std::string percent(double share) {
  if (share > 0 && share < 0.01) return "less than 1%";
  return std::to_string(std::lround(share * 100)) + "%";
}

}  // namespace

ErrorMap make_error_map(const runs::TensorValues& values, const std::vector<bool>& written) {
  ErrorMap map;
  map.tolerance = values.tolerance;
  map.grid = make_grid(values.tensor.shape);
  const auto count = static_cast<std::size_t>(map.grid.elements);
  if (count == 0 || values.got.size() != count || values.expected.size() != count) {
    map.grid = {};
    return map;
  }
  map.total = map.grid.elements;
  map.cells = Pyramid<ErrorCell>(map.grid.rows, map.grid.columns);
  for (std::int64_t element = 0; element < map.total; ++element) {
    const ElementFacts facts = facts_at(values, static_cast<std::size_t>(element), written);
    map.cells.base(map.grid.row_of(element), map.grid.column_of(element)) = {
        in_tolerances(facts.error, values.tolerance), facts.state};
    if (facts.state != ElementState::right) {
      if (map.first_wrong < 0) map.first_wrong = element;
      ++map.wrong;
    }
    map.unwritten += facts.state == ElementState::unwritten ? 1 : 0;
    map.not_a_number += facts.state == ElementState::not_a_number ? 1 : 0;
    if (!std::isnan(facts.error) && (map.worst < 0 || facts.error > map.worst_error)) {
      map.worst = element;
      map.worst_error = facts.error;
    }
  }
  map.cells.build([](ErrorCell& into, const ErrorCell& from) {
    into.times = std::max(into.times, from.times);
    into.state = std::max(into.state, from.state);
  });
  return map;
}

ElementFacts facts_of(const runs::TensorValues& values, std::int64_t element,
                      const std::vector<bool>& written) {
  if (element < 0 || static_cast<std::size_t>(element) >= std::min(values.got.size(), values.expected.size()))
    throw std::out_of_range("no such element");
  return facts_at(values, static_cast<std::size_t>(element), written);
}

std::string describe(const ErrorMap& map) {
  if (map.total == 0) return "nothing to compare";
  if (map.wrong > 0) {
    std::string text = map.wrong == map.total && map.total > 1
                           ? "all " + format_count(map.total) + " are wrong"
                           : format_count(map.wrong) + " of " + format_count(map.total) +
                                 (map.wrong == 1 ? " is wrong" : " are wrong");
    if (map.unwritten == map.wrong) return text + ", never written";
    if (map.not_a_number == map.wrong) return text + ", all of these NaN";
    if (map.unwritten > 0) text += ", " + format_count(map.unwritten) + " of them never written";
    if (map.not_a_number > 0) text += ", " + format_count(map.not_a_number) + " of them NaN";
    return text;
  }
  const std::string all = "all " + format_count(map.total) + " are right";
  if (map.worst_error == 0.0) return all + ", to the last bit";
  return all + "; the worst is off by " + percent(map.worst_error / map.tolerance) + " of what is accepted";
}

int first_to_see(const runs::CaseValues& values) {
  int last = -1;
  for (std::size_t i = 0; i < values.tensors.size(); ++i) {
    const runs::TensorValues& each = values.tensors[i];
    if (each.expected.empty()) continue;
    last = static_cast<int>(i);
    for (std::size_t at = 0; at < std::min(each.got.size(), each.expected.size()); ++at)
      if (facts_at(each, at, {}).state != ElementState::right) return last;
  }
  return last;
}

const runs::CaseResult* result_of(const runs::RunRecord& run, const std::string& on_case) {
  for (const runs::CaseResult& each : run.cases)
    if (each.name == on_case) return &each;
  return nullptr;
}

}  // namespace workbook::viewer
