#include "runs/metrics.h"

#include "tests/catch.h"

using namespace workbook::runs;

TEST_CASE("counters carry NVIDIA's names, and what did not happen is left out") {
  LaunchRecord launch;
  CHECK(metrics_of(launch).empty());
  LaunchCounters& counters = launch.counters.emplace();
  counters.dram_bytes_read = 512;
  SiteCounters load;
  load.kind = "global load";
  load.requests = 4;
  load.sectors = 10;
  SiteCounters shared;
  shared.kind = "shared load";
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
