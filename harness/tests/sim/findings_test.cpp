#include "sim/check/advice.h"
#include "sim/source/symbols.h"
#include "simulator.h"
#include "tests/catch.h"

namespace {

using workbook::runs::FindingClass;
using workbook::runs::Reach;
using workbook::runs::SiteKind;

/// The kernel is reported with this class, at this mark, and with no other error.
void expect_only(const Outcome& outcome, FindingClass klass, const std::string& mark) {
  const auto* finding = outcome.find(klass);
  REQUIRE(finding != nullptr);
  CHECK(finding->at.line == kernels::line_of(mark));
  CHECK(finding->at.file.find("kernels.cu") != std::string::npos);
  for (const auto& other : outcome.findings) CHECK(other.klass == klass);
}

}  // namespace

TEST_CASE("a program's own source is of no toolkit, whatever its folder is called") {
  using workbook::sim::is_of_toolkit;
  CHECK(is_of_toolkit({"/usr/include/cub/device/device_scan.cuh", 3}));
  CHECK_FALSE(is_of_toolkit({"/home/me/cub/scan.cu", 3}));
  CHECK_FALSE(is_of_toolkit({"/home/me/sums/scan.cu", 3}));
}

TEST_CASE("clean kernels are quiet") {
  for (const std::string name : {"saxpy", "reverse", "warp_sum", "half_a_mask", "vectorised", "atomic_sum"}) {
    INFO(name);
    CHECK(simulate(name, {}).findings.empty());
  }
  CHECK(simulate("warp_exchange", {.block = 32}).findings.empty());
}

TEST_CASE("a store past the end is named and stopped before it corrupts") {
  const Outcome outcome = simulate("no_guard", {.grid = 2, .elements = 100});
  expect_only(outcome, FindingClass::oob_global, "no_guard");
  const auto* finding = outcome.find(FindingClass::oob_global);
  CHECK(finding->object == "y[100]");
  CHECK(finding->count == 28);
  CHECK(finding->who->block.x == 1);
  CHECK(finding->who->thread.x == 36);
}

TEST_CASE("a vector that ends past the last element is told as a vector") {
  const Outcome partly = simulate("vectorised", {.elements = 62});
  REQUIRE(partly.find(FindingClass::oob_global) != nullptr);
  const auto& tail = *partly.find(FindingClass::oob_global);
  CHECK(tail.object == "y[60]");
  CHECK(tail.message.find(
            "reads 16 bytes from y[60] on, 4 elements, of which y has only the first 2: it ends with "
            "y[61].") != std::string::npos);
  CHECK(tail.advice.find("no multiple of 4") != std::string::npos);
  const Outcome past = simulate("vectorised", {.elements = 60, .n = 64});
  REQUIRE(past.find(FindingClass::oob_global) != nullptr);
  CHECK(past.find(FindingClass::oob_global)->message.find("of which y has none: it ends with y[59].") !=
        std::string::npos);
  CHECK(past.find(FindingClass::oob_global)->advice.find("Count in vectors") != std::string::npos);
}

TEST_CASE("what goes wrong in a header names the line that called it") {
  const Outcome outcome = simulate("calls_given", {.grid = 2, .elements = 100});
  const auto* finding = outcome.find(FindingClass::oob_global);
  REQUIRE(finding != nullptr);
  CHECK(finding->at.file.ends_with("given.cuh"));
  REQUIRE(finding->called_from.has_value());
  CHECK(finding->called_from->file.ends_with("kernels.cu"));
  CHECK(finding->called_from->line == kernels::line_of("calls_given"));
  CHECK_FALSE(simulate("no_guard", {.grid = 2, .elements = 100})
                  .find(FindingClass::oob_global)
                  ->called_from.has_value());
}

TEST_CASE("who called what stored an element in a header is seen where it is watched") {
  workbook::sim::Diagnosis& diagnosis = workbook::sim::Diagnosis::get();
  const auto caller_of_element = [&](std::size_t i, const Setup& setup) {
    simulate("calls_given", setup);  // where y lies
    const auto& y = *workbook::sim::Arena::get().allocations().back();
    diagnosis.watched.begin(workbook::sim::Arena::base() + y.offset + 4 * i, 4);
    simulate("calls_given", setup);
    const auto last = diagnosis.watched.end();
    return workbook::sim::caller_of(workbook::sim::source_line(last.pc), last.pc, last.calls);
  };
  const auto caller = caller_of_element(3, {});
  REQUIRE(caller.has_value());
  CHECK(caller->file.ends_with("kernels.cu"));
  CHECK(caller->line == kernels::line_of("calls_given"));
  CHECK_FALSE(caller_of_element(80, {.elements = 100}).has_value());  // no thread stores it
}

TEST_CASE("a null pointer is out of bounds, and fatal") {
  const Outcome outcome = simulate("null_store", {});
  expect_only(outcome, FindingClass::oob_global, "null_store");
  CHECK(outcome.find(FindingClass::oob_global)->fatal);
}

TEST_CASE("an index far outside is found wherever it lands, and never followed") {
  for (const int far : {-4096, -1500, -1024, -512, -300, 300, 512, 1024, 4096}) {  // times 256 MiB
    INFO(far);
    const Outcome outcome = simulate("wild_load", {.n = far});
    expect_only(outcome, FindingClass::oob_global, "wild_load");
    CHECK(outcome.find(FindingClass::oob_global)->fatal);
    CHECK(outcome.values[2] == 0.0f);
  }
}

TEST_CASE("lanes that all store one value where one would do are told so, and it is no error") {
  const Outcome outcome = simulate("one_value_by_all", {.block = 32});
  const auto* finding = outcome.find(FindingClass::race_global);
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == workbook::runs::Severity::advice);
  CHECK(finding->at.line == kernels::line_of("one_value_by_all"));
  CHECK(finding->message == "32 threads of one warp write the same value to y[0]: one is enough.");
  // It may stand beside a budget that these stores are too many for.
  CHECK(finding->advice.find("no harm") == std::string::npos);
}

TEST_CASE("races in global memory are found within and across blocks") {
  expect_only(simulate("same_element", {}), FindingClass::race_global, "same_element");
  expect_only(simulate("blocks_collide", {.grid = 3}), FindingClass::race_global, "blocks_collide");
}

TEST_CASE("a missing barrier is a race between the store and the load") {
  const Outcome outcome = simulate("reverse_without_barrier", {});
  const auto* race = outcome.find(FindingClass::race_shared);
  REQUIRE(race != nullptr);
  REQUIRE(race->other.has_value());
  const int store = kernels::line_of("unordered_store"), load = kernels::line_of("unordered_load");
  CHECK(std::min(race->at.line, race->other->line) == store);
  CHECK(std::max(race->at.line, race->other->line) == load);
  // The sentence begins with the thread whose line is shown, the advice with what always helps.
  CHECK(race->message.starts_with("thread " + std::to_string(race->who->thread.x) + " of block 0 "));
  CHECK(race->advice.starts_with("Put __syncthreads()"));
}

TEST_CASE("what is advised against a race orders all that meet, and no more than those") {
  const Outcome warp = simulate("reverse_without_barrier", {.block = 32});
  const auto* race = warp.find(FindingClass::race_shared);
  REQUIRE(race != nullptr);
  CHECK(race->reach == Reach::warp);
  CHECK(race->advice.starts_with("Put __syncwarp() between the two lines"));
  CHECK(race->advice.find("__syncthreads()") == std::string::npos);
  CHECK(simulate("reverse_without_barrier", {}).find(FindingClass::race_shared)->reach == Reach::block);
  // The reader that is met first is of the writer's warp, another one is not.
  const Outcome broadcast = simulate("broadcast_overwritten", {});
  const auto* overwritten = broadcast.find(FindingClass::race_shared);
  REQUIRE(overwritten != nullptr);
  CHECK(overwritten->at.line == kernels::line_of("broadcast_overwritten"));
  CHECK(overwritten->advice.starts_with("Put __syncthreads()"));
  const Outcome blocks = simulate("blocks_collide", {.grid = 3});
  REQUIRE(blocks.find(FindingClass::race_global) != nullptr);
  CHECK(blocks.find(FindingClass::race_global)->reach == Reach::grid);
  CHECK(blocks.find(FindingClass::race_global)->advice.find("__sync") == std::string::npos);
}

TEST_CASE("threads that meet at one line are told of atomics, not to synchronise two lines") {
  const Outcome outcome = simulate("same_element", {});
  const auto* race = outcome.find(FindingClass::race_global);
  REQUIRE(race != nullptr);
  CHECK(race->advice.find("atomicAdd") != std::string::npos);
  CHECK(race->advice.find("two lines") == std::string::npos);
}

TEST_CASE("reads of memory that nothing wrote are found") {
  expect_only(simulate("reads_fresh_memory", {.initialised = false}), FindingClass::uninit_global,
              "reads_fresh_memory");
  expect_only(simulate("shared_not_filled", {}), FindingClass::uninit_shared, "shared_not_filled");
}

TEST_CASE("a barrier that threads go around is an error, and what holds it is named") {
  const Outcome branch = simulate("barrier_in_branch", {.block = 32});
  const auto* finding = branch.find(FindingClass::divergent_barrier);
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == workbook::runs::Severity::error);
  CHECK(finding->at.line == kernels::line_of("barrier_in_branch"));
  CHECK(finding->message.find("16 threads of its block") != std::string::npos);
  CHECK(finding->message.find("go around it: it stands inside the `if` of line ") != std::string::npos);
  CHECK(finding->advice.find("out of the condition") != std::string::npos);

  const Outcome two = simulate("two_barriers", {});
  REQUIRE(two.find(FindingClass::divergent_barrier) != nullptr);
  CHECK(two.find(FindingClass::divergent_barrier)->severity == workbook::runs::Severity::error);
  CHECK(two.find(FindingClass::divergent_barrier)->other->line == kernels::line_of("second_barrier"));

  const Outcome both = simulate("barrier_in_uneven_loop", {.n = 10});
  expect_only(both, FindingClass::divergent_barrier, "barrier_in_uneven_loop");
  CHECK(both.findings.size() == 1);
  CHECK(both.find(FindingClass::divergent_barrier)->severity == workbook::runs::Severity::error);

  const Outcome last = simulate("barrier_in_last_branch", {.n = 10});
  expect_only(last, FindingClass::divergent_barrier,
              "barrier_in_last_branch");  // no access tells where the others went
  CHECK(last.find(FindingClass::divergent_barrier)->message.find("go around it") != std::string::npos);
}

TEST_CASE("a barrier that threads returned before is an error in a puzzle, a warning in a program") {
  const Outcome early = simulate("early_return", {.n = 10});
  const auto* finding = early.find(FindingClass::divergent_barrier);
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == workbook::runs::Severity::warning);
  CHECK(finding->at.line == kernels::line_of("early_return"));
  CHECK(finding->message.find("had ended before: returned at line " +
                              std::to_string(kernels::line_of("early_return") - 2)) != std::string::npos);
  CHECK(finding->advice.find("instead of returning") != std::string::npos);

  workbook::sim::Diagnosis::get().findings.whole_blocks = true;
  const Outcome puzzle = simulate("early_return", {.n = 10});
  workbook::sim::Diagnosis::get().findings.whole_blocks = false;
  REQUIRE(puzzle.find(FindingClass::divergent_barrier) != nullptr);
  CHECK(puzzle.find(FindingClass::divergent_barrier)->severity == workbook::runs::Severity::error);
}

TEST_CASE("dynamic shared memory ends where the launch says") {
  expect_only(simulate("dynamic_overrun", {.shared_bytes = 100}), FindingClass::oob_shared,
              "dynamic_overrun");
  // In elements, as the kernel counts.
  const Outcome overrun = simulate("dynamic_overrun", {.shared_bytes = 100});
  CHECK(overrun.find(FindingClass::oob_shared)->message.find(" has 25 elements in this launch") !=
        std::string::npos);
  CHECK(simulate("dynamic_overrun", {.shared_bytes = 256}).findings.empty());
}

TEST_CASE("a mask that names lanes which never come is reported, and the kernel still ends") {
  const Outcome outcome = simulate("mask_names_absent_lanes", {.block = 32});
  REQUIRE(outcome.find(FindingClass::bad_warp_mask) != nullptr);
  CHECK(outcome.find(FindingClass::bad_warp_mask)->at.line == kernels::line_of("mask_names_absent_lanes"));
  REQUIRE(outcome.find(FindingClass::bad_warp_mask)->other.has_value());
  CHECK(outcome.find(FindingClass::bad_warp_mask)->other->line == kernels::line_of("mask_absent_lanes_wait"));
}

TEST_CASE("a pipeline whose stages are never given back says so") {
  const Outcome outcome = simulate("pipeline_never_released", {.block = 32});
  const auto* finding = outcome.find(FindingClass::barrier_deadlock);
  REQUIRE(finding != nullptr);
  CHECK(finding->at.line == kernels::line_of("pipeline_never_released"));
  CHECK(finding->advice.find("consumer_release()") != std::string::npos);
}

TEST_CASE("a shuffle that not all lanes come to says so, and names the branch") {
  const Outcome outcome = simulate("shuffle_in_branch", {.block = 32});
  const auto* finding = outcome.find(FindingClass::bad_warp_mask);
  REQUIRE(finding != nullptr);
  CHECK(finding->message.find("does not come to this shuffle (the branch at line " +
                              std::to_string(kernels::line_of("shuffle_branch")) + ")") != std::string::npos);
  REQUIRE(finding->called_from.has_value());
  CHECK(finding->called_from->line == kernels::line_of("shuffle_branch") + 1);

  const Outcome early = simulate("shuffle_after_return", {.block = 32, .n = 16});
  REQUIRE(early.find(FindingClass::bad_warp_mask) != nullptr);
  CHECK(early.find(FindingClass::bad_warp_mask)
            ->message.find("which does not come to this shuffle: the value") != std::string::npos);
  const Outcome small = simulate("shuffle_after_return", {.block = 16});
  REQUIRE(small.find(FindingClass::bad_warp_mask) != nullptr);
  CHECK(small.find(FindingClass::bad_warp_mask)->message.find("the block does not have: it has 16 threads") !=
        std::string::npos);
}

TEST_CASE("a guard is advised for the threads that a last block has to spare, and for no wrong stride") {
  CHECK(simulate("no_guard", {.grid = 2, .elements = 100})
            .find(FindingClass::oob_global)
            ->advice.starts_with("Guard"));
  CHECK(simulate("four_each", {.grid = 2, .elements = 500})
            .find(FindingClass::oob_global)
            ->advice.starts_with("Guard"));
  const std::string advice = simulate("wrong_stride", {}).find(FindingClass::oob_global)->advice;
  CHECK(advice.find("up to 126 elements past the end") != std::string::npos);  // 63 * 3 of 64
  CHECK(advice.find("strides") != std::string::npos);
}

TEST_CASE("a guard that lets an index through is named") {
  const std::string advice =
      simulate("guarded_one_too_far", {.elements = 63}).find(FindingClass::oob_global)->advice;
  CHECK(advice.find("The condition at line " + std::to_string(kernels::line_of("one_too_far_guard")) +
                    " lets it through") != std::string::npos);
  CHECK(simulate("no_guard", {.grid = 2, .elements = 100})
            .find(FindingClass::oob_global)
            ->advice.find("condition") == std::string::npos);
}

TEST_CASE("reads and writes of one line out of bounds are one finding, and are counted apart") {
  const Outcome outcome = simulate("guarded_one_too_far", {.elements = 63});
  expect_only(outcome, FindingClass::oob_global, "one_too_far");
  CHECK(outcome.findings.size() == 1);
  CHECK(outcome.find(FindingClass::oob_global)->count == 1);
  CHECK(outcome.find(FindingClass::oob_global)->message.find("reads y[63]") != std::string::npos);
  CHECK(outcome.find(FindingClass::oob_global)->message.find("The line also writes y[63]") !=
        std::string::npos);
}

TEST_CASE("what is added to a place that nothing has set is told so") {
  CHECK(simulate("adds_to_fresh_memory", {.initialised = false})
            .find(FindingClass::uninit_global)
            ->advice.find("`+=`") != std::string::npos);
  CHECK(simulate("reads_fresh_memory", {.initialised = false})
            .find(FindingClass::uninit_global)
            ->advice.find("`+=`") == std::string::npos);
}

TEST_CASE("a tree with one barrier is told that each round needs one") {
  const std::string advice = simulate("tree_one_barrier", {}).find(FindingClass::race_shared)->advice;
  CHECK(advice.find("in different rounds of the loop (line " +
                    std::to_string(kernels::line_of("tree_one_barrier_loop"))) != std::string::npos);
  CHECK(advice.find("each round needs a __sync") != std::string::npos);
}

TEST_CASE("an index many times too large lands in no other allocation") {
  workbook::sim::Arena& arena = workbook::sim::Arena::get();
  arena.release_all();
  std::vector<const char*> places;
  for (int i = 0; i < 8; ++i) places.push_back(static_cast<const char*>(arena.allocate(400)));
  for (std::size_t i = 1; i < places.size(); ++i)
    CHECK(places[i] - places[i - 1] > (std::ptrdiff_t{32} << 20));
  // A program with very many keeps room for them, and for a large one.
  for (int i = 0; i < 10000; ++i) REQUIRE(arena.allocate(400) != nullptr);
  CHECK(arena.allocate(std::size_t{12} << 30, workbook::sim::MemoryKind::managed) != nullptr);
  arena.release_all();
}

TEST_CASE("a barrier between two lines does not keep them apart in the next pass of their loop") {
  const Outcome outcome = simulate("next_pass", {.elements = 3 * kernels::kBlock});
  const auto* race = outcome.find(FindingClass::race_shared);
  REQUIRE(race != nullptr);
  const auto line = [](const char* mark) { return "line " + std::to_string(kernels::line_of(mark)); };
  CHECK(race->advice.find(line("next_pass_store") + " is reached in the next pass of the loop (" +
                          line("next_pass_loop") + "), while others are still at " +
                          line("next_pass_load")) != std::string::npos);
}

TEST_CASE("of two halves in a word each is its own thread's, and nobody's where that is not known") {
  simulate("stores_halves", {});
  const workbook::sim::Diagnosis& diagnosis = workbook::sim::Diagnosis::get();
  const std::uint64_t start = workbook::sim::Arena::get().allocations().back()->offset;
  for (const std::uint32_t i : {0u, 1u, 2u, 3u, 30u, 31u, 32u, 33u, 63u}) {
    INFO(i);
    const auto writer = diagnosis.last_writer(start + 2 * i, 2);
    REQUIRE(writer.has_value());
    REQUIRE(writer->who.has_value());
    CHECK(writer->who->thread.x == i);
    CHECK(workbook::sim::source_line(writer->pc).line == kernels::line_of("stores_halves"));
  }
  CHECK(diagnosis.last_writer(start + 8, 2)->who->thread.x == 4);
  REQUIRE(diagnosis.last_writer(start + 10, 2).has_value());
  CHECK_FALSE(diagnosis.last_writer(start + 10, 2)->who.has_value());
}

TEST_CASE("an atomic and a plain store to one word race, atomics among themselves do not") {
  REQUIRE(simulate("atomic_and_plain", {}).find(FindingClass::race_global) != nullptr);
  CHECK(simulate("atomic_sum", {.grid = 4}).findings.empty());
}

TEST_CASE("a fence and an atomic order what blocks wrote before") {
  const Outcome outcome = simulate("last_block_reduces", {.grid = 5, .elements = 7, .n = 5, .zero = true});
  for (const auto& f : outcome.findings)
    UNSCOPED_INFO(word_of(f.klass) << " " << f.at.line << " " << f.message);
  CHECK(outcome.findings.empty());
  CHECK(outcome.values[6] == 5.0f);
}

extern "C" void __tsan_read4(void* address);

TEST_CASE("words of a finding that touch device memory do not come back for another finding") {
  workbook::sim::Arena& arena = workbook::sim::Arena::get();
  arena.release_all();
  void* device = nullptr;
  cudaMalloc(&device, 4);
  auto& findings = workbook::sim::Diagnosis::get().findings;
  findings.add(FindingClass::asserted, 1, 0, [&](workbook::runs::Finding&) { __tsan_read4(device); });
  CHECK(findings.take().size() == 1);
}

TEST_CASE("atomics that meet in a word are not told to make rows longer") {
  for (const SiteKind kind : {SiteKind::atomic, SiteKind::shared_load}) {
    workbook::runs::LaunchCounters counters;
    counters.shared_passes = 320'000;
    counters.sites.push_back({.kernel = "count",
                              .at = {"kernels.cu", 7},
                              .kind = kind,
                              .requests = 10'000,
                              .bank_passes = 320'000,
                              .bytes = 1'280'000});
    workbook::sim::FindingLog log;
    workbook::sim::advise(counters, log);
    const auto findings = log.take();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].klass == FindingClass::bank_conflict);
    CHECK((findings[0].advice.find("rows one element longer") != std::string::npos) ==
          (kind != SiteKind::atomic));
  }
}
