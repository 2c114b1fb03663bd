#include "model/access.h"
#include "fixture.h"
#include "indices.h"
#include "model/layer.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

TEST_CASE("a cell's history spans the launches that write and read it") {
  const AccessIndex index = index_of(fixture::unfused());
  const int normalized = id_of(index, "normalized");
  const auto history = index.history({0, normalized, -1}, 43);
  REQUIRE(history.size() == 2);
  CHECK(history[0].launch == 0);
  CHECK(history[0].access == runs::Access::write);
  CHECK(history[0].thread == 3);
  CHECK(unravel(history[0].block, index.launch(0).grid) == runs::Dim3{1, 1, 0});  // b = 1, s = 1: row 5
  CHECK(history[0].line == 31);
  CHECK(history[1].launch == 2);
  CHECK(history[1].access == runs::Access::read);
}

TEST_CASE("equal accesses are one touch with a count") {
  const AccessIndex index = index_of(fixture::unfused());
  const auto history = index.history({0, id_of(index, "x"), -1}, 0);
  std::int64_t times = 0;
  for (const Touch& touch : history) times += touch.times;
  CHECK(times == 8 * 3 + 1);    // each of 8 threads: three reads in the loop; thread 0 once more at the end
  CHECK(history.size() == 17);  // lines 24 and 25 for each thread, line 31 for one
}

TEST_CASE("a thread knows its cells") {
  const AccessIndex index = index_of(fixture::unfused());
  const auto cells = index.cells_of(2, 0, 37);  // matmul, thread (5,2)
  const int a_tile = id_of(index, "a_tile"), product = id_of(index, "product");
  int row = 0;
  for (const Cell& cell : cells) {
    if (cell.tensor == a_tile && cell.read) ++row;
    if (cell.tensor == product) {
      CHECK(cell.written);
      CHECK(cell.element == 2 * 16 + 5);
    }
  }
  CHECK(row == 16);
  CHECK(index.cells_of(2, 99, 0).empty());
}

TEST_CASE("tensors of a launch come with those it writes last, shared tiles apart") {
  const AccessIndex index = index_of(fixture::unfused());
  const auto global = index.tensors_of(0, runs::TensorSpace::global);
  REQUIRE(global.size() == 4);
  CHECK(index.tensor(global.back())->name == "normalized");
  CHECK(index.tensors_of(0, runs::TensorSpace::shared).empty());
  CHECK(index.tensors_of(2, runs::TensorSpace::shared).size() == 2);
  CHECK(index.blocks_traced(0).size() == 16);
  CHECK(index.threads_of(2) == 256);
}

TEST_CASE("shared memory of unknown length is as long as what was touched") {
  runs::StoredRun run = fixture::fused_block();
  for (auto& tensor : run.record.benchmarks[0].tensors)
    if (tensor.space == runs::TensorSpace::shared) tensor.shape = {0};
  const AccessIndex index = index_of(run);
  CHECK(index.tensor(id_of(index, "shared_rows"))->shape == std::vector<std::int64_t>{64});
}

TEST_CASE("a trace that does not fit its record loses what refers to nothing") {
  runs::StoredRun run = fixture::fused();
  runs::TraceEvent event;
  event.tensor = 60'000;
  run.trace->events.push_back(event);
  event.tensor = 0;
  event.launch = 77;
  run.trace->events.push_back(event);
  event.launch = 0;
  event.element = 4'000'000;
  run.trace->events.push_back(event);
  const AccessIndex index = index_of(run);
  CHECK(make_layer(index, {.place = {0, 0, -1}})->cells.level(0).cells.size() == 128);
  CHECK(index.history({0, 0, -1}, 4'000'000).empty());
  CHECK(index.launches() == 1);
}

TEST_CASE("lines are counted by tensor and kind") {
  const AccessIndex index = index_of(fixture::unfused());
  std::int64_t writes = 0;
  for (const LineUse& use : index.lines_of(0))
    if (use.written) writes += use.times;
  CHECK(writes == 128);
}
