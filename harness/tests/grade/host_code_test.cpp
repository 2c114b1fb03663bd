#include "cli/grade/host_code.h"

#include <regex>
#include <set>

#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/toolchain.h"
#include "cli/grade/program_judge.h"
#include "cli/grade/source_words.h"
#include "cli/project/project.h"
#include "cli/project/regions.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook;
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
  CHECK(words_of("a\\\nb\nc").words.back().line == 3);
}

TEST_CASE("marks that are spelt otherwise are what they stand for") {
  std::string text;
  for (const SourceWord& word : words_of("<:<:a:>:> <% b %> c<::d> %:%: x").words) text += word.text + ' ';
  CHECK(text == "[ [ a ] ] { b } c < :: d > ## x ");
  CHECK(words_of("%:define A\n").directives.front().name == "define");
}

TEST_CASE("what g++ and a reader could see differently hides nothing") {
  using namespace std::string_literals;
  for (const std::string& text : {"#define EAT(x)\nEAT(1'a'0) extern int x;"s, "/* *\\\v\n/ extern int x;"s,
                                  "extern\fint x;"s, "'\\'' + '\"'; extern int x;"s})
    CHECK_THAT(refused(text), contains_text("'extern' declares"));
  for (const std::string& text :
       {"\0#include <unistd.h>"s, "\f#include <unistd.h>"s, "\v #\finclude <unistd.h>"s})
    CHECK_THAT(refused(text), contains_text("<unistd.h> is no header"));
  CHECK_THAT(refused("\n// nothing\rextern int x;\r\n"), contains_text("line 2: a carriage return"));
  CHECK_THAT(refused("\nauto s = R\"x( )\\\nx\" )x\"; extern int x;"), contains_text("line 2: a raw text"));
  CHECK_THAT(refused("#if __has_include(<cuda/*>)\n#endif\nextern int x;\n// */"),
             contains_text("'__has_include'"));
  CHECK_THAT(refused("\xEF\xBB\xBF#include <unistd.h>"), contains_text("a # stands"));
  CHECK(refused("#if 0\nThis isn't code.\n#endif\r\n/* don't */ int a;\r\n") == "");
}

TEST_CASE("macros of the system's headers make no words, attributes or assembly for a learner") {
  std::vector<std::string> command = compile_command(Kind::sim_diagnosing, "");
  const test::TemporaryFolder folder;
  std::string text = "#include <workbook/run.h>\n";
  for (const char* header : {"algorithm",
                             "bitset",
                             "chrono",
                             "cmath",
                             "complex",
                             "cstdio",
                             "cstdlib",
                             "cstring",
                             "functional",
                             "iostream",
                             "memory",
                             "random",
                             "ranges",
                             "cub/cub.cuh",
                             "thrust/sort.h",
                             "cuda/barrier",
                             "cuda/pipeline",
                             "cuda/atomic",
                             "cooperative_groups.h",
                             "cuda_fp16.h",
                             "cuda_bf16.h",
                             "mma.h",
                             "curand_kernel.h",
                             "cublas_v2.h"})
    text += std::string("#include <") + header + ">\n";
  test::write(folder.path() / "all.cpp", text);
  for (const std::string& word :
       {std::string("-E"), std::string("-dM"), (folder.path() / "all.cpp").string()})
    command.push_back(word);
  const ProcessResult said = run_process(command, folder.path(), {});
  REQUIRE(said.ok());
  static const std::regex kMacro(R"(#define (\w+)\(.*\) (.*))");
  static const std::regex kMakes(R"(##|__attribute|__asm|\basm\b|_Pragma)");
  // What they put around their argument is nothing that an argument could leave.
  const std::set<std::string> harmless = {"INT64_C",  "INTMAX_C",  "UINT32_C",
                                          "UINT64_C", "UINTMAX_C", "__align__"};
  int seen = 0;
  for (const std::string& line : lines_of(said.output)) {
    std::smatch found;
    if (!std::regex_match(line, found, kMacro) || harmless.contains(found[1])) continue;
    if (!std::regex_search(found[2].first, found[2].second, kMakes)) continue;
    ++seen;
    INFO(line);
    CHECK(refused("int a = " + found[1].str() + "(b);") != "");
  }
  CHECK(seen > 20);
}

TEST_CASE("headers are read before a macro could change them") {
  CHECK(refused("#include <cmath>\n#define A 1\n") == "");
  CHECK_THAT(refused("#define inline\n#include <cuda_pipeline.h>\n"),
             contains_text("line 2: an #include behind a #define"));
  CHECK_THAT(refused("#undef __shared__\n#include <cuda_pipeline.h>\n"),
             contains_text("line 2: an #include behind"));
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
           {"<:<:gnu::constructor:>:> void f();", "the attribute 'gnu'"},
           {"#define A(x) x%:%:x", "## makes"},
           {"int x = __CONCAT(a, b);", "'__CONCAT'"},
           {"void f() { WORKBOOK_SIM_JOIN(a, b)(); }", "'WORKBOOK_SIM_JOIN'"},
           {"#embed \"x\"", "#embed is no directive"},
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
  CHECK_THAT(refused_region("a();\n%> void g() <%", 5), contains_text("line 6: a '}'"));
  CHECK_THAT(refused_region("a();\rb();", 5), contains_text("line 5: a carriage return"));
}

TEST_CASE("macros of the learner's own are known by name") {
  CHECK(own_macros("#define A 1\n#define B(x) x\n# define\tC\n", "#define A 1\n") ==
        std::vector<std::string>{"B", "C"});
}
