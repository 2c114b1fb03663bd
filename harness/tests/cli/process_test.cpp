#include "cli/run/process.h"

#include "cli/project/errors.h"
#include "tests/catch.h"

using namespace workbook::cli;
using std::chrono::milliseconds;

namespace {

ProcessResult shell(const std::string& script, const ProcessLimits& limits = {}) {
  return run_process({"sh", "-c", script}, "/", limits);
}

}  // namespace

TEST_CASE("output, exit status and signals are told apart") {
  const ProcessResult result = shell("echo out; echo err >&2; exit 3");
  CHECK(result.exit_code == 3);
  CHECK(result.output == "out\nerr\n");
  CHECK(shell("kill -SEGV $$").signal == 11);
}

TEST_CASE("a process that does not end is ended, and so is what it started") {
  const ProcessResult result =
      shell("trap '' TERM; while :; do sleep 0.05; done", {.wall = milliseconds(200)});
  CHECK(result.timed_out);
  CHECK(result.elapsed_ms < 2000.0);
  CHECK(shell("sleep 100 & echo started").elapsed_ms < 2000.0);
}

TEST_CASE("endless output is read to the end and kept up to the limit") {
  const ProcessResult result = shell("head -c 3000000 /dev/zero", {.output_bytes = 1000});
  CHECK(result.ok());
  CHECK(result.output.size() == 1000);
  CHECK(result.output_cut);
}

TEST_CASE("a process that takes too much memory is ended") {
  const ProcessResult result =
      shell("x=x; while :; do x=$x$x; done", {.wall = milliseconds(10000), .memory_bytes = 64 << 20});
  CHECK(result.out_of_memory);
}

TEST_CASE("what cannot be started is said to be so") {
  CHECK_THROWS_AS(run_process({"/no/such/program"}, "/", {}), HarnessError);
}
