#include "cli/report/export.h"

#include <map>
#include <set>

#include "runs/json.h"
#include "tests/catch.h"

using namespace workbook;

namespace {

runs::HostCall call(runs::CallKind kind, const std::string& name, double begin, double end, double on = 0,
                    double off = 0) {
  runs::HostCall c;
  c.kind = kind;
  c.name = name;
  c.begin_us = begin;
  c.end_us = end;
  c.device_begin_us = on;
  c.device_end_us = off;
  return c;
}

runs::Json events_of(const runs::RunRecord& record) {
  return runs::parse_json(cli::chrome_trace({{record, std::nullopt}})).at("traceEvents");
}

}  // namespace

// What ui.perfetto.dev needs of each kind of event: the Trace Event Format of Chrome.
TEST_CASE("the trace of a program has what Perfetto asks of each event") {
  runs::RunRecord record;
  record.id = 7;
  record.puzzle = 38;
  record.variant = "mlp";
  record.device = "H200 (modelled)";
  runs::Benchmark& benchmark = record.benchmarks.emplace_back();
  benchmark.calls = {call(runs::CallKind::push, "step", 0, 0),
                     call(runs::CallKind::launch, "gelu_kernel", 0, 4, 4, 9),
                     call(runs::CallKind::pop, "", 4, 4), call(runs::CallKind::mark, "here", 4, 4),
                     call(runs::CallKind::wait, "cudaDeviceSynchronize", 4, 10)};
  std::set<std::string> kinds;
  std::map<std::int64_t, std::set<std::string>> arrows;
  for (const runs::Json& event : events_of(record)) {
    const std::string kind = event.at("ph");
    kinds.insert(kind);
    CHECK(event.at("name").is_string());
    CHECK(event.at("pid") == 7);
    if (kind == "M") {
      CHECK(event.at("args").size() == 1);
      continue;
    }
    CHECK(event.at("tid").is_number_integer());
    CHECK(event.at("ts").get<double>() >= 0.0);
    if (kind == "X") CHECK(event.at("dur").get<double>() >= 0.0);
    if (kind == "i") CHECK(event.at("s") == "t");
    if (kind == "s" || kind == "f") arrows[event.at("id")].insert(kind);
    if (kind == "f") CHECK(event.at("bp") == "e");
  }
  CHECK(kinds == std::set<std::string>{"M", "X", "i", "s", "f"});
  REQUIRE(arrows.size() == 1);
  CHECK(arrows.begin()->second.size() == 2);
}

TEST_CASE("each arrow begins in the launch and ends in its work") {
  runs::RunRecord record;
  record.benchmarks.emplace_back().calls = {call(runs::CallKind::launch, "a_kernel", 1, 5, 6, 9)};
  const runs::Json events = events_of(record);
  std::map<std::string, double> at;
  for (const runs::Json& event : events)
    if (event["ph"] == "s" || event["ph"] == "f") at[event["ph"]] = event["ts"];
  CHECK(at["s"] >= 1.0);
  CHECK(at["s"] < 5.0);
  CHECK(at["f"] == Approx(6.0));
}
