// The tests start small shells: what runs beside the viewer must never outlive it or hold it up.
#include "session/task.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/catch.h"

using namespace workbook::viewer;
using namespace std::chrono_literals;

namespace {

constexpr auto kLong = 1h;  // no machine is so slow: a task that does not end is for the test runner to end

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

// Waits until it is dead, even where nobody has asked yet how it ended; how long that may take is the test
// runner's business.
bool gone(pid_t process) {
  for (;;) {
    if (kill(process, 0) != 0 && errno == ESRCH) return true;
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(stat, text);
    if (text.find(") Z ") != std::string::npos) return true;
    std::this_thread::sleep_for(5ms);
  }
}

// The number on the first line of what was printed, once it is there.
pid_t printed_pid(Task& task) {
  while (task.running() && task.output().find('\n') == std::string::npos) {
    task.poll();
    std::this_thread::sleep_for(5ms);
  }
  return std::atoi(task.output().c_str());
}

}  // namespace

TEST_CASE("a task's output and status are read as they come, without waiting") {
  Task task;
  const std::filesystem::path gate =
      std::filesystem::temp_directory_path() / ("task_test." + std::to_string(getpid()));
  REQUIRE(mkfifo(gate.c_str(), 0600) == 0);
  task.start(shell("echo one; echo two >&2; read -r line <" + gate.string() + "; echo $line; exit 3"), "/");
  CHECK(task.running());
  while (task.running() && task.output() != "one\ntwo\n") {
    task.poll();
    std::this_thread::sleep_for(5ms);
  }
  CHECK(task.output() == "one\ntwo\n");  // while it still waits
  CHECK(task.running());
  CHECK(task.exit_code() == -1);
  std::ofstream(gate) << "three\n";
  std::filesystem::remove(gate);
  REQUIRE(task.wait(kLong));
  CHECK(task.output() == "one\ntwo\nthree\n");
  CHECK(task.exit_code() == 3);
  CHECK(task.elapsed_s() > 0.0);
  CHECK(!task.poll());
}

TEST_CASE("escape sequences are left out and a carriage return writes over its line") {
  Task task;
  task.start(shell("printf 'a\\033[1;31mred\\033[0m\\n10 %%\\r20 %%\\rdone\\r\\nlast'"), "/");
  REQUIRE(task.wait(kLong));
  CHECK(task.output() == "ared\ndone\nlast");
}

TEST_CASE("a cancelled task ends with all that it started") {
  Task task;
  task.start(shell("sleep 60 & echo $!; wait"), "/");
  const pid_t grandchild = printed_pid(task);
  REQUIRE(grandchild > 0);
  task.cancel();
  REQUIRE(task.wait(kLong));
  CHECK(task.cancelled());
  CHECK(task.signal() == SIGTERM);
  CHECK(gone(grandchild));
}

TEST_CASE("a task that does not listen is killed a second later") {
  Task task;
  task.start(shell("trap '' TERM; echo $$; while :; do sleep 0.05; done"), "/");
  REQUIRE(printed_pid(task) > 0);
  task.cancel();
  REQUIRE(task.wait(kLong));
  CHECK(task.signal() == SIGKILL);
}

TEST_CASE("what still runs is killed with the task, and by the next start") {
  pid_t first = 0, second = 0;
  {
    Task task;
    task.start(shell("echo $$; exec sleep 60"), "/");
    first = printed_pid(task);
    task.start(shell("echo $$; exec sleep 60"), "/");
    second = printed_pid(task);
    REQUIRE(first > 0);
    REQUIRE(second > 0);
    CHECK(gone(first));
  }
  CHECK(gone(second));
}

TEST_CASE("a program or a folder that is not there is said, and nothing is left running") {
  Task task;
  CHECK_THROWS_WITH(task.start({"/no/such/program"}, "/"),
                    "/no/such/program cannot be started: No such file or directory");
  CHECK(!task.running());
  CHECK_THROWS(task.start(shell("true"), "/no/such/folder"));
  CHECK_THROWS(start_detached({"/no/such/program"}, "/"));
  task.start(shell("echo $WORKBOOK_TEST_WORD"), "/", {{"WORKBOOK_TEST_WORD", "given"}});
  REQUIRE(task.wait(kLong));
  CHECK(task.output() == "given\n");
}

TEST_CASE("a program that prints without end holds nothing up, and its end is kept") {
  Task task;
  task.start(
      shell("i=0; while [ $i -lt 60000 ]; do echo 'a line of forty characters, more or less'; i=$((i+1)); "
            "done; echo last"),
      "/");
  while (task.running()) {
    // What one call takes is bounded, however fast the program prints.
    const std::size_t before = task.output().size();
    task.poll();
    if (task.running() && task.output().size() > before) CHECK(task.output().size() - before <= 16 * 16384u);
    std::this_thread::sleep_for(1ms);
  }
  CHECK(task.output().size() <= (1 << 20) + 16384u);
  CHECK(task.output().ends_with("last\n"));
}
