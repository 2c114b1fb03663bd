#include "cli/compile/program_stage.h"

#include "cli/base/errors.h"
#include "cli/compile/program_language.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook;
using namespace workbook::cli;

namespace {

const ProgramFile* find(const StagedProgram& program, const std::string& end) {
  for (const ProgramFile& file : program.files)
    if (file.shown.ends_with(end)) return &file;
  return nullptr;
}

}  // namespace

TEST_CASE("a program is staged with all that it includes, in the shape of its folders") {
  test::TemporaryFolder folder;
  test::write(folder / "app/main.cu",
              "#include \"sub/../local.h\"\n  #  include \"../common/a.cuh\"\n#include <angle.cuh>\n"
              "#include <vector>\n#include \"nowhere.h\"\n#if __has_include(\"maybe.h\")\n#endif\n");
  test::write(folder / "app/local.h", "#include \"main.cu\"\n");
  test::write(folder / "app/sub/other.h", "");
  test::write(folder / "app/maybe.h", "int maybe;\n");
  test::write(folder / "common/a.cuh", "#include \"b.cuh\"\n");
  test::write(folder / "common/b.cuh", "void f() { k<<<1, 2>>>(); }\n");
  test::write(folder / "inc/angle.cuh", "int angle;\n");
  const std::string base = folder.path().string();
  const StagedProgram program = stage_program({base + "/app/main.cu"}, {base + "/inc"}, folder / "tree");
  CHECK(program.sources == 1);
  CHECK(program.files.size() == 6);
  program.write();
  const ProgramFile* b = find(program, "common/b.cuh");
  REQUIRE(b != nullptr);
  CHECK(b->shown == base + "/common/b.cuh");
  CHECK(b->staged == folder / "tree" / std::filesystem::path(base).relative_path() / "common/b.cuh");
  CHECK(test::read(b->staged) == "#line 1 \"" + b->shown + "\"\n" + b->rewritten);
  CHECK(b->rewritten.find("<<<") == std::string::npos);
  // The compiler walks through sub, which holds nothing that is staged.
  CHECK(std::filesystem::is_directory(program.files[0].staged.parent_path() / "sub"));
  CHECK(program.shown(base + "/app/../common/b.cuh") == b->shown);
  CHECK(program.shown("elsewhere.cu") == "elsewhere.cu");
}

TEST_CASE("a kernel template of another file is known where it is launched") {
  test::TemporaryFolder folder;
  test::write(folder / "main.cu", "#include \"k.cuh\"\nvoid f() { k<float><<<1, 2>>>(p); }\n");
  test::write(folder / "k.cuh", "template <class T, int N = 3> __global__ void k(T*);\n");
  const StagedProgram program = stage_program({(folder / "main.cu").string()}, {}, folder / "tree");
  CHECK(program.files[0].rewritten.find("WORKBOOK_SIM_DEDUCED_KERNEL") != std::string::npos);
}

TEST_CASE("what cannot be staged is said with its place") {
  test::TemporaryFolder folder;
  CHECK_THROWS_AS(stage_program({(folder / "nothing.cu").string()}, {}, folder / "tree"), UsageError);
  test::write(folder / "main.cu", "#include \"bad.cuh\"\n");
  test::write(folder / "bad.cuh", "\nk<<<1, 2;\n");
  const StagedProgram program = stage_program({(folder / "main.cu").string()}, {}, folder / "tree");
  REQUIRE(program.errors.size() == 1);
  CHECK(program.errors[0].at.file == (folder / "bad.cuh").string());
  CHECK(program.errors[0].at.line == 2);
}

TEST_CASE("<vector> is read in advance where nothing stands before it that could change it") {
  CHECK(
      begins_with_vector("// A program.\n\n#include <cstdio>\n #  include <vector>  // rows\n#define N 4\n"));
  CHECK(begins_with_vector("#include <cuda_runtime.h>\r\n#include <vector>\r\n"));
  for (const char* text :
       {"", "#include <cstdio>\nint main() {}\n", "#define _GLIBCXX_DEBUG\n#include <vector>\n",
        "#include \"config.h\"\n#include <vector>\n", "#include <lib/config>\n#include <vector>\n",
        "#ifdef N\n#include <vector>\n#endif\n", "/*\n#include <vector>\n*/\n"})
    CHECK_FALSE(begins_with_vector(text));
}
