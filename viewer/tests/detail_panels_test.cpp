// Memory, Source and Errors: drawn in both themes and three sizes, without data, and clicked.
#include <cfloat>
#include <limits>

#include "pictures.h"
#include "start.h"
#include "tests/catch.h"
#include "tests/sample_listing.h"

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

TEST_CASE("Errors draws right and wrong runs") {
  for (const bool right : {false, true}) {
    Library library;
    library.add(run_with_values(right));
    check_both_themes(library, {}, "errors");
  }
}

TEST_CASE("a cell chosen elsewhere is chosen in Errors") {
  Library library;
  library.add(run_with_values(true));
  Selection selection;
  const Image none = shoot(library, selection, "errors", false, 1000, 700);
  const auto run = library.run(library.headers().front().id);
  selection.tensor = run->trace->values[0].tensors[0].tensor.id;
  selection.element = 77;
  CHECK((none.rgba != shoot(library, selection, "errors", false, 1000, 700).rgba));
}

TEST_CASE("one wrong element of a million is seen in Errors") {
  const auto picture = [](bool right) {
    auto run = run_with_values(true);
    runs::TensorValues& y = run.trace->values[0].tensors[0];
    y.tensor.shape = {1024, 1024};
    y.got.assign(1 << 20, 1.0f);
    y.expected = y.got;
    if (!right) y.got[777'777] = 5.0f;
    Library library;
    library.add(run);
    return shoot(library, {}, "errors", false, 1000, 700);
  };
  const Image right = picture(true), wrong = picture(false);
  // Within the cells: what is written above and below them differs anyway.
  std::size_t differ = 0;
  for (int row = 110; row < 480; ++row)
    for (int column = 310; column < 690; ++column) {
      const std::size_t at = static_cast<std::size_t>(row * 1000 + column) * 4;
      differ += right.rgba[at] != wrong.rgba[at] || right.rgba[at + 1] != wrong.rgba[at + 1] ? 1 : 0;
    }
  CHECK(differ > 0);
  CHECK(differ < 100);
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

// The unfused run with a source, counters and findings.
runs::StoredRun run_with_source() {
  auto run = fixture::unfused();
  const std::string file = "solutions/22_layernorm_linear/kernels.cu";
  for (int line = 1; line <= 60; ++line)
    run.record.source += line == 20 ? "  // FILL ME IN: layernorm (roughly 11 lines)\n"
                         : line == 33
                             ? "  // END: layernorm\n"
                             : "  const float mean = sum / hidden;  // line " + std::to_string(line) + "\n";
  auto& counters = *run.record.benchmarks[0].launches[0].counters;
  counters.sites = {{"layernorm_kernel", {file, 24}, runs::SiteKind::global_load, 0, 128, 1024, 128, 0, 4096},
                    {"layernorm_kernel", {file, 31}, runs::SiteKind::shared_load, 9, 16, 0, 0, 64, 512}};
  for (const auto severity : {runs::Severity::error, runs::Severity::warning, runs::Severity::advice}) {
    runs::Finding finding;
    finding.severity = severity;
    finding.at = {file, 26};
    finding.message = "thread 0 of block 0 reads shared_rows[8], which nothing has written in this block.";
    finding.advice = "Put __syncthreads() between the two.";
    run.record.findings.push_back(finding);
  }
  return run;
}

TEST_CASE("Source draws lines, figures and findings; what is chosen is marked") {
  Library library;
  library.add(run_with_source());
  check_both_themes(library, {}, "source");
  const Image plain = shoot(library, {}, "source", false, 1000, 700);
  Selection selection;
  selection.thread = 3;
  selection.block = 0;
  const Image thread = shoot(library, selection, "source", false, 1000, 700);
  CHECK((plain.rgba != thread.rgba));
  selection.thread = -1;
  selection.file = "solutions/22_layernorm_linear/kernels.cu";
  selection.line = 31;
  const Image line = shoot(library, selection, "source", false, 1000, 700);
  CHECK((plain.rgba != line.rgba));
  selection.file = "puzzles/22_layernorm_linear/given.cuh";
  selection.launch = 1;
  CHECK((shoot(library, selection, "source", false, 1000, 700).rgba != line.rgba));
}

TEST_CASE("a click on a line of Source chooses it, a second one nothing") {
  Library library;
  library.add(run_with_source());
  const Selection once = click(library, {}, "source", {600, 300});
  CHECK(once.line > 0);
  CHECK(once.file.ends_with("kernels.cu"));
  CHECK(click(library, once, "source", {600, 300}).line != once.line);
}

TEST_CASE("Source shows beside itself what the compiler made of it") {
  Library library;
  library.add(run_with_source());
  Selection selection;
  selection.listing = true;
  check_both_themes(library, selection, "source");
  const Image none = shoot(library, selection, "source", false, 1320, 900);
  CHECK((shoot(library, {}, "source", false, 1320, 900).rgba != none.rgba));
  runs::ListingRecord listing = test::sample_listing();
  listing.source_hash = "of another version";
  library.add(listing);
  const Image other = shoot(library, selection, "source", false, 1320, 900);
  CHECK((other.rgba != none.rgba));
  listing.source_hash = run_with_source().record.source_hash;
  library.add(listing);
  check_both_themes(library, selection, "source");
  const Image plain = shoot(library, selection, "source", false, 1320, 900);
  CHECK((plain.rgba != other.rgba));
  selection.file = "solutions/22_layernorm_linear/kernels.cu";
  selection.line = 24;
  CHECK((shoot(library, selection, "source", false, 1320, 900).rgba != plain.rgba));
}

TEST_CASE("slash finds in Source") {
  Library library;
  library.add(run_with_source());
  window();
  App app(library, {}, {});
  const auto press = [&](ImGuiKey key, const char* text) {
    int frame = 0;
    return window().capture(1000, 700, 8, [&] {
      ImGuiIO& io = ImGui::GetIO();
      if (key != ImGuiKey_None && (frame == 1 || frame == 2)) io.AddKeyEvent(key, frame == 1);
      if (frame == 3) io.AddInputCharactersUTF8(text);
      ++frame;
      app.draw();
    });
  };
  press(ImGuiKey_8, "");
  const Image before = press(ImGuiKey_Escape, "");
  press(ImGuiKey_Slash, "");
  const Image found = press(ImGuiKey_None, "hidden");
  CHECK((before.rgba != found.rgba));
  // A key that is typed is no command.
  CHECK(app.selection().benchmark == "teaching");
  press(ImGuiKey_None, "z");
  CHECK(app.selection().benchmark == "teaching");
}

TEST_CASE("--line chooses a line of a file of the run") {
  Library library = filled();
  const Selection chosen = first_selection(parse_options({"--line", "given.cuh:46"}), library);
  CHECK(chosen.file == "puzzles/22_layernorm_linear/given.cuh");
  CHECK(chosen.line == 46);
  CHECK_THROWS_AS(first_selection(parse_options({"--line", "nowhere.cu:46"}), library), UsageError);
  CHECK_THROWS_AS(first_selection(parse_options({"--line", "46"}), library), UsageError);
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
    for (const std::string panel : {"memory", "errors", "source"}) {
      INFO(panel);
      CHECK(look_at(shoot(*library, {}, panel, false, 1000, 700)).colours > 20);
      CHECK(look_at(shoot(*library, {}, panel, true, 640, 480)).colours > 20);
    }
}
