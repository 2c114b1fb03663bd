#include <algorithm>

#include "clock/model.h"
#include "simulator.h"
#include "tests/catch.h"

namespace {

using workbook::runs::SiteKind;

const workbook::runs::SiteCounters& site(const Outcome& outcome, const std::string& mark, SiteKind kind) {
  const auto& sites = outcome.counters->sites;
  const auto found = std::find_if(sites.begin(), sites.end(), [&](const auto& s) {
    return s.at.line == kernels::line_of(mark) && s.kind == kind;
  });
  REQUIRE(found != sites.end());
  return *found;
}

}  // namespace

TEST_CASE("a coalesced request takes four sectors, a strided one a sector a lane") {
  const Outcome dense = simulate("no_guard", {.grid = 2, .elements = 128});
  CHECK(site(dense, "no_guard", SiteKind::global_store).requests == 4);
  CHECK(site(dense, "no_guard", SiteKind::global_store).sectors == 16);
  const Outcome strided = simulate("strided", {.block = 32, .elements = 256});
  CHECK(site(strided, "strided", SiteKind::global_store).requests == 1);
  CHECK(site(strided, "strided", SiteKind::global_store).sectors == 32);
  CHECK(site(strided, "strided", SiteKind::global_store).ideal_sectors == 4);
}

TEST_CASE("a float4 is one access of 16 bytes") {
  const Outcome outcome = simulate("vectorised", {.block = 32, .elements = 128});
  const auto& load = site(outcome, "vector_load", SiteKind::global_load);
  CHECK(load.requests == 1);
  CHECK(load.bytes == 512);
  CHECK(load.sectors == 16);
}

TEST_CASE("a column of a 32 wide tile costs 32 passes") {
  const Outcome outcome = simulate("column_of_a_tile", {.block = 32});
  CHECK(site(outcome, "column_of_a_tile", SiteKind::shared_store).bank_passes == 32);
}

TEST_CASE("lanes that make different numbers of turns are together again in the next row") {
  const Outcome outcome = simulate("ragged_rows", {.block = 32});
  const auto& store = site(outcome, "ragged_rows", SiteKind::shared_store);
  CHECK(store.requests == 16);  // a row is one of 32 lanes and one of lane 0
  CHECK(store.bank_passes == 16);
  const auto& load = site(outcome, "ragged_rows", SiteKind::global_load);
  CHECK(load.requests == 16);
  CHECK(load.sectors == 8 * 4 + 8);
}

TEST_CASE("lanes that took either branch are together again behind it") {
  const Outcome outcome = simulate("branch_in_loop", {.block = 32, .elements = 96, .n = 10});
  CHECK(site(outcome, "branch_in_loop", SiteKind::global_load).requests == 10);
  CHECK(site(outcome, "branch_in_loop", SiteKind::global_load).sectors == 40);
  CHECK(!site(outcome, "branch_in_loop", SiteKind::global_load).approximate);
}

TEST_CASE("DRAM bytes are unique sectors, and what the launch wrote is not read from DRAM") {
  const Outcome outcome = simulate("saxpy", {.grid = 16, .elements = 1000});
  CHECK(outcome.counters->dram_bytes_read == 4000);
  CHECK(outcome.counters->dram_bytes_written == 4000);
  CHECK(outcome.counters->threads == 1024);
}

TEST_CASE("a sampled launch scales to the whole grid") {
  workbook::sim::launch_settings().sample_accesses = 1000;
  const Outcome outcome = simulate("saxpy", {.grid = 1000, .elements = 64000});
  workbook::sim::launch_settings().sample_accesses = 0;
  REQUIRE(outcome.counters->blocks_sampled < 20);
  CHECK(outcome.counters->dram_bytes_read == 256000);
  CHECK(outcome.counters->global_requests == 4000);
}

TEST_CASE("the modelled clock grows with the work and names its bound") {
  using namespace workbook;
  runs::LaunchRecord launch;
  launch.grid.x = 100000;
  launch.block.x = 256;
  launch.counters.emplace();
  launch.counters->blocks_total = 100000;
  launch.counters->dram_bytes_read = 4'800'000'000;
  const auto h200 = sim::model_time(*sim::find_gpu("H200"), launch);
  const auto t4 = sim::model_time(*sim::find_gpu("t4"), launch);
  CHECK(h200.bound == workbook::runs::BoundBy::dram);
  CHECK(t4.total_us > 10 * h200.total_us);
  CHECK(sim::find_gpu("gtx9") == nullptr);
}

TEST_CASE("a warp waits once for loads that are on their way together") {
  const Setup rounds{.block = 32, .elements = 256};
  // nvcc unrolls a loop of unknown length four times; past a store it moves no load.
  CHECK(simulate("add_rounds", rounds).counters->chained_misses == 2);
  CHECK(simulate("store_each_round", rounds).counters->chained_misses == 8);
  CHECK(simulate("store_each_round", rounds).counters->chained_dram_misses == 8);
  CHECK(simulate("store_each_round_after_parting", rounds).counters->chained_misses == 8);
}

TEST_CASE("a load that brings the index of the next one is waited for each time") {
  CHECK(simulate("follow_links", {.block = 32, .elements = 256}).counters->chained_misses == 8);
  // The first steps go four at a time, as nothing tells yet that they are followed; the second ones together.
  CHECK(simulate("follow_eight", {.block = 32, .elements = 512}).counters->chained_misses == 3);
}

TEST_CASE("of a loop with two loads two rounds are on their way together") {
  CHECK(simulate("add_pairs", {.block = 32, .elements = 256}).counters->chained_misses == 2);
}

TEST_CASE("warps that run together wait together for what one of them asks for") {
  const Outcome alone = simulate("read_alike", {.block = 32, .elements = 256});
  const Outcome together = simulate("read_alike", {.block = 128, .elements = 256});
  CHECK(alone.counters->chained_misses == 1);
  CHECK(together.counters->chained_misses == 4);
  CHECK(together.counters->chained_dram_misses == 1);
}

TEST_CASE("loads from shared memory in a row are waited for together, a store on its own") {
  const Outcome outcome = simulate("sum_of_shared", {.block = 32, .elements = 32});
  CHECK(outcome.counters->shared_requests == 33);
  CHECK(outcome.counters->chained_shared == 2);
}

TEST_CASE("what a warp asks of another block's shared memory is counted, and waited for if it loads") {
  const Outcome outcome = simulate("read_other_block", {.grid = 4, .block = 32, .elements = 128});
  CHECK(outcome.counters->cluster_barriers == 4 * 2);
  CHECK(outcome.counters->remote_requests == 4 * 3);
  CHECK(outcome.counters->chained_remote == 4);
  CHECK(outcome.counters->shared_requests == 4 * 5);
  CHECK(outcome.counters->shared_passes == 4 * 5);
  CHECK(outcome.findings.empty());
}

TEST_CASE("what one block has loaded, another one's miss need not fetch from DRAM") {
  const Outcome twice = simulate("add_rounds", {.grid = 2, .block = 32, .elements = 256});
  CHECK(twice.counters->chained_misses == 4);
  CHECK(twice.counters->chained_dram_misses == 2);
}

TEST_CASE("an asynchronous copy is waited for where it is used, less what later stages hide") {
  // Seven rounds wait with one stage still on its way, and nothing is left for the eighth.
  CHECK(simulate("copy_ahead", {.block = 32, .elements = 256}).counters->chained_misses == 3);
}

TEST_CASE("of an asynchronous copy only that is waited for which the work behind it leaves") {
  // Eight rounds: a copy, a hundred accesses to shared memory, which take longer than DRAM does, and a wait.
  CHECK(simulate("copy_behind_work", {.block = 32, .elements = 256}).counters->chained_misses == 0);
  // The wait before the work: nothing hides.
  CHECK(simulate("copy_before_work", {.block = 32, .elements = 256}).counters->chained_misses == 8);
}

namespace {

workbook::runs::LaunchRecord adds_to(std::int64_t large, std::int64_t small) {
  using namespace workbook;
  runs::LaunchRecord launch;
  launch.grid.x = 132;
  launch.block.x = 256;
  launch.counters.emplace();
  launch.counters->blocks_total = 132;
  launch.counters->traffic = {{0, 0, large}, {1, 0, small}};
  runs::SiteCounters site;
  site.kind = SiteKind::atomic;
  site.requests = 1'000'000;
  site.sectors = 4'000'000;
  site.bytes = 128'000'000;
  site.tensor = 0;
  launch.counters->sites.push_back(site);
  site.requests = site.sectors = 1000;
  site.bytes = 4000;
  site.tensor = 1;
  launch.counters->sites.push_back(site);
  return launch;
}

}  // namespace

TEST_CASE("atomics queue at the parts of the L2 that hold their own tensor") {
  using namespace workbook;
  const auto& gpu = *sim::find_gpu("h200");
  const double apart = sim::model_time(gpu, adds_to(9'400'000, 12'000)).atomics_us;
  const double one_tensor = sim::model_time(gpu, adds_to(9'400'000, 9'400'000)).atomics_us;
  CHECK(apart < 1.1 * one_tensor);
  CHECK(sim::model_time(gpu, adds_to(4, 12'000)).atomics_us > 20 * one_tensor);
}

TEST_CASE("tensor cores have a roof of their own") {
  using namespace workbook;
  const auto& gpu = *sim::find_gpu("h200");
  runs::LaunchRecord launch;
  launch.grid.x = 1320;
  launch.block.x = 256;
  launch.counters.emplace();
  launch.counters->blocks_total = 1320;
  launch.counters->flops = 1e12;
  const auto by_hand = sim::model_time(gpu, launch);
  launch.counters->tensor_flops = 1e12;
  const auto by_tiles = sim::model_time(gpu, launch);
  CHECK(by_hand.bound == workbook::runs::BoundBy::arithmetic);
  CHECK(by_tiles.bound == workbook::runs::BoundBy::tensor_cores);
  CHECK(by_hand.arithmetic_us > 10 * by_tiles.arithmetic_us);
  CHECK(sim::arithmetic_floor_us(gpu, *launch.counters) < by_tiles.tensor_us);
  launch.counters->flops = 3e12;  // most of it is not the tensor cores'
  CHECK(sim::model_time(gpu, launch).bound == workbook::runs::BoundBy::arithmetic);
}

TEST_CASE("loads from other blocks and the barriers of a cluster take longer than a block's own") {
  using namespace workbook;
  const auto& gpu = *sim::find_gpu("h200");
  runs::LaunchRecord launch;
  launch.grid.x = 264;
  launch.block.x = 256;
  launch.counters.emplace();
  launch.counters->blocks_total = 264;
  launch.counters->shared_requests = launch.counters->chained_shared = 264 * 8 * 100;
  launch.counters->barriers = 264 * 100;
  const double own = sim::model_time(gpu, launch).total_us;
  launch.counters->remote_requests = launch.counters->chained_remote = 264 * 8 * 100;
  const double of_others = sim::model_time(gpu, launch).total_us;
  launch.counters->cluster_barriers = 264 * 100;
  CHECK(of_others > 2 * own);
  CHECK(sim::model_time(gpu, launch).total_us > 1.5 * of_others);
}

namespace {

/// A thousand requests of 32 floats that lie side by side, in so many sectors.
workbook::runs::LaunchRecord stores_in(std::int64_t sectors) {
  using namespace workbook;
  runs::LaunchRecord launch;
  launch.grid.x = 1320;
  launch.block.x = 256;
  launch.counters.emplace();
  launch.counters->blocks_total = 1320;
  runs::SiteCounters site;
  site.kind = SiteKind::global_store;
  site.requests = 1'000'000;
  site.sectors = sectors * site.requests;
  site.ideal_sectors = 4 * site.requests;
  site.bytes = 128 * site.requests;
  launch.counters->sites.push_back(site);
  return launch;
}

}  // namespace

TEST_CASE("of a store that begins within a sector, two sectors are written in part") {
  using namespace workbook;
  const auto& gpu = *sim::find_gpu("h200");
  const sim::ModelConstants k;
  const double whole = sim::model_time(gpu, stores_in(4)).l2_us;
  const double shifted = sim::model_time(gpu, stores_in(5)).l2_us;
  const double scattered = sim::model_time(gpu, stores_in(32)).l2_us;
  CHECK(shifted / whole == Approx((2 * k.l2_partial_store_bytes + 3 * 32) / 128));
  // eight lines of four sectors
  CHECK(scattered / whole ==
        Approx((8 * k.l2_partial_store_bytes + 24 * k.l2_partial_neighbour_bytes) / 128));
}

TEST_CASE("blocks that all meet pay for each meeting") {
  using namespace workbook;
  const auto& gpu = *sim::find_gpu("h200");
  runs::LaunchRecord launch;
  launch.grid.x = 64;
  launch.block.x = 256;
  launch.counters.emplace();
  launch.counters->blocks_total = 64;
  launch.counters->barriers = 64 * 100;
  const double alone_us = sim::model_time(gpu, launch).total_us;
  launch.counters->grid_barriers = 64 * 100;
  const double meeting_us = (sim::model_time(gpu, launch).total_us - alone_us) / 100;
  CHECK(meeting_us > 0.9);  // an H200 took 1.28 us a step of which this is the most
  CHECK(meeting_us < 1.3);
}

TEST_CASE("warp operations are counted once a warp") {
  CHECK(simulate("warp_sum", {}).counters->warp_operations == 2 * 5);
}
