// The store: a search that was stopped goes on, and a file that is damaged is said and left alone.
#include "optimizer/store/store.h"

#include <fmt/format.h>

#include "clock/gpus.h"
#include "optimizer/language/text.h"
#include "optimizer/plan/launch_memo.h"
#include "optimizer/schedule/schedule_store.h"
#include "optimizer/store/report.h"
#include "optimizer/store/verdict_store.h"
#include "runs/sqlite.h"
#include "tests/catch.h"
#include "tests/optimizer/plans.h"
#include "tests/optimizer/programs.h"

using namespace workbook::opt;
using workbook::test::h200;
using workbook::test::parsed;
using workbook::test::shipped;
using workbook::test::sized;
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

namespace {

/// All that is said of a schedule.
std::string text_of(const Schedule& schedule) {
  std::string text = fmt::format("{} priced, {} unstable\n", schedule.priced, schedule.unstable);
  const auto add = [&](const Scheduled& plan) {
    text += formula(plan.plan.graph) + fmt::format(": {} us, {} bytes", plan.price.us, plan.price.bytes);
    for (const Kernel& kernel : plan.plan.kernels) {
      text += fmt::format("; {} {} {} {} {}", kernel.nodes, name_of(kernel.path), kernel.warps, kernel.stages,
                          kernel.beside);
      for (const Cut& cut : kernel.cuts) text += fmt::format(" {}*{}", cut.grid, cut.loop);
    }
    for (const auto& launch : plan.price.launches)
      text += workbook::runs::dump(workbook::runs::to_json(launch));
    text += '\n';
  };
  for (const Scheduled& plan : schedule.plans) add(plan);
  if (schedule.unfused) add(*schedule.unfused);
  return text;
}

struct Kept {
  std::string text;
  int asked = 0;  ///< whether to stop: once a graph, and where that is not known often
  bool stopped = false;
};

Kept scheduled(const Program& program, const std::vector<Graph>& graphs, const std::filesystem::path& file,
               int stop_at = -1, unsigned threads = 1) {
  SearchStore rows(file);
  ScheduleStore store(rows, program, h200());
  std::atomic<int> asked = 0;
  const Schedule found =
      schedule(program, graphs, h200(),
               {[&] { return ++asked == stop_at || (stop_at > 0 && asked > stop_at); }, threads, &store});
  CHECK(rows.trouble().empty());
  return {text_of(found), asked, found.stopped};
}

}  // namespace

TEST_CASE("what inputs hold belongs to what is kept: a product may be a number of half or not") {
  const std::string text = "index b = 4 8\ninput x[b]\n";
  const Program usual = parsed(text + "y = x + 1\noutput y[b]\n");
  const Program large = parsed(text + "range x = -1000 1000\ny = x + 1\noutput y[b]\n");
  const Program masks = parsed(text + "range x = -inf 255\ny = x + 1\noutput y[b]\n");
  CHECK(exact_text(usual.graph) != exact_text(large.graph));
  CHECK(exact_text(usual.graph) != exact_text(masks.graph));
}

TEST_CASE("cuts that were cut short stay as they were for whoever has them, while another thread tries all") {
  LaunchMemo memo;
  const LaunchSignature launch{1, 2, 3};
  const auto& first = memo.of(launch, true, [] { return LaunchMemo::Cuts{{Kernel{}}, 1, true}; });
  const auto& whole = memo.of(launch, true, [] { return LaunchMemo::Cuts{{Kernel{}, Kernel{}}, 2, false}; });
  CHECK((first.kernels.size() == 1 && first.priced == 1 && first.stopped));
  CHECK((whole.kernels.size() == 2 && whole.priced == 2 && !whole.stopped));
  CHECK(memo.of(launch, true, []() -> LaunchMemo::Cuts { throw 1; }).priced == 2);
}

TEST_CASE("a schedule that was stopped goes on, and is the same with and without the store") {
  const Program program = sized("rmsnorm_linear", {"h=256", "o=256"});
  const std::vector<Graph> graphs = search(program, Field(), {}).found;
  const std::string without = text_of(schedule(program, graphs, h200()));
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "rows.sqlite";
  const Kept whole = scheduled(program, graphs, file);
  CHECK(whole.text == without);
  CHECK_FALSE(whole.stopped);
  for (const unsigned threads : {1u, 2u, 8u}) {
    const Kept again = scheduled(program, graphs, file, -1, threads);
    CHECK(again.text == without);
    CHECK(again.asked == static_cast<int>(std::min(graphs.size(), kScheduledGraphs)));  // nothing was priced
  }
  for (const int stop_at : {1, 20, whole.asked / 2, whole.asked - 1}) {
    const std::filesystem::path stopped = folder / ("stopped" + std::to_string(stop_at) + ".sqlite");
    CHECK(scheduled(program, graphs, stopped, stop_at)
              .stopped);  // in the program as it stands, too: the last of all
    const Kept resumed = scheduled(program, graphs, stopped, -1, 2);
    CHECK(resumed.text == without);
    CHECK((resumed.asked < whole.asked) == (stop_at >= whole.asked / 2));
  }
}

TEST_CASE("verdicts are read back as they were, for the same program and graphs alone") {
  const Program program = shipped("layernorm_linear");
  const TemporaryFolder folder;
  SearchStore store(folder / "rows.sqlite");
  std::vector<Reported> graphs;
  Verifier verifier(program, {});
  const RoundingCheck rounding(program);
  for (const Graph& graph : search(program, Field(), {}).found)
    graphs.push_back({graph, {}, verifier.verify(graph, graphs.size() < 2), rounding.of(graph)});
  graphs.back().numerics.reset();
  std::vector<Reported> empty;
  for (const Reported& graph : graphs) empty.push_back({graph.graph, {}, {}, {}});
  const std::string key = verdicts_key(program, graphs, 2, 8);
  CHECK(verdicts_key(program, graphs, 3, 8) != key);
  CHECK(verdicts_key(sized("layernorm_linear", {"h=64"}), graphs, 2, 8) != key);
  save_verdicts(store, key, graphs);
  std::vector<Reported> loaded = empty;
  REQUIRE(load_verdicts(store, key, loaded));
  const auto text = [&](const Reported& graph) {
    return workbook::runs::dump(to_json(program, graph)) + extents_text(program.graph, graph.verified->full);
  };
  for (std::size_t i = 0; i < graphs.size(); ++i) CHECK(text(loaded[i]) == text(graphs[i]));
  store.keep(key, "[[true]]");
  loaded = empty;
  CHECK_FALSE(load_verdicts(store, key, loaded));
  CHECK_FALSE(loaded.front().verified);
  std::vector<Reported> fewer = graphs;
  fewer.pop_back();
  CHECK(verdicts_key(program, fewer, 2, 8) != key);
}

TEST_CASE("graphs that are scheduled together have the plans that each has alone") {
  for (const auto& program :
       {sized("layernorm_linear", {"h=64", "o=64"}), sized("lora_linear", {"h=64", "o=64"}),
        sized("qknorm_attention", {"n=2", "s=16", "t=64"})}) {
    CAPTURE(program.name);
    SearchOptions options;
    options.most_nodes = program.graph.operations();
    std::vector<Graph> graphs = search(program, Field(), options).found;
    graphs.resize(std::min<std::size_t>(graphs.size(), 3));
    // The program itself is looked at besides, each time.
    const Graph own = as_it_stands(program);
    const auto is_own = [&](const Graph& graph) {
      return stabilised(program, expanded(program, graph)) == own;
    };
    std::erase_if(graphs, is_own);
    const Schedule together = schedule(program, graphs, h200(), {.threads = 2});
    const std::int64_t of_own = schedule(program, {program.graph}, h200()).priced;
    std::int64_t priced = of_own;
    std::vector<std::pair<double, std::vector<Kernel>>> apart, all;
    const auto add = [&](const Schedule& from, auto& list) {
      for (const Scheduled& plan : from.plans)
        if (plan.plan.graph != own) list.emplace_back(plan.price.us, plan.plan.kernels);
    };
    for (const Graph& graph : graphs) {
      const Schedule alone = schedule(program, {graph}, h200());
      priced += alone.priced - of_own;
      add(alone, apart);
    }
    add(together, all);
    std::sort(apart.begin(), apart.end());
    std::sort(all.begin(), all.end());
    CHECK(all == apart);
    CHECK(together.priced == priced);
  }
}

TEST_CASE("a plan has one price, however it was found") {
  const Program program = shipped("mla_decode");
  SearchOptions options;
  options.most_nodes = 10;
  const Schedule found = schedule(program, search(program, Field(), options).found, h200(), {.threads = 2});
  REQUIRE(found.plans.size() > 1);
  for (const Scheduled& plan : found.plans)
    CHECK(plan.price.us == price_of(program, plan.plan, real_extents(plan.plan.graph), h200()).us);
}

TEST_CASE("a schedule's row that is damaged or of other prices is as good as none, and is written anew") {
  const Program program = sized("softmax", {});
  const Graph graph = *stabilised(program, program.graph);
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "rows.sqlite";
  const Kept whole = scheduled(program, {program.graph}, file);
  SearchStore rows(file);
  ScheduleStore store(rows, program, h200());
  const std::string key = store.key(graph, {});
  const std::string text = rows.kept(key).value();
  for (const std::string& damage : {std::string("{"), std::string("{\"priced\":1}"), text.substr(1),
                                    std::string("{\"priced\":1,\"plans\":[[1.5,2.5,[[1,99,1,1,[]]]]]}")}) {
    CAPTURE(damage);
    rows.keep(key, damage);
    CHECK_FALSE(store.load(graph, {}));
    const Kept again = scheduled(program, {program.graph}, file);
    CHECK(again.text == whole.text);
    CHECK(again.asked > 1);
    CHECK(rows.kept(key) == text);
  }
  {
    workbook::runs::Database database(file, SQLITE_OPEN_READWRITE);
    database.execute("UPDATE kept SET text = replace(text, ',', ', ')");
  }
  CHECK_FALSE(rows.kept(key));
  CHECK(scheduled(program, {program.graph}, file).text == whole.text);
  CHECK(rows.kept(key) == text);
  // Another clock: the first plan has another price than the row says.
  std::optional<GraphPlans> plans = store.load(graph, {});
  REQUIRE(plans);
  plans->plans.front().price.us += 1.0;
  store.save(graph, {}, *plans);
  CHECK_FALSE(store.load(graph, {}));
}

TEST_CASE("another size, type, GPU or way to divide it has another key") {
  const Program program = shipped("rmsnorm_linear");
  const TemporaryFolder folder;
  SearchStore rows(folder / "rows.sqlite");
  const auto key_of = [&](const Program& of, const char* gpu, const std::vector<std::uint64_t>& parts) {
    return ScheduleStore(rows, of, *workbook::sim::find_gpu(gpu)).key(of.graph, parts);
  };
  const std::string key = key_of(program, "h200", {});
  CHECK(key_of(program, "h200", {}) == key);
  CHECK(key_of(program, "a100", {}) != key);
  CHECK(key_of(program, "h200", {needed_nodes(program.graph)}) != key);
  CHECK(key_of(sized("rmsnorm_linear", {"h=1024"}), "h200", {}) != key);
  Program other = program;
  other.output_storage = Storage::f32;
  CHECK(key_of(other, "h200", {}) != key);
  other = program;
  other.graph.inputs.front().storage = Storage::bf16;
  CHECK(key_of(other, "h200", {}) != key);
  CHECK(kSources.size() == 64);
}
