#include "optimizer/store/report.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "optimizer/graph/order.h"
#include "optimizer/graph/sizes.h"
#include "optimizer/language/text.h"

namespace workbook::opt {
namespace {

using runs::Json;

constexpr const char* kOps[] = {"input", "add", "sub", "mul", "div", "exp", "fn", "max", "sum", "matmul"};

Json cuts(const Counts& counts) {
  Json json = Json::object();
  for (int i = 0; i < kPruneReasons; ++i) json[kPruneNames[i]] = counts.cut[static_cast<std::size_t>(i)];
  return json;
}

Json index_names(const Graph& graph, IndexSet set) {
  Json json = Json::array();
  for (const int index : members(set)) json.push_back(graph.indices[static_cast<std::size_t>(index)].name);
  return json;
}

Json verified_json(const Verified& v) {
  return {{"equal", v.equal},
          {"draws", v.draws},
          {"other_draws", v.other_draws},
          {"chance", v.chance},
          {"degree", v.difference.degree},
          {"exponentials", v.difference.exponentials},
          {"roots", v.difference.roots},
          {"hashed", v.hashed},
          {"refused_at", v.refused_at}};
}

Json numerics_json(const Numerics& n) {
  return {{"within", n.within}, {"ratio", n.ratio}, {"data", n.data}, {"words", n.words}};
}

Json nodes_json(const Program& program, const Graph& graph) {
  const std::vector<IndexSet> shapes = shapes_of(graph, program.output_set());
  Json json = Json::array();
  const auto or_null = [](int operand) { return operand < 0 ? Json(nullptr) : Json(operand); };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    json.push_back({{"op", kOps[static_cast<int>(node.op)]},
                    {"a", or_null(node.a)},
                    {"b", or_null(node.b)},
                    {"over", node.over < 0 ? Json(nullptr)
                                           : Json(graph.indices[static_cast<std::size_t>(node.over)].name)},
                    {"fn", node.fn},
                    {"text", node_text(graph, static_cast<int>(i))},
                    {"indices", index_names(graph, shapes[i])}});
  }
  return json;
}

}  // namespace

Json to_json(const Depth& depth) {
  Json found = Json::array();
  for (const std::vector<Node>& nodes : depth.found) {
    Json graph = Json::array();
    for (const Node& node : nodes)
      graph.push_back({static_cast<int>(node.op), node.a, node.b, node.over, node.fn});
    found.push_back(graph);
  }
  return {{"nodes", depth.nodes},      {"states", depth.counts.states}, {"tried", depth.counts.tried},
          {"cut", cuts(depth.counts)}, {"cpu_s", depth.cpu_s},          {"found", found}};
}

Depth depth_from_json(const Json& json, const Program& program, int nodes) {
  const auto wrong = [] { return std::runtime_error("a row of it is damaged"); };
  Depth depth;
  try {
    depth.nodes = json.at("nodes").get<int>();
    depth.counts.states = json.at("states").get<std::uint64_t>();
    depth.counts.tried = json.at("tried").get<std::uint64_t>();
    depth.cpu_s = json.at("cpu_s").get<double>();
    for (int i = 0; i < kPruneReasons; ++i)
      depth.counts.cut[static_cast<std::size_t>(i)] = json.at("cut").at(kPruneNames[i]).get<std::uint64_t>();
    const int inputs = static_cast<int>(program.graph.inputs.size());
    for (const Json& graph : json.at("found")) {
      std::vector<Node> made;
      for (const Json& node : graph) {
        const auto number = [&](std::size_t i, int low, int high) {
          const int value = node.at(i).get<int>();
          if (value < low || value > high) throw wrong();
          return value;
        };
        const int before = inputs + static_cast<int>(made.size()) - 1;
        Node next;
        next.op = static_cast<Op>(number(0, 1, static_cast<int>(Op::matmul)));
        next.a = static_cast<std::int8_t>(number(1, 0, before));
        next.b = static_cast<std::int8_t>(number(2, -1, before));
        next.over =
            static_cast<std::int8_t>(number(3, -1, static_cast<int>(program.graph.indices.size()) - 1));
        next.fn = static_cast<std::uint8_t>(
            number(4, 0, std::max(0, static_cast<int>(program.graph.functions.size()) - 1)));
        made.push_back(next);
      }
      if (static_cast<int>(made.size()) != nodes) throw wrong();
      Graph whole = graph_of(program, made);
      if (type_fault(whole, program.output_set())) throw wrong();
      depth.found.push_back(std::move(made));
    }
  } catch (const nlohmann::json::exception&) {
    throw wrong();
  }
  if (depth.nodes != nodes) throw wrong();
  return depth;
}

Json to_json(const Program& program, const Reported& reported) {
  Json json{{"formula", formula(reported.graph)},
            {"text", graph_text(program, reported.graph)},
            {"nodes", nodes_json(program, reported.graph)},
            {"output", reported.graph.output()},
            {"work",
             {{"product_flops", reported.work.product_flops},
              {"other_flops", reported.work.other_flops},
              {"bytes", reported.work.bytes},
              {"passes", reported.work.passes}}}};
  if (reported.verified) json["verified"] = verified_json(*reported.verified);
  if (reported.numerics) json["numerics"] = numerics_json(*reported.numerics);
  return json;
}

Json to_json(const Program& program, const Graph& graph, const Checked& checked) {
  Json json{{"program", program.name},
            {"formula", formula(graph)},
            {"equal", checked.verified.equal},
            {"verified", verified_json(checked.verified)},
            {"numerics", checked.verified.equal ? numerics_json(checked.numerics) : Json(nullptr)},
            {"foreign", nullptr},
            {"example", nullptr}};
  if (const auto& foreign = checked.foreign)
    json["foreign"] = {{"line", foreign->line}, {"text", foreign->text}};
  if (const auto& example = checked.example) {
    Json extents = Json::object(), inputs = Json::object();
    for (std::size_t i = 0; i < program.graph.indices.size(); ++i)
      extents[program.graph.indices[i].name] = example->extents[i];
    for (const auto& [name, values] : example->inputs) inputs[name] = values;
    json["example"] = {{"extents", extents},
                       {"inputs", inputs},
                       {"place", example->place},
                       {"yours", example->theirs},
                       {"programs", example->programs}};
  }
  return json;
}

Json to_json(const Program& program, const Graph& graph, const Enumerator::Judged& judged) {
  Json json{
      {"program", program.name}, {"formula", formula(graph)}, {"equal", judged.equal}, {"cut", nullptr}};
  const Graph one = canonical(graph);
  if (judged.node >= 0)
    json["cut"] = {{"operation", judged.node + 1},
                   {"text", node_text(one, static_cast<int>(one.inputs.size()) + judged.node)},
                   {"reason", kPruneNames[static_cast<int>(judged.cut)]}};
  return json;
}

Json to_json(const Program& program, const Search& search, int most_nodes,
             const std::vector<Reported>& graphs) {
  const Graph& graph = program.graph;
  Json indices = Json::array(), inputs = Json::array(), depths = Json::array(), found = Json::array();
  for (const Index& index : graph.indices)
    indices.push_back({{"name", index.name}, {"teaching", index.teaching}, {"real", index.real}});
  for (const Tensor& tensor : graph.inputs) {
    Json dims = Json::array();
    for (const std::uint8_t dim : tensor.dims) dims.push_back(graph.indices[dim].name);
    inputs.push_back(
        {{"name", tensor.name},
         {"dims", dims},
         {"type", name_of(tensor.storage)},
         {"given", tensor.given},
         {"stored", tensor.is_stored()},
         {"constant", tensor.constant < 0
                          ? Json(nullptr)
                          : Json(value_of(graph.constants[static_cast<std::size_t>(tensor.constant)],
                                          real_extents(graph)))}});
  }
  Json output_dims = Json::array();
  for (const std::uint8_t dim : program.output_dims) output_dims.push_back(graph.indices[dim].name);
  Json outputs = Json::array();
  for (int i = 0; i <= static_cast<int>(program.others.size()); ++i) {
    const Output output = program.output(i);
    Json dims = Json::array();
    for (const std::uint8_t dim : output.dims) dims.push_back(graph.indices[dim].name);
    outputs.push_back({{"name", output.name}, {"dims", dims}, {"type", name_of(output.storage)}});
  }
  for (const Depth& depth : search.depths) depths.push_back(to_json(depth));
  for (const Reported& each : graphs) found.push_back(to_json(program, each));
  return {{"program", program.name},
          {"title", program.title},
          {"output", program.output_name},
          {"output_tensor", {{"dims", output_dims}, {"type", name_of(program.output_storage)}}},
          {"outputs", outputs},
          {"formula", program.others.empty() ? formula(graph) : formulas(program, graph)},
          {"nodes", graph.operations()},
          {"most_nodes", most_nodes},
          {"indices", indices},
          {"inputs", inputs},
          {"algebra",
           {{"complete", !search.stopped},
            {"resumed", search.known_depths},
            {"states", search.counts.states},
            {"tried", search.counts.tried},
            {"cut", cuts(search.counts)},
            {"depths", depths},
            {"cpu_s", search.cpu_s}}},
          {"graphs", found},
          {"best", graphs.empty() ? Json(nullptr) : Json(0)}};
}

std::vector<runs::FusionState> tree_states(const Program& program, const Search& search, std::size_t most,
                                           std::uint64_t& one_in) {
  // Where the guess of how many there would be was too low, fewer still.
  one_in = 1;
  const auto kept = [&](const TreeState& state, std::size_t number) {
    return state.equal ||
           (static_cast<int>(state.nodes.size()) <= kWholeDepth && search.tree.size() <= 4 * most) ||
           number % one_in == 0;
  };
  for (;; one_in *= 2) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < search.tree.size(); ++i) count += kept(search.tree[i], i) ? 1 : 0;
    if (count <= most || one_in > search.tree.size()) break;
  }
  std::map<std::vector<Node>, int> places;
  std::vector<runs::FusionState> states;
  for (std::size_t i = 0; i < search.tree.size(); ++i) {
    const TreeState& state = search.tree[i];
    if (!kept(state, i) && !state.nodes.empty()) continue;
    int parent = -1;
    for (std::vector<Node> above = state.nodes; !above.empty() && parent < 0;) {
      above.pop_back();
      const auto at = places.find(above);
      if (at != places.end()) parent = at->second;
    }
    places[state.nodes] = static_cast<int>(states.size());
    const Graph graph = graph_of(program, state.nodes);
    states.push_back({parent,
                      static_cast<int>(state.nodes.size()),
                      state.nodes.empty() ? "" : node_text(graph, graph.output()),
                      {state.cut.begin(), state.cut.end()},
                      state.kept,
                      state.equal});
  }
  one_in *= search.tree_one_in;
  return states;
}

Json tree_json(const Program& program, const Search& search, int most_nodes) {
  std::uint64_t one_in = 1;
  Json states = Json::array(), reasons = Json::array();
  for (const runs::FusionState& state : tree_states(program, search, kTreeStates, one_in))
    states.push_back({{"parent", state.parent},
                      {"depth", state.depth},
                      {"text", state.text},
                      {"cut", state.cut},
                      {"kept", state.kept},
                      {"equal", state.equal}});
  for (int i = 0; i < kPruneReasons; ++i)
    reasons.push_back({{"name", kPruneNames[i]}, {"letter", std::string(1, kPruneLetters[i])}});
  return {{"program", program.name}, {"most_nodes", most_nodes}, {"sampled_from_depth", kWholeDepth + 1},
          {"one_in", one_in},        {"reasons", reasons},       {"states", states}};
}

}  // namespace workbook::opt
