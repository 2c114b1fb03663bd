#include "cli/grade/host_code.h"

#include "cli/base/text.h"
#include "cli/grade/program_judge.h"
#include "cli/grade/source_words.h"
#include "cli/project/project.h"
#include "cli/project/regions.h"
#include "tests/catch.h"

using namespace workbook::cli;

namespace {

std::string refused(const std::string& text) { return refused_source(text, {{"given.cuh"}, ""}); }

}  // namespace

TEST_CASE("words in comments and texts are none, and lines keep their numbers") {
  const SourceWords all = words_of(
      "// asm\n/* asm\nasm */ int a = 10'002; const char* t = \"asm \\\" asm\";\nchar c = '\"'; as\\\nm\n");
  std::string text;
  for (const SourceWord& word : all.words) text += word.text + ' ';
  CHECK(text == "int a = 10 ' 002 ; const char * t = \" \" ; char c = ' ' ; asm ");
  CHECK(all.words.back().line == 4);
  CHECK(words_of("R\"x(asm)\" asm)x\" b").words.back().text == "b");
  CHECK(words_of("a\\\nb\nc").words.back().line == 3);
}

TEST_CASE("what kernels are made of is taken") {
  for (const char* text :
       {"#include <cuda_runtime.h>\n#include \"given.cuh\"\n#include <cmath>\n", "#pragma unroll 4\n",
        "extern __shared__ float rows[];", "[[nodiscard]] __device__ float f([[maybe_unused]] int i);",
        "int rows[2][[]{ return 1; }()];",
        "asm volatile(\"cvt.rna.tf32.f32 %0, %1;\" : \"=r\"(a) : \"f\"(b));",
        "#define TILE 16\nusing namespace std;", "// workbook_sim_release\n",
        "template <> struct Traits<float> { std::size_t n; };"})
    CHECK(refused(text) == "");
}

TEST_CASE("every solution is taken, whole or by its regions") {
  const Project project = Project::open();
  for (const Puzzle& puzzle : project.puzzles())
    for (const VariantInfo& variant : puzzle.declaration.variants) {
      if (variant.given) continue;
      const std::string text = read_file(puzzle.solved_file(variant));
      INFO(puzzle.name << " --" << variant.name);
      if (variant.program) {
        CHECK(program_to_judge(puzzle, variant, text, text).refused == "");
        if (const auto fresh = fresh_program(variant, text, 7)) CHECK(fresh->missing == "");
        continue;
      }
      const std::string skeleton = skeleton_of(text);
      GivenCode given{{}, skeleton};
      for (const auto& header : puzzle.headers()) given.headers.push_back(header.filename());
      CHECK(refused_source(text, given) == "");
    }
}

TEST_CASE("what reaches around the simulator is refused with its line") {
  for (const auto& [text, words] : std::vector<std::pair<const char*, const char*>>{
           {"\nint x = workbook_sim_yield;", "line 2: 'workbook_sim_yield'"},
           {"extern \"C\" int puts(const char*);", "line 1: 'extern'"},
           {"__attribute__((constructor)) void f();", "'__attribute__'"},
           {"[[gnu::constructor]] void f();", "the attribute 'gnu'"},
           {"[[maybe_unused, gnu::used]] void f();", "the attribute 'gnu'"},
           {"#define A(x) x##x", "## makes"},
           {"%:define A(x) x %: %: x\n%:include <unistd.h>", "<unistd.h> is no header"},
           {"/**/ #include <unistd.h>", "<unistd.h> is no header"},
           {"#include \"../solution.cu\"", "<../solution.cu> is no header"},
           {"#include_next <cmath>", "an #include names"},
           {"#pragma GCC optimize(\"O3\")", "#pragma GCC"},
           {"#line 3 \"x\"", "#line is no directive"},
           {"namespace std { int x; }", "the namespace std"},
           {"template <> void std::vector<int>::clear() {}", "to specialise"},
           {"asm volatile(\"\" ::: \"memory\");", "assembly of the host"},
           {"int \\u0061sm;", "a backslash"},
           {"void f() { __builtin_trap(); }", "'__builtin_trap'"}})
    CHECK_THAT(refused(text), contains_text(words));
}

TEST_CASE("a region prints nothing, ends nothing and stays in its function") {
  CHECK(refused_region("for (;;) { x += 1; }\n#pragma unroll\nreturn;", 5) == "");
  CHECK_THAT(refused_region("a();\n} void g() {", 5), contains_text("line 6: a '}'"));
  CHECK_THAT(refused_region("{ a();", 5), contains_text("not closed"));
  CHECK_THAT(refused_region("std::printf(\"right\");", 5), contains_text("line 5: 'printf'"));
  CHECK_THAT(refused_region("std::exit(0);", 5), contains_text("'exit'"));
  CHECK_THAT(refused_region("#define x y", 5), contains_text("#define"));
}

TEST_CASE("macros of the learner's own are known by name") {
  CHECK(own_macros("#define A 1\n#define B(x) x\n# define\tC\n", "#define A 1\n") ==
        std::vector<std::string>{"B", "C"});
}
