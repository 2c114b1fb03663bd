#include "core/budget.h"

#include <map>

#include "tests/catch.h"

using namespace workbook;
using namespace workbook::core;

namespace {

runs::SiteCounters site(runs::SiteKind kind, int line, std::int64_t requests, std::int64_t sectors,
                        std::int64_t l1_sectors = 0) {
  runs::SiteCounters site;
  site.kind = kind;
  site.at = {"puzzles/06_blocks/kernels.cu", line};
  site.requests = requests;
  site.sectors = sectors;
  site.l1_sectors = l1_sectors;
  site.bytes = 128 * requests;
  return site;
}

/// 100 blocks of 64 threads on a GPU that runs 40 at a time: 200 loads of floats by warps, 200 stores, and
/// 600 requests to shared memory.
std::vector<runs::LaunchRecord> launches() {
  runs::LaunchRecord launch;
  launch.kernel = "some_kernel";
  launch.resident_blocks = 40;
  launch.resident_limit = "shared memory";
  launch.empty_slots = 24;
  launch.counters.emplace();
  launch.counters->threads = 6400;
  launch.counters->blocks_total = 100;
  launch.counters->shared_requests = 600;
  launch.counters->shared_passes = 660;
  launch.counters->chained_misses = 90;
  launch.counters->warp_operations = 1000;
  launch.counters->sites = {site(runs::SiteKind::global_load, 11, 200, 6400, 5000),
                            site(runs::SiteKind::global_store, 12, 200, 800),
                            site(runs::SiteKind::shared_load, 13, 600, 0)};
  return {launch};
}

Workload workload() {
  Workload workload;
  workload.dims = {{"N", 6400}};
  workload.types = {Type::f32};
  return workload;
}

std::map<std::string, double> spent(const Budget& budget) {
  std::map<std::string, double> all;
  for (const runs::Score& score : scores(budget, workload(), launches())) all[score.name] = score.spent;
  return all;
}

std::string words(const Budget& budget) {
  return waste_of(scores(budget, workload(), launches()), launches());
}

}  // namespace

TEST_CASE("what a budget names is counted, and nothing else") {
  CHECK(spent({}).empty());
  const auto all = spent({.global_reads = 1.0,
                          .sectors = 1.0,
                          .sectors_asked = 1.0,
                          .global_requests = 1.0,
                          .shared_requests = 1.0,
                          .waves = 1.0,
                          .reads_a_thread = 1.0,
                          .threads = 1.0,
                          .memory_waits = 1.0,
                          .warp_operations = 1.0,
                          .empty_slots = 0.0});
  CHECK(all.size() == 11);
  CHECK(all.at("empty slots") == 24.0);
  CHECK(all.at("global reads") == 6400.0);
  CHECK(all.at("sectors") == 1400.0 + 800.0);  // what L1 has is not asked of the L2
  CHECK(all.at("sectors asked for") > all.at("sectors"));
  CHECK(all.at("global requests") == 400.0);
  CHECK(all.at("shared requests") == 600.0);
  CHECK(all.at("waves") == 3.0);  // 100 blocks, 40 at a time
  CHECK(all.at("reads a thread") == 1.0);
  CHECK(all.at("threads") == 6400.0);
  CHECK(all.at("waits for memory") == 90.0);
  CHECK(all.at("warp operations") == 1000.0);
}

TEST_CASE("waste is told at the line where most of it is") {
  CHECK(words({.sectors = 5000.0}).empty());
  CHECK(words({.sectors = 2000.0}).starts_with("of the sectors 64 % are at line 11, 36 % at line 12."));
  CHECK(words({.sectors_asked = 10.0}).starts_with("of the sectors "));
  CHECK(words({.global_requests = 10.0}).find("serves the 32 lanes") != std::string::npos);
  CHECK(words({.shared_requests = 10.0}).find("line 13.") != std::string::npos);
  CHECK(words({.waves = 1.0}).find("multiprocessors") != std::string::npos);
  CHECK(words({.reads_a_thread = 0.5}).find("few threads") != std::string::npos);
  CHECK(words({.warp_operations = 999.0}).find("five rounds") != std::string::npos);
  CHECK(words({.memory_waits = 89.0}).starts_with("warps wait for global memory more often than it takes."));
  CHECK(words({.empty_slots = 23.0}).find("24 warps more") != std::string::npos);
  CHECK(words({.empty_slots = 23.0}).find("bound by shared memory") != std::string::npos);
  CHECK(words({.threads = 6399.0}).starts_with("more threads are launched than there is work for"));
}

TEST_CASE("sectors that come again are told apart from lanes that lie apart") {
  const Budget budget{.sectors = 2000.0};
  auto again = launches();
  for (runs::SiteCounters& site : again[0].counters->sites)
    site.ideal_sectors = site.sectors, site.bytes = 32 * site.sectors;
  CHECK(waste_of(scores(budget, workload(), again), again).find("was not in L1 any more") !=
        std::string::npos);
  again[0].counters->sites[1].ideal_sectors = 200;  // the stores of 800 lie apart
  CHECK(waste_of(scores(budget, workload(), again), again).find("serves eight of them") != std::string::npos);
  again[0].counters->sites[1].ideal_sectors = 800;
  again[0].counters->sites[1].bytes = 4 * 800;  // one lane a request
  CHECK(waste_of(scores(budget, workload(), again), again).find("serves eight of them") != std::string::npos);
}

TEST_CASE("where reads are spread over lines, the shares of the dearest are told, and none is accused") {
  auto spread = launches();
  auto& sites = spread[0].counters->sites;
  sites = {site(runs::SiteKind::global_load, 11, 100, 0), site(runs::SiteKind::global_load, 12, 50, 0),
           site(runs::SiteKind::global_load, 11, 50, 0)};
  const Budget budget{.global_reads = 100.0};
  const std::string text = waste_of(scores(budget, workload(), spread), spread);
  CHECK(text.starts_with("of the reads 75 % are at line 11, 25 % at line 12."));
  CHECK(text.find("need not be what is read most") != std::string::npos);
}

TEST_CASE("a line of a given header is told with the header's name") {
  auto given = launches();
  given[0].counters->sites[0].at.file = "puzzles/06_blocks/given.cuh";
  const Budget budget{.global_reads = 100.0};
  CHECK(waste_of(scores(budget, workload(), given), given).find("line 11 of given.cuh") != std::string::npos);
}
