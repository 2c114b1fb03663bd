#include "runs/fusion.h"

#include <atomic>
#include <thread>
#include <vector>

#include "runs/json.h"
#include "tests/catch.h"
#include "tests/sample_fusion.h"
#include "tests/temporary.h"

using namespace workbook;

namespace {

std::string message_of(const runs::FusionRecord& record) {
  const test::TemporaryFolder folder;
  runs::write_fusion(folder / "made.json", record);
  try {
    runs::read_fusion(folder / "made.json");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

std::string message_of(const std::string& text) {
  const test::TemporaryFolder folder;
  test::write(folder / "made.json", text);
  try {
    runs::read_fusion(folder / "made.json");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("plans survive their file, and a draft of it is never left") {
  const test::TemporaryFolder folder;
  const runs::FusionRecord record = test::sample_fusion();
  const auto file = folder / "deeper" / "rmsnorm_linear.json";
  runs::write_fusion(file, record);
  runs::write_fusion(file, record);
  const runs::FusionRecord back = runs::read_fusion(file);
  CHECK(runs::dump(runs::to_json(back)) == runs::dump(runs::to_json(record)));
  CHECK(back.plans[1].measured_us == 131.0);
  CHECK_FALSE(back.plans[0].measured_us);
  CHECK(back.measured_on == "NVIDIA H200");
  CHECK(back.plans[1].cold_us.size() == 3);
  CHECK(runs::is_fusion(test::read(file)));
  CHECK_FALSE(runs::is_fusion("{\"format\":\"workbook runs\"}"));
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(file.parent_path())) ++files;
  CHECK(files == 1);
}

TEST_CASE("many may write one file of plans at once, as searches for one program do") {
  const test::TemporaryFolder folder;
  const runs::FusionRecord record = test::sample_fusion();
  const auto file = folder / "rmsnorm_linear.json";
  std::atomic<int> failed = 0;
  {
    std::vector<std::jthread> writers;
    for (int i = 0; i < 4; ++i)
      writers.emplace_back([&] {
        for (int round = 0; round < 100; ++round) try {
            runs::write_fusion(file, record);
          } catch (const std::runtime_error&) {
            ++failed;
          }
      });
  }
  CHECK(failed == 0);
  CHECK(runs::read_fusion(file).plans.size() == record.plans.size());
}

TEST_CASE("a file of plans that is missing, cut off, foreign or newer says which it is") {
  const test::TemporaryFolder folder;
  runs::write_fusion(folder / "whole.json", test::sample_fusion());
  const std::string whole = test::read(folder / "whole.json");
  CHECK(message_of(whole).empty());
  for (const std::size_t part : {whole.size() / 7, whole.size() / 2, whole.size() - 3})
    CHECK(holds(message_of(whole.substr(0, part)), "not JSON"));
  CHECK(holds(message_of("{\"runs\": []}"), "no plans of workbook optimize"));
  CHECK(holds(message_of("[1, 2]"), "no plans of workbook optimize"));
  CHECK(holds(message_of("{\"format\": 3, \"fusion\": {}}"), "no plans of workbook optimize"));
  CHECK(holds(message_of("{\"format\":\"workbook fusion\",\"version\":2,\"fusion\":{}}"), "another version"));
  CHECK(holds(message_of("{\"format\":\"workbook fusion\",\"version\":\"1\",\"fusion\":{}}"),
              "another version"));
  CHECK(holds(message_of("{\"format\":\"workbook fusion\",\"version\":1,\"fusion\":{}}"),
              "'made_at' is missing"));
  CHECK_THROWS_AS(runs::read_fusion(folder / "none.json"), std::runtime_error);
}

TEST_CASE("numbers of nodes, graphs, launches and plans that are not there are refused") {
  const auto refused = [](auto change) {
    runs::FusionRecord record = test::sample_fusion();
    change(record);
    return holds(message_of(record), "do not fit one another");
  };
  CHECK_FALSE(refused([](runs::FusionRecord&) {}));
  CHECK(refused([](runs::FusionRecord& r) { r.graphs.clear(); }));
  CHECK(refused([](runs::FusionRecord& r) { r.graphs[0].output = 7; }));
  CHECK(refused([](runs::FusionRecord& r) { r.graphs[0].nodes[3].operands = {3}; }));
  CHECK(refused([](runs::FusionRecord& r) { r.graphs[0].nodes[3].operands = {-1}; }));
  CHECK(refused([](runs::FusionRecord& r) { r.equal = {1}; }));
  CHECK(refused([](runs::FusionRecord& r) { r.plans[0].graph = 1; }));
  CHECK(refused([](runs::FusionRecord& r) { r.plans[0].launches.clear(); }));
  CHECK(refused([](runs::FusionRecord& r) { r.plans[0].launches[0].nodes[0] = 9; }));
  CHECK(refused([](runs::FusionRecord& r) { r.plans[0].launches[0].traffic[0].tensor = -2; }));
  CHECK(refused([](runs::FusionRecord& r) { r.plans[0].crossings[0].to = 2; }));
  CHECK(refused([](runs::FusionRecord& r) { r.best = 2; }));
  CHECK(refused([](runs::FusionRecord& r) { r.depths[0].cut.pop_back(); }));
  CHECK(refused([](runs::FusionRecord& r) { r.tree[2].parent = 2; }));
  CHECK(refused([](runs::FusionRecord& r) { r.tree[2].parent = -1; }));
  CHECK(refused([](runs::FusionRecord& r) { r.tree[2].depth = 1; }));
}
