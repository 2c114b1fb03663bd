// Mapping and Steps by keyboard and at every place they can stand at. Drawn off screen.
#include <set>
#include <vector>

#include "app.h"
#include "backend.h"
#include "fixture.h"
#include "large_fixture.h"
#include "panels/mapping.h"
#include "panels/steps.h"
#include "pictures.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

TEST_CASE("every step and moment of every block can be drawn") {
  Library library = filled();
  std::set<std::vector<std::uint8_t>> pictures;
  for (int step = -1; step < 3; ++step)
    for (const int moment : {-1, 0, 5, 99}) {
      Selection selection;
      selection.launch = 2;
      selection.step = step;
      selection.moment = moment;
      selection.thread = moment == 5 ? 37 : -1;
      const Image image = shoot(library, selection, "steps", step == 1, 1200, 800);
      CHECK(look_at(image).colours > 60);
      pictures.insert(image.rgba);
    }
  CHECK(pictures.size() >= 8);
  // One thread alone in a long loop: more lines than the list has room for.
  Selection fused;
  fused.on_b = true;
  fused.moment = 40;
  fused.step = 0;
  for (const auto& [width, height] : {std::pair{1320, 900}, {1200, 500}, {640, 480}})
    CHECK(look_at(shoot(library, fused, "steps", false, width, height)).colours > 60);
}

TEST_CASE("Space plays, comma and full stop step, with Shift to the next barrier") {
  Library library = filled();
  window();
  App app(library, {}, {});
  app.selection().launch = 2;
  press(app, ImGuiKey_4);
  const Image start = press(app, ImGuiKey_F);
  CHECK(app.selection().step == -1);
  const Image first = press(app, ImGuiKey_Period);
  CHECK(app.selection().step == 0);
  CHECK(app.selection().moment == 0);
  CHECK(app.selection().line == 43);
  CHECK(first.rgba != start.rgba);
  press(app, ImGuiKey_Period);
  press(app, ImGuiKey_Period);
  CHECK(app.selection().step == 1);  // past the barrier
  CHECK(app.selection().moment == 0);
  press(app, ImGuiKey_Comma);
  CHECK(app.selection().step == 0);
  CHECK(app.selection().moment == 1);
  press(app, ImGuiKey_Period, ImGuiMod_Shift);
  CHECK(app.selection().step == 1);
  CHECK(app.selection().moment == -1);
  press(app, ImGuiKey_Comma, ImGuiMod_Shift);
  CHECK(app.selection().step == 0);
  press(app, ImGuiKey_Space);
  CHECK(app.redraw_in() <= 0.5);
  window().capture(1200, 800, 70, [&] { app.draw(); });
  CHECK(app.selection().moment > 0);
  press(app, ImGuiKey_Space);
  const int stopped = app.selection().moment;
  CHECK(app.redraw_in() > 60);
  window().capture(1200, 800, 40, [&] { app.draw(); });
  CHECK(app.selection().moment == stopped);
}

TEST_CASE("in Mapping and Steps W goes closer and F fits again") {
  Library library = filled();
  for (const ImGuiKey panel : {ImGuiKey_3, ImGuiKey_4}) {
    window();
    App app(library, {}, {});
    press(app, panel);
    const Image fitted = press(app, ImGuiKey_F);
    const Image closer = press(app, ImGuiKey_W, ImGuiKey_None, 20);
    CHECK(closer.rgba != fitted.rgba);
    CHECK(press(app, ImGuiKey_D, ImGuiKey_None, 10).rgba != closer.rgba);
    CHECK(press(app, ImGuiKey_F).rgba == fitted.rgba);
  }
}

TEST_CASE("every way to colour differs, and both runs stand side by side") {
  Library library = filled();
  std::set<std::vector<std::uint8_t>> pictures;
  for (const ColourBy by : {ColourBy::block, ColourBy::warp, ColourBy::thread, ColourBy::time,
                            ColourBy::reads, ColourBy::value, ColourBy::error}) {
    Selection selection;
    selection.colour_by = by;
    pictures.insert(shoot(library, selection, "mapping", false, 1300, 800).rgba);
  }
  CHECK(pictures.size() == 7);
  Selection both;
  both.side_by_side = true;
  for (const auto& [width, height] : {std::pair{1600, 1000}, {1000, 700}, {640, 480}})
    for (const bool dark : {false, true})
      CHECK(look_at(shoot(library, both, "mapping", dark, width, height)).colours > 60);
}

TEST_CASE("a line that is chosen elsewhere marks its cells") {
  Library library = filled();
  Selection selection;
  selection.launch = 2;
  const Image all = shoot(library, selection, "mapping", false, 1300, 800);
  selection.file = library.run(-1)->accesses.file(1);
  selection.line = 49;
  CHECK(shoot(library, selection, "mapping", false, 1300, 800).rgba != all.rgba);
}

TEST_CASE("the number of cells drawn depends on the room and not on the tensor") {
  std::vector<std::int64_t> drawn;
  for (const std::int64_t side : {256, 1024, 4096}) {
    Library library;
    library.add(fixture::copy(side, side == 4096 ? 64 : 4));
    window();
    App app(library, {}, {false, 1.0f, "mapping", "", {}});
    Selection& selection = app.selection();
    View view{{make_theme(false), load_fonts(), true}, library, selection, "", "", View::kNever};
    MappingPanel panel;
    window().capture(1300, 800, 3, [&] {
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({1300, 800});
      ImGui::Begin("alone");
      panel.draw(view);
      ImGui::End();
    });
    drawn.push_back(panel.cells_drawn());
  }
  for (const std::int64_t cells : drawn) {
    CHECK(cells > 1000);
    CHECK(cells < 200'000);
  }
  CHECK(drawn[2] < 2 * drawn[1]);
}

TEST_CASE("the steps of a block of a large tensor show the part that it touches") {
  Library library;
  library.add(fixture::copy(4096, 64));
  Selection selection;
  selection.block = 3;
  CHECK(look_at(shoot(library, selection, "steps", false, 1200, 800)).colours > 40);
}

TEST_CASE("a click on a cell chooses it and the line that wrote it, a second one lets go") {
  Library library = filled();
  window();
  Selection start;
  start.launch = 2;
  App app(library, start, {false, 1.0f, "mapping", "", {}});
  const auto click = [&] {
    int frame = 0;
    window().capture(1320, 900, 8, [&] {
      ImGuiIO& io = ImGui::GetIO();
      io.ConfigFlags &= ~ImGuiConfigFlags_NoMouse;  // pictures have none
      io.AddMousePosEvent(303, 122);                // the first cell of the first tensor
      if (frame == 3 || frame == 4) io.AddMouseButtonEvent(0, frame == 3);
      ++frame;
      app.draw();
    });
  };
  click();
  CHECK(app.selection().element == 0);
  REQUIRE(app.selection().tensor >= 0);
  CHECK(library.run(-1)->accesses.tensor(app.selection().tensor)->name == "normalized");
  CHECK(app.selection().file == library.run(-1)->accesses.file(0));  // another launch wrote it
  CHECK(app.selection().line == 31);
  click();
  CHECK(app.selection().element == -1);
  CHECK(app.selection().line == 0);
}

TEST_CASE("tensors of one to four dimensions can be mapped and stepped") {
  for (const auto& shape : {std::vector<std::int64_t>{4096}, {64, 64}, {16, 16, 16}, {4, 4, 16, 16}}) {
    runs::StoredRun run = fixture::copy(64, 1);
    for (runs::TensorInfo& tensor : run.trace->tensors) tensor.shape = shape;
    Library library;
    library.add(run);
    for (const char* panel : {"mapping", "steps"})
      CHECK(look_at(shoot(library, {}, panel, false, 1200, 800)).colours > 40);
  }
}
