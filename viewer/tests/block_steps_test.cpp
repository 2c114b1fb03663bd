#include "model/block_steps.h"

#include <set>

#include "fixture.h"
#include "indices.h"
#include "large_fixture.h"
#include "model/step_cells.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

TEST_CASE("the tiled product loads, multiplies and stores, with a barrier after each") {
  const AccessIndex index = index_of(fixture::unfused());
  const BlockSteps steps(index, 2, 0);
  REQUIRE(steps.steps() == 3);
  CHECK(steps.last(0) - steps.first(0) == 2);   // lines 43 and 44
  CHECK(steps.last(1) - steps.first(1) == 16);  // line 46, sixteen turns of the loop
  CHECK(steps.last(2) - steps.first(2) == 1);
  const Moment& third = steps.moments()[static_cast<std::size_t>(steps.first(1) + 2)];
  CHECK(third.line == 46);
  CHECK(third.round == 2);
  CHECK(third.rounds == 16);
  CHECK(third.threads == 256);
  // In its third turn every thread reads column 2 of a_tile and row 2 of b_tile.
  std::set<int> columns, rows;
  for (const runs::TraceEvent& event : steps.events(third))
    if (index.tensor(event.tensor)->name == "a_tile")
      columns.insert(static_cast<int>(event.element % 16));
    else
      rows.insert(static_cast<int>(event.element / 16));
  CHECK(columns == std::set<int>{2});
  CHECK(rows == std::set<int>{2});
}

TEST_CASE("no event is lost or doubled between trace and moments") {
  for (const auto& run : fixture::all()) {
    const AccessIndex index = index_of(run);
    for (int launch = 0; launch < index.launches(); ++launch)
      for (const int block : index.blocks_traced(launch)) {
        const BlockSteps steps(index, launch, block);
        std::size_t seen = 0;
        int before = -1;
        for (const Moment& moment : steps.moments()) {
          CHECK(moment.end > moment.begin);
          CHECK(moment.step >= before);
          before = moment.step;
          seen += steps.events(moment).size();
          for (const runs::TraceEvent& event : steps.events(moment)) {
            CHECK(event.line == moment.line);
            CHECK(event.step == moment.step);
          }
        }
        CHECK(seen == index.events_of(launch, block).size());
      }
  }
}

TEST_CASE("threads that leave a loop early fall behind in no other line") {
  runs::Trace trace;
  trace.files = {"kernels.cu"};
  trace.tensors.push_back({0, "x", runs::TensorSpace::global, runs::TensorRole::input, "f32", {64}, 256});
  trace.launches.resize(1);
  trace.launches[0].block = {4, 1, 1};
  const auto touch = [&](int thread, int line, int element) {
    runs::TraceEvent event;
    event.thread = static_cast<std::uint16_t>(thread);
    event.line = static_cast<std::uint16_t>(line);
    event.element = static_cast<std::uint32_t>(element);
    trace.events.push_back(event);
  };
  for (int thread = 0; thread < 4; ++thread) {
    for (int k = 0; k <= thread; ++k) touch(thread, 10, thread * 8 + k);
    touch(thread, 12, 60 + thread);
  }
  const AccessIndex index{trace, nullptr};
  const BlockSteps steps(index, 0, 0);
  REQUIRE(steps.moments().size() == 5);
  for (int k = 0; k < 4; ++k) {
    CHECK(steps.moments()[static_cast<std::size_t>(k)].line == 10);
    CHECK(steps.moments()[static_cast<std::size_t>(k)].threads == 4 - k);
  }
  CHECK(steps.moments()[4].line == 12);
  CHECK(steps.moments()[4].threads == 4);
}

TEST_CASE("the elements of a row that is folded are found again, whole and cropped") {
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{3, 300}, {3, 9000}}) {
    const auto run = fixture::copy(shape, 1);
    const AccessIndex index{*run.trace, nullptr};
    const BlockSteps steps(index, 0, 1);
    StepCells cells(index, 0, 1, steps);
    cells.show(steps, {}, -1, -1);
    REQUIRE(cells.pictures().size() == 2);
    const StepPicture& picture = cells.pictures()[0];
    CHECK(picture.touched_now == 256);
    std::int64_t touched = 0;
    for (std::int64_t row = 0; row < picture.grid.rows; ++row)
      for (std::int64_t column = 0; column < picture.grid.columns; ++column) {
        if ((picture.cells.at(0, row, column).flags & kReadNow) == 0) continue;
        const auto shown = picture.grid.element(row, column);
        REQUIRE(shown);
        CHECK(picture.element(*shown) / 256 == 1);  // the block's own
        ++touched;
      }
    CHECK(touched == 256);
  }
}

TEST_CASE("a block or launch without events has no steps") {
  const AccessIndex index = index_of(fixture::unfused());
  CHECK(BlockSteps(index, 2, 9).steps() == 0);
  CHECK(BlockSteps(index, 77, 0).steps() == 0);
  CHECK(BlockSteps().events_of_step(0).empty());
}

TEST_CASE("what a step does is said in words") {
  const AccessIndex index = index_of(fixture::unfused());
  const BlockSteps steps(index, 2, 0);
  CHECK(describe(index, 2, steps.events_of_step(0)) ==
        "128 of 256 threads read 1 element of normalized and of weight_transposed; each thread writes 1 "
        "element "
        "of a_tile and of b_tile");
  CHECK(describe(index, 2, steps.events_of_step(1)) ==
        "each thread reads 16 elements of a_tile and of b_tile");
  CHECK(lines_of(index, steps.events_of_step(0)) == "given.cuh:43-44");
  CHECK(lines_of(index, steps.events_of_step(1)) == "given.cuh:46");
}

TEST_CASE("a barrier is named by its line where the source is at hand, else by its neighbours") {
  const AccessIndex index = index_of(fixture::unfused());
  const BlockSteps steps(index, 2, 0);
  CHECK(format_barrier(barrier_after(index, steps, 0, {})) == "barrier between given.cuh:44 and 46");
  std::vector<SourceText> sources(2);
  sources[1].origin = SourceOrigin::repository;
  sources[1].lines.resize(60);
  sources[1].lines[43] = "  tile[1] = 2;  // no __syncthreads() here";
  sources[1].lines[44] = "  __syncthreads();";
  CHECK(barrier_after(index, steps, 0, sources).line == 45);
  CHECK(format_barrier(barrier_after(index, steps, 0, sources)) == "barrier at given.cuh:45");
  CHECK(format_barrier(barrier_after(index, steps, 1, sources)) == "barrier between given.cuh:46 and 49");
  sources[1].origin = SourceOrigin::changed;
  CHECK(barrier_after(index, steps, 0, sources).line == 0);
}

TEST_CASE("a barrier behind the call of a given function is the caller's, not the one below the function") {
  runs::StoredRun run = fixture::unfused();
  for (runs::TraceEvent& event : run.trace->events)
    if (event.line == 46) event.file = 0;  // what follows the barrier stands in kernels.cu
  const AccessIndex index = index_of(run);
  const BlockSteps steps(index, 2, 0);
  std::vector<SourceText> sources(2);
  for (SourceText& source : sources) {
    source.origin = SourceOrigin::repository;
    source.lines.resize(60);
  }
  sources[1].lines[49] = "}";
  sources[1].lines[55] = "  __syncthreads();";
  sources[0].lines[44] = "  __syncthreads();";
  CHECK(format_barrier(barrier_after(index, steps, 0, sources)) == "barrier at kernels.cu:45");
}
