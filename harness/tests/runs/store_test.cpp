#include "runs/store.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "runs/json.h"
#include "tests/catch.h"
#include "tests/sample_run.h"
#include "tests/temporary.h"

using namespace workbook;
using runs::Store;
using Mode = Store::Mode;

namespace {

/// The sentence with which `file` is refused, checked to leave it byte for byte as it was.
std::string refusal(const std::filesystem::path& file) {
  const std::string before = test::read(file);
  std::string sentence;
  for (const Mode mode : {Mode::read_only, Mode::read_write}) {
    try {
      Store store(file, mode);
      FAIL("the file was accepted");
    } catch (const runs::StoreError& error) {
      sentence = error.what();
    }
    CHECK(test::read(file) == before);
  }
  return sentence;
}

void overwrite(const std::filesystem::path& file, std::size_t at, const std::string& bytes) {
  std::string text = test::read(file);
  text.replace(at, bytes.size(), bytes);
  test::write(file, text);
}

void fill(const std::filesystem::path& file, int count) {
  Store store(file, Mode::read_write);
  const runs::Trace trace = test::sample_trace();
  for (int i = 0; i < count; ++i) store.add(test::sample_run(), &trace);
}

}  // namespace

TEST_CASE("a run and its trace come back as they were recorded") {
  const test::TemporaryFolder folder;
  const auto file = folder / "state/runs.sqlite";
  CHECK_FALSE(Store::exists(file));
  Store store(file, Mode::read_write);
  const runs::Trace trace = test::sample_trace();
  const std::int64_t id = store.add(test::sample_run(), &trace);
  runs::RunRecord expected = test::sample_run();
  expected.id = id;
  CHECK(runs::dump(runs::to_json(store.load(id))) == runs::dump(runs::to_json(expected)));
  CHECK(store.source(id) == store.load(id).source);
  CHECK_FALSE(store.source(id).empty());
  CHECK(store.source(id + 1).empty());
  REQUIRE(store.trace(id));
  CHECK(store.trace(id)->events.size() == trace.events.size());
  CHECK_FALSE(store.trace(store.add(test::sample_run())));
  CHECK_THROWS_AS(store.load(99), runs::StoreError);
}

TEST_CASE("lists are newest first and filters choose") {
  const test::TemporaryFolder folder;
  Store store(folder / "runs.sqlite", Mode::read_write);
  runs::RunRecord run = test::sample_run();
  for (const char* variant : {"unfused", "fused", "unfused"}) {
    run.variant = variant;
    store.add(run);
  }
  run.origin = "solution";
  store.add(run);
  CHECK(store.list().size() == 4);
  CHECK(store.list().front().id == 4);
  CHECK(store.list({}, 2).size() == 2);
  runs::RunFilter filter;
  filter.puzzle = 22;
  filter.variant = "unfused";
  filter.origin = "learner";
  CHECK(store.newest(filter)->id == 3);
  filter.newer_than = 3;
  CHECK_FALSE(store.newest(filter));
}

TEST_CASE("a reader sees that another connection recorded a run") {
  const test::TemporaryFolder folder;
  Store writer(folder / "runs.sqlite", Mode::read_write);
  const Store reader(folder / "runs.sqlite", Mode::read_only);
  const std::int64_t before = reader.change_stamp();
  CHECK(reader.change_stamp() == before);
  writer.add(test::sample_run());
  CHECK(reader.change_stamp() != before);
  CHECK(reader.list().size() == 1);
}

TEST_CASE("a truncated file is refused wherever it was cut, and stays as it is") {
  const test::TemporaryFolder folder;
  const auto file = folder / "runs.sqlite";
  fill(file, 5);
  const std::string whole = test::read(file);
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{99}, std::size_t{4096},
                                 whole.size() / 2, whole.size() - 1}) {
    test::write(file, whole.substr(0, size));
    const std::string sentence = refusal(file);
    INFO(sentence);
    CHECK(contains(sentence, file.string()));
    CHECK(contains(sentence, "mv "));
  }
}

TEST_CASE("a damaged page is refused") {
  const test::TemporaryFolder folder;
  const auto file = folder / "runs.sqlite";
  fill(file, 5);
  overwrite(file, 4096, std::string(8192, '\xa5'));
  CHECK(contains(refusal(file), "damaged"));
}

TEST_CASE("newer and foreign files are refused") {
  const test::TemporaryFolder folder;
  const auto file = folder / "runs.sqlite";
  fill(file, 1);
  const std::string whole = test::read(file);
  overwrite(file, 60, std::string("\0\0\0\x63", 4));  // user_version
  CHECK(contains(refusal(file), "newer workbook"));
  test::write(file, whole);
  overwrite(file, 68, std::string(4, '\0'));  // application_id
  CHECK(contains(refusal(file), "another program"));
  test::write(file,
              "the diary of somebody else, long enough to be anything at all, really: it goes on and on and "
              "on and on");
  CHECK(contains(refusal(file), "is not a record of runs"));
}

TEST_CASE("a record that cannot be written can still be read") {
  if (geteuid() == 0) return;  // root writes everywhere
  const test::TemporaryFolder folder;
  const auto file = folder / "runs.sqlite";
  fill(file, 2);
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  std::filesystem::permissions(folder.path(),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  CHECK(Store(file, Mode::read_only).list().size() == 2);
  CHECK_THROWS_AS(Store(file, Mode::read_write), runs::StoreError);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

TEST_CASE("a writer killed at any instant loses nothing that it had recorded") {
  const test::TemporaryFolder folder;
  const auto file = folder / "runs.sqlite";
  std::mt19937 random(22);
  std::int64_t recorded = 0;
  for (int round = 0; round < 30; ++round) {
    int pipe_ends[2];
    REQUIRE(pipe(pipe_ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
      const runs::Trace trace = test::sample_trace();
      Store store(file, Mode::read_write);
      for (;;) {
        const std::int64_t id = store.add(test::sample_run(), &trace);
        if (write(pipe_ends[1], &id, sizeof id) != sizeof id) _exit(1);
      }
    }
    close(pipe_ends[1]);
    // After none, one or a few runs, whatever the speed of the machine, and a random moment later.
    std::int64_t seen = 0;
    for (int awaited = round % 4; awaited > 0; --awaited)
      REQUIRE(read(pipe_ends[0], &seen, sizeof seen) == sizeof seen);
    recorded = std::max(recorded, seen);
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<>(0, 3000)(random)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    for (std::int64_t id = 0; read(pipe_ends[0], &id, sizeof id) == sizeof id;) recorded = id;
    close(pipe_ends[0]);
    if (!Store::exists(file)) continue;
    Store store(file, Mode::read_write);
    const auto newest = store.newest({});
    CHECK((newest ? newest->id : 0) >= recorded);
    if (newest) {
      CHECK_NOTHROW(store.load(newest->id));
      CHECK_NOTHROW(store.trace(newest->id));
    }
    recorded = store.add(test::sample_run());
  }
  CHECK(recorded > 0);
}

TEST_CASE("runs travel as a JSON file, trace included") {
  const test::TemporaryFolder folder;
  const auto file = folder / "runs.json";
  runs::write_runs(file, {{test::sample_run(), test::sample_trace()}, {test::sample_run(), std::nullopt}});
  const std::vector<runs::StoredRun> back = runs::read_runs(file);
  REQUIRE(back.size() == 2);
  CHECK(back[0].trace->events.size() == 1000);
  CHECK_FALSE(back[1].trace);
  test::write(file, test::read(file).substr(0, 200));
  CHECK_THROWS_WITH(runs::read_runs(file), contains_text("runs.json cannot be read"));
  test::write(file, "{}");
  CHECK_THROWS_WITH(runs::read_runs(file), contains_text("not a file of workbook runs"));
}

TEST_CASE("runs are listed from their headers alone") {
  const test::TemporaryFolder folder;
  const auto file = folder / "runs.sqlite";
  Store store(file, Mode::read_write);
  for (int i = 0; i < 3; ++i) store.add(test::sample_run());
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, "UPDATE details SET record = 'unreadable'", nullptr, nullptr, nullptr) ==
        SQLITE_OK);
  sqlite3_close(database);
  CHECK(store.list().size() == 3);
  CHECK_THROWS(store.load(1));
}
