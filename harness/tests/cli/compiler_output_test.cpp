#include "cli/compiler_output.h"

#include "tests/catch.h"

using namespace workbook::cli;

namespace {

constexpr const char* kFile = "puzzles/01_map/kernels.cu";
const std::vector<WrittenSource> kFiles = {{kFile, "", ""}};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("errors stay the compiler's own and includes do not show") {
  const CompilerOutput read = read_compiler_output(
      "In file included from puzzles/01_map/puzzle.cu:6:\n"
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

TEST_CASE("an error inside a header is told at the learner's line that asked for it") {
  const CompilerOutput read = read_compiler_output(
      "/usr/include/c++/12/tuple: In instantiation of 'struct X<int>':\n"
      "puzzles/01_map/kernels.cu:12:5:   required from here\n"
      "/usr/include/c++/12/tuple:100:7: error: static assertion failed\n"
      "  100 |   static_assert(false);\n",
      kFiles);
  REQUIRE(read.errors.size() == 1);
  CHECK(read.errors[0].at.file == kFile);
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
      "puzzles/01_map/puzzle.cu:2:2: warning: not yours\n"
      "puzzles/01_map/kernels.cu:5:7: warning: unused variable 'n'\n",
      kFiles);
  REQUIRE(read.errors.size() == 1);
  CHECK(read.errors[0].at.line == 14);
  CHECK(contains(read.warnings, "unused variable"));
  CHECK_FALSE(contains(read.warnings, "not yours"));
}
