#include "cli/compile/compiler_output.h"

#include "tests/catch.h"

using namespace workbook::cli;

namespace {

constexpr const char* kMapFile = "puzzles/01_map/kernels.cu";
const std::vector<WrittenSource> kFiles = {{kMapFile, "", ""}};

}  // namespace

TEST_CASE("errors stay the compiler's own and includes do not show") {
  const CompilerOutput read = read_compiler_output(
      "In file included from puzzles/01_map/launches.cu:6:\n"
      "puzzles/01_map/kernels.cu: In function 'void map_kernel(float*)':\n"
      "puzzles/01_map/kernels.cu:19:3: error: 'ou' was not declared in this scope; did you mean 'out'?\n"
      "   19 |   ou[i] = 1;\n"
      "      |   ^~\n"
      "      |   out\n"
      "puzzles/01_map/kernels.cu:20:1: error: expected ';'\n",
      kFiles);
  REQUIRE(read.errors.size() == 2);
  CHECK(read.errors[0].at.line == 19);
  CHECK(read.errors[0].column == 3);
  CHECK(contains(read.text, "   19 |   ou[i] = 1;\n      |   ^~\n"));
  CHECK_FALSE(contains(read.text, "In f"));
}

TEST_CASE("an error that is said for each try of a template is said once") {
  const std::string once = "puzzles/01_map/kernels.cu:19:3: error: no\n   19 | f();\n";
  const CompilerOutput read = read_compiler_output(once + once + once, kFiles);
  CHECK(read.errors.size() == 1);
  CHECK(read.text == once);
}

TEST_CASE("an error inside a header is told at the learner's line that asked for it") {
  const CompilerOutput read = read_compiler_output(
      "/usr/include/c++/12/tuple: In instantiation of 'struct X<int>':\n"
      "puzzles/01_map/kernels.cu:12:5:   required from here\n"
      "/usr/include/c++/12/tuple:100:7: error: static assertion failed\n"
      "  100 |   static_assert(false);\n",
      kFiles);
  REQUIRE(read.errors.size() == 1);
  CHECK(read.errors[0].at.file == kMapFile);
  CHECK(read.errors[0].at.line == 12);
}

TEST_CASE("a note for each candidate does not bury the error") {
  std::string output = "puzzles/01_map/kernels.cu:1:1: error: no match\n";
  for (int i = 0; i < 30; ++i)
    output += "/usr/include/c++/12/x.h:1:1: note: candidate\npuzzles/01_map/kernels.cu:1:1: note: failed\n";
  CHECK(read_compiler_output(output, kFiles).text.size() < 400);
}

TEST_CASE("nvcc's errors are read too, and warnings only from the learner's file") {
  const CompilerOutput read = read_compiler_output(
      "puzzles/01_map/kernels.cu(14): error: identifier \"ou\" is undefined\n"
      "puzzles/01_map/launches.cu:2:2: warning: not yours\n"
      "puzzles/01_map/kernels.cu:5:7: warning: unused variable 'n'\n",
      kFiles);
  REQUIRE(read.errors.size() == 1);
  CHECK(read.errors[0].at.line == 14);
  CHECK(contains(read.warnings, "unused variable"));
  CHECK_FALSE(contains(read.warnings, "not yours"));
}

TEST_CASE("g++ 13 and newer do not say what only C++20 makes of an operator") {
  const CompilerOutput read = read_compiler_output(
      "puzzles/01_map/kernels.cu:40:27: warning: C++20 says that these are ambiguous, even though the second is "
      "reversed:\n"
      "   40 |   return Size(3) == Size(3);\n"
      "puzzles/01_map/kernels.cu:8:8: note: candidate 1: 'bool Size::operator==(const Size&)'\n"
      "puzzles/01_map/kernels.cu:41:9: warning: unused variable 'tmp'\n",
      kFiles);
  CHECK_FALSE(contains(read.warnings, "C++20"));
  CHECK_FALSE(contains(read.warnings, "candidate"));
  CHECK(contains(read.warnings, "unused variable"));
}

TEST_CASE("messages about rewritten lines are told about what was written") {
  const std::string written = "void f() {\n  k<<<1, 2>>>(\"text\");\n}\n";
  const std::string rewritten = "void f() {\n  KERNEL(k)(Config(1, 2))(\"text\");\n}\n";
  const CompilerOutput read = read_compiler_output(
      "a.cu:2:26: error: no match for call to '(workbook::sim::Launcher<float*>) (const char [5])'\n"
      "    2 |   k<<<1, 2>>>(\"text\");\n"
      "      |                          ^\n"
      "a.cu:1:6: error: as it is\n"
      "    1 | void f() {\n",
      {{"a.cu", written, rewritten}});
  REQUIRE(read.errors.size() == 2);
  CHECK(read.errors[0].column == 14);
  CHECK(contains(read.text,
                 "a.cu:2:14: error: the kernel takes (float*), and this launch gives it (const char [5])\n"
                 "    2 |   k<<<1, 2>>>(\"text\");\n"
                 "      |              ^\n"));
  CHECK(contains(read.text, "a.cu:1:6: error: as it is\n    1 | void f() {\n"));
}

TEST_CASE("an error in the simulator's own header is the learner's line alone") {
  for (const std::string output :
       {"/x/workbook_sim/kernel_call.h: In instantiation of 'x':\na.cu:2:12:   required from here\n"
        "/x/workbook_sim/kernel_call.h:39:26: error: static assertion failed: no kernel of this name\n"
        "   39 |  static_assert(\n",
        "/x/workbook_sim/kernel_call.h:39:7: error: static_assert failed due to requirement 'a<b>' \"no "
        "kernel of "
        "this name\"\n      static_assert(\n"
        "a.cu:2:12: note: in instantiation of function template specialization 'x' requested here\n"}) {
    const CompilerOutput read =
        read_compiler_output(output, {{"a.cu", "\nk<<<1>>>(x);\n", "\nk<<<1>>>(x);\n"}});
    REQUIRE(read.errors.size() == 1);
    CHECK(read.errors[0].at.line == 2);
    CHECK(read.errors[0].message == "no kernel of this name");
    CHECK_FALSE(contains(read.text, "workbook_sim"));
  }
}
