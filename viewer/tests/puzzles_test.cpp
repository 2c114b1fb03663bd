#include "model/puzzles.h"

#include <map>
#include <set>
#include <thread>

#include "fake_repository.h"
#include "session/workbench.h"
#include "tests/catch.h"

using namespace workbook::viewer;

namespace {

EditorChoice choose(const std::map<std::string, std::string>& variables,
                    const std::set<std::string>& programs) {
  return choose_editor(
      "kernels.cu",
      [&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? "" : found->second;
      },
      [&](const std::string& program) { return programs.contains(program); });
}

void wait_for(Workbench& bench) {
  for (int i = 0; i < 1000 && (bench.busy() || bench.reading()); ++i) {
    bench.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

TEST_CASE("what stands in the list is read as it is, what is no list is said") {
  const FakeRepository fake(kFakeList);
  Workbench bench(fake.path, "");
  wait_for(bench);
  REQUIRE(bench.puzzles().size() == 2);
  const PuzzleEntry& puzzle = *bench.puzzle(22);
  CHECK(puzzle.kernels == "puzzles/22_layernorm_linear/kernels.cu");
  REQUIRE(puzzle.variants.size() == 3);
  CHECK(state_words(puzzle.variants[0]) == "correct");
  CHECK(state_words(puzzle.variants[1]) == "not filled");
  CHECK(state_words(puzzle.variants[2]) == "to do (optional)");
  CHECK(state_words(bench.puzzle(1)->variants[0]) == "correct, changed since");
  CHECK(bench.variant_of(22) == "fused");  // the next that is not done
  CHECK(bench.at_hand(0) == 22);           // the current one
  CHECK(bench.at_hand(1) == 1);
  bench.choose_variant(22, "fused-block");
  CHECK(bench.variant_of(22) == "fused-block");
  for (const char* text : {"", "{}", "[{}]", "[{\"number\": \"x\"}]"}) CHECK_THROWS(parse_puzzles(text));
}

TEST_CASE("a run's output, status and environment come back; one job at a time") {
  const FakeRepository fake(std::string(kFakeList) +
                            "echo \"$@\" $NO_COLOR $WORKBOOK_STATE; sleep 0.2; exit 1\n");
  Workbench bench(fake.path, "/some/state");
  wait_for(bench);
  CHECK(bench.run(22) == "workbook run 22 --fused");
  CHECK(bench.busy());
  CHECK(bench.hint(22).starts_with("One at a time"));
  wait_for(bench);
  CHECK(bench.work().output() == "run 22 --fused 1 /some/state\n");
  CHECK(bench.outcome() == "Not correct yet");
  CHECK(!bench.succeeded());
  bench.hint(1);
  wait_for(bench);
  CHECK(bench.work().output().starts_with("hint 1 --map"));
}

TEST_CASE("no repository, no program and a program that fails are said in words") {
  Workbench nowhere("", "");
  CHECK(nowhere.problem().find("no repository") != std::string::npos);
  CHECK(nowhere.run(22) == nowhere.problem());
  Workbench bare("/nonexistent", "");
  CHECK(bare.problem().find("cannot be started") != std::string::npos);
  const FakeRepository failing("echo 'cmake is missing' >&2; exit 5\n");
  Workbench bench(failing.path, "");
  wait_for(bench);
  CHECK(bench.problem().find("cmake is missing") != std::string::npos);
  CHECK(bench.puzzles().empty());
  CHECK(bench.edit(22) == "There is no puzzle to open.");
}

TEST_CASE("exit statuses have words") {
  CHECK(outcome_words(Job::run, 0, 0, false) == "Correct");
  CHECK(outcome_words(Job::hint, 0, 0, false) == "Done");
  CHECK(outcome_words(Job::run, 3, 0, false) == "Does not compile");
  CHECK(outcome_words(Job::run, -1, 9, false) == "Ended by signal 9");
  CHECK(outcome_words(Job::run, -1, 15, true) == "Cancelled");
}

TEST_CASE("the editor is the user's, with a terminal where it needs one") {
  using Words = std::vector<std::string>;
  CHECK(choose({{"VISUAL", "code --wait"}, {"EDITOR", "vim"}}, {"code", "vim"}).command ==
        Words{"code", "--wait", "kernels.cu"});
  CHECK(choose({{"EDITOR", "/usr/bin/vim"}}, {"/usr/bin/vim", "x-terminal-emulator"}).command ==
        Words{"x-terminal-emulator", "-e", "/usr/bin/vim", "kernels.cu"});
  CHECK(choose({{"EDITOR", "vim"}}, {"vim"}).command.empty());
  CHECK(choose({{"EDITOR", "vim"}}, {"vim"}).words == "vim needs a terminal. In yours: vim kernels.cu");
  CHECK(choose({{"EDITOR", "gone"}}, {"xdg-open"}).words == "$EDITOR is gone, which is not here.");
  CHECK(choose({}, {"xdg-open"}).command == Words{"xdg-open", "kernels.cu"});
  CHECK(choose({}, {}).words.find("set VISUAL or EDITOR") != std::string::npos);
}
