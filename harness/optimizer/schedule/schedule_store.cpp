#include "optimizer/schedule/schedule_store.h"

#include <fmt/format.h>

#include "clock/gpus.h"
#include "runs/json.h"

namespace workbook::opt {
namespace {

using runs::Json;

Json plan_json(const Scheduled& scheduled) {
  Json kernels = Json::array();
  for (const Kernel& kernel : scheduled.plan.kernels) {
    Json cuts = Json::array();
    for (std::size_t i = 0; i < scheduled.plan.graph.indices.size(); ++i)
      cuts.push_back({kernel.cuts[i].grid, kernel.cuts[i].loop});
    kernels.push_back({kernel.nodes, static_cast<int>(kernel.path), kernel.warps, kernel.stages,
                       kernel.beside, kernel.down, cuts, kernel.halves});
  }
  return {scheduled.price.us, scheduled.price.bytes, kernels};
}

Scheduled plan_from_json(const Json& json, const Graph& graph) {
  Scheduled made{{graph, {}}, {json.at(0).get<double>(), json.at(1).get<double>(), {}}};
  for (const Json& from : json.at(2)) {
    Kernel kernel{from.at(0).get<std::uint64_t>(),
                  {},
                  static_cast<Path>(from.at(1).get<int>()),
                  from.at(2).get<int>(),
                  from.at(3).get<int>(),
                  from.at(4).get<int>(),
                  from.at(5).get<int>(),
                  from.at(7).get<std::uint64_t>()};
    for (std::size_t i = 0; i < graph.indices.size(); ++i)
      kernel.cuts[i] = {from.at(6).at(i).at(0).get<int>(), from.at(6).at(i).at(1).get<int>()};
    made.plan.kernels.push_back(kernel);
  }
  return made;
}

}  // namespace

std::string ScheduleStore::key(const Graph& graph, const std::vector<std::uint64_t>& parts) const {
  std::string text =
      fmt::format("{}\n{}\n{}\n{}", kSources, gpu_.key, name_of(program_.output_storage), exact_text(graph));
  for (const std::uint8_t dim : program_.output_dims) text += fmt::format(",{}", dim);
  for (const Output& other : program_.others) {
    text += fmt::format(";{}", name_of(other.storage));
    for (const std::uint8_t dim : other.dims) text += fmt::format(",{}", dim);
  }
  for (const std::uint64_t nodes : parts) text += fmt::format("\n{}", nodes);
  return fmt::format("{:016x}{:016x}", mixed(hash_of(text), 1), mixed(hash_of("schedule" + text), 2));
}

std::optional<GraphPlans> ScheduleStore::load(const Graph& graph,
                                              const std::vector<std::uint64_t>& parts) const {
  const std::optional<std::string> text = store_.kept(key(graph, parts));
  if (!text) return std::nullopt;
  try {
    const Json json = runs::parse_json(*text);
    GraphPlans found;
    found.priced = json.at("priced").get<std::int64_t>();
    for (const Json& plan : json.at("plans")) found.plans.push_back(plan_from_json(plan, graph));
    if (found.plans.empty()) return found;
    const Scheduled& first = found.plans.front();
    const Extents extents = real_extents(graph);
    if (plan_fault(program_, first.plan, extents)) return std::nullopt;
    return price_of(program_, first.plan, extents, gpu_).us == first.price.us ? std::optional(found)
                                                                              : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;  // damaged: it is written anew
  }
}

void ScheduleStore::save(const Graph& graph, const std::vector<std::uint64_t>& parts,
                         const GraphPlans& plans) {
  Json list = Json::array();
  for (const Scheduled& plan : plans.plans) list.push_back(plan_json(plan));
  store_.keep(key(graph, parts), runs::dump({{"priced", plans.priced}, {"plans", list}}));
}

}  // namespace workbook::opt
