#include "core/check.h"

#include <cmath>

#include "tests/catch.h"
#include "tests/core/not_finite.h"

using namespace workbook;
using namespace workbook::core;
using sample::kInfinity;
using sample::kNan;

namespace {

runs::Check check(const std::vector<double>& got, const std::vector<double>& expected, Allowed allowed) {
  return compare("plain", "y", {got}, expected, allowed, {static_cast<std::int64_t>(got.size())});
}

}  // namespace

TEST_CASE("a right answer is right") {
  const runs::Check same = check({1.0, 2.0}, {1.0, 2.0}, {0.0, 0.0});
  CHECK(same.correct());
  CHECK(same.total == 2);
  CHECK(same.max_difference == 0.0);
}

TEST_CASE("NaN and infinity are never right where a number is expected") {
  for (const double bad : {kNan, kInfinity}) {
    const runs::Check wrong =
        compare("plain", "y", {{0, 0, 0, 0, 0, bad}}, std::vector<double>(6), {1e3, 1e3}, {2, 3});
    CHECK(wrong.wrong == 1);
    CHECK(wrong.first_wrong->index == std::vector<std::int64_t>{1, 2});
    CHECK(wrong.first_wrong->written);
    CHECK_FALSE(std::isfinite(wrong.max_difference));
  }
}

TEST_CASE("where something infinite or not a number is expected, only the same is right") {
  const Allowed allowed{1e3, 1.0};
  CHECK(allowed.accepts(kNan, kNan));
  CHECK(allowed.accepts(-kInfinity, -kInfinity));
  CHECK_FALSE(allowed.accepts(kInfinity, -kInfinity));
  CHECK_FALSE(allowed.accepts(1.0, kInfinity));
  CHECK_FALSE(allowed.accepts(1.0, kNan));
}

TEST_CASE("the worst element is the one that is furthest for what is accepted there") {
  const Allowed allowed{0.0, 0.01};
  const runs::Check right = check({1000.5, 1.008, 0.0}, {1000.0, 1.0, 0.0}, allowed);
  CHECK(right.correct());
  CHECK(right.max_difference == 0.5);  // where 10 is accepted
  CHECK(right.worst_difference == 1.008 - 1.0);
  CHECK(right.worst_accepted == 0.01);
  const runs::Check exact = check({3.0, 1.0}, {1.0, 2.0}, {0.0, 0.0});
  CHECK(exact.worst_difference == 2.0);
  CHECK(exact.worst_accepted == 0.0);
  CHECK(check({1.0, kInfinity, -kInfinity}, {1.1, 1.0, -kInfinity}, allowed).worst_difference == kInfinity);
  CHECK(std::isnan(check({1.5, kNan, 7.0}, {1.0, 1.0, 1.0}, allowed).worst_difference));
}

TEST_CASE("an error of exactly the tolerance is accepted, the next larger one is not") {
  CHECK(check({1.25}, {1.0}, {0.25, 0.0}).correct());
  CHECK_FALSE(check({std::nextafter(1.25, 2.0)}, {1.0}, {0.25, 0.0}).correct());
}

TEST_CASE("a relative tolerance grows with what is expected, and adds to the absolute one") {
  const Allowed allowed{0.5, 0.25};
  CHECK(allowed.accepts(-10.5, -8.0));
  CHECK_FALSE(allowed.accepts(-10.51, -8.0));
  CHECK_FALSE(allowed.accepts(0.51, 0.0));
}

TEST_CASE("what was never written is said to be") {
  const Contents untouched{{kNan}, [](std::size_t) { return false; }};
  CHECK_FALSE(
      compare("plain", "y", untouched, std::vector<double>{1.0}, {0.0, 0.0}, {1}).first_wrong->written);
}

TEST_CASE("positions have indices and names") {
  CHECK(index_of(23, {2, 3, 4}) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(element_name("y", {2, 0, 5}) == "y[2][0][5]");
}
