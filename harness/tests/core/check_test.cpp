#include "core/check.h"

#include <bit>
#include <cmath>
#include <limits>

#include "sample_puzzle.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::core;

namespace {

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kPoison = std::bit_cast<float>(kPoisonBits);

/// The right answer of the sample puzzle, to be spoilt.
struct Answer {
  Puzzle puzzle = sample::puzzle();
  Prepared data = prepare(puzzle, puzzle.cases[0], true);
  std::vector<float> y;

  Answer() {
    for (const double value : data.reference.arrays["y"]) y.push_back(static_cast<float>(value));
  }
  runs::Check check() const {
    return compare("plain", "y", Contents{y}, data.reference.arrays.at("y"), 1e-5, {6, 4});
  }
  std::string diagnosis() const { return diagnose(puzzle, data, puzzle.tensors[1], Contents{y}); }
};

}  // namespace

TEST_CASE("a right answer is right, and nothing is said of it") {
  Answer answer;
  CHECK(answer.check().correct());
  CHECK(answer.diagnosis().empty());
}

TEST_CASE("NaN and infinity are never right") {
  for (const float bad : {kNan, std::numeric_limits<float>::infinity()}) {
    Answer answer;
    answer.y[7] = bad;
    const runs::Check check = answer.check();
    CHECK(check.wrong == 1);
    CHECK(check.first_wrong->index == std::vector<std::int64_t>{1, 3});
    CHECK(check.first_wrong->written);
    CHECK_FALSE(std::isfinite(check.max_difference));
  }
}

TEST_CASE("an error of exactly the tolerance is accepted, the next larger one is not") {
  const std::vector<double> expected = {1.0};
  CHECK(compare("cpu", "y", std::vector<double>{1.25}, expected, 0.25, {1}).correct());
  CHECK_FALSE(
      compare("cpu", "y", std::vector<double>{std::nextafter(1.25, 2.0)}, expected, 0.25, {1}).correct());
}

TEST_CASE("what was never written is told from a NaN that was") {
  Answer answer;
  answer.y.assign(24, kPoison);
  CHECK_FALSE(answer.check().first_wrong->written);
  CHECK_THAT(answer.diagnosis(), contains_text("nothing was written to y"));
  const Contents stored{answer.y, [](std::size_t) { return true; }};
  CHECK_THAT(diagnose(answer.puzzle, answer.data, answer.puzzle.tensors[1], stored), contains_text("NaN"));
}

TEST_CASE("a tail that was not written names its first element") {
  Answer answer;
  for (std::size_t i = 18; i < 24; ++i) answer.y[i] = kPoison;
  CHECK_THAT(answer.diagnosis(), contains_text("nothing from y[4][2] on"));
}

TEST_CASE("a known slip is named") {
  Answer answer;
  for (std::size_t i = 0; i < 24; ++i) answer.y[i] -= 1.0f;
  CHECK(answer.diagnosis() == "the 1 was never added");
}

TEST_CASE("shifted, scaled, offset and partly wrong answers are told apart") {
  Answer late;
  for (std::size_t i = 23; i > 0; --i) late.y[i] = late.y[i - 1];
  CHECK_THAT(late.diagnosis(), contains_text("one place too late"));
  Answer offset;
  for (float& value : offset.y) value += 3.0f;
  CHECK_THAT(offset.diagnosis(), contains_text("off by the same amount, 3"));
  Answer scaled;
  for (float& value : scaled.y) value *= 2.0f;
  CHECK_THAT(scaled.diagnosis(), contains_text("2 times what it should be"));
  Answer tail;
  for (std::size_t i = 20; i < 24; ++i) tail.y[i] += static_cast<float>(i);
  CHECK_THAT(tail.diagnosis(), contains_text("right up to y[4][3] and wrong from y[5][0]"));
  Answer column;
  for (std::size_t i = 1; i < 24; i += 4) column.y[i] += static_cast<float>(i);
  CHECK_THAT(column.diagnosis(), contains_text("every 4. element is wrong, from y[0][1]"));
}
