#include "core/mistakes.h"

#include <cmath>

#include "tests/catch.h"
#include "tests/core/not_finite.h"

using namespace workbook;
using namespace workbook::core;
using sample::kNan;

namespace {

/// A case of one output y of four elements, each of which should be 1.
struct Outcome {
  std::string on_case;
  std::vector<double> y;
};
const std::vector<double> kRight(4, 1.0);

std::vector<Seen> seen_of(const Outcome& outcome) {
  bool wrong = false;
  const Allowed allowed{1e-6, 0.0};
  for (const double value : outcome.y) wrong = wrong || !allowed.accepts(value, 1.0);
  return {{"y", Role::output, {4}, outcome.y, kRight, allowed, wrong}};
}

/// The fingerprint that a mutant with these outcomes leaves.
Fingerprint print_of(const std::string& says, const std::string& variant, const std::string& region,
                     const std::vector<Outcome>& outcomes) {
  Fingerprint print{says, says, "", variant, "", {}};
  print.regions = {region};
  for (const Outcome& outcome : outcomes) {
    const std::vector<Seen> seen = seen_of(outcome);
    if (!seen.front().wrong)
      print.right.push_back(outcome.on_case);
    else if (print.tensors.empty())
      print.tensors = probes_of(seen, false), print.on_case = outcome.on_case;
    else
      print.elsewhere.push_back({outcome.on_case, probes_of(seen, true)});
  }
  return print;
}

const Variant kFive{.name = "five", .regions = {"row_max"}};
const Variant kThree{.name = "three", .regions = {"row_max", "normalize"}};

/// What is said of the first outcome.
std::string words(const Variant& variant, const std::vector<Fingerprint>& prints,
                  const std::vector<Outcome>& outcomes, bool lucky = false,
                  const std::string& general = "general words.") {
  KnownMistakes known(variant, prints);
  for (const Outcome& outcome : outcomes) known.look_at(outcome.on_case, seen_of(outcome), lucky);
  return known.words_for(outcomes.front().on_case, general);
}

const Outcome kTwo{"teaching", {2, 2, 2, 2}};

}  // namespace

TEST_CASE("a mistake is known by its values on all cases") {
  const auto print =
      print_of("halved", "five", "row_max", {kTwo, {"one", {1, 1, 1, 1}}, {"two", {3, 1, 1, 1}}});
  CHECK(words(kFive, {print}, {kTwo, {"one", {1, 1, 1, 1}}, {"two", {3, 1, 1, 1}}}) == "halved");
  CHECK(words(kFive, {print}, {kTwo}) == "halved");
  // As in the first case, and otherwise in a later one: another mistake.
  CHECK(words(kFive, {print}, {kTwo, {"one", {1, 1, 1, 1}}, {"two", {4, 1, 1, 1}}}) == "general words.");
  CHECK(words(kFive, {print}, {kTwo, {"one", {1, 1, 1, 1}}, {"two", {1, 1, 1, 1}}}) == "general words.");
  CHECK(words(kFive, {print}, {kTwo, {"one", {1, 1, 1, 5}}}) == "general words.");
}

TEST_CASE("values that luck decided are not held against a mistake") {
  const auto print = print_of("halved", "five", "row_max", {kTwo, {"one", {1, 1, 1, 1}}});
  CHECK(words(kFive, {print}, {kTwo, {"one", {1, 1, 1, 5}}}, true) ==
        "general words. One mistake that does so: halved");
  CHECK(words(kFive, {print}, {kTwo, {"one", {1, 1, 1, 5}}}, true, "").empty());  // the finding says enough
  // What the mistake itself leaves to luck on all cases.
  CHECK(words(kFive, {print_of("raced", "five", "row_max", {kTwo})}, {kTwo}, true) == "raced");
}

TEST_CASE("a mistake of a region that the variant lacks is none of its mistakes") {
  const auto elsewhere = print_of("divided wrongly", "three", "normalize", {kTwo});
  CHECK(words(kFive, {elsewhere}, {kTwo}) == "general words.");
  CHECK(words(kThree, {elsewhere}, {kTwo}) == "divided wrongly");
  const auto shared = print_of("no maximum", "three", "row_max", {kTwo});
  CHECK(words(kFive, {shared}, {kTwo}) == "no maximum");
  auto anywhere = print_of("lines of no region", "three", "row_max", {kTwo});
  anywhere.regions.clear();
  CHECK(words(kFive, {anywhere}, {kTwo}) == "general words.");
}

TEST_CASE("of mistakes with one result none is picked: all are said") {
  const auto one = print_of("the first", "five", "row_max", {kTwo}),
             two = print_of("the second", "five", "row_max", {kTwo}),
             same = print_of("the first", "five", "row_max", {kTwo});
  CHECK(words(kFive, {one, same}, {kTwo}) == "the first");
  CHECK(words(kFive, {one, two, same}, {kTwo}) ==
        "each of these mistakes gives just this result: (1) the first; (2) the second");
}

TEST_CASE("NaN everywhere names a mistake only beside the general words, and only where one alone makes it") {
  const Outcome nan{"teaching", {kNan, kNan, kNan, kNan}};
  const auto one = print_of("upside down", "five", "row_max", {nan}),
             two = print_of("the smaller", "five", "row_max", {nan});
  CHECK(words(kFive, {one}, {nan}) == "general words. One mistake that does so: upside down");
  CHECK(words(kFive, {one, two}, {nan}) == "general words.");
  CHECK(words(kFive, {one}, {nan}, false, "").empty());  // a finding names the access
}

TEST_CASE("waste is known by what was spent, of the same variant only") {
  Fingerprint print{"m", "read twice", "", "five", "teaching", {}};
  print.spent = {{"global reads", 64.0}};
  const KnownMistakes known(kFive, {print});
  CHECK(known.waste("teaching", {{"global reads", 64.0, 32.0}}) == "read twice");
  CHECK(known.waste("teaching", {{"global reads", 65.0, 32.0}}).empty());
  CHECK(known.waste("ragged", {{"global reads", 64.0, 32.0}}).empty());
  CHECK(KnownMistakes(kThree, {print}).waste("teaching", {{"global reads", 64.0, 32.0}}).empty());
}
