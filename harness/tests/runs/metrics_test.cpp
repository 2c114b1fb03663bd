#include "runs/metrics.h"

#include "runs/bank_turns.h"

#include "tests/catch.h"

using namespace workbook::runs;

TEST_CASE("counters carry NVIDIA's names, and what did not happen is left out") {
  LaunchRecord launch;
  CHECK(metrics_of(launch).empty());
  LaunchCounters& counters = launch.counters.emplace();
  counters.dram_bytes_read = 512;
  SiteCounters load;
  load.kind = SiteKind::global_load;
  load.requests = 4;
  load.sectors = 10;
  load.l1_sectors = 9;
  SiteCounters shared;
  shared.kind = SiteKind::shared_load;
  shared.requests = 4;
  shared.bank_passes = 8;
  counters.sites = {load, shared};
  launch.block = {40, 2, 1};
  counters.blocks_total = 5;
  counters.chained_misses = 30;
  const auto find = [&](std::string_view nvidia) {
    for (const Metric& metric : metrics_of(launch))
      if (metric.nvidia == nvidia) return metric.value;
    return -1.0;
  };
  CHECK(find("dram__bytes_read.sum") == 512);
  CHECK(find("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio") == 2.5);
  CHECK(find("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio") == -1.0);
  CHECK(find("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum") == 4);
  CHECK(find("l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct") == 90);
  CHECK(find("lts__t_sectors_srcunit_tex_op_read.sum") == 1);
  CHECK(find("smsp__warps_launched.sum") == 15);  // a block of 80 threads has three
  CHECK(find("") == 2);                           // waits a warp, which no GPU counts
}

TEST_CASE("a metric is shown as what it is: a count, a ratio, a share") {
  CHECK(value_text({"", "", 32.0, Metric::Unit::count}) == "32");
  CHECK(value_text({"", "", 2.5, Metric::Unit::ratio}) == "2.50");
  CHECK(value_text({"", "", 99.71, Metric::Unit::percent}) == "99.7 %");
}

TEST_CASE("an access of 16 bytes a lane takes four turns over the banks without a conflict") {
  LaunchRecord launch;
  SiteCounters& load = launch.counters.emplace().sites.emplace_back();
  load.kind = SiteKind::shared_load;
  load.requests = 10;
  load.bytes = 10 * 32 * 16;
  load.bank_passes = 10;
  const auto find = [&](std::string_view nvidia) {
    for (const Metric& metric : metrics_of(launch))
      if (metric.nvidia == nvidia) return metric.value;
    return 0.0;
  };
  CHECK(turns_a_pass(load) == 4);
  CHECK(find(kSharedWavefronts) == 40);
  CHECK(find("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum") == 0);
  load.bank_passes = 80;
  CHECK(find(kSharedWavefronts) == 320);
  CHECK(find("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum") == 280);
}
