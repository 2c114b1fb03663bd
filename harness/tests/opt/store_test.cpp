// The store: a search that was stopped goes on, and a file that is damaged is said and left alone.
#include "opt/store.h"

#include "opt/report.h"
#include "opt/text.h"
#include "runs/sqlite.h"
#include "tests/catch.h"
#include "tests/opt/programs.h"

using namespace workbook::opt;
using workbook::test::shipped;
using workbook::test::TemporaryFolder;

namespace {

/// A search with the store, stopped after `parts` tasks.
Search stored(const Program& program, const std::filesystem::path& file, int nodes, int parts,
              unsigned threads = 1) {
  SearchStore store(file);
  SearchOptions options;
  options.most_nodes = nodes;
  options.threads = threads;
  const std::string key = search_key(program, options);
  std::atomic<bool> stop{false};
  std::atomic<int> left{parts};
  options.stop = &stop;
  options.known = [&](int depth) { return store.load(key, program, depth); };
  options.finished = [&](const Depth& depth) { store.save(key, depth); };
  options.progress = [&](const Progress&) {
    if (--left == 0) stop = true;
  };
  return search(program, Field(), options);
}

}  // namespace

TEST_CASE("stopped at any instant and resumed, the answer is the same") {
  const Program program = shipped("layernorm_linear");
  const TemporaryFolder folder;
  const Search whole = stored(program, folder / "whole.sqlite", 8, -1);
  for (int parts = 1; parts < 200; parts += 23) {
    const std::filesystem::path file = folder / ("parts" + std::to_string(parts) + ".sqlite");
    const Search first = stored(program, file, 8, parts, 2);
    CHECK(first.stopped);
    const Search second = stored(program, file, 8, -1, 2);
    CHECK_FALSE(second.stopped);
    CHECK(second.known_depths == static_cast<int>(first.depths.size()));
    CHECK(second.found == whole.found);
    CHECK(second.counts == whole.counts);
    const Search third = stored(program, file, 8, -1);
    CHECK(third.known_depths == 8);
    CHECK(third.found == whole.found);
  }
}

TEST_CASE("another program, lemma or constant has another key, another size has not") {
  const Program program = shipped("rmsnorm_linear");
  const std::string key = search_key(program, {});
  Program sized = program;
  set_extent(sized, "h=1024");
  CHECK(search_key(sized, {}) == key);
  CHECK_THROWS_AS(set_extent(sized, "q=1024"), std::invalid_argument);
  CHECK_THROWS_AS(set_extent(sized, "h=x"), std::invalid_argument);
  SearchOptions other;
  other.seed = 2;
  CHECK(search_key(program, other) != key);
  Program lemma = program;
  lemma.lemmas.push_back(program.graph);
  CHECK(search_key(lemma, {}) != key);
  CHECK(search_key(shipped("lora_linear"), {}) != key);
}

TEST_CASE("a file that is no database, or a row that is none, is said and the search goes on") {
  const Program program = shipped("rmsnorm_linear");
  const TemporaryFolder folder;
  workbook::test::write(folder / "noise.sqlite", std::string(5000, 'x'));
  SearchStore noise(folder / "noise.sqlite");
  CHECK_THAT(noise.trouble(), contains_text("noise.sqlite is of no use"));
  CHECK_FALSE(noise.load("k", program, 3));
  CHECK(workbook::test::read(folder / "noise.sqlite") == std::string(5000, 'x'));

  for (const std::string damage :
       {"{", "{\"nodes\": 6}", "[]",
        "{\"nodes\":6,\"states\":1,\"tried\":1,\"cut\":{\"order\":0,\"shape\":0,\"loose\":0,"
        "\"expression\":0,\"duplicate\":0},\"cpu_s\":0,\"found\":[[[3,99,0,-1,0]]]}"}) {
    CAPTURE(damage);
    const std::filesystem::path file = folder / "rows.sqlite";
    std::filesystem::remove(file);
    stored(program, file, 6, -1);
    {
      workbook::runs::Database database(file, SQLITE_OPEN_READWRITE);
      workbook::runs::Statement statement(database, "UPDATE depths SET result = ? WHERE nodes = 6");
      statement.bind(damage);
      statement.step();
    }
    const Search again = stored(program, file, 6, -1);
    CHECK(again.found.size() == 5);
    CHECK(again.known_depths == 5);
  }
}

TEST_CASE("a depth's JSON is read back, and the reports have what their header says") {
  const Program program = shipped("rmsnorm_linear");
  SearchOptions options;
  options.tree = true;
  const Search result = search(program, Field(), options);
  for (const Depth& depth : result.depths) {
    const Depth again = depth_from_json(to_json(depth), program, depth.nodes);
    CHECK(again.found == depth.found);
    CHECK(again.counts == depth.counts);
  }
  const auto tree = tree_json(program, result, 9);
  CHECK(tree["states"][0]["parent"] == -1);
  CHECK(tree["states"].size() <= 20'000);
  int equal = 0;
  for (std::size_t i = 1; i < tree["states"].size(); ++i) {
    CHECK(tree["states"][i]["parent"] >= 0);
    CHECK(tree["states"][i]["parent"] < i);
    equal += tree["states"][i]["equal"].get<bool>() ? 1 : 0;
  }
  CHECK(equal == 5);
  const auto json =
      to_json(program, result, 9, {{result.found.front(), work_of(program, result.found.front()), {}, {}}});
  CHECK(json["graphs"][0]["formula"] == formula(result.found.front()));
  CHECK(json["algebra"]["complete"] == true);
}
