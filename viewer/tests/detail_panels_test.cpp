// Memory, Source and Errors: drawn in both themes and three sizes, without data, and clicked.
#include <cfloat>

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

TEST_CASE("without a trace or counters the detail panels say what to do") {
  Library empty;
  Library gpu = filled(fixture::Times::measured);
  auto bare = fixture::unfused();
  bare.record.benchmarks.clear();
  bare.trace.reset();
  Library untimed;
  untimed.add(bare);
  for (Library* library : {&empty, &gpu, &untimed})
    for (const std::string panel : {"memory"}) {
      INFO(panel);
      CHECK(look_at(shoot(*library, {}, panel, false, 1000, 700)).colours > 20);
      CHECK(look_at(shoot(*library, {}, panel, true, 640, 480)).colours > 20);
    }
}
