// Memory, Source and Errors: drawn in both themes and three sizes, without data, and clicked.
#include <cfloat>
#include <limits>

#include "pictures.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

void check_both_themes(Library& library, const Selection& selection, const std::string& panel) {
  for (const auto& [width, height] : {std::pair{1600, 1000}, {1000, 700}, {640, 480}}) {
    INFO("panel '" << panel << "' at " << width << "x" << height);
    const Image light = shoot(library, selection, panel, false, width, height),
                dark = shoot(library, selection, panel, true, width, height);
    for (const Image& image : {light, dark}) {
      const Look look = look_at(image);
      CHECK(look.colours > 60);
      CHECK(look.commonest < 0.88);
    }
    CHECK((light.rgba != dark.rgba));
  }
}

// Draws the panel alone, with a click at a point of it in between; returns what was selected then.
Selection click(Library& library, const Selection& selection, const std::string& panel, ImVec2 at) {
  window();
  App app(library, selection, {false, 1.0f, panel, "", {}});
  int frame = 0;
  window().capture(1320, 900, 8, [&] {
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags &= ~ImGuiConfigFlags_NoMouse;  // pictures have none
    if (frame == 2) io.AddMousePosEvent(at.x, at.y);
    if (frame == 3 || frame == 4) io.AddMouseButtonEvent(0, frame == 3);
    if (frame == 6) io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    ++frame;
    app.draw();
  });
  return app.selection();
}

}  // namespace

TEST_CASE("Memory draws the requests of every launch") {
  Library library = filled();
  for (int launch = 0; launch < 4; ++launch) {
    Selection selection;
    selection.launch = launch;
    check_both_themes(library, selection, "memory");
  }
  Selection chosen;
  chosen.on_b = true;
  chosen.block = 3;
  chosen.warp = 0;
  chosen.thread = 0;
  check_both_themes(library, chosen, "memory");
}

TEST_CASE("a click on a line of Memory chooses it, a click on a lane its thread") {
  Library library = filled();
  Selection selection;
  selection.launch = 2;
  const Selection line = click(library, selection, "memory", {150, 360});
  CHECK(line.line > 0);
  CHECK(line.file.ends_with("given.cuh"));
  const Selection lane = click(library, selection, "memory", {420, 180});
  CHECK(lane.thread >= 0);
  CHECK(lane.warp == lane.thread / 32);
  CHECK(lane.block == 0);
}

// The fused run with the values of its output: right, wrong, NaN and never written.
runs::StoredRun run_with_values(bool all_right) {
  auto run = fixture::fused();
  const runs::Benchmark& teaching = run.record.benchmarks[0];
  run.trace->tensors = teaching.tensors;
  run.trace->launches = teaching.launches;
  runs::TensorValues y{teaching.tensors.back(), std::vector<float>(256, 1.0f), std::vector<float>(256, 1.0f),
                       1e-5};
  if (!all_right)
    for (std::size_t i = 0; i < 256; i += 3)
      y.got[i] = i % 2 == 0 ? 2.0f : std::numeric_limits<float>::quiet_NaN();
  run.trace->values = {{"teaching", {y}}};
  run.record.cases = {{"teaching", teaching.sizes, "simulator", {}, all_right ? "" : "every third is wrong"}};
  if (!all_right) run.record.verdict = "wrong";
  return run;
}

TEST_CASE("Errors draws right and wrong runs") {
  for (const bool right : {false, true}) {
    Library library;
    library.add(run_with_values(right));
    check_both_themes(library, {}, "errors");
  }
}

TEST_CASE("a click on a wrong cell chooses it and the thread that wrote it; on a right one, the cell") {
  Library library;
  library.add(run_with_values(false));
  const Selection wrong = click(library, {}, "errors", {330, 115});
  CHECK(wrong.element == 0);
  CHECK(wrong.tensor >= 0);
  CHECK(wrong.thread == 0);
  CHECK(wrong.block == 0);
  const Selection right = click(library, {}, "errors", {368, 115});
  CHECK(right.element == 1);
  CHECK(right.thread == -1);
}

TEST_CASE("without a trace or counters the detail panels say what to do") {
  Library empty;
  Library gpu = filled(fixture::Times::measured);
  auto bare = fixture::unfused();
  bare.record.benchmarks.clear();
  bare.trace.reset();
  Library untimed;
  untimed.add(bare);
  for (Library* library : {&empty, &gpu, &untimed})
    for (const std::string panel : {"memory", "errors"}) {
      INFO(panel);
      CHECK(look_at(shoot(*library, {}, panel, false, 1000, 700)).colours > 20);
      CHECK(look_at(shoot(*library, {}, panel, true, 640, 480)).colours > 20);
    }
}
