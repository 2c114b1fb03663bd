// Puzzles and Roofline drawn off screen, and the keys that start and end programs.
#include <string>
#include <tuple>

#include "fake_repository.h"
#include "pictures.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

TEST_CASE("Puzzles lists, R runs from any panel and its output appears, C cancels") {
  const FakeRepository fake(std::string(kFakeList) + "echo checking; [ $1 = hint ] && exit 0; sleep 60\n");
  Library library = filled();
  window();
  AppSettings settings;
  settings.repository = fake.path;
  App app(library, {}, settings);
  const auto settle = [&](auto until) {
    Image image;
    for (int i = 0; i < 200 && !until(); ++i) image = window().capture(1200, 800, 3, [&] { app.draw(); });
    return image;
  };
  settle([&] { return !app.workbench().puzzles().empty(); });
  REQUIRE(app.workbench().puzzles().size() == 2);
  const Image before = press(app, ImGuiKey_1);
  CHECK(look_at(before).colours > 60);
  press(app, ImGuiKey_2);
  press(app, ImGuiKey_R);
  CHECK(app.workbench().title() == "workbook run 22 --fused");
  CHECK(app.workbench().busy());
  settle([&] { return app.workbench().work().output() == "checking\n"; });
  CHECK((press(app, ImGuiKey_1).rgba != before.rgba));
  press(app, ImGuiKey_C);
  settle([&] { return !app.workbench().busy(); });
  CHECK(app.workbench().outcome() == "Cancelled");
  press(app, ImGuiKey_H);
  settle([&] { return !app.workbench().busy(); });
  CHECK(app.workbench().title() == "workbook hint 22 --fused");
  CHECK(app.workbench().outcome() == "Done");
}

TEST_CASE("the list takes arrows and numbers, Enter goes to the pictures, the palette finds puzzles") {
  const FakeRepository fake(kFakeList);
  Library library = filled();
  window();
  AppSettings settings;
  settings.repository = fake.path;
  App app(library, {}, settings);
  app.workbench().wait_for_list();
  const Image compare = press(app, ImGuiKey_2);
  press(app, ImGuiKey_1);
  press(app, ImGuiKey_UpArrow);
  CHECK(app.selection().puzzle == 1);
  press(app, ImGuiKey_DownArrow);
  CHECK(app.selection().puzzle == 22);
  CHECK(app.selection().thread == -1);  // the arrows are the list's
  press(app, ImGuiKey_1);
  CHECK(app.selection().puzzle == 1);
  window().capture(1200, 800, 90, [&] { app.draw(); });  // the next digit begins a number
  press(app, ImGuiKey_2);
  CHECK(app.selection().puzzle == 1);  // there is no Puzzle 2
  press(app, ImGuiKey_2);
  CHECK(app.selection().puzzle == 22);
  CHECK((press(app, ImGuiKey_Enter).rgba == compare.rgba));

  const auto find = [&](const char* text) {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    press(app, ImGuiKey_P);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    int frame = 0;
    window().capture(1200, 800, 6, [&] {
      if (frame++ == 2) ImGui::GetIO().AddInputCharactersUTF8(text);
      app.draw();
    });
    press(app, ImGuiKey_Enter);
  };
  find("puzzle 1");
  CHECK(app.selection().puzzle == 1);
  find("layern");
  CHECK(app.selection().puzzle == 22);
  find("01");
  CHECK(app.selection().puzzle == 1);
}

TEST_CASE("with nothing of one's own the list is in front, at the puzzle to begin with") {
  const FakeRepository fake(kFakeList);
  Library library, full = filled();
  window();
  AppSettings settings;
  settings.repository = fake.path;
  App app(library, {}, settings);
  app.workbench().wait_for_list();
  const Image first = window().capture(1200, 800, 8, [&] { app.draw(); });
  CHECK(app.selection().puzzle == 22);  // the list's current one
  CHECK((press(app, ImGuiKey_UpArrow).rgba != first.rgba));
  CHECK(app.selection().puzzle == 1);
}

TEST_CASE("a window in which nothing happens asks for no frame") {
  Library library = filled();
  window();
  App app(library, {}, {});
  window().capture(1200, 800, 8, [&] { app.draw(); });
  CHECK(app.redraw_in() > 3600);
  CHECK_FALSE(app.poll());
}

TEST_CASE("Puzzles draws alone in both themes and sizes, from a list that it waits for") {
  const FakeRepository fake(kFakeList);
  Library library = filled();
  for (const auto& [width, height] : {std::pair{1320, 900}, {400, 900}, {640, 480}})
    for (const bool dark : {false, true}) {
      window();
      AppSettings settings;
      settings.dark = dark;
      settings.solo = "puzzles";
      settings.repository = fake.path;
      App app(library, {}, settings);
      CHECK(app.missing().empty());
      CHECK(look_at(window().capture(width, height, 5, [&] { app.draw(); })).colours > 60);
    }
}

TEST_CASE("Roofline draws a sweep with its crossing, under every GPU and without one") {
  Library library = filled();
  runs::Sweep sweep;
  sweep.puzzle = 22;
  sweep.variants = {"unfused", "fused"};
  sweep.dimension = "H";
  const Image without = shoot(library, {}, "roofline", false, 1200, 800);
  for (const auto& [variant, size, us] :
       {std::tuple{"unfused", 8, 10.0}, {"fused", 8, 4.0}, {"unfused", 64, 12.0}, {"fused", 64, 30.0}}) {
    runs::SweepPoint point;
    point.variant = variant;
    point.sizes = {{"H", size}};
    point.median_us = us;
    point.low_us = us * 0.9;
    point.high_us = us * 1.1;
    sweep.points.push_back(point);
  }
  library.add(sweep);
  for (const bool dark : {false, true}) {
    const Image image = shoot(library, {}, "roofline", dark, 1200, 800);
    CHECK(look_at(image).colours > 60);
    CHECK((image.rgba != without.rgba));
  }
  sweep.backend = runs::Backend::cuda;
  library.add(sweep);
  CHECK(look_at(shoot(library, {}, "roofline", false, 640, 480)).colours > 60);
}

TEST_CASE("Roofline and Puzzles draw in both themes and sizes, and say what is missing") {
  Library full = filled(), measured = filled(fixture::Times::measured), empty;
  for (const auto& [width, height] : {std::pair{1600, 1000}, {1000, 700}, {640, 480}}) {
    const Image light = shoot(full, {}, "roofline", false, width, height),
                dark = shoot(full, {}, "roofline", true, width, height);
    CHECK(look_at(light).colours > 60);
    CHECK(look_at(light).commonest < 0.85);
    CHECK((light.rgba != dark.rgba));
  }
  Selection real;
  real.benchmark = "real";
  CHECK((shoot(measured, real, "roofline", false, 1000, 700).rgba !=
         shoot(full, real, "roofline", false, 1000, 700).rgba));
  for (const std::string panel : {"roofline", "puzzles"})
    CHECK(look_at(shoot(empty, {}, panel, false, 640, 480)).colours > 20);
}

TEST_CASE("Compare shows samples where there are some") {
  Library measured = filled(fixture::Times::measured);
  for (const bool dark : {false, true})
    CHECK(look_at(shoot(measured, {}, "compare", dark, 1320, 1300)).colours > 60);
}
