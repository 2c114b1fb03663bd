#include "cli/grade/control_groups.h"

#include <unistd.h>

#include "cli/base/process.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook::cli;
using workbook::test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

const ControlGroups::Limits kLimits = {.memory_bytes = 1'000'000, .processes = 9};

std::string group(int count) { return "workbook-" + std::to_string(getpid()) + "-" + std::to_string(count); }

}  // namespace

TEST_CASE("where there is no hierarchy a command runs as it is") {
  const TemporaryFolder mounted;
  ControlGroups groups(mounted.path(), "0::/user/one\n");
  CHECK_FALSE(groups.usable());
  CHECK(groups.around({"true"}, kLimits) == std::vector<std::string>{"true"});
}

TEST_CASE("with the older version a group for memory and one for processes are joined") {
  const TemporaryFolder mounted;
  for (const char* controller : {"memory", "pids"})
    workbook::test::write(mounted / controller / "a" / "cgroup.procs", "");
  for (const char* controller : {"memory", "pids"})
    workbook::test::write(mounted / controller / "cgroup.procs", "");
  ControlGroups groups(mounted.path(), "3:cpu:/\n2:memory:/a\n1:pids,other:/a\n");
  REQUIRE(groups.usable());
  const std::vector<std::string> words = groups.around({"bwrap", "x y"}, kLimits);
  CHECK(std::vector<std::string>(words.end() - 2, words.end()) == std::vector<std::string>{"bwrap", "x y"});
  const fs::path memory = mounted / "memory" / "a" / group(1), pids = mounted / "pids" / "a" / group(1);
  CHECK(words[3] == memory.string());
  CHECK(words[4] == pids.string());
  CHECK(workbook::test::read(memory / "memory.limit_in_bytes") == "1000000");
  CHECK(workbook::test::read(pids / "pids.max") == "9");
}

TEST_CASE("with version 2 the nearest ancestor that hands both controllers down is divided") {
  const TemporaryFolder mounted;
  workbook::test::write(mounted / "cgroup.controllers", "cpu memory pids\n");
  workbook::test::write(mounted / "cgroup.subtree_control", "memory pids\n");
  workbook::test::write(mounted / "user" / "cgroup.subtree_control", "cpu memory pids\n");
  workbook::test::write(mounted / "user" / "one" / "cgroup.subtree_control", "\n");
  ControlGroups groups(mounted.path(), "0::/user/one\n");
  REQUIRE(groups.usable());
  groups.around({"true"}, kLimits);
  const fs::path made = mounted / "user" / group(1);
  CHECK(workbook::test::read(made / "memory.max") == "1000000");
  CHECK(workbook::test::read(made / "memory.swap.max") == "0");
  CHECK(workbook::test::read(made / "pids.max") == "9");
}

TEST_CASE("the command is run once all of its groups are joined, and not without") {
  const TemporaryFolder mounted;
  workbook::test::write(mounted / "cgroup.controllers", "memory pids\n");
  workbook::test::write(mounted / "cgroup.subtree_control", "memory pids\n");
  ControlGroups groups(mounted.path(), "0::/\n");
  const std::vector<std::string> words = groups.around({"true"}, kLimits);
  CHECK(run_process(words, "/", {}).ok());
  CHECK(workbook::test::read(mounted / group(1) / "cgroup.procs") != "");
  fs::remove_all(mounted / group(1));
  const ProcessResult without = run_process(words, "/", {});
  CHECK(without.exit_code == 125);
  CHECK(without.output.starts_with("bwrap: "));
}
