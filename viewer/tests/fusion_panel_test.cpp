// The Fusion panel drawn off screen: plans, search, no plans, nothing, and a record that is damaged.
#include "pictures.h"
#include "tests/catch.h"
#include "tests/sample_fusion.h"
#include "tests/temporary.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

Library optimised() {
  Library library;
  library.add(test::sample_fusion());
  return library;
}

}  // namespace

TEST_CASE("Fusion draws plans and the search, in both themes and sizes") {
  Library library = optimised();
  for (const bool search : {false, true})
    for (const auto& [width, height] : {std::pair{1320, 900}, {900, 600}, {640, 480}}) {
      INFO((search ? "search" : "plans") << " at " << width << "x" << height);
      Selection selection;
      selection.search = search;
      const Image light = shoot(library, selection, "fusion", false, width, height),
                  dark = shoot(library, selection, "fusion", true, width, height);
      CHECK(look_at(light).colours > 60);
      CHECK(look_at(dark).colours > 60);
      CHECK((light.rgba != dark.rgba));
    }
}

TEST_CASE("Fusion answers to the arrows, and to the mouse over a kernel and over an edge") {
  Library library = optimised();
  window();
  App app(library, {}, {});
  const Image first =
      press(app, ImGuiKey_0, ImGuiMod_Alt);  // nothing has run: the list of puzzles has the digits
  CHECK((press(app, ImGuiKey_DownArrow).rgba != first.rgba));
  CHECK(app.selection().plan == 1);
  CHECK(app.selection().thread == -1);  // the arrows moved no thread
  press(app, ImGuiKey_DownArrow);
  CHECK(app.selection().plan == 1);  // the last one
  press(app, ImGuiKey_UpArrow);
  CHECK(app.selection().plan == 0);
  CHECK((press(app, ImGuiKey_V).rgba != first.rgba));
  CHECK(app.selection().search);
  const Image plain = with_mouse(library, "fusion", {2, 2});
  int answers = 0;  // somewhere down the middle of the plan are its boxes, edges and frames
  for (float y = 150; y < 560; y += 60)
    answers += with_mouse(library, "fusion", {900, y}).rgba != plain.rgba ? 1 : 0;
  CHECK(answers >= 4);
}

TEST_CASE("Fusion says which command makes what is missing or damaged") {
  const test::TemporaryFolder folder;
  test::write(folder / "optimize" / "lora_linear.json", "{\"format\":");
  Library none, damaged;
  damaged.open_store(folder / "runs.sqlite");
  Selection of_41;
  of_41.puzzle = 41;
  window();
  App app(none, of_41, {false, 1.0f, "fusion", "", {}});
  CHECK(app.missing() == "there are no plans to draw; `workbook optimize rmsnorm_linear` makes some");
  App broken(damaged, {}, {false, 1.0f, "fusion", "", {}});
  CHECK(broken.missing().find("not JSON") != std::string::npos);
  CHECK(broken.missing().find("`workbook optimize lora_linear` makes it anew") != std::string::npos);
  for (Library* library : {&none, &damaged}) {
    const Look said = look_at(shoot(*library, of_41, "fusion", true, 640, 480));
    CHECK(said.colours > 10);
    CHECK(said.commonest > 0.9);
  }
  runs::FusionRecord planless = test::sample_fusion();
  planless.plans.clear();
  planless.unfused = planless.best = -1;
  planless.tree.clear();
  Library attention;
  attention.add(planless);
  Selection search;
  search.search = true;
  CHECK(look_at(shoot(attention, {}, "fusion", false, 1000, 700)).colours > 60);
  CHECK(look_at(shoot(attention, search, "fusion", false, 1000, 700)).colours > 60);
}
