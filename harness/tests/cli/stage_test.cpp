#include "cli/compile/stage.h"

#include "cli/base/text.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook::cli;
namespace test = workbook::test;

namespace {

constexpr const char* kPuzzle = R"(#include <workbook/puzzle.h>
const workbook::Puzzle workbook::puzzle = {
    .number = 7, .title = "T", .part = "P", .summary = "S",
    .tasks = {{.tensors = {{.name = "y", .role = Role::output, .shape = {"N"}, .tolerance = exact("nothing is rounded")}},
    .cases = {{.name = "teaching", .dims = {{"N", 2}}}},
    .large = {{"N", 3}},
    .bench = {{"N", 4}},
    .reference = [](const Dims&, HostTensors<double>& t) { t["y"][0] = 1.0; }}},
    .variants = {{.name = "v", .title = "V", .summary = "S", .regions = {"r"}}}};
)";

class Fixture {
 public:
  Fixture() {
    test::write(folder / "puzzles/07_test/puzzle.cpp", kPuzzle);
    test::write(folder / "puzzles/07_test/launches.cu",
                "#include \"kernels.cu\"\nvoid run() { k<<<1, 2>>>(); }\n");
    test::write(folder / "puzzles/07_test/kernels.cu", "__global__ void k();\n");
    test::write(folder / "puzzles/07_test/given.cuh", "int given;\n");
    test::write(folder / "puzzles/07_test/shared.h", "int shared;\n");
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

TEST_CASE("launches, kernels and what is given are staged side by side and say where they come from") {
  const Fixture fixture;
  const Project project = Project::open();
  const Puzzle& puzzle = project.puzzle("p07");
  const Source source = source_from("solution", puzzle.solved_file(puzzle.first_variant()));
  const auto out = fixture.folder / "stage";
  const Staged sim = stage(project, puzzle, source, Kind::sim_fast, out);
  CHECK(sim.main == out / "launches.cu");
  CHECK(test::read(out / "kernels.cu") ==
        "#line 1 \"solutions/07_test/kernels.cu\"\n__global__ void k() {}\n");
  CHECK(test::read(out / "given.cuh") == "#line 1 \"puzzles/07_test/given.cuh\"\nint given;\n");
  CHECK(test::read(out / "shared.h") == "#line 1 \"puzzles/07_test/shared.h\"\nint shared;\n");
  CHECK(test::read(out / "launches.cu").find("<<<") == std::string::npos);
  CHECK_FALSE(std::filesystem::exists(out / "puzzle.cpp"));  // what no save changes is not compiled at one
  const Staged cuda = stage(project, puzzle, source, Kind::cuda, out);
  CHECK(test::read(out / "launches.cu").find("k<<<1, 2>>>()") != std::string::npos);
  CHECK(sim.texts != cuda.texts);
}

TEST_CASE("the simulator compiles one variant alone where one is wanted, and its kernels inline once") {
  const Fixture fixture;
  const Project project = Project::open();
  const Puzzle& puzzle = project.puzzle("7");
  Source source = source_from("solution", puzzle.solved_file(puzzle.first_variant()));
  const auto out = fixture.folder / "stage";
  const auto staged_launches = [&](Kind kind) {
    stage(project, puzzle, source, kind, out);
    return test::read(out / "launches.cu");
  };
  CHECK(staged_launches(Kind::sim_fast).find("only_variant") == std::string::npos);
  CHECK(staged_launches(Kind::sim_fast).find("__global__ inline") != std::string::npos);
  source.variant = "v";
  CHECK(staged_launches(Kind::sim_diagnosing).find("only_variant<void> = \"v\"") != std::string::npos);
  CHECK(staged_launches(Kind::cuda).starts_with("#line 1 "));
  for (const char* kernel :
       {"inline __global__ void k() {}", "__global__ static __forceinline__ void k() {}"}) {
    source.text = kernel;
    CHECK(staged_launches(Kind::sim_fast).find("__global__ inline") == std::string::npos);
  }
  source.text = "inline int f() { return 1; }\n__global__ void k(int inlined) {}\n";
  CHECK(staged_launches(Kind::sim_fast).find("__global__ inline") != std::string::npos);
}

TEST_CASE("a launch that cannot be rewritten is an error at its line") {
  const Fixture fixture;
  test::write(fixture.folder / "solutions/07_test/kernels.cu", "void f() {\n  k<<<1, 2>>>;\n}\n");
  const Project project = Project::open();
  const Puzzle& puzzle = project.puzzle("7");
  const Source source = source_from("solution", puzzle.solved_file(puzzle.first_variant()));
  const Staged staged = stage(project, puzzle, source, Kind::sim_fast, fixture.folder / "stage");
  REQUIRE(staged.errors.size() == 1);
  CHECK(staged.errors[0].at.file == "solutions/07_test/kernels.cu");
  CHECK(staged.errors[0].at.line == 2);
}

TEST_CASE("a host function that a kernel calls is refused as nvcc refuses it") {
  const Fixture fixture;
  test::write(fixture.folder / "puzzles/07_test/given.cuh", "__device__ inline int both(int);\nint given;\n");
  test::write(fixture.folder / "solutions/07_test/kernels.cu",
              "namespace {\nstruct Pair {\n  int sum() const { return 1; }\n};\n"
              "template <class T>\nT twice(T x) { return 2 * x; }\n"
              "__device__ int thrice(int x) { return 3 * x; }\n"
              "__host__ __device__ int same(int x) { return x; }\n"
              "int both(int x) { return x; }\nint sum(int x) { return x; }\n}\n"
              "__global__ void k(int* y) {\n  const Pair pair;\n"
              "  *y = thrice(same(both(pair.sum())));\n  *y = twice(*y);\n  *y = std::max(*y, 3);\n"
              "  *y = twice<int>(cuda::std::max(*y, 2)) + std::sqrt(4.0f);\n}\n"
              "int host() { return twice(std::max(1, 2)); }\n");
  const Project project = Project::open();
  const Puzzle& puzzle = project.puzzle("7");
  const Source source = source_from("solution", puzzle.solved_file(puzzle.first_variant()));
  const Staged staged = stage(project, puzzle, source, Kind::sim_fast, fixture.folder / "stage");
  REQUIRE(staged.errors.size() == 3);
  CHECK(staged.errors[0].at.line == 15);
  CHECK(staged.errors[0].message ==
        "calling a __host__ function(\"twice\") from a __global__ function(\"k\") is not allowed: write "
        "__device__ before the definition of twice");
  CHECK(staged.errors[1].at.line == 16);
  CHECK(staged.errors[1].message.find("write max(a, b)") != std::string::npos);
  CHECK(staged.errors[2].at.line == 17);
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

TEST_CASE("a declaration that contradicts itself keeps its puzzle from being used, and says why") {
  const Fixture fixture;
  std::string text = kPuzzle;
  text.replace(text.find(".regions = {\"r\"}"), 16, ".outputs = {\"z\"}");
  test::write(fixture.folder / "puzzles/07_test/puzzle.cpp", text);
  const Project project = Project::open();
  CHECK_THROWS_WITH(project.puzzle("7"), contains_text("puzzles/07_test/puzzle.cpp") &&
                                             contains_text("no variant uses the tensor 'y'") &&
                                             contains_text("variant 'v': it names no regions") &&
                                             contains_text("an output 'z', which is not there"));
  test::write(fixture.folder / "puzzles/07_test/puzzle.cpp", "nonsense\n");
  CHECK_THROWS_WITH(Project::open().puzzle("7"), contains_text("does not compile"));
}

TEST_CASE("of puzzles that nobody asks for no declaration is compiled") {
  const Fixture fixture;
  test::write(fixture.folder / "puzzles/08_other/puzzle.cpp", "nonsense\n");
  const Project project = Project::open();
  CHECK(project.puzzle("7").declaration.number == 7);
  CHECK(!std::filesystem::exists(project.state() / "cache/puzzle-08_other"));
  CHECK(project.puzzles().back().fault.find("does not compile") != std::string::npos);
  CHECK(std::filesystem::exists(project.state() / "cache/puzzle-08_other"));
}

TEST_CASE("some of the kernels are staged with what launches.cu includes, and without the launches") {
  const Fixture fixture;
  const Project project = Project::open();
  const Puzzle& puzzle = project.puzzle("p07");
  const Source source = source_from("solution", puzzle.solved_file(puzzle.first_variant()));
  const std::string text = test::read(stage_kernels(puzzle, source, {"k"}, fixture.folder.path()));
  CHECK(text.find("#include \"kernels.cu\"") != std::string::npos);
  CHECK(text.find("reinterpret_cast<const void*>(&k)") != std::string::npos);
  CHECK(text.find("run()") == std::string::npos);
}
