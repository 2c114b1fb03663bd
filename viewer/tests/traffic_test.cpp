#include "model/traffic.h"

#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

runs::RunRecord run_of(std::int64_t dram, std::int64_t sectors, std::int64_t hits) {
  runs::LaunchCounters counters;
  counters.dram_bytes_read = dram / 2;
  counters.dram_bytes_written = dram - dram / 2;
  counters.l2_sectors = sectors;
  counters.blocks_total = counters.blocks_sampled = 4;
  runs::SiteCounters global{"k", {"kernels.cu", 7}, runs::SiteKind::global_load, 0, 10, sectors, sectors, 0,
                            100};
  global.l1_sectors = hits;
  runs::SiteCounters shared{"k", {"kernels.cu", 8}, runs::SiteKind::shared_load, 1, 10, 0, 0, 10, 900};
  counters.sites = {global, shared};
  runs::LaunchRecord launch;
  launch.counters = counters;
  runs::RunRecord run;
  runs::Benchmark benchmark;
  benchmark.name = "teaching";
  benchmark.launches = {launch, launch};
  run.benchmarks = {benchmark};
  return run;
}

}  // namespace

TEST_CASE("traffic is summed over the launches, hop by hop") {
  const Traffic traffic = traffic_of(run_of(1000, 50, 20), "teaching");
  CHECK(traffic.counted);
  CHECK_FALSE(traffic.sampled);
  CHECK(traffic.dram_bytes == 2000);
  CHECK(traffic.l1_bytes == 2 * 50 * 32);
  CHECK(traffic.l2_bytes == 2 * 30 * 32);
  CHECK(traffic.asked_bytes == 200);
  CHECK(traffic.shared_bytes == 1800);
  CHECK_FALSE(traffic_of(run_of(1000, 50, 20), "real").counted);
}

TEST_CASE("what B moves less is said in words") {
  const Traffic a = traffic_of(run_of(4'000'000, 100'000, 0), "teaching"),
                b = traffic_of(run_of(1'000'000, 100'000, 0), "teaching");
  CHECK(headline(a, b) == "B moves 6.00 MB less through DRAM (0.25x)");
  CHECK(headline(b, a) == "B moves 6.00 MB more through DRAM (4.0x)");
  CHECK(headline(a, a) == "A and B move the same through DRAM");
  CHECK(headline(a, {}).empty());
  const auto hops = hops_of(a, b);
  REQUIRE(hops.size() == 4);
  CHECK(hops[0].difference == "6.00 MB less");
  CHECK(hops[1].difference == "the same");
}

TEST_CASE("a launch without counters is not counted as nothing") {
  runs::RunRecord run = run_of(1000, 50, 20);
  run.benchmarks[0].launches[1].counters.reset();
  CHECK_FALSE(traffic_of(run, "teaching").counted);
}
