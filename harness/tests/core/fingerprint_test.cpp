#include "core/fingerprint.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook;
using namespace workbook::core;

namespace {

constexpr std::size_t kCount = 500;

/// Sums of 100 terms each, in float: from the first or from the last one.
double term(std::size_t i, std::size_t j) { return std::sin(static_cast<double>(i * 100 + j)) + 0.4; }
std::vector<double> sums(bool backwards, bool forgets_the_last) {
  std::vector<double> all;
  for (std::size_t i = 0; i < kCount; ++i) {
    float sum = 0.0f;
    for (std::size_t j = 0; j < 100; ++j) {
      const std::size_t at = backwards ? 99 - j : j;
      if (!forgets_the_last || at != 99) sum += static_cast<float>(term(i, at));
    }
    all.push_back(sum);
  }
  return all;
}

std::vector<double> exact_sums() {
  std::vector<double> all;
  for (std::size_t i = 0; i < kCount; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 100; ++j) sum += term(i, j);
    all.push_back(sum);
  }
  return all;
}

Probes probes_of(const std::vector<double>& values, const std::vector<std::size_t>& wrong) {
  const auto count = static_cast<std::int64_t>(values.size());
  Probes probes{"y", {count}, probe_positions({count}, wrong), {}};
  for (const std::size_t at : probes.at) probes.got.push_back(values[at]);
  return probes;
}

/// As it comes back from the file.
Probes kept(const Probes& probes) {
  const test::TemporaryFolder folder;
  test::write(folder / "fingerprints.json", to_text({{"m", "says", "", "plain", "teaching", {probes}}}));
  return read_fingerprints(folder / "fingerprints.json").at(0).tensors.at(0);
}

const Allowed kAllowed{100 * 0x1p-24 * 64, 0.0};

}  // namespace

TEST_CASE("probes are in every corner and where it is wrong, and at most 64") {
  const std::vector<std::size_t> wrong = {1234, 1235, 4321};
  const std::vector<std::size_t> at = probe_positions({10, 20, 30}, wrong);
  CHECK(at.size() == 64);
  CHECK(std::is_sorted(at.begin(), at.end()));
  CHECK(std::adjacent_find(at.begin(), at.end()) == at.end());
  for (const std::size_t place : {0, 29, 19 * 30, 9 * 600, 5999, 1234, 1235, 4321})
    CHECK(std::binary_search(at.begin(), at.end(), place));
  CHECK(probe_positions({10, 20, 30}, wrong) == at);
}

TEST_CASE("where much is wrong, wrong places and others are both probed") {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 5000; i < 10000; ++i) wrong.push_back(i);
  const std::vector<std::size_t> at = probe_positions({10000}, wrong);
  const auto in_wrong = std::count_if(at.begin(), at.end(), [](std::size_t i) { return i >= 5000; });
  CHECK(in_wrong >= 32);
  CHECK(in_wrong <= 60);
}

TEST_CASE("of a small tensor every element is probed") {
  const std::vector<std::size_t> at = probe_positions({3, 5}, {});
  REQUIRE(at.size() == 15);
  CHECK(at.back() == 14);
}

TEST_CASE("the same mistake computed in another order is recognised") {
  const std::vector<double> expected = exact_sums(), mutant = sums(false, true), learner = sums(true, true);
  REQUIRE(mutant != learner);
  const Likeness likeness = compare_probes(kept(probes_of(mutant, {3, 4})), learner, expected, kAllowed);
  CHECK(likeness.same);
  CHECK(likeness.wrong);
}

TEST_CASE("the right answer and another mistake are not taken for it") {
  const std::vector<double> expected = exact_sums();
  const Probes probes = kept(probes_of(sums(false, true), {3, 4}));
  CHECK_FALSE(compare_probes(probes, sums(true, false), expected, kAllowed).same);
  std::vector<double> doubled = expected;
  for (double& value : doubled) value *= 2.0;
  CHECK_FALSE(compare_probes(probes, doubled, expected, kAllowed).same);
  CHECK_FALSE(compare_probes(probes, {}, expected, kAllowed).same);
}

TEST_CASE("probes that hold nothing wrong say so") {
  const std::vector<double> expected = exact_sums(), right = sums(false, false);
  CHECK_FALSE(compare_probes(kept(probes_of(right, {})), right, expected, kAllowed).wrong);
}

TEST_CASE("what is ten times too large may be ten times as far apart") {
  const std::vector<double> expected(100, 1.0);
  std::vector<double> mutant(100, 1000.0), learner(100, 1000.5);
  CHECK(compare_probes(probes_of(mutant, {0}), learner, expected, {1e-3, 0.0}).same);
  learner.assign(100, 1002.0);
  CHECK_FALSE(compare_probes(probes_of(mutant, {0}), learner, expected, {1e-3, 0.0}).same);
}

TEST_CASE("NaN and infinity are kept, and only the same is like them") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = HUGE_VAL;
  const std::vector<double> expected(4, 1.0), got = {nan, infinity, -infinity, 1.0};
  const Probes probes = kept(probes_of(got, {0, 1, 2}));
  CHECK(compare_probes(probes, got, expected, {0.0, 0.0}).same);
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<double> other = got;
    other[i] = 1e30;
    CHECK_FALSE(compare_probes(probes, other, expected, {1.0, 0.0}).same);
  }
}

TEST_CASE("of a further case a few elements are kept: the ends, and where it is wrong") {
  CHECK(few_positions(100, {10, 11, 12, 13, 14, 15, 16}) == std::vector<std::size_t>{0, 10, 12, 14, 16, 99});
  CHECK(few_positions(1, {0}) == std::vector<std::size_t>{0});
}

TEST_CASE("what is known of all cases comes back from the file") {
  const test::TemporaryFolder folder;
  Fingerprint print{"m", "says", "", "plain", "teaching", {probes_of({1.0, 2.0}, {1})}};
  print.regions = {"work"};
  print.elsewhere = {{"ragged", {probes_of({3.0}, {0})}}};
  print.right = {"one element"};
  test::write(folder / "fingerprints.json", to_text({print}));
  const Fingerprint back = read_fingerprints(folder / "fingerprints.json").at(0);
  CHECK(back.regions == print.regions);
  CHECK(back.right == print.right);
  REQUIRE(back.elsewhere.size() == 1);
  CHECK(back.elsewhere[0].on_case == "ragged");
  CHECK(back.elsewhere[0].tensors.at(0).got == std::vector<double>{3.0});
}

TEST_CASE("a missing file has no fingerprints; a damaged one is refused and says what writes it") {
  const test::TemporaryFolder folder;
  CHECK(read_fingerprints("").empty());
  CHECK(read_fingerprints(folder / "none.json").empty());
  const std::string mutant =
      R"("mutants": [{"mutant":"m","says":"s","task":"","variant":"v","case":"c","tensors":[[0]]}]})";
  for (const std::string& text :
       {std::string(), std::string(R"({"places": [], "mutants": [{}]})"), "{" + mutant,
        R"({"places": [], )" + mutant, R"({"places": [["y",[1],[0]]], )" + mutant}) {
    test::write(folder / "bad.json", text);
    CHECK_THROWS_WITH(read_fingerprints(folder / "bad.json"),
                      contains_text("bad.json cannot be read") && contains_text("`workbook derive NN`"));
  }
}
