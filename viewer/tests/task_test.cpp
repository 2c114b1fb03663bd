// The tests start small shells: what runs beside the viewer must never outlive it or hold it up.
#include "task.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <thread>

#include "tests/catch.h"

using namespace workbook::viewer;
using namespace std::chrono_literals;

namespace {

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

// Dead, even where nobody has asked yet how it ended.
bool gone(pid_t process) {
  for (int i = 0; i < 200; ++i) {
    if (kill(process, 0) != 0 && errno == ESRCH) return true;
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(stat, text);
    if (text.find(") Z ") != std::string::npos) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

// The number on the first line of what was printed, once it is there.
pid_t printed_pid(Task& task) {
  for (int i = 0; i < 400 && task.output().find('\n') == std::string::npos; ++i) {
    task.poll();
    std::this_thread::sleep_for(5ms);
  }
  return std::atoi(task.output().c_str());
}

}  // namespace

TEST_CASE("a task's output and status are read as they come, without waiting") {
  Task task;
  task.start(shell("echo one; echo two >&2; sleep 0.3; echo three; exit 3"), "/");
  CHECK(task.running());
  for (int i = 0; i < 50 && task.output() != "one\ntwo\n"; ++i) {
    task.poll();
    std::this_thread::sleep_for(5ms);
  }
  CHECK(task.output() == "one\ntwo\n");  // while it still sleeps
  CHECK(task.running());
  CHECK(task.exit_code() == -1);
  REQUIRE(task.wait(5s));
  CHECK(task.output() == "one\ntwo\nthree\n");
  CHECK(task.exit_code() == 3);
  CHECK(task.elapsed_s() >= 0.3);
  CHECK(!task.poll());
}

TEST_CASE("escape sequences are left out and a carriage return writes over its line") {
  Task task;
  task.start(shell("printf 'a\\033[1;31mred\\033[0m\\n10 %%\\r20 %%\\rdone\\r\\nlast'"), "/");
  REQUIRE(task.wait(5s));
  CHECK(task.output() == "ared\ndone\nlast");
}

TEST_CASE("a cancelled task ends with all that it started") {
  Task task;
  task.start(shell("sleep 60 & echo $!; wait"), "/");
  const pid_t grandchild = printed_pid(task);
  REQUIRE(grandchild > 0);
  task.cancel();
  REQUIRE(task.wait(3s));
  CHECK(task.cancelled());
  CHECK(task.signal() == SIGTERM);
  CHECK(gone(grandchild));
}

TEST_CASE("a task that does not listen is killed a second later") {
  Task task;
  task.start(shell("trap '' TERM; echo $$; while :; do sleep 0.05; done"), "/");
  REQUIRE(printed_pid(task) > 0);
  task.cancel();
  REQUIRE(task.wait(5s));
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
  REQUIRE(task.wait(5s));
  CHECK(task.output() == "given\n");
}

TEST_CASE("a program that prints without end holds nothing up, and its end is kept") {
  Task task;
  task.start(
      shell("i=0; while [ $i -lt 60000 ]; do echo 'a line of forty characters, more or less'; i=$((i+1)); "
            "done; echo last"),
      "/");
  while (task.running()) {
    const auto start = std::chrono::steady_clock::now();
    task.poll();
    CHECK(std::chrono::steady_clock::now() - start < 200ms);
    std::this_thread::sleep_for(1ms);
  }
  CHECK(task.output().size() <= (1 << 20) + 16384u);
  CHECK(task.output().ends_with("last\n"));
}
