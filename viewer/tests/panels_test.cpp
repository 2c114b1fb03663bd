// Every panel drawn off screen, in both themes and two sizes. A picture passes when it is neither blank nor
// too uniform, and when the two themes differ.
#include <filesystem>
#include <set>

#include "fixture.h"
#include "pictures.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

TEST_CASE("panels draw something in both themes and sizes") {
  Library library = filled();
  for (const std::string panel : {"compare", "mapping", "steps", ""})
    for (const auto& [width, height] : {std::pair{1600, 1000}, {1000, 700}, {640, 480}}) {
      INFO("panel '" << panel << "' at " << width << "x" << height);
      const Image light = shoot(library, {}, panel, false, width, height),
                  dark = shoot(library, {}, panel, true, width, height);
      for (const Image& image : {light, dark}) {
        const Look look = look_at(image);
        CHECK(look.colours > 60);
        CHECK(look.commonest < 0.85);
      }
      CHECK((light.rgba != dark.rgba));
    }
}

TEST_CASE("a picture is the same each time it is drawn") {
  Library library = filled();
  const Image first = shoot(library, {}, "compare", false, 1000, 700);
  shoot(library, {}, "compare", true, 800, 600);
  CHECK((first.rgba == shoot(library, {}, "compare", false, 1000, 700).rgba));
}

TEST_CASE("keys change the panel, the theme and the runs") {
  Library library = filled();
  window();
  App app(library, {}, {});
  const Image compare = press(app, ImGuiKey_2);
  const Image mapping = press(app, ImGuiKey_3);
  CHECK((compare.rgba != mapping.rgba));
  CHECK((press(app, ImGuiKey_2).rgba == compare.rgba));
  CHECK((press(app, ImGuiKey_T).rgba != compare.rgba));
  CHECK((press(app, ImGuiKey_T).rgba == compare.rgba));
  const auto a = app.selection().run_a, b = app.selection().run_b;
  press(app, ImGuiKey_X);
  CHECK(app.selection().run_a == b);
  CHECK(app.selection().run_b == a);
  press(app, ImGuiKey_P);
  CHECK(app.selection().run_a == a);
  press(app, ImGuiKey_Tab);
  CHECK(app.selection().run_b != a);
  const Image before = press(app, ImGuiKey_Escape);
  CHECK((press(app, ImGuiKey_F1).rgba != before.rgba));
  CHECK((press(app, ImGuiKey_F1).rgba == before.rgba));
  press(app, ImGuiKey_RightArrow);
  press(app, ImGuiKey_RightArrow);
  CHECK(app.selection().thread == 1);
}

TEST_CASE("a run recorded while the viewer is open appears by itself") {
  std::string pattern = (std::filesystem::temp_directory_path() / "viewer-live-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  {
    runs::Store store(std::filesystem::path(pattern) / "runs.sqlite", runs::Store::Mode::read_write);
    store.add(fixture::unfused());
    Library library;
    library.open_store(std::filesystem::path(pattern) / "runs.sqlite");
    window();
    App app(library, {}, {false, 1.0f, "compare", "", {}});
    const auto second = [&] { return window().capture(1000, 700, 60, [&] { app.draw(); }); };
    const Image one = second();
    const auto id = store.add(fixture::fused());
    const Image two = second();
    CHECK(app.selection().run_b == id);
    CHECK((one.rgba != two.rgba));
    // In the whole window it is announced, for some seconds.
    App all(library, {}, {});
    window().capture(1000, 700, 30, [&] { all.draw(); });
    store.add(fixture::fused_block());
    window().capture(1000, 700, 30, [&] { all.draw(); });
    CHECK(all.redraw_in() < 7);
    CHECK(library.header(all.selection().run_b)->variant == "fused-block");
  }
  std::filesystem::remove_all(pattern);
}

TEST_CASE("measured, real-shape and single runs draw too") {
  Library measured = filled(fixture::Times::measured);
  Selection real;
  real.benchmark = "real";
  CHECK(look_at(shoot(measured, real, "compare", false, 1200, 800)).colours > 60);
  Library one;
  one.add(fixture::unfused());
  CHECK(look_at(shoot(one, {}, "compare", false, 1200, 800)).colours > 60);
}

TEST_CASE("every launch of every run can be mapped, with a thread and a cell chosen") {
  Library library = filled();
  for (const bool on_b : {false, true})
    for (int launch = 0; launch < (on_b ? 1 : 4); ++launch)
      for (const ColourBy by : {ColourBy::block, ColourBy::warp, ColourBy::thread}) {
        Selection selection;
        selection.on_b = on_b;
        selection.launch = launch;
        selection.colour_by = by;
        selection.block = 0;
        selection.thread = 3;
        CHECK(look_at(shoot(library, selection, "mapping", true, 1300, 800)).colours > 60);
        selection.thread = -1;
        selection.tensor = 0;
        selection.element = 1;
        CHECK(look_at(shoot(library, selection, "mapping", false, 1300, 800)).colours > 60);
      }
}

TEST_CASE("without runs, without a trace and without timings the panels say what to do") {
  Library empty;
  Library gpu = filled(fixture::Times::measured);
  Library untimed;
  auto bare = fixture::unfused();
  bare.record.benchmarks.clear();
  bare.trace.reset();
  untimed.add(bare);
  for (Library* library : {&empty, &gpu, &untimed})
    for (const std::string panel : {"compare", "mapping", "steps"}) {
      const Look look = look_at(shoot(*library, {}, panel, false, 1000, 700));
      CHECK(look.colours > 20);
    }
}

TEST_CASE("a tensor of four million cells is reduced, not drawn cell by cell") {
  auto run = fixture::fused();
  run.record.benchmarks[0].tensors[0].shape = {2048, 2048};
  Library library;
  library.add(run);
  CHECK(look_at(shoot(library, {}, "mapping", false, 1200, 800)).colours > 30);
}
