// The page of a class that nobody taught: twenty learners, six puzzles. page_test.py looks at it in a
// browser.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>

#include "cli/base/text.h"
#include "cli/grade/graded.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook;
using namespace workbook::cli;

namespace {

constexpr std::array kNames = {"Ada Lovelace",
                               "bob, jr",
                               "=cleo",
                               "Zoë Ångström-Bräunlich",
                               "s1234567_assignsubmission_file",
                               "edsger",
                               "grace",
                               "hedy",
                               "ivan",
                               "joan",
                               "katherine",
                               "linus",
                               "mary",
                               "niklaus",
                               "olga",
                               "peter",
                               "quentin",
                               "radia",
                               "sofia",
                               "tim"};

struct Sample {
  std::vector<Puzzle> puzzles;
  Course course;
  GradedReference reference;
  std::vector<GradedSubmission> all;
  bool measured;

  explicit Sample(bool with_gpu = false) : measured(with_gpu) {
    const std::array titles = {
        "Map", "Guards", "Shared memory", "Matrix product", "LayerNorm + Linear", "Detective work"};
    const std::array variants = {"map", "guards", "neighbours", "tiled", "fused", "weather"};
    const std::array numbers = {1, 3, 8, 16, 22, 9};
    puzzles.resize(titles.size());
    course.name = "GPU programming, twelve weeks";
    course.seed = 20;
    for (std::size_t i = 0; i < titles.size(); ++i) {
      puzzles[i].number = numbers[i];
      puzzles[i].name = numbers[i] == 22 ? "22_layernorm_linear" : titles[i];
      puzzles[i].declaration.title = titles[i];
      VariantInfo variant;
      variant.name = variants[i];
      if (numbers[i] == 9) variant.program.emplace();
      puzzles[i].declaration.variants = {variant};
      GradedItem item{.puzzle = &puzzles[i],
                      .variant = &puzzles[i].declaration.variants.front(),
                      .deadline = "",
                      .ratio = {}};
      item.points = static_cast<double>(2 * i + 2);
      item.bonus = numbers[i] == 22;
      if (item.bonus) item.ratio = RatioRule{Measure::time, 2.0, 1.1, 3.0};
      course.items.push_back(item);
      reference.records.push_back(real_run(numbers[i] == 9 ? 0.0 : 1.7 * static_cast<double>(i + 1)));
    }
    for (std::size_t i = 0; i < kNames.size(); ++i) add(kNames[i], i);
  }

  static runs::RunRecord real_run(double us) {
    runs::RunRecord record;
    if (us <= 0.0) return record;
    runs::Benchmark& benchmark = record.benchmarks.emplace_back();
    benchmark.name = "real";
    benchmark.modelled_total_us = us;
    benchmark.launches.emplace_back().counters.emplace().dram_bytes_read = 4'000'000;
    return record;
  }

  void add(const char* name, std::size_t learner) {
    GradedSubmission graded;
    graded.learner = name;
    for (std::size_t j = 0; j < course.items.size(); ++j) {
      GradedResult result;
      const std::size_t kind = (learner * 7 + j * 5) % 11;
      result.report = "INCORRECT puzzle 16 --tiled: wrong elements on 'ragged'\n\n" + std::string(160, '=') +
                      "\nDiagnosis: ...\n";
      result.file = "puzzles/16_matmul/kernels.cu";
      if (kind < 6) {
        result.verdict = "correct";
        result.score = course.items[j].most() - (kind == 2 && course.items[j].ratio ? 1.5 : 0.0);
        const double ratio = learner == 4 ? 40.0 : std::exp2(static_cast<double>(kind) / 2.0 - 0.5);
        result.time_us = 1.7 * static_cast<double>(j + 1) * ratio;
        result.bytes = 4'000'000.0 * (kind % 3 == 0 ? 1.0 : 2.0);
        if (measured && course.items[j].puzzle->number == 22) {
          result.measured_us = 1.2 * result.time_us;
          result.measured_on = "NVIDIA H200 <NVL>";
        }
      } else if (kind < 9) {
        result.verdict = "wrong";
        result.mistake = kind == 6 ? "thread_index_only" : "race_shared";
        result.says =
            kind == 6
                ? "each block computes the first elements: an index is that of a thread in its block alone"
                : "threads 0 and 32 of block (0, 0, 0) write and read tile[3] without a barrier in between";
      } else {
        result.verdict = kind == 9 ? "missing" : "not_filled";
        result.mistake = result.verdict;
        result.says = "nothing was handed in";
      }
      graded.results.push_back(std::move(result));
    }
    all.push_back(std::move(graded));
  }
};

double luminance(const std::string& colour) {
  double sum = 0.0;
  const std::array weights = {0.2126, 0.7152, 0.0722};
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    sum += weights[i] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(const std::string& a, const std::string& b) {
  const double one = luminance(a), other = luminance(b);
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

}  // namespace

TEST_CASE("in light and in dark, text on the page can be read") {
  const Sample sample;
  const std::string page = class_page(sample.course, sample.reference, sample.all);
  static const std::regex kColour("--([a-z-]+): (#[0-9a-f]{6})");
  std::array<std::map<std::string, std::string>, 2> themes;
  const std::size_t dark = page.find("prefers-color-scheme: dark");
  REQUIRE(dark != std::string::npos);
  for (std::sregex_iterator found(page.begin(), page.end(), kColour), end; found != end; ++found) {
    const bool is_dark = static_cast<std::size_t>(found->position()) > dark;
    themes[is_dark ? 1 : 0][(*found)[1]] = (*found)[2];
  }
  for (const auto& theme : themes)
    for (const auto& [text, ground] :
         std::vector<std::pair<std::string, std::string>>{{"ink", "page"},
                                                          {"ink", "soft"},
                                                          {"dim", "page"},
                                                          {"dim", "soft"},
                                                          {"link", "page"},
                                                          {"mark", "page"},
                                                          {"good", "good-page"},
                                                          {"part", "part-page"},
                                                          {"bad", "bad-page"},
                                                          {"none", "none-page"}}) {
      INFO(text << " on " << ground);
      REQUIRE(theme.contains(text));
      CHECK(contrast(theme.at(text), theme.at(ground)) >= 4.5);
    }
}

TEST_CASE("every cell leads to a report, and says without colour what it is") {
  const Sample sample;
  const std::string page = class_page(sample.course, sample.reference, sample.all);
  for (std::size_t i = 1; i <= sample.all.size(); ++i)
    for (std::size_t j = 1; j <= sample.course.items.size(); ++j) {
      const std::string id = "report-" + std::to_string(i) + "-" + std::to_string(j) + "\"";
      CHECK(contains(page, "href=\"#" + id));
      CHECK(contains(page, "id=\"" + id));
    }
  CHECK(contains(page, "aria-label=\"Ada Lovelace, 01 Map --map: "));
  CHECK_FALSE(contains(page, "Its reference has no time"));
}

TEST_CASE("measured times stand beside the modelled ones where there are any, and change nothing else") {
  const Sample modelled, measured(true);
  const std::string page = class_page(measured.course, measured.reference, measured.all);
  CHECK(contains(page, "Measured times</h2>"));
  CHECK(contains(page, "NVIDIA H200 &lt;NVL&gt;"));
  CHECK_FALSE(contains(class_page(modelled.course, modelled.reference, modelled.all), "Measured"));
  const std::vector<std::string> with = lines_of(class_csv(measured.course, measured.all)),
                                 without = lines_of(class_csv(modelled.course, modelled.all));
  REQUIRE(with.size() == without.size());
  CHECK(contains(with.front(),
                 "bytes,22_layernorm_linear-fused measured_us,22_layernorm_linear-fused measured_on,"));
  CHECK_FALSE(contains(without.front(), "measured"));
  for (std::size_t i = 0; i < modelled.all.size(); ++i)
    CHECK(measured.all[i].score() == modelled.all[i].score());
  CHECK(class_junit(measured.course, measured.all) == class_junit(modelled.course, modelled.all));
  const std::string results = gradescope_results(measured.course, measured.all[1]);
  CHECK(contains(results, "\"measured_on\": \"NVIDIA H200 <NVL>\"") ==
        (measured.all[1].results[4].measured_us > 0.0));
}

TEST_CASE("the page of a sample", "[.sample]") {
  const Sample sample(true);
  const char* file = std::getenv("WORKBOOK_SAMPLE_PAGE");
  REQUIRE(file != nullptr);
  test::write(file, class_page(sample.course, sample.reference, sample.all));
}
