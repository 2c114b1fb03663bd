#include "model/layer.h"

#include <cmath>
#include <stdexcept>

#include "fixture.h"
#include "indices.h"
#include "large_fixture.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {
Layer layer_of(const AccessIndex& index, const std::string& tensor, ColourBy by, int launch = 0,
               Show show = Show::touched, int chosen_block = -1) {
  return *make_layer(
      index,
      {.place = {launch, id_of(index, tensor), -1}, .by = by, .show = show, .chosen_block = chosen_block});
}
const LayerCell& cell(const Layer& layer, std::int64_t element) {
  return layer.cells.at(0, layer.grid.row_of(element), layer.grid.column_of(element));
}

}  // namespace

TEST_CASE("a cell of a row that is folded has its own element's owner") {
  const AccessIndex index = index_of(fixture::copy({3, 300}, 1));
  const Layer layer = layer_of(index, "out", ColourBy::block);
  REQUIRE(layer.grid.folded == 300);
  for (std::int64_t element = 0; element < 900; ++element) {
    CHECK((cell(layer, element).flags & kPresent) != 0);
    CHECK(cell(layer, element).number == static_cast<float>(element / 256));
  }
}

TEST_CASE("owners are the blocks, warps or threads that wrote, or else read") {
  const AccessIndex index = index_of(fixture::unfused());
  const Layer normalized = layer_of(index, "normalized", ColourBy::block);
  CHECK(normalized.cells.level(0).cells.size() == 128);
  CHECK(normalized.by_writers);
  CHECK(cell(normalized, 43).number == 5);
  CHECK(cell(normalized, 43).several == 1);
  CHECK(cell(layer_of(index, "gamma", ColourBy::block), 0).several == 16);
  CHECK(cell(layer_of(index, "normalized", ColourBy::thread), 43).number == 3);
  CHECK(cell(layer_of(index, "x", ColourBy::block, 0, Show::written), 0).flags == kChosen * 0);
  CHECK(layer_of(index, "x", ColourBy::block, 0, Show::written).present == 0);
}

TEST_CASE("a block that is singled out is shown as itself, others step back") {
  const AccessIndex index = index_of(fixture::fused());
  const Layer x = layer_of(index, "x", ColourBy::block, 0, Show::touched, 5);
  CHECK((cell(x, 40).flags & kChosen) != 0);
  CHECK((cell(x, 0).flags & kChosen) == 0);
  const Layer weight = layer_of(index, "weight", ColourBy::block, 0, Show::touched, 5);
  CHECK(cell(weight, 0).number == 5);
  CHECK(cell(weight, 0).several == 1);  // though all sixteen blocks read it
}

TEST_CASE("time is counted in moments, which threads share that run a line together") {
  const AccessIndex index = index_of(fixture::unfused());
  const Layer x = layer_of(index, "x", ColourBy::time);
  for (const int h : {0, 1, 7}) CHECK(cell(x, h).number == 1 + 2 * h);  // lines 24 and 25 a turn of the loop
  const Layer normalized = layer_of(index, "normalized", ColourBy::time);
  for (const int h : {0, 1, 7}) CHECK(cell(normalized, h).number == 2 * 8 + 1);  // all lanes together, last
  // Threads at the edge that load nothing are not ahead of those that do.
  const Layer tile = *make_layer(index, {.place = {2, id_of(index, "b_tile"), 0}, .by = ColourBy::time});
  CHECK(cell(tile, 0).number == 2);
  CHECK(cell(tile, 255).number == 2);
  CHECK(x.low == 1);
  CHECK(x.high == 17);
  CHECK(normalized.high == 17);
}

TEST_CASE("reads are counted, of one block where one is singled out") {
  const AccessIndex index = index_of(fixture::unfused());
  CHECK(cell(layer_of(index, "x", ColourBy::reads), 0).number == 8 * 3 + 1);
  CHECK(cell(layer_of(index, "gamma", ColourBy::reads), 0).number == 16);
  CHECK(cell(layer_of(index, "gamma", ColourBy::reads, 0, Show::touched, 3), 0).number == 1);
  CHECK(layer_of(index, "normalized", ColourBy::reads).present == 0);
}

TEST_CASE("values and errors come from the run, and what is no number is wrong") {
  runs::StoredRun run = fixture::unfused();
  const AccessIndex index = index_of(run);
  runs::TensorValues values{*index.tensor(id_of(index, "y")), {}, {}, 0.01};
  values.got.assign(256, 1.0f);
  values.expected.assign(256, 1.0f);
  values.got[3] = 1.5f;
  values.got[4] = std::nanf("");
  run.trace->values.push_back({"teaching", {values}});
  const runs::TensorValues* found = values_of(*run.trace, *index.tensor(id_of(index, "y")));
  REQUIRE(found != nullptr);
  CHECK(values_of(*run.trace, *index.tensor(id_of(index, "x"))) == nullptr);
  const Layer error =
      *make_layer(index, {.place = {3, values.tensor.id, -1}, .by = ColourBy::error, .values = found});
  CHECK(cell(error, 3).number == 0.5f);
  CHECK((cell(error, 3).flags & kWrong) != 0);
  CHECK((cell(error, 2).flags & kWrong) == 0);
  CHECK((cell(error, 4).flags & (kWrong | kPresent)) == kWrong);
  CHECK(error.high == 0.5);
  const Layer value =
      *make_layer(index, {.place = {3, values.tensor.id, -1}, .by = ColourBy::value, .values = found});
  CHECK(value.present == 255);
}

TEST_CASE("cells that a line touched are marked, at every resolution") {
  const AccessIndex index = index_of(fixture::unfused());
  LayerRequest request{.place = {2, id_of(index, "product"), -1}, .file = 1, .line = 49};
  const Layer layer = *make_layer(index, request);
  CHECK(layer.line_touches);
  for (int level = 0; level < layer.cells.levels(); ++level)
    CHECK((layer.cells.at(level, 0, 0).flags & kOnLine) != 0);
  request.line = 43;
  CHECK_FALSE(make_layer(index, request)->line_touches);
}

TEST_CASE("coarser cells keep one owner's area and mark what several share") {
  const AccessIndex index{*fixture::copy(64, 4).trace, nullptr};
  const Layer layer = layer_of(index, "out", ColourBy::thread);
  REQUIRE(layer.cells.levels() > 2);
  CHECK(layer.cells.at(1, 0, 0).several == 2);  // two rows: different threads
  CHECK(layer.cells.at(0, 0, 4).number == 1);
  const Layer blocks = layer_of(index, "out", ColourBy::block);
  CHECK(blocks.cells.at(2, 0, 0).several == 1);  // a block owns sixteen rows
  CHECK(blocks.cells.at(2, 4, 0).number == 1);
}

TEST_CASE("a coarser cell keeps the worst error and the earliest time") {
  runs::Trace trace = *fixture::copy(64, 4).trace;
  runs::TensorValues values{trace.tensors[1], {}, {}, 0.0};
  values.got.assign(64 * 64, 0.0f);
  values.expected = values.got;
  values.got[64 * 63 + 63] = -2.0f;
  const AccessIndex index{trace, nullptr};
  const Layer error = *make_layer(index, {.place = {0, 1, -1}, .by = ColourBy::error, .values = &values});
  const auto& coarsest = error.cells.level(error.cells.levels() - 1);
  CHECK(coarsest.cells.back().number == -2.0f);
  CHECK((coarsest.cells.back().flags & kWrong) != 0);
}

TEST_CASE("sixteen million cells become levels of which each has a quarter of the cells") {
  const AccessIndex index{*fixture::copy(4096, 64).trace, nullptr};
  const Layer layer = layer_of(index, "out", ColourBy::block);
  CHECK(layer.present == 4096 * 4096);
  CHECK(layer.cells.level_for(0.15f, 3.0f) == 5);
  const auto& drawn = layer.cells.level(5);
  CHECK(drawn.rows == 128);
  CHECK(drawn.columns == 128);
  CHECK(layer.cells.level_for(20.0f, 3.0f) == 0);
  // Who touched one cell is found among its neighbours' events, not among all.
  CHECK(index.history({0, 1, -1}, 4096 * 4096 - 1).size() == 1);
}

TEST_CASE("tensors that are unknown, empty or too large have no layer") {
  runs::StoredRun run = fixture::fused();
  run.record.benchmarks[0].tensors[0].shape = {1 << 20, 1 << 20};
  const AccessIndex index = index_of(run);
  CHECK_FALSE(make_layer(index, {.place = {0, 0, -1}}));
  CHECK_FALSE(make_layer(index, {.place = {0, 999, -1}}));
}

TEST_CASE("past a ragged end there is no cell") {
  runs::StoredRun run = fixture::fused();
  run.record.benchmarks[0].tensors[1].shape = {17};
  const Layer layer = layer_of(index_of(run), run.record.benchmarks[0].tensors[1].name, ColourBy::block);
  CHECK((layer.cells.at(0, 1, 0).flags & kPadding) == 0);
  CHECK((layer.cells.at(0, 1, 1).flags & kPadding) != 0);
}
