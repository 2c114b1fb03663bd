// The Fusion panel's words and layout, and the library that finds its records.
#include "model/fusion.h"

#include <fstream>

#include "runs/json.h"
#include "session/library.h"
#include "tests/catch.h"
#include "tests/sample_fusion.h"
#include "tests/temporary.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

float text_width(const std::string& text) { return 7.0f * static_cast<float>(text.size()); }

bool overlap(float a_min, float a_max, float b_min, float b_max) { return a_min < b_max && b_min < a_max; }

/// No two boxes touch, no operation lies outside its frame, and edges lead downwards.
void check_layout(const FusionPicture& picture) {
  for (std::size_t i = 0; i < picture.boxes.size(); ++i) {
    const FusionBox& a = picture.boxes[i];
    CHECK(a.centre.x - a.width / 2 >= -0.5f);
    CHECK(a.centre.x + a.width / 2 <= picture.width + 0.5f);
    CHECK(a.centre.y + kFusionBox / 2 <= picture.height + 0.5f);
    for (std::size_t j = 0; j < i; ++j) {
      const FusionBox& b = picture.boxes[j];
      const bool apart = !overlap(a.centre.x - a.width / 2, a.centre.x + a.width / 2,
                                  b.centre.x - b.width / 2, b.centre.x + b.width / 2) ||
                         !overlap(a.centre.y - kFusionBox / 2, a.centre.y + kFusionBox / 2,
                                  b.centre.y - kFusionBox / 2, b.centre.y + kFusionBox / 2);
      CHECK(apart);
    }
    for (const FusionFrame& frame : picture.frames) {
      const bool inside = a.centre.x > frame.min.x && a.centre.x < frame.max.x && a.centre.y > frame.min.y &&
                          a.centre.y < frame.max.y;
      CHECK(inside == (a.launch == frame.launch));
    }
  }
  for (const FusionEdge& edge : picture.edges) {
    REQUIRE(edge.points.size() >= 2);
    for (std::size_t i = 1; i < edge.points.size(); ++i) CHECK(edge.points[i].y > edge.points[i - 1].y);
  }
}

}  // namespace

TEST_CASE("a program and its plans are laid out without an overlap, kernels around their operations") {
  const runs::FusionRecord record = test::sample_fusion();
  const FusionPicture program = fusion_picture(record.graphs[0], nullptr, text_width);
  check_layout(program);
  CHECK(program.frames.empty());
  CHECK(program.boxes.size() == 5 + 3);  // operations; x, w and y
  const FusionPicture two = fusion_picture(record.graphs[0], &record.plans[0], text_width);
  check_layout(two);
  CHECK(two.frames.size() == 2);
  CHECK(std::count_if(two.boxes.begin(), two.boxes.end(), [](const FusionBox& box) { return box.crosses; }) ==
        1);
  const FusionPicture one = fusion_picture(record.graphs[0], &record.plans[1], text_width);
  check_layout(one);
  CHECK(one.frames.size() == 1);
  CHECK(std::none_of(one.boxes.begin(), one.boxes.end(), [](const FusionBox& box) { return box.crosses; }));
}

TEST_CASE("an edge is the wider the more bytes it carries, and no edge is a wall") {
  CHECK(fusion_edge_width(0) == 1.0f);
  CHECK(fusion_edge_width(64) < fusion_edge_width(131072));
  CHECK(fusion_edge_width(131072) < fusion_edge_width(50331648));
  CHECK(fusion_edge_width(std::int64_t{1} << 60) <= 12.0f);
}

TEST_CASE("the table of plans has a row a plan, and says what was neither built nor measured") {
  const runs::FusionRecord record = test::sample_fusion();
  const FusionTable table = fusion_table(record);
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].tag == "best, unfused");
  CHECK(table.rows[0].cells ==
        std::vector<std::string>{"t1 t2 t3 t4 | y", "2", "51.2 MB", "125 µs", "46.9 µs", "not measured"});
  CHECK(table.rows[1].cells ==
        std::vector<std::string>{"t1 t2 t3 t4 y", "1", "50.7 MB", "135 µs", "not built", "131 µs"});
  CHECK(table.note.find("the cheapest of 7") != std::string::npos);
  CHECK(table.note.find("5 small shapes") != std::string::npos);
  CHECK(table.note.find("predicted at b 16, h 4096, o 6144 on an H200") != std::string::npos);
  CHECK(table.note.find("measured there on NVIDIA H200, cold") != std::string::npos);
  CHECK(fusion_words(record, 1).detail.find("; measured 131 µs on NVIDIA H200") != std::string::npos);
  runs::FusionRecord failed = record;
  failed.plans[1].measured_us.reset();
  failed.plans[1].unmeasured = "3 of 8 elements are wrong";
  CHECK(fusion_table(failed).rows[1].cells.back() == "failed");
  CHECK(fusion_words(failed, 1).detail.find("not timed on NVIDIA H200: 3 of 8 elements are wrong") !=
        std::string::npos);
  for (const FusionRow& row : table.rows) CHECK(row.cells.size() + 1 == table.columns.size());
}

TEST_CASE("the panel shows the program that a puzzle declares to compute the same") {
  int declared = 0;
  for (const auto& folder : std::filesystem::directory_iterator(WORKBOOK_PUZZLES)) {
    const auto file = folder.path() / "declared.json";
    if (!std::filesystem::exists(file)) continue;
    const runs::Json json = runs::parse_json(test::read(file));
    const std::string program = json.value("tensor_program", "");
    if (program.empty()) continue;
    ++declared;
    CHECK(program_of_puzzle(json.at("number").get<int>()) == program);
  }
  CHECK(declared == 5);
}

TEST_CASE("a program without plans has its equal graphs, and why") {
  runs::FusionRecord record = test::sample_fusion();
  record.plans.clear();
  record.unfused = record.best = -1;
  record.note = "an exp between two products wants a running maximum";
  const FusionTable table = fusion_table(record);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].tag == "as written");
  CHECK(table.rows[0].cells[0] == "5");
  CHECK(fusion_plan(record, 0) == nullptr);
  CHECK(fusion_words(record, 0).headline == "1 equal graph, no plan");
  CHECK(fusion_words(record, 0).detail == "An exp between two products wants a running maximum");
}

TEST_CASE("why a tensor crosses launches is said with what one launch would take") {
  runs::FusionRecord record = test::sample_fusion();
  runs::FusionPlan& plan = record.plans[0];
  CHECK(crossing_words(plan, plan.crossings[0]) ==
        "Launches 1 and 2 as one: 135 µs instead of 125 µs for the plan");
  plan.crossings[0].merged_us = 100;
  CHECK(crossing_words(plan, plan.crossings[0]).ends_with("and that is a plan of its own"));
  plan.crossings[0].merged_us = 0;
  CHECK(
      crossing_words(plan, plan.crossings[0]).ends_with("no cut that was tried keeps the tiles on the chip"));
}

TEST_CASE("what the mouse points at says bytes, shape, cuts and why") {
  const runs::FusionRecord record = test::sample_fusion();
  const runs::FusionPlan& plan = record.plans[0];
  const FusionPicture picture = fusion_picture(record.graphs[0], &plan, text_width);
  const auto text = [](const FusionNote& note) {
    std::string all = note.title;
    for (const std::string& line : note.lines) all += "\n" + line;
    return all;
  };
  const std::string launch = text(note_of(record.graphs[0], plan, 1));
  CHECK(launch.find("grid cuts b in 2 of 8") != std::string::npos);
  CHECK(launch.find("loop over h: 64 turns of 64") != std::string::npos);
  CHECK(launch.find("reads t4 262 kB, w 50.3 MB") != std::string::npos);
  for (const FusionBox& box : picture.boxes)
    if (box.crosses) {
      const std::string crossing = text(note_of(record, record.graphs[0], &plan, box));
      CHECK(crossing.find("t4 [b,h] f32, 262 kB") == 0);
      CHECK(crossing.find("written by launch 1") != std::string::npos);
      CHECK(crossing.find("as one: 135 µs") != std::string::npos);
    }
  for (const FusionEdge& edge : picture.edges)
    CHECK_FALSE(note_of(record.graphs[0], &plan, picture, edge).lines.empty());
}

TEST_CASE("plans beside the store are found, read anew when they change, and said where they are damaged") {
  const test::TemporaryFolder folder;
  Library library;
  library.open_store(folder / "runs.sqlite");
  CHECK(library.fusions().empty());
  runs::write_fusion(folder / "optimize" / "rmsnorm_linear.json", test::sample_fusion());
  library.poll();
  REQUIRE(library.fusions().size() == 1);
  CHECK(library.fusions()[0].record->plans.size() == 2);
  test::write(folder / "optimize" / "rmsnorm_linear.json", "{\"format\":\"workbook fusion\",");
  library.poll();
  REQUIRE(library.fusions().size() == 1);
  CHECK(library.fusions()[0].record == nullptr);
  CHECK(library.fusions()[0].program == "rmsnorm_linear");
  CHECK(library.fusions()[0].problem.find("not JSON") != std::string::npos);
  runs::write_fusion(folder / "made.json", test::sample_fusion());
  library.import(folder / "made.json");
  CHECK(library.fusions().size() == 2);
}
