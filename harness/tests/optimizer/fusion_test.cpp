// What the viewer is told about a search and its plans.
#include "optimizer/schedule/fusion.h"

#include "tests/catch.h"
#include "tests/optimizer/plans.h"

using namespace workbook;
using namespace workbook::opt;
using test::h200;
using test::shipped;

namespace {

Search searched(const Program& program) {
  SearchOptions options;
  options.tree = true;
  return search(program, Field(), options);
}

}  // namespace

TEST_CASE("the record of LoRA has the program, its equal graphs and plans in one launch and in four",
          "[opt]") {
  const Program program = shipped("lora_linear");
  const Search found = searched(program);
  runs::FusionRecord record = fusion_record(program, found, found.found);
  CHECK(record.formula == "y = sum(h, x * w) + sum(r, u * sum(h, x * a))");
  CHECK(record.sizes == runs::Sizes{{"b", 16}, {"h", 256}, {"o", 4096}, {"r", 16}});
  CHECK(record.equal.size() == 3);
  CHECK(record.graphs.size() == 4);  // with the program in its own order of operations
  const runs::FusionGraph& first = record.graphs[0];
  const runs::FusionNode& y = first.nodes[static_cast<std::size_t>(first.output)];
  CHECK(y.name == "y");
  CHECK(y.indices == std::vector<std::string>{"b", "o"});
  CHECK(y.dtype == "f16");
  CHECK(y.bytes == 16 * 4096 * 2);

  const Schedule plans = schedule(program, found.found, h200());
  const auto& apart = plans.unfused;
  REQUIRE(apart);
  add_plans(record, program, plans, h200());
  REQUIRE(record.unfused >= 0);
  CHECK(record.plans.size() ==
        std::min(plans.plans.size(), kRecordedPlans));  // the unfused one is among them
  CHECK(record.plans[0].predicted_us == plans.plans[0].price.us);
  const runs::FusionPlan& four = record.plans[static_cast<std::size_t>(record.unfused)];
  CHECK(four.launches.size() == 4);
  CHECK(four.predicted_us == apart->price.us);
  std::int64_t moved = 0;
  for (const runs::FusionLaunch& launch : four.launches)
    for (const runs::TensorTraffic& traffic : launch.traffic)
      moved += traffic.bytes_read + traffic.bytes_written;
  CHECK(static_cast<double>(moved) == four.bytes);
  CHECK(four.crossings.size() == 3);  // x w and (x a) u to the sum, x a to the product with u
  for (const runs::FusionCrossing& each : four.crossings) {
    CHECK(each.from < each.to);
    CHECK(each.merged_us > 0.0);
  }
  for (const runs::FusionLaunch& launch : four.launches)
    for (const runs::FusionCut& cut : launch.cuts)
      for (const auto& [name, size] : record.sizes)
        if (name == cut.index) CHECK(cut.grid * cut.loop * cut.tile >= size);
}

TEST_CASE("two launches that are better apart say what they would take as one", "[opt]") {
  const Program program = shipped("rmsnorm_linear");
  const Search found = searched(program);
  runs::FusionRecord record = fusion_record(program, found, found.found);
  const Schedule plans = schedule(program, found.found, h200());
  add_plans(record, program, plans, h200());
  const auto one = std::find_if(plans.plans.begin(), plans.plans.end(),
                                [](const auto& each) { return each.plan.kernels.size() == 1; });
  REQUIRE(one != plans.plans.end());
  bool said = false;
  for (const runs::FusionPlan& plan : record.plans)
    if (plan.launches.size() == 2 &&
        record.graphs[static_cast<std::size_t>(plan.graph)].formula == formula(one->plan.graph)) {
      CHECK(plan.crossings.at(0).merged_us == one->price.us);
      said = true;
    }
  CHECK(said);
}

TEST_CASE("the record of a search counts as the search does, and has its tree", "[opt]") {
  const Program program = shipped("rmsnorm_linear");
  const Search found = searched(program);
  const runs::FusionRecord record = fusion_record(program, found, found.found);
  REQUIRE(record.depths.size() == 9);
  CHECK(record.depths[5].found == 5);
  for (std::size_t i = 0; i < record.reasons.size(); ++i)
    CHECK(record.depths.back().cut[i] == static_cast<std::int64_t>(found.counts.cut[i]));
  CHECK(record.tree.size() == found.counts.states);
  CHECK(record.tree_one_in == 1);
  CHECK(std::count_if(record.tree.begin(), record.tree.end(),
                      [](const auto& state) { return state.equal; }) == 5);
}
