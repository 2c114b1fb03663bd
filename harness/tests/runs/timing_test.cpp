#include "runs/timing.h"

#include <cstdio>

#include "tests/catch.h"

using namespace workbook::runs;

namespace {

const Sizes kSizes = {{"H", 8}}, kOther = {{"H", 16}};

Contestant timed(const std::string& name, bool measured, double us, const std::string& device = "H200") {
  return {name, Timing{measured, measured, device, {0.9 * us, us, 1.1 * us}}, kSizes};
}

/// Launches of one time each, all of it modelled.
Benchmark modelled(int launches, double launch_us, double dram_us, double total_us, std::int64_t bytes) {
  Benchmark benchmark;
  benchmark.name = "teaching";
  benchmark.sizes = kSizes;
  for (int i = 0; i < launches; ++i) {
    LaunchRecord launch;
    launch.counters.emplace().dram_bytes_read = bytes;
    launch.modelled = ModelledTime{.gpu = "H200",
                                   .total_us = total_us,
                                   .launch_us = launch_us,
                                   .dram_us = dram_us,
                                   .bound = BoundBy::latency};
    benchmark.launches.push_back(launch);
  }
  benchmark.modelled_total_us = total_us * launches;
  return benchmark;
}

std::string us_text(double us) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f us", us);
  return text;
}
std::string bytes_text(double bytes) { return std::to_string(static_cast<long>(bytes)) + " B"; }

}  // namespace

TEST_CASE("median and spread are interpolated") {
  const Spread spread = spread_of({5, 1, 4, 2, 3});
  CHECK(spread.median == 3.0);
  CHECK(spread.low == Approx(1.4));
  CHECK(spread.high == Approx(4.6));
}

TEST_CASE("two times closer than their noise are too close to call") {
  using Outcome = Duel::Outcome;
  const Contestant a = timed("--a", true, 10), b = timed("--b", true, 11.5), c = timed("--c", true, 20);
  CHECK(duel(a, b).outcome == Outcome::too_close);
  CHECK(duel(a, c).outcome == Outcome::first);
  CHECK(words_of(duel(a, c), a, c) == "--a is 2.00x as fast as --c");
  CHECK(duel(c, a).outcome == Outcome::second);
}

TEST_CASE("modelled times within the model's error are too close, and are never set against measured ones") {
  using Outcome = Duel::Outcome;
  const Contestant a = timed("a", false, 10), b = timed("b", false, 10.9), c = timed("c", false, 12);
  CHECK(duel(a, b).outcome == Outcome::too_close);
  CHECK(duel(a, c).outcome == Outcome::first);
  CHECK(duel(a, timed("m", true, 20)).outcome == Outcome::not_comparable);
  CHECK(duel(a, {"none", std::nullopt, kSizes}).outcome == Outcome::not_comparable);
}

TEST_CASE("what is too close to call says by how much, what the error is, and what can tell") {
  const Contestant a = timed("--a", false, 10), b = timed("--b", false, 10.42);
  CHECK(
      words_of(duel(a, b), a, b) ==
      "too close to call: --a and --b differ by 4.2 %, and a modelled time may be off by 10 %. A GPU can tell");
  CHECK(words_of(duel(a, a), a, a).find("take the same time to 0.1 %") != std::string::npos);
  const Contestant c = timed("--c", true, 10), d = timed("--d", true, 11.5);
  CHECK(words_of(duel(c, d), c, d)
            .find("--c and --d differ by 15 %, and the times of one alone are spread wider than "
                  "that. Time a larger shape") != std::string::npos);
}

TEST_CASE("times of other sizes or devices are not compared") {
  using Outcome = Duel::Outcome;
  const Contestant a = timed("a", false, 10);
  Contestant larger = timed("b", false, 20);
  larger.sizes = kOther;
  CHECK(duel(a, larger).outcome == Outcome::not_comparable);
  CHECK(duel(a, timed("b", false, 20, "T4")).outcome == Outcome::not_comparable);
}

TEST_CASE("a cold time comes before a warm one, and a measured before a modelled one") {
  Benchmark benchmark = modelled(1, 1, 1, 3, 0);
  CHECK(timing_of(benchmark, "NVIDIA H200")->source() == "modelled (H200)");
  benchmark.graph_warm_us = {2.0};
  CHECK(timing_of(benchmark, "NVIDIA H200")->source() == "measured on NVIDIA H200, warm");
  benchmark.graph_cold_us = {4.0};
  CHECK(timing_of(benchmark, "NVIDIA H200")->us.median == 4.0);
}

TEST_CASE("what a fused kernel gains is told by launches, bytes and the rest") {
  const Benchmark four = modelled(4, 2.0, 0.5, 3.0, 1000), one = modelled(1, 2.0, 1.0, 4.0, 1500);
  RunRecord run;
  const Contestant a = contestant("--unfused", run, four), b = contestant("--fused", run, one);
  const auto gain = gain_of(a, four, b, one);
  REQUIRE(gain);
  CHECK(gain->us == Approx(8.0));
  CHECK(gain->launches == 3);
  CHECK(gain->launches_us == Approx(6.0));
  CHECK(gain->bytes == Approx(2500));
  CHECK(gain->bytes_us == Approx(1.0));
  CHECK(gain->rest_us() == Approx(1.0));
  CHECK(
      why(*gain, {us_text, bytes_text}) ==
      "Of 8.0 us saved, 3 launches fewer save 6.0 us and 2500 B less through DRAM save 1.0 us; all else saves "
      "1.0 us (both are bound by latency).");
  const auto loss = gain_of(b, one, a, four);
  REQUIRE(loss);
  CHECK(why(*loss, {us_text, bytes_text}).starts_with("Of 8.0 us lost, 3 launches more cost 6.0 us"));
  Benchmark uncounted = one;
  uncounted.launches[0].counters.reset();
  CHECK_FALSE(gain_of(a, four, b, uncounted));
}

TEST_CASE("what is said of a gain follows what bounds the two") {
  const auto bounded = [](Benchmark benchmark, BoundBy bound) {
    for (LaunchRecord& launch : benchmark.launches) launch.modelled->bound = bound;
    return benchmark;
  };
  const auto words = [](const Benchmark& slow, const Benchmark& fast) {
    const RunRecord run;
    const Contestant a = contestant("--a", run, slow), b = contestant("--b", run, fast);
    return why(*gain_of(a, slow, b, fast), {us_text, bytes_text});
  };
  const Benchmark slow = modelled(1, 2.0, 5.0, 20.0, 1000), fast = modelled(1, 2.0, 5.0, 10.0, 1000);
  CHECK(
      words(bounded(slow, BoundBy::dram), bounded(fast, BoundBy::dram)) ==
      "Of 10.0 us saved, launches and DRAM traffic, which are the same, have no part; less waiting beside the "
      "transfers saves 10.0 us (both are bound by DRAM).");
  CHECK(words(bounded(slow, BoundBy::load_store), bounded(fast, BoundBy::dram))
            .ends_with("all else saves 10.0 us (--a is bound by load/store, --b by DRAM)."));
  // Bytes behind another bound cost no time, and more bytes save none.
  const Benchmark fewer = modelled(1, 2.0, 1.0, 10.0, 200);
  CHECK(words(bounded(slow, BoundBy::arithmetic), bounded(fewer, BoundBy::arithmetic))
            .find("800 B less through DRAM save next to nothing; all else saves 10.0 us") !=
        std::string::npos);
  const Benchmark more = modelled(1, 2.0, 1.0, 10.0, 1800);  // the L2 has them
  CHECK(words(bounded(slow, BoundBy::dram), bounded(more, BoundBy::dram))
            .find("800 B more through DRAM cost next to nothing; less waiting") != std::string::npos);
}

TEST_CASE("what the slower does more of, and its bound waits for, is told and nothing else is") {
  Benchmark slow = modelled(1, 2.0, 5.0, 300.0, 1000), fast = modelled(1, 2.0, 5.0, 50.0, 1000);
  const auto set = [](Benchmark& benchmark, std::int64_t sectors, BoundBy bound) {
    LaunchRecord& launch = benchmark.launches[0];
    launch.modelled->bound = bound;
    launch.counters->threads = 320;
    launch.counters->blocks_total = 2 * sectors;
    launch.counters->barriers = sectors;
    SiteCounters load;
    load.kind = SiteKind::global_load;
    load.requests = 10;
    load.sectors = 10 * sectors;
    launch.counters->sites = {load};
  };
  set(slow, 32, BoundBy::l2);
  set(fast, 4, BoundBy::dram);
  const RunRecord run;
  const Contestant a = contestant("--a", run, slow), b = contestant("--b", run, fast);
  const std::string words = "--a has 32 sectors a load request where --b has 4.";
  CHECK(
      why(*gain_of(a, slow, b, fast), {us_text, bytes_text}) ==
      "Of 250.0 us saved, all lie inside the kernels: launches and DRAM traffic are the same (--a is bound by "
      "L2, --b by DRAM). " +
          words);
  CHECK(why(*gain_of(b, fast, a, slow), {us_text, bytes_text}).ends_with(words));  // whoever stands first
  set(slow, 32, BoundBy::latency);
  fast.launches[0].counters->barriers = 0;
  CHECK(why(*gain_of(a, slow, b, fast), {us_text, bytes_text})
            .ends_with(
                "--a has barriers, of which --b has none; 32 sectors a load request where --b has 4; 8x as "
                "many blocks."));
  set(slow, 32, BoundBy::arithmetic);
  CHECK(why(*gain_of(a, slow, b, fast), {us_text, bytes_text}).find("sectors") == std::string::npos);
}

TEST_CASE("that few warps run at a time is told of the slower where it waits for memory") {
  Benchmark slow = modelled(1, 2.0, 5.0, 300.0, 1000), fast = modelled(1, 2.0, 5.0, 50.0, 1000);
  const auto set = [](Benchmark& benchmark, std::int64_t blocks, std::int64_t resident) {
    LaunchRecord& launch = benchmark.launches[0];
    launch.block = {256, 1, 1};
    launch.counters->blocks_total = blocks;
    launch.resident_blocks = resident;
  };
  const auto words = [&] {
    const RunRecord run;
    const Contestant a = contestant("--a", run, slow), b = contestant("--b", run, fast);
    return why(*gain_of(a, slow, b, fast), {us_text, bytes_text});
  };
  set(slow, 10, 264);
  set(fast, 1000, 264);
  CHECK(words().ends_with("--a has only 80 warps at a time where --b has 2112."));
  slow.launches[0].modelled->bound = BoundBy::arithmetic;
  CHECK(words().find("at a time") == std::string::npos);
  slow.launches[0].modelled->bound = BoundBy::latency;
  set(slow, 300, 264);
  CHECK(words().find("at a time") == std::string::npos);
}

TEST_CASE("a program's record of a kernel counts for all the launches that it adds up") {
  Benchmark program = modelled(2, 2.0, 0.5, 3.0, 1000);
  program.launches[0].count = 40;
  CHECK(launches_of(program) == 41);
  const Benchmark one = modelled(1, 2.0, 1.0, 4.0, 1500);
  RunRecord run;
  const auto gain =
      gain_of(contestant("--unfused", run, program), program, contestant("--fused", run, one), one);
  REQUIRE(gain);
  CHECK(gain->launches == 40);
}
