#include "core/diagnose.h"

#include <cmath>

#include "core/element.h"
#include "tests/catch.h"
#include "tests/core/not_finite.h"

using namespace workbook;
using namespace workbook::core;
using sample::kNan;

namespace {

/// The output y of a kernel, right until a test spoils it.
struct Answer {
  explicit Answer(std::vector<std::int64_t> of_shape, Type type = Type::f32)
      : tensor{.name = "y", .type = type, .role = Role::output, .shape = {}}, shape(std::move(of_shape)) {
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    Random random(7);
    for (std::size_t i = 0; i < count; ++i) expected.push_back(rounded(type, 1.0 + 7.0 * random.uniform()));
    y = expected;
  }

  /// Wrong in a way that follows no rule.
  void spoil(std::size_t i) { y[i] = expected[i] + 1.0 + std::fmod(static_cast<double>(i * i) * 0.37, 5.0); }
  void spoil_from(std::size_t first) {
    for (std::size_t i = first; i < y.size(); ++i) spoil(i);
  }

  std::string words() const {
    const Contents contents{y, written};
    std::vector<std::vector<std::int64_t>> shapes = input_shapes;
    for (std::size_t i = shapes.size(); i < inputs.size(); ++i) shapes.push_back(shape);
    return diagnose({tensor,
                     shape,
                     contents,
                     expected,
                     {1e-6, 0.0},
                     right_before,
                     inputs,
                     block_threads,
                     false,
                     undefined_values,
                     false,
                     shapes,
                     sizes,
                     thread_of})
        .words;
  }

  Tensor tensor;
  std::vector<std::int64_t> shape;
  std::vector<double> expected, y;
  std::function<bool(std::size_t)> written = [](std::size_t) { return true; };
  std::vector<std::string> right_before;
  std::vector<std::pair<std::string, std::vector<double>>> inputs;
  std::vector<std::int64_t> block_threads;
  bool undefined_values = false;
  std::vector<std::vector<std::int64_t>> input_shapes;  ///< those that are not given are y's
  std::vector<std::int64_t> sizes;
  std::function<std::optional<runs::ThreadId>(std::size_t)> thread_of;
};

void check_said(const Answer& answer, const std::string& words) {
  CHECK_THAT(answer.words(), contains_text(words));
}

}  // namespace

TEST_CASE("nothing is said of a right answer, nor of one whose errors follow no rule") {
  Answer answer({6, 4});
  CHECK(answer.words().empty());
  for (const std::size_t i : {0, 1, 5, 6, 11, 18}) answer.spoil(i);
  CHECK(answer.words().empty());
}

TEST_CASE("an error without a rule is placed behind what is right") {
  Answer answer({6, 4});
  for (const std::size_t i : {0, 1, 5, 6, 11, 18}) answer.spoil(i);
  answer.right_before = {"mean", "normalized"};
  check_said(answer, "what comes before is right (normalized): the mistake is in what makes y.");
}

TEST_CASE("where a shuffle read lanes that were not there, no pattern of its values is told") {
  Answer answer({6, 4});
  for (double& value : answer.y) value = kNan;
  answer.undefined_values = true;
  CHECK(answer.words().empty());
  answer.y.assign(answer.y.size(), 0.0);
  CHECK(answer.words().empty());
  answer.right_before = {"sums"};
  check_said(answer, "what comes before is right (sums)");
}

TEST_CASE("what was never written is told from a NaN that was") {
  Answer answer({6, 4});
  answer.y.assign(24, kNan);
  check_said(answer, "every wrong element is NaN");
  answer.written = [](std::size_t) { return false; };
  check_said(answer, "nothing was written to y");
}

TEST_CASE("so large a value is told to be one that was never set") {
  Answer answer({100});
  answer.y[3] = 1e30;
  CHECK(answer.words().empty());
  answer.y[3] = -1.69474e38;
  CHECK(answer.words().find("used before it is set") != std::string::npos);
}

TEST_CASE("a tail that was not written names its first element, gaps their number") {
  Answer answer({6, 4});
  for (std::size_t i = 18; i < 24; ++i) answer.y[i] = kNan;
  answer.written = [](std::size_t i) { return i < 18; };
  check_said(answer, "y was written only up to y[4][1]: nothing from y[4][2] on");
  Answer gaps({6, 4});
  for (const std::size_t i : {3, 9, 10}) gaps.y[i] = kNan;
  gaps.written = [](std::size_t i) { return i != 3 && i != 9 && i != 10; };
  check_said(gaps, "3 of 24 elements of y were never written, the first of them y[0][3]");
}

TEST_CASE("all zero and all the same are told") {
  Answer answer({24});
  answer.y.assign(24, 0.0);
  check_said(answer, "every element of y is 0");
  answer.y.assign(24, 2.5);
  check_said(answer, "every element of y is 2.5: each thread stored the same value");
}

TEST_CASE("a copy of an input is named") {
  Answer answer({24});
  answer.inputs.emplace_back("gamma", std::vector<double>(3, 1.0));
  answer.input_shapes = {{3}};
  answer.inputs.emplace_back("x", std::vector<double>(24));
  for (std::size_t i = 0; i < 24; ++i)
    answer.inputs[1].second[i] = answer.y[i] = std::sin(static_cast<double>(i));
  check_said(answer, "y is a copy of x");
}

TEST_CASE("values in the wrong place tell by how much") {
  const auto shifted = [](Answer answer, std::size_t by, bool late) {
    for (std::size_t i = by; i < answer.y.size(); ++i)
      late ? answer.y[i] = answer.expected[i - by] : answer.y[i - by] = answer.expected[i];
    return answer;
  };
  check_said(shifted(Answer({24}), 1, true), "one place too late: the index is off by one");
  check_said(shifted(Answer({24}), 1, false), "one place too early");
  check_said(shifted(Answer({100}), 32, true), "y[i] that of y[i - 32]");
  check_said(shifted(Answer({8, 5}), 5, false), "one row too early");
  check_said(shifted(Answer({8, 5}), 5, true), "one row too late");
  Answer block({100});
  block.block_threads = {48};
  check_said(shifted(block, 48, true), "y[i] that of y[i - 48]");
}

TEST_CASE("a transposed matrix is told, square or not") {
  for (const auto& [rows, columns] : {std::pair{5, 5}, std::pair{3, 7}}) {
    Answer answer({2, rows, columns});
    const auto size = static_cast<std::size_t>(rows * columns);
    for (std::size_t i = 0; i < 2 * size; ++i) {
      const std::size_t at = i % size, row = static_cast<std::size_t>(rows);
      answer.y[i] = answer.expected[i - at + at % row * static_cast<std::size_t>(columns) + at / row];
    }
    check_said(answer, "y is transposed");
  }
}

TEST_CASE("a constant term or factor is told with its value") {
  Answer offset({24});
  for (double& value : offset.y) value += 3.0;
  check_said(offset, "off by the same amount, 3: a term that all share");
  Answer factor({24});
  for (double& value : factor.y) value *= 0.125;
  check_said(factor, "every element is 0.125 times what it should be");
}

TEST_CASE("one rounding too many is told by what is left of the digits") {
  const auto held_in = [](Type tensor, Type between) {
    Answer answer({40}, tensor);
    for (double& value : answer.y) value = rounded(between, value * 1.0001);
    return answer;
  };
  check_said(held_in(Type::f32, Type::f16), "right to three digits and no further");
  check_said(held_in(Type::f32, Type::bf16), "right to two digits and no further");
  check_said(held_in(Type::f16, Type::bf16), "rounded once too often");
  Answer integers({40}, Type::i32);
  for (std::size_t i = 0; i < 40; ++i) {
    integers.expected[i] = static_cast<double>(10000 + 37 * i);
    integers.y[i] = integers.expected[i] + static_cast<double>(i * i % 7 + 1);
  }
  CHECK(integers.words().empty());
}

TEST_CASE("right up to a place: the row, the block, the warp or the last block is named") {
  Answer row({6, 4});
  row.spoil_from(4);
  check_said(row, "only the first row of y is right");
  Answer block({200});
  block.block_threads = {64};
  block.spoil_from(64);
  check_said(block, "only the first 64 elements of y are right, which is one block");
  Answer last({200});
  last.block_threads = {64};
  last.spoil_from(192);
  check_said(last, "right up to y[191] and wrong from y[192] on: that is the last, partly filled block");
  Answer warp({100});
  warp.spoil_from(32);
  check_said(warp, "only the first 32 elements of y are right, which is one warp");
  Answer place({6, 4});
  place.spoil_from(18);
  check_said(place, "y is right up to y[4][1] and wrong from y[4][2] on.");
}

TEST_CASE("errors at even steps, in a column, or from a column on are told") {
  Answer step({20});
  for (std::size_t i = 2; i < 20; i += 3) step.spoil(i);
  check_said(step, "every 3. element is wrong, from y[2] on");
  Answer column({6, 4});
  for (std::size_t i = 1; i < 24; i += 4) column.spoil(i);
  check_said(column, "only column 1 of y is wrong, in every row from y[0][1] on");
  Answer columns({4, 6});
  for (std::size_t i = 0; i < 24; ++i)
    if (i % 6 >= 4) columns.spoil(i);
  check_said(columns, "in every row of y the elements from index 4 on are wrong");
}

TEST_CASE("a pitch that is wrong is told, and no grid that is too small") {
  Answer answer({6, 10});
  const auto stored = [&](std::size_t pitch) {
    std::vector<bool> is(60, false);
    for (std::size_t r = 0; r < 6; ++r)
      for (std::size_t c = 0; c < 10; ++c)
        if (const std::size_t at = r * pitch + c; at < 60) {
          answer.y[at] = answer.expected[r * 10 + c];
          is[at] = true;
        }
    for (std::size_t i = 0; i < 60; ++i)
      if (!is[i]) answer.y[i] = kNan;
    answer.written = [is](std::size_t i) { return is[i]; };
  };
  stored(7);
  check_said(answer, "the rows of y were stored 7 elements apart: y[r][c] went to place 7 * r + c");
  stored(12);
  check_said(answer, "the rows of y were stored 12 elements apart");
  // One element that no pitch explains, and it is not told.
  stored(7);
  answer.spoil(3);
  CHECK_THAT(answer.words(), !contains_text("apart"));
  check_said(answer, "y has nothing from y[4][5] on, and of the 45 elements before it");
}

TEST_CASE("an index that was the thread's own place in its block is told") {
  Answer answer({12, 40});
  std::vector<double> a;
  for (std::size_t i = 0; i < 480; ++i) a.push_back(std::fmod(static_cast<double>(i * i) * 0.37, 5.0));
  answer.inputs = {{"a", a}};
  const auto fill = [&](std::size_t column_of_block, std::size_t row_of_block) {
    for (std::size_t i = 0; i < 480; ++i) {
      const auto r = static_cast<double>(i / 40), c = static_cast<double>(i % 40);
      answer.expected[i] = a[i] + 0.5 * c - 0.25 * r;
      answer.y[i] = a[i] + 0.5 * static_cast<double>(i % 40 % column_of_block) -
                    0.25 * static_cast<double>(i / 40 % row_of_block);
    }
  };
  answer.thread_of = [](std::size_t i) {
    const auto x = static_cast<unsigned>(i % 40), y = static_cast<unsigned>(i / 40);
    return runs::ThreadId{{x / 16, y / 4, 0}, {x % 16, y % 4, 0}};
  };
  fill(16, 4);
  check_said(
      answer,
      "is a[r][c] - 1/4 * threadIdx.y + 1/2 * threadIdx.x, where a[r][c] - 1/4 * r + 1/2 * c is right");
  fill(16, 100);
  check_said(answer, "is a[r][c] - 1/4 * r + 1/2 * threadIdx.x, where");
  // Neither index: what is counted is half a block.
  fill(8, 100);
  CHECK_THAT(answer.words(), !contains_text("threadIdx"));
}

TEST_CASE("what goes one way only was not rounded") {
  Answer answer({40});
  for (double& value : answer.y) value *= 1.0 - 1.0 / 512.0;
  answer.y[3] *= 1.001;
  CHECK_THAT(answer.words(), !contains_text("rounded"));
  Answer single({1});
  single.y[0] *= 1.0001;
  CHECK_THAT(single.words(), !contains_text("held in half"));
}

TEST_CASE("a shift of which only a few elements tell is one of those elements") {
  Answer answer({40});
  for (std::size_t i = 32; i < 40; ++i) answer.y[i] = answer.expected[i - 32];
  check_said(answer, "each wrong element holds the value of another place: y[i] that of y[i - 32]");
}

TEST_CASE("an index that was added in the place of a constant is told") {
  Answer answer({100});
  std::vector<double> a;
  for (std::size_t i = 0; i < 100; ++i) a.push_back(std::fmod(static_cast<double>(i * i) * 0.37, 5.0));
  answer.inputs = {{"a", a}};
  for (std::size_t i = 0; i < 100; ++i) {
    answer.expected[i] = a[i] + 10.0;
    answer.y[i] = a[i] + static_cast<double>(i);
  }
  check_said(answer, "is a[i] + i, where a[i] + 10 is right.");
}

TEST_CASE("numbers too large for a fraction are no whole numbers by mistake") {
  Answer answer({40});
  for (std::size_t i = 0; i < 40; ++i)
    answer.y[i] = 3e8 + std::fmod(static_cast<double>(i * i) * 7919.0, 1e6);
  CHECK_THAT(answer.words(), !contains_text("whole number"));
}
