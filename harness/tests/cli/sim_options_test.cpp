#include "cli/compile/sim_options.h"

#include "cli/base/errors.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook;
using namespace workbook::cli;
using Words = std::vector<std::string>;

TEST_CASE("options are read as a compiler driver reads them, joined and apart") {
  test::TemporaryFolder folder;
  test::write(folder / "a.cu", "");
  const std::string file = (folder / "a.cu").string();
  const SimOptions o = read_sim_options(
      {"-I",     "one",  "-Itwo",     "-DX=1",      "-D",       "Y",     "-U",         "Z",
       "-lm",    "-L",   "dir",       "-std=c++20", "-O3",      "-Wall", file,         "--report=r.json",
       "--gpu",  "a100", "--timeout", "2.5",        "--sample", "7.5",   "--counters", "--",
       "--json", "-x"});
  CHECK(o.files == Words{file});
  CHECK(o.includes == Words{"one", "two"});
  CHECK(o.defines == Words{"-DX=1", "-DY", "-UZ"});
  CHECK(o.libraries == Words{"-lm", "-L" + std::filesystem::absolute("dir").string()});
  CHECK(o.warnings == Words{"-Wall"});
  CHECK(o.standard == "c++20");
  CHECK(o.optimisation == "-O3");
  CHECK(o.report == "r.json");
  CHECK(o.gpu == "a100");
  CHECK(o.timeout_s == 2.5);
  CHECK(o.sample_percent == 7.5);
  CHECK(o.counters);
  CHECK_FALSE(o.json);
  CHECK(o.arguments == Words{"--json", "-x"});
}

TEST_CASE(
    "the toolkit's libraries are the simulator's, and nvcc's options about code for GPUs are let pass") {
  test::TemporaryFolder folder;
  test::write(folder / "a.cu", "");
  test::write(folder / "b.c", "");
  const std::string a = (folder / "a.cu").string(), b = (folder / "b.c").string();
  const SimOptions o =
      read_sim_options({a, b, "-lcurand", "-l", "cublas_static", "-lmine", "-arch=sm_80", "-gencode",
                        "arch=compute_80,code=sm_80", "-Xcompiler", "-fopenmp", "-lineinfo"});
  CHECK(o.files == Words{a, b});
  CHECK(o.libraries == Words{"-lmine"});
  CHECK(o.openmp);
}

TEST_CASE("a command line that is written for nvcc is understood, in its short and its long names") {
  test::TemporaryFolder folder;
  test::write(folder / "a.cu", "");
  test::write(folder / "b.cpp", "");
  const std::string a = (folder / "a.cu").string(), b = (folder / "b.cpp").string();
  const SimOptions o = read_sim_options({"-o",
                                         "program",
                                         "-rdc=true",
                                         "--relocatable-device-code",
                                         "true",
                                         "-dc",
                                         "-Xptxas",
                                         "-O3,-v",
                                         "-maxrregcount",
                                         "32",
                                         "--ptxas-options=-v",
                                         "-t",
                                         "0",
                                         "-ccbin",
                                         "g++",
                                         "--define-macro",
                                         "N=4",
                                         "-isystem",
                                         "third",
                                         "--include-path=own",
                                         "-include",
                                         "first.h",
                                         "--optimize",
                                         "2",
                                         "--std=c++14",
                                         "--default-stream=per-thread",
                                         "-x",
                                         "cu",
                                         "-Xcompiler",
                                         "-Wall,-DM=2,-march=native,-fopenmp",
                                         "-Xlinker",
                                         "-rpath,lib",
                                         "-use_fast_math",
                                         "-Werror",
                                         "all-warnings",
                                         "-diag-suppress=177",
                                         "-lcusparse",
                                         "-expt-relaxed-constexpr",
                                         a,
                                         b,
                                         "--",
                                         "-o"});
  CHECK(o.files == Words{a, b});
  CHECK(o.arguments == Words{"-o"});
  CHECK(o.defines == Words{"-DN=4", "-DM=2"});
  CHECK(o.includes == Words{"third", "own"});
  CHECK(o.headers == Words{"first.h"});
  CHECK(o.libraries == Words{"-Wl,-rpath,lib"});
  CHECK(o.warnings == Words{"-Wall"});
  CHECK(o.optimisation == "-O2");
  CHECK(o.standard == "c++14");
  CHECK(o.openmp);
  CHECK(o.all_cuda);
  CHECK(o.stream_of_thread);
  CHECK(o.relaxed_constexpr);
  // g++'s option of that name has nothing behind it.
  CHECK(read_sim_options({"-Werror", a}).files == Words{a});
  for (const char* instead : {"-ptx", "--ptx", "-E", "-dlink", "-shared"})
    CHECK_THROWS_WITH(read_sim_options({a, instead}), contains_text("leave the option out"));
  CHECK_THROWS_WITH(read_sim_options({a, "--default-stream", "mine"}), contains_text("legacy or per-thread"));
  CHECK_THROWS_WITH(read_sim_options({a, "-arch"}), contains_text("wants a value"));
}

TEST_CASE("what cannot be meant is refused") {
  test::TemporaryFolder folder;
  test::write(folder / "a.cu", "");
  test::write(folder / "a.txt", "");
  const std::string file = (folder / "a.cu").string();
  CHECK_THROWS_WITH(read_sim_options({}), contains_text("Which program?"));
  CHECK_THROWS_WITH(read_sim_options({file, "--repotr", "x"}), contains_text("Did you mean '--report'?"));
  CHECK_THROWS_WITH(read_sim_options({file, "--gpu"}), contains_text("--gpu wants a value"));
  CHECK_THROWS_WITH(read_sim_options({file, "-O4"}), contains_text("'-O4'"));
  CHECK_THROWS_WITH(read_sim_options({file, "-std=c++03"}), contains_text("c++11 to c++23"));
  CHECK_THROWS_WITH(read_sim_options({file, "--timeout", "0"}), contains_text("--timeout"));
  CHECK_THROWS_WITH(read_sim_options({(folder / "a.txt").string()}), contains_text("is no source file"));
  CHECK_THROWS_WITH(read_sim_options({"b.cu"}), contains_text("There is no file b.cu"));
}
