#include "model/source_text.h"

#include <fstream>

#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

std::string tokens(const std::string& line, bool in_comment = false) {
  std::string text;
  for (const Lexeme& each : tokenize(line, in_comment))
    text += std::string(each.token == Token::plain ? "" : std::to_string(static_cast<int>(each.token))) +
            "<" + line.substr(each.begin, each.end - each.begin) + ">";
  return text + (in_comment ? "..." : "");
}

runs::RunRecord run_with(const std::string& source) {
  runs::RunRecord run;
  run.puzzle_name = "22_layernorm_linear";
  run.source = source;
  run.started_at = "2026-01-05T09:31:00Z";
  return run;
}

}  // namespace

TEST_CASE("words of a line are told apart") {
  CHECK(tokens("const int i = threadIdx.x;") == "1<const>< >2<int>< ><i>< = >3<threadIdx><.><x><;>");
  CHECK(tokens("x = 1e-5f; // why") == "<x>< = >4<1e-5f><; >6<// why>");
  CHECK(tokens("a /* b */ + 0x1f-2") == "<a>< >6</* b */>< + >4<0x1f><->4<2>");
  CHECK(tokens("end */ int", true) == "6<end */>< >2<int>");
  CHECK(tokens("/* open") == "6</* open>...");
  CHECK(tokens("#include <a>").starts_with("7<#include>"));
  CHECK(tokens("puts(\"// no \\\" \");") == "<puts><(>5<\"// no \\\" \"><);>");
  CHECK(tokens("__syncthreads();").starts_with("3<__syncthreads>"));
  CHECK(tokens("1'000").starts_with("4<1'000>"));
}

TEST_CASE("every byte of a line is in one word") {
  for (const std::string line : {"a /b/ c", "'x' \"open", "µ × 3", "0x", "/", "/*/ x"}) {
    bool in_comment = false;
    std::size_t at = 0;
    for (const Lexeme& each : tokenize(line, in_comment)) {
      CHECK(each.begin == at);
      at = each.end;
    }
    CHECK(at == line.size());
  }
}

TEST_CASE("regions to fill are found by their markers") {
  const auto regions = fill_regions({"a", "  // FILL ME IN: map (roughly 2 lines)", "b", "  // END: map",
                                     "// END: x", "// FILL ME IN: open"});
  REQUIRE(regions.size() == 1);
  CHECK(regions[0].name == "map");
  CHECK(regions[0].first_line == 2);
  CHECK(regions[0].last_line == 4);
}

TEST_CASE("kernels.cu comes from the record, other files from the repository, and what is gone is said") {
  std::string folder = (std::filesystem::temp_directory_path() / "viewer-source-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const std::filesystem::path root = folder;
  std::filesystem::create_directories(root / "puzzles");
  runs::RunRecord run = run_with("one\n  two\n");
  const SourceText kernels = load_source(run, "puzzles/22_layernorm_linear/kernels.cu", root);
  CHECK(kernels.origin == SourceOrigin::record);
  CHECK(kernels.line(2) == "two");
  CHECK(kernels.line(3).empty());
  CHECK(kernels.line(0).empty());

  const std::string given = "puzzles/given.cuh";
  CHECK(load_source(run, given, root).origin == SourceOrigin::missing);
  CHECK_THAT(load_source(run, given, root).note, contains_text("given.cuh is not in the repository"));
  std::ofstream(root / given) << "int a;\r\n";
  CHECK(load_source(run, given, root).origin == SourceOrigin::changed);
  run.started_at = "2199-01-05T09:31:00Z";
  CHECK(load_source(run, given, root).origin == SourceOrigin::repository);
  CHECK(load_source(run, given, root).line(1) == "int a;");
  CHECK(load_source(run, given, "").origin == SourceOrigin::missing);
  CHECK(load_source(run, "../" + root.filename().string() + "/" + given, root).origin ==
        SourceOrigin::missing);
  std::filesystem::remove_all(root);
}

TEST_CASE("the files of a run are those its figures refer to, kernels.cu first") {
  runs::RunRecord run = run_with("x\n");
  CHECK(source_files(run, {}) == std::vector<std::string>{"puzzles/22_layernorm_linear/kernels.cu"});
  runs::Finding finding;
  finding.at = {"puzzles/given.cuh", 3};
  run.findings = {finding};
  const auto files = source_files(run, {"puzzles/given.cuh", "solutions/kernels.cu"});
  REQUIRE(files.size() == 2);
  CHECK(files[0] == "solutions/kernels.cu");
}
