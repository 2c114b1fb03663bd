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
