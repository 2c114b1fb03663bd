#include "cli/build/stage.h"

#include "cli/report/text.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook::cli;
namespace test = workbook::test;

namespace {

constexpr const char* kDeclaration =
    "#include \"kernels.cu\"\nconst workbook::Puzzle workbook::puzzle = {.number = 7, .title = \"T\", .part "
    "= \"P\", .summary = \"S\",\n"
    ".variants = {{.name = \"v\", .title = \"V\", .summary = \"S\"}}};\nvoid run() { k<<<1, 2>>>(); }\n";

class Fixture {
 public:
  Fixture() {
    test::write(folder / "puzzles/07_test/puzzle.cu", kDeclaration);
    test::write(folder / "puzzles/07_test/kernels.cu", "__global__ void k();\n");
    test::write(folder / "puzzles/07_test/given.cuh", "int given;\n");
    test::write(folder / "solutions/07_test/kernels.cu", "__global__ void k() {}\n");
    setenv("WORKBOOK_ROOT", folder.path().c_str(), 1);
    setenv("WORKBOOK_STATE", (folder / "state").c_str(), 1);
  }
  ~Fixture() {
    unsetenv("WORKBOOK_ROOT");
    unsetenv("WORKBOOK_STATE");
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  test::TemporaryFolder folder;
};

}  // namespace

TEST_CASE("files are staged side by side and say where they come from") {
  const Fixture fixture;
  const Project project = Project::open();
  const Puzzle& puzzle = project.puzzle("p07");
  const Source source = source_from("solution", puzzle.solved_kernels());
  const auto out = fixture.folder / "stage";
  const Staged sim = stage(project, puzzle, source, Kind::sim_fast, out);
  CHECK(test::read(out / "kernels.cu") ==
        "#line 1 \"solutions/07_test/kernels.cu\"\n__global__ void k() {}\n");
  CHECK(test::read(out / "given.cuh") == "#line 1 \"puzzles/07_test/given.cuh\"\nint given;\n");
  CHECK(test::read(out / "puzzle.cu").find("<<<") == std::string::npos);
  const Staged cuda = stage(project, puzzle, source, Kind::cuda, out);
  CHECK(test::read(out / "puzzle.cu").find("k<<<1, 2>>>()") != std::string::npos);
  CHECK(sim.texts != cuda.texts);
}

TEST_CASE("puzzles are found by number, name and what was nearly typed") {
  const Fixture fixture;
  const Project project = Project::open();
  for (const char* word : {"7", "07", "p7", "p07", "puzzle7", "07_test", "test"})
    CHECK(project.puzzle(word).number == 7);
  CHECK_THROWS_WITH(project.puzzle("8"), contains_text("There are: 07"));
  CHECK_THROWS_WITH(project.puzzle("tset"), contains_text("Did you mean 'test'"));
  CHECK_THROWS_WITH(variant_of(project.puzzle("7"), "--w"), contains_text("It has: --v"));
}
