// Launches that wait, and launches that do not end: told by work, whatever the time.
#include "sim/engine/loop_watch.h"
#include "simulator.h"
#include "tests/catch.h"

namespace {

using workbook::runs::FindingClass;

bool is_chain(const std::vector<float>& values) {
  for (std::size_t b = 0; b < values.size(); ++b)
    if (values[b] != static_cast<float>(b + 1)) return false;
  return true;
}

struct Sampling {
  Sampling() { workbook::sim::launch_settings().sample_accesses = 1000; }
  ~Sampling() { workbook::sim::launch_settings().sample_accesses = 0; }
};

}  // namespace

TEST_CASE("blocks that wait for others get on in every mode") {
  const Setup setup{.grid = 300, .block = 32, .elements = 300, .zero = true};
  Setup traced = setup;
  traced.trace = true;
  CHECK(is_chain(simulate("chain", setup).values));
  CHECK(is_chain(simulate("chain", traced).values));
  const Sampling sampling;
  CHECK(is_chain(simulate("chain", setup).values));
}

TEST_CASE("a sample of blocks that depend on each other is all of them") {
  const Sampling sampling;
  const Outcome chain = simulate("chain", {.grid = 300, .block = 32, .elements = 300, .zero = true});
  CHECK(chain.counters->blocks_sampled == 300);
  CHECK(chain.complete);
  const Outcome last = simulate("last_block_reduces", {.grid = 300, .elements = 301, .n = 300, .zero = true});
  CHECK(last.counters->blocks_sampled == 300);
}

TEST_CASE("blocks that wait for nobody are a loop without end, at once and at the same line in every mode") {
  const Setup setup{.grid = 24, .block = 32, .elements = 25, .zero = true};
  Setup traced = setup;
  traced.trace = true;
  for (const Setup& s : {setup, traced}) {
    const Outcome outcome = simulate("waits_for_nobody", s);
    REQUIRE(outcome.find(FindingClass::infinite_loop) != nullptr);
    CHECK(outcome.find(FindingClass::infinite_loop)->at.line == kernels::line_of("waits_for_nobody"));
    CHECK(outcome.find(FindingClass::infinite_loop)->who->block.x == 0);
    CHECK(outcome.find(FindingClass::infinite_loop)->message.find("24 blocks") != std::string::npos);
    CHECK(!outcome.complete);
    CHECK(outcome.most_steps < 10'000'000);
  }
  const Sampling sampling;
  CHECK(!simulate("waits_for_nobody", setup).complete);
}

TEST_CASE("a loop that changes something each time ends at the limit of work") {
  workbook::sim::set_work_limit(600'000);
  const Outcome outcome = simulate("counts_for_ever", {.block = 32, .elements = 2, .zero = true});
  workbook::sim::set_work_limit(0);
  REQUIRE(outcome.find(FindingClass::infinite_loop) != nullptr);
  CHECK(outcome.find(FindingClass::infinite_loop)->at.line == kernels::line_of("counts_for_ever"));
  CHECK(outcome.most_steps > 30'000);
  CHECK(!outcome.complete);
}

TEST_CASE("a block that waits for many long ones is no loop without end, however long they take") {
  workbook::sim::set_work_limit(4'000'000);
  for (const bool trace : {false, true}) {
    const Outcome outcome =
        simulate("waits_for_all",
                 {.grid = 12, .block = 32, .elements = 16, .n = 100'000, .zero = true, .trace = trace});
    CHECK(outcome.find(FindingClass::infinite_loop) == nullptr);
    CHECK(outcome.complete);
    CHECK(outcome.values[1] == 1.0f);
  }
  workbook::sim::set_work_limit(0);
}

TEST_CASE("a launch that ends says so, and how many steps its longest thread made") {
  const Outcome outcome = simulate("saxpy", {.grid = 16, .elements = 1000});
  CHECK(outcome.complete);
}
