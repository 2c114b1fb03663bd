#include "model/source_page.h"

#include "fixture.h"
#include "indices.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

constexpr const char* kFile = "solutions/22_layernorm_linear/kernels.cu";

runs::RunRecord counted_run() {
  runs::RunRecord run;
  run.puzzle_name = "22_layernorm_linear";
  run.origin = "solution";
  run.source = "a\n// FILL ME IN: x (2)\nint Row;\n// END: x\nb\n";
  runs::LaunchCounters counters;
  counters.sites = {{"k", {kFile, 3}, runs::SiteKind::global_load, 0, 10, 80, 40, 0, 1280},
                    {"k", {kFile, 3}, runs::SiteKind::shared_store, 1, 10, 0, 0, 20, 1280},
                    {"k", {kFile, 5}, runs::SiteKind::global_store, 0, 10, 40, 40, 0, 1280}};
  runs::LaunchRecord launch;
  launch.kernel = "k";
  launch.counters = counters;
  runs::Benchmark benchmark;
  benchmark.name = "teaching";
  benchmark.launches = {launch};
  run.benchmarks = {benchmark};
  return run;
}

}  // namespace

TEST_CASE("figures of a line are summed over its instructions, with its share of the launch") {
  const SourcePage page = make_page(counted_run(), kFile, "", "teaching");
  REQUIRE(page.figures.size() == 2);
  const LineFigures& line = page.figures.at(3);
  CHECK(line.sectors_per_request() == 8.0);
  CHECK(line.ideal_per_request() == 4.0);
  CHECK(line.passes_per_request() == 2.0);
  CHECK(line.bytes == 2560);
  CHECK(line.wasteful());
  CHECK_FALSE(page.figures.at(5).wasteful());
  CHECK(line.global_share == Approx(80.0 / 120.0));
  CHECK(line.shared_share == 1.0);
  CHECK(make_page(counted_run(), kFile, "", "real").figures.empty());
}

TEST_CASE("a page has its lines, its regions and its words") {
  const SourcePage page = make_page(counted_run(), kFile, "", "teaching");
  CHECK(page.lines == std::vector<int>{1, 2, 3, 4, 5});
  REQUIRE(page.region_of(3) != nullptr);
  CHECK(page.region_of(3)->name == "x");
  CHECK(page.region_of(5) == nullptr);
  CHECK(page.words[2][0].token == Token::type);
  CHECK(find_in(page, "row") == std::vector<int>{3});
  CHECK(find_in(page, "").empty());
}

TEST_CASE("findings stand at their line, races at both") {
  runs::RunRecord run = counted_run();
  runs::Finding race;
  race.at = {kFile, 3};
  race.other = {kFile, 5};
  race.message = "two threads write";
  race.count = 7;
  run.findings = {race};
  run.compile_errors = {{{kFile, 1}, 4, "expected ;"}};
  const SourcePage page = make_page(run, kFile, "", "teaching");
  REQUIRE(page.notes.size() == 3);
  CHECK(page.notes.at(3)[0].message == "error: two threads write (7 times)");
  CHECK_THAT(page.notes.at(5)[0].message, contains_text("kernels.cu:3"));
  CHECK(page.notes.at(1)[0].severity == runs::Severity::error);
}

TEST_CASE("of a file that is gone only the lines with figures remain") {
  runs::RunRecord run = counted_run();
  run.benchmarks[0].launches[0].counters->sites[2].at = {"puzzles/given.cuh", 46};
  const SourcePage page = make_page(run, "puzzles/given.cuh", "", "teaching");
  CHECK(page.text.origin == SourceOrigin::missing);
  CHECK(page.lines == std::vector<int>{46});
}

TEST_CASE("the lines of a thread and of an element are known from the trace") {
  const AccessIndex accesses = index_of(fixture::unfused());
  CHECK(lines_of_thread(accesses, kFile, 0, 0, 3) == std::set<int>{24, 25, 31});
  CHECK(lines_of_thread(accesses, "puzzles/22_layernorm_linear/given.cuh", 0, 0, 3).empty());
  const int normalized = id_of(accesses, "normalized");
  CHECK(lines_of_element(accesses, kFile, {0, normalized, -1}, 0) == std::set<int>{31});
  CHECK(lines_of_element(accesses, "puzzles/22_layernorm_linear/given.cuh", {0, normalized, -1}, 0) ==
        std::set<int>{43});
}
