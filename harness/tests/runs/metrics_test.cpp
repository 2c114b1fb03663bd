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
  load.kind = runs::SiteKind::global_load;
  load.requests = 4;
  load.sectors = 10;
  SiteCounters shared;
  shared.kind = runs::SiteKind::shared_load;
  shared.requests = 4;
  shared.bank_passes = 8;
  counters.sites = {load, shared};
  const auto find = [&](std::string_view nvidia) {
    for (const Metric& metric : metrics_of(launch))
      if (metric.nvidia == nvidia) return metric.value;
    return -1.0;
  };
  CHECK(find("dram__bytes_read.sum") == 512);
  CHECK(find("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio") == 2.5);
  CHECK(find("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio") == -1.0);
  CHECK(find("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum") == 4);
}

TEST_CASE("an access of 16 bytes a lane takes four turns over the banks without a conflict") {
  LaunchRecord launch;
  SiteCounters& load = launch.counters.emplace().sites.emplace_back();
  load.kind = runs::SiteKind::shared_load;
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
