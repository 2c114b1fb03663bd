#include "model/error_map.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

float poison() {
  const std::uint32_t bits = ~0u;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

runs::TensorValues values_of(std::vector<float> got, double tolerance = 0.1) {
  runs::TensorValues values;
  values.tensor.shape = {static_cast<std::int64_t>(got.size())};
  values.expected.assign(got.size(), 1.0f);
  values.got = std::move(got);
  values.tolerance = tolerance;
  return values;
}

}  // namespace

TEST_CASE("elements are right, wrong, never written or not a number") {
  const auto values =
      values_of({1.05f, 1.2f, poison(), std::nanf(""), std::numeric_limits<float>::infinity()});
  const ErrorMap map = make_error_map(values);
  CHECK(map.total == 5);
  CHECK(map.wrong == 4);
  CHECK(map.unwritten == 1);
  CHECK(map.not_a_number == 1);
  CHECK(map.first_wrong == 1);
  CHECK(map.worst == 4);
  CHECK(map.cells.at(0, 0, 0).state == ElementState::right);
  CHECK(map.cells.at(0, 0, 0).times == Approx(0.5f).epsilon(0.01));
  CHECK(map.cells.at(0, 0, 1).state == ElementState::wrong);
  CHECK(map.cells.at(0, 0, 2).state == ElementState::unwritten);
  CHECK(map.cells.at(0, 0, 3).state == ElementState::not_a_number);
  CHECK(describe(map) == "4 of 5 are wrong, 1 of them never written, 1 of them NaN");
  CHECK(facts_of(values, 1).expected == 1.0);
  CHECK_THROWS_AS(facts_of(values, 5), std::out_of_range);
}

TEST_CASE("a NaN that was handed on is not taken for an element never written") {
  const auto values = values_of({poison(), poison()});
  const ErrorMap map = make_error_map(values, {true, false});
  CHECK(map.unwritten == 1);
  CHECK(map.not_a_number == 1);
  CHECK(facts_of(values, 0, {true, false}).state == ElementState::not_a_number);
}

TEST_CASE("what is right says how near to wrong") {
  CHECK(describe(make_error_map(values_of({1.0f, 1.05f}))) ==
        "all 2 are right; the worst is off by 50% of what is accepted");
  CHECK(describe(make_error_map(values_of({1.0f, 1.0f}))) == "all 2 are right, to the last bit");
  CHECK(describe(make_error_map(values_of({poison(), poison()}))) == "all 2 are wrong, never written");
  CHECK(describe(make_error_map(values_of({1.0f, poison()}))) == "1 of 2 is wrong, never written");
}

TEST_CASE("without tolerance any difference is infinitely too much") {
  const ErrorMap map = make_error_map(values_of({1.0f, 1.0001f}, 0.0));
  CHECK(map.wrong == 1);
  CHECK(std::isinf(map.cells.at(0, 0, 1).times));
}

TEST_CASE("one wrong element of many is seen at every resolution") {
  std::vector<float> got(256 * 256, 1.0f);
  got[77'777 % got.size()] = 9.0f;
  auto values = values_of(got);
  values.tensor.shape = {256, 256};
  const ErrorMap map = make_error_map(values);
  for (int level = 0; level < map.cells.levels(); ++level) {
    int wrong = 0;
    for (const ErrorCell& cell : map.cells.level(level).cells)
      wrong += cell.state == ElementState::wrong ? 1 : 0;
    CHECK(wrong == 1);
  }
}

TEST_CASE("a tensor that does not fit its shape is empty") {
  auto values = values_of({1.0f, 1.0f});
  values.tensor.shape = {3};
  CHECK(make_error_map(values).total == 0);
  values.tensor.shape = {2};
  values.expected.clear();
  CHECK(make_error_map(values).grid.elements == 0);
}

TEST_CASE("the first wrong tensor is seen first, else the last that has a reference") {
  runs::CaseValues values;
  auto input = values_of({5.0f});
  input.expected.clear();
  values.tensors = {input, values_of({1.0f}), values_of({1.0f})};
  CHECK(first_to_see(values) == 2);
  values.tensors[1].got[0] = 3.0f;
  CHECK(first_to_see(values) == 1);
  values.tensors = {input};
  CHECK(first_to_see(values) == -1);
}
