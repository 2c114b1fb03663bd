#include "cli/base/process.h"

#include <signal.h>

#include <fstream>
#include <future>
#include <string>
#include <thread>

#include "cli/base/errors.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook::cli;
using std::chrono::milliseconds;

namespace {

ProcessResult shell(const std::string& script, const ProcessLimits& limits = {}) {
  return run_process({"sh", "-c", script}, "/", limits);
}

char state_of(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t end = text.rfind(')');
  return end == std::string::npos || end + 2 >= text.size() ? 'Z' : text[end + 2];
}

}  // namespace

TEST_CASE("output, exit status and signals are told apart") {
  const ProcessResult result = shell("echo out; echo err >&2; exit 3");
  CHECK(result.exit_code == 3);
  CHECK(result.output == "out\nerr\n");
  CHECK(shell("kill -SEGV $$").signal == 11);
}

TEST_CASE("a process that does not end is ended, and so is what it started") {
  const ProcessResult result = shell("trap '' TERM; while :; do sleep 0.05; done",
                                     {.wall = milliseconds(200), .grace = milliseconds(100)});
  CHECK(result.timed_out);
  CHECK(result.signal == SIGKILL);
  // The pipe stays open as long as what holds it lives: this returns, and no such process is left.
  const ProcessResult left = shell("sleep 1000000 & echo $!");
  CHECK(left.ok());
  const pid_t process = std::atoi(left.output.c_str());
  REQUIRE(process > 0);
  while (kill(process, 0) == 0 && state_of(process) != 'Z') std::this_thread::yield();
}

TEST_CASE("endless output is read to the end and kept up to the limit") {
  const ProcessResult result = shell("head -c 3000000 /dev/zero", {.output_bytes = 1000});
  CHECK(result.ok());
  CHECK(result.output.size() == 1000);
  CHECK(result.output_cut);
}

TEST_CASE("a process that takes too much memory is ended") {
  const ProcessResult result = shell("x=x; while :; do x=$x$x; done", {.memory_bytes = 64 << 20});
  CHECK(result.out_of_memory);
}

TEST_CASE("processes that run at the same time share the limit of memory, and the largest is ended") {
  const ProcessLimits limits{.memory_bytes = 200 << 20};
  const auto hold = [&](int megabytes, const char* then) {
    return shell("exec python3 -c 'x = b\"x\" * (" + std::to_string(megabytes) + " << 20); " + then + "'",
                 limits);
  };
  auto large = std::async(std::launch::async, [&] { return hold(160, "import time; time.sleep(1000000)"); });
  auto small = std::async(std::launch::async, [&] { return hold(60, "import time; time.sleep(10000)"); });
  CHECK(large.get().out_of_memory);  // neither is beyond the limit alone
  kill_all_processes();
  CHECK(!small.get().out_of_memory);
}

TEST_CASE("what cannot be started is said to be so") {
  CHECK_THROWS_AS(run_process({"/no/such/program"}, "/", {}), HarnessError);
}

TEST_CASE("a limit of time begins anew while the process counts its work") {
  const workbook::test::TemporaryFolder folder;
  const auto file = folder / "progress.bin";
  // Seven times half a second; who only sleeps is given three times the limit.
  const std::string work =
      "for i in 1 2 3 4 5 6 7; do printf \"\\\\0$i\\\\000\\\\000\\\\000\\\\000\\\\000\\\\000\\\\000\" >'" +
      file.string() + "'; sleep 0.5; done";
  const ProcessResult counting =
      run_process({"sh", "-c", work}, "/", {.wall = std::chrono::seconds(1), .progress = file});
  CHECK(counting.ok());
  const ProcessResult standing =
      run_process({"sh", "-c", "sleep 30"}, "/", {.wall = std::chrono::seconds(1), .progress = file});
  CHECK(standing.timed_out);
}

TEST_CASE("a process that counts its work is ended when there has been too much, whatever it took") {
  const workbook::test::TemporaryFolder folder;
  const auto file = folder / "progress.bin";
  // 8 bytes that grow each time and begin beyond any limit, and a process that would go on for ever.
  const std::string work = "i=10; while :; do i=$((i + 1)); printf 'aaaaaa%02d' $((i % 90)) >'" +
                           file.string() + "'; sleep 0.02; done";
  CHECK(run_process({"sh", "-c", work}, "/", {.wall = milliseconds(300), .progress = file}).timed_out);
}
