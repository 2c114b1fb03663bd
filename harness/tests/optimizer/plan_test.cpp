// Plans: what is legal, and that a plan carried out tile by tile gives what its graph gives.
#include <cmath>

#include "optimizer/plan/interpret.h"
#include "optimizer/schedule/schedule.h"
#include "tests/catch.h"
#include "tests/optimizer/programs.h"

using namespace workbook;
using namespace workbook::opt;
using test::kShipped;
using test::shipped;

namespace {

std::vector<NumberTensor> drawn(const Program& program, const Extents& extents) {
  std::vector<NumberTensor> inputs;
  for (const Tensor& tensor : program.graph.inputs) {
    NumberTensor values{tensor.set(), {}, {}};
    for (std::size_t i = 0; i < size_of(values.set, extents); ++i)
      values.values.push_back(
          tensor.constant >= 0 ? program.graph.constants[static_cast<std::size_t>(tensor.constant)].value
                               : static_cast<double>(mixed(hash_of(tensor.name), i) % 2001) / 1000.0 - 0.9);
    inputs.push_back(std::move(values));
  }
  return inputs;
}

/// A plan that may be illegal: monotone launches, cuts at random.
Plan random_plan(const Program& program, const Extents& extents, std::uint64_t key) {
  auto dice = [next = key](std::uint64_t below) mutable { return mixed(next++, 77) % below; };
  Plan plan{program.graph, {}};
  const auto launches = static_cast<std::size_t>(1 + dice(3));
  plan.kernels.resize(launches);
  std::vector<std::size_t> of(plan.graph.nodes.size(), 0);
  for (const int node : node_list(needed_nodes(plan.graph))) {
    const Node& op = plan.graph.nodes[static_cast<std::size_t>(node)];
    std::size_t least = of[static_cast<std::size_t>(op.a)];
    if (op.b >= 0) least = std::max(least, of[static_cast<std::size_t>(op.b)]);
    of[static_cast<std::size_t>(node)] = std::min(launches - 1, least + dice(2));
    plan.kernels[of[static_cast<std::size_t>(node)]].nodes |= std::uint64_t{1} << node;
  }
  std::erase_if(plan.kernels, [](const Kernel& kernel) { return kernel.nodes == 0; });
  for (Kernel& kernel : plan.kernels) {
    for (std::size_t i = 0; i < plan.graph.indices.size(); ++i)
      if (dice(2) == 0)
        kernel.cuts[i].grid = static_cast<int>(1 + dice(static_cast<std::uint64_t>(extents[i])));
    if (dice(3) > 0) {
      const std::size_t loop = dice(plan.graph.indices.size());
      kernel.cuts[loop].loop = static_cast<int>(1 + dice(static_cast<std::uint64_t>(extents[loop])));
    }
  }
  return plan;
}

Kernel whole(const Graph& graph) { return {needed_nodes(graph), {}, Path::plain, 8}; }

}  // namespace

TEST_CASE("a plan gives what its graph gives, however it is cut", "[opt]") {
  std::size_t legal = 0, several = 0, split = 0, second = 0;
  for (const char* name : kShipped) {
    const Program program = shipped(name);
    std::size_t of_this = 0;
    for (std::uint64_t draw = 0; draw < 900 && of_this < 300; ++draw) {
      Extents extents;
      extents.fill(1);
      for (std::size_t i = 0; i < program.graph.indices.size(); ++i)
        extents[i] = static_cast<std::int32_t>(1 + mixed(draw, i) % 5);
      const Plan plan = random_plan(program, extents, mixed(hash_of(name), draw));
      if (plan_fault(program, plan, extents)) continue;
      ++legal, ++of_this;
      several += plan.kernels.size() > 1;
      for (const Launch& launch : launches_of(program, plan))
        split += launch.split >= 0, second += launch.sweeps > 1;
      const std::vector<NumberTensor> inputs = drawn(program, extents);
      const Rounding rounding{unit_of(Storage::f32), true};
      const NumberTensor expected = evaluate_numbers(plan.graph, program.output_set(), extents, inputs,
                                                     rounding)[slot(plan.graph.output())];
      const NumberTensor got = interpret(program, plan, extents, inputs, rounding);
      REQUIRE(got.set == expected.set);
      REQUIRE(got.values.size() == expected.values.size());
      for (std::size_t i = 0; i < got.values.size(); ++i)
        if (std::isfinite(expected.values[i])) {
          INFO(name << ", draw " << draw << ", element " << i);
          REQUIRE(std::abs(got.values[i] - expected.values[i]) <=
                  1e-9 * (1.0 + std::abs(expected.values[i])));
        }
    }
    CHECK(of_this > 50);
  }
  CHECK(legal > 1500);
  CHECK(several > 300);
  CHECK(split > 50);
  CHECK(second > 50);
}

TEST_CASE("a plan is refused for what it breaks", "[opt]") {
  const Program program = shipped("rmsnorm_linear");
  const Extents extents = teaching_extents(program.graph);
  const auto fault = [&](const Plan& plan) { return plan_fault(program, plan, extents).value_or("legal"); };
  Plan plan{program.graph, {whole(program.graph)}};
  CHECK(fault(plan) == "legal");
  plan.kernels[0].cuts[1] = {2, 1};  // h: mean and product are parts of sums then
  CHECK(fault(plan).find("the sum over it is finished in a later launch") != std::string::npos);
  plan.kernels[0].cuts[1] = {1, 4};
  CHECK(fault(plan) == "legal");
  CHECK(launches_of(program, plan)[0].sweeps == 2);  // x / rms before the product
  plan.kernels[0].cuts[2] = {1, 4};
  CHECK(fault(plan) == "a launch loops over one index, not over h and o");
  plan.kernels[0].cuts[2] = {17, 1};
  CHECK(fault(plan) == "o has 16 elements and is cut into more parts");
  plan.kernels[0].cuts[2] = {1, 1};
  plan.kernels[0].nodes &= ~(std::uint64_t{1} << plan.graph.output());
  CHECK(fault(plan) == "a node lies in no launch");
  plan.kernels.clear();
  CHECK(fault(plan) == "a plan has 1 to 64 launches");

  const Program gated = shipped("gated_mlp");
  Plan split{gated.graph, {whole(gated.graph)}};
  split.kernels[0].cuts[1] = {2, 2};
  CHECK(plan_fault(gated, split, teaching_extents(gated.graph))->find("later launch") != std::string::npos);
}

TEST_CASE("a running maximum gives what the whole one gives, however keys are cut", "[opt]") {
  std::size_t running = 0, split = 0, rescaled = 0;
  for (const char* name : {"softmax", "qknorm_attention", "mla_decode"}) {
    Program program = shipped(name);
    // The program as it stands divides before the values; behind them, one sweep is enough.
    const std::string text = std::string(name) == "softmax"
                                 ? "index b = 4 4096, t = 8 4096, d = 4 64\ninput x[b,t] f32, v[t,d] f32\n"
                                   "e = exp(x)\ny = sum(t, e * v) / sum(t, e)\noutput y[b,d]\n"
                                 : "";
    if (!text.empty()) program = test::parsed(text);
    const std::optional<Graph> graph = stabilised(program, program.graph);
    REQUIRE(graph);
    int keys = -1;
    for (const Node& node : graph->nodes)
      if (node.op == Op::max) keys = node.over;
    REQUIRE(keys >= 0);
    for (std::uint64_t draw = 0; draw < 3000; ++draw) {
      Extents extents;
      extents.fill(1);
      for (std::size_t i = 0; i < graph->indices.size(); ++i)
        extents[i] = static_cast<std::int32_t>(1 + mixed(draw, i) % 4);
      extents[slot(keys)] = static_cast<std::int32_t>(4 + mixed(draw, 99) % 9);
      Program whole = program;
      whole.graph = *graph;
      Plan plan = random_plan(whole, extents, mixed(hash_of(name), draw));
      for (Kernel& kernel : plan.kernels) {
        for (Cut& cut : kernel.cuts) cut.loop = 1;
        kernel.cuts[slot(keys)] = {static_cast<int>(1 + mixed(draw, 5) % 2), 2};
        for (const int node : node_list(kernel.nodes))
          if (graph->nodes[slot(node)].op == Op::max) kernel.path = Path::attention;
      }
      if (plan_fault(program, plan, extents)) continue;
      bool any = false;
      for (const Launch& launch : launches_of(program, plan)) {
        any = any || launch.running >= 0;
        running += launch.running >= 0;
        rescaled += launch.rescaled != 0;
        split += launch.running >= 0 && launch.split >= 0;
      }
      if (!any) continue;
      std::vector<NumberTensor> inputs = drawn(program, extents);
      for (NumberTensor& input : inputs)
        for (double& value : input.values) value *= 9.0;  // maxima that tell
      const NumberTensor expected =
          evaluate_numbers(plan.graph, program.output_set(), extents, inputs, {})[slot(plan.graph.output())];
      const NumberTensor got = interpret(program, plan, extents, inputs, {});
      for (std::size_t i = 0; i < got.values.size(); ++i)
        if (std::isfinite(expected.values[i])) {
          INFO(name << ", draw " << draw << ", element " << i);
          REQUIRE(std::abs(got.values[i] - expected.values[i]) <=
                  1e-9 * (1.0 + std::abs(expected.values[i])));
        }
    }
  }
  CHECK(running > 300);
  CHECK(rescaled > 100);
  CHECK(split > 30);
}

TEST_CASE("nothing but what is rescaled may depend on a running maximum", "[opt]") {
  const auto fault = [](const std::string& lines, int grid) {
    const Program program = test::parsed(
        "index b = 4 16, t = 8 4096, d = 4 64\ninput x[b,t] f32, v[t,d] f32\nm = max(t, x)\ne = exp(x - m)\n" +
        lines);
    Plan plan{program.graph, {{needed_nodes(program.graph), {}, Path::attention, 8}}};
    plan.kernels[0].cuts[1] = {grid, 4};
    return plan_fault(program, plan, real_extents(program.graph)).value_or("legal");
  };
  CHECK(fault("y = sum(t, e * v) / sum(t, e)\noutput y[b,d]\n", 1) == "legal");
  CHECK(fault("y = sum(t, e * v) / sum(t, e)\noutput y[b,d]\n", 2).find("finished in a later launch") !=
        std::string::npos);
  // Twice the factor exp(-max), another use of it, what is written while it runs.
  CHECK(fault("y = sum(t, e * e)\noutput y[b]\n", 1).find("a maximum that still runs") != std::string::npos);
  CHECK(fault("y = sum(t, (e + x) * v)\noutput y[b,d]\n", 1).find("still runs") != std::string::npos);
  CHECK(fault("y = sum(t, x * m)\noutput y[b]\n", 1).find("still runs") != std::string::npos);
  CHECK(fault("output e[b,t]\n", 1).find("still runs") != std::string::npos);
  const Program plain = shipped("rmsnorm_linear");
  Plan plan{plain.graph, {{needed_nodes(plain.graph), {}, Path::attention, 8}}};
  CHECK(plan_fault(plain, plan, real_extents(plain.graph)) == "path attention has a loop");
  plan.kernels[0].cuts[1].loop = 4;
  CHECK(plan_fault(plain, plan, real_extents(plain.graph)) == "no maximum runs over h");
}
