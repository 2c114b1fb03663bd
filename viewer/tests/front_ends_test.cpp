// The same two records through `workbook compare` and through the viewer's Compare: every number is the same.
#include <cmath>

#include "cli/report/compare_report.h"
#include "fixture.h"
#include "model/compare.h"
#include "model/format.h"
#include "tests/catch.h"

using namespace workbook;

namespace {

const viewer::Row* find(const std::vector<viewer::Row>& rows, const std::string& label) {
  for (const viewer::Row& row : rows)
    if (row.label == label) return &row;
  return nullptr;
}

// A row of the viewer against the terminal's runs, A's and B's.
void check_row(const std::vector<viewer::Row>& rows, const std::string& label, const runs::Json& a,
               const runs::Json& b) {
  INFO(label);
  const viewer::Row* row = find(rows, label);
  REQUIRE(row != nullptr);
  CHECK(row->from == Approx(a.get<double>()));
  CHECK(row->to == Approx(b.get<double>()));
}

void check_time(const viewer::Side& side, const runs::Json& terminal) {
  REQUIRE(side.contestant.timing.has_value() == terminal.contains("time_us"));
  if (!side.contestant.timing) return;
  const runs::Json& time = terminal["time_us"];
  CHECK(side.total.median_us == time["median"].get<double>());
  CHECK(side.total.low_us == time["p10"].get<double>());
  CHECK(side.total.high_us == time["p90"].get<double>());
  CHECK(side.basis_text == time["source"].get<std::string>());
}

// Why the one is faster than the other, as the viewer says it of B against A.
void check_gain(const viewer::Side& slow, const viewer::Side& fast, const runs::Json& why) {
  const auto gain = runs::gain_of(slow.contestant, slow.benchmark, fast.contestant, fast.benchmark);
  REQUIRE(gain);
  CHECK(gain->us == why["us"].get<double>());
  CHECK(gain->launches == why["launches"].get<std::int64_t>());
  CHECK(gain->launches_us == why["launches_us"].get<double>());
  CHECK(gain->bytes == why["bytes"].get<double>());
  CHECK(gain->bytes_us == why["bytes_us"].get<double>());
  REQUIRE(why["differences"].size() == gain->differences.size());
  for (std::size_t i = 0; i < gain->differences.size(); ++i) {
    CHECK(why["differences"][i]["what"] == gain->differences[i].what);
    CHECK(why["differences"][i]["slower"] == gain->differences[i].slow);
    CHECK(why["differences"][i]["faster"] == gain->differences[i].fast);
  }
  CHECK(viewer::judge(slow, fast).why.find("Of " + viewer::format_us(std::fabs(gain->us))) == 0);
}

// What both say of the shape; the records are of two variants, and both have it.
void check_both(const runs::RunRecord& a, const runs::RunRecord& b, const std::string& shape) {
  const std::vector<runs::RunRecord> all = {a, b};
  const auto ranked = cli::sides_of(all, shape);
  REQUIRE(ranked.size() == 2);
  const runs::Json json = cli::shape_json(ranked);
  const bool turned = json["runs"][0]["variant"] != a.variant;
  const runs::Json &of_a = json["runs"][turned ? 1 : 0], &of_b = json["runs"][turned ? 0 : 1];

  const viewer::Side side_a = viewer::make_side(a, shape), side_b = viewer::make_side(b, shape);
  const auto rows = viewer::difference_table(side_a, side_b);
  check_row(rows, "Launches", of_a["launches"], of_b["launches"]);
  if (find(rows, "Intermediate tensors") != nullptr)
    check_row(rows, "Intermediate tensors", of_a["intermediates"].size(), of_b["intermediates"].size());
  else
    CHECK(of_a["intermediates"].size() + of_b["intermediates"].size() == 0);
  if (side_a.counted && side_b.counted) {
    check_row(rows, "DRAM read", of_a["dram_bytes_read"], of_b["dram_bytes_read"]);
    check_row(rows, "DRAM written", of_a["dram_bytes_written"], of_b["dram_bytes_written"]);
  }
  check_time(side_a, of_a);
  check_time(side_b, of_b);

  const runs::Json& verdict = json["verdicts"][0];
  const runs::Duel duel = runs::duel(side_a.contestant, side_b.contestant);
  CHECK(duel.ratio == verdict["ratio"].get<double>());
  // The terminal's names are options.
  std::string words = verdict["words"];
  for (std::size_t at = 0; (at = words.find("--")) != std::string::npos;) words.erase(at, 2);
  const viewer::Verdict seen = viewer::judge(side_a, side_b);
  if (duel.outcome == runs::Duel::Outcome::first || duel.outcome == runs::Duel::Outcome::second)
    CHECK(seen.headline == viewer::capitalised(words));
  else
    CHECK(seen.tone == viewer::Tone::neutral);
  if (verdict.contains("why")) check_gain(turned ? side_a : side_b, turned ? side_b : side_a, verdict["why"]);
}

}  // namespace

TEST_CASE("terminal and viewer say the same of two variants, modelled and measured") {
  using viewer::fixture::Times;
  for (const Times times : {Times::modelled, Times::measured})
    for (const char* shape : {"teaching", "real"})
      check_both(viewer::fixture::unfused(times).record, viewer::fixture::fused(times).record, shape);
}

TEST_CASE("terminal and viewer say the same of a program, whose launches are added up by kernel") {
  runs::RunRecord a = viewer::fixture::unfused().record, b = viewer::fixture::fused().record;
  for (runs::RunRecord* run : {&a, &b}) {
    run->benchmarks.resize(1);
    run->benchmarks[0].name = "program";
    run->benchmarks[0].tensors.clear();
  }
  a.benchmarks[0].launches[0].count = 1631;
  b.benchmarks[0].launches[0].count = 450;
  check_both(a, b, "program");
  const auto rows =
      viewer::difference_table(viewer::make_side(a, "program"), viewer::make_side(b, "program"));
  CHECK(find(rows, "Launches")->a == "1,634");
  CHECK(find(rows, "Launches")->b == "450");
  CHECK(find(rows, "Intermediate tensors") == nullptr);  // not on record, which is not none
}

TEST_CASE("terminal and viewer say the same of a program that was timed as a whole") {
  runs::RunRecord a = viewer::fixture::unfused().record, b = viewer::fixture::fused().record;
  double us = 40.0;
  for (runs::RunRecord* run : {&a, &b}) {
    run->benchmarks.resize(1);
    run->benchmarks[0].name = "program";
    run->benchmarks[0].host_us = {us, us + 0.5, us + 1.0};
    us *= 2.0;
  }
  check_both(a, b, "program");
  CHECK(viewer::make_side(a, "program").basis == viewer::Basis::measured);
}
