#include "workload_json.h"

namespace workbook::apart {

using runs::Json;

Json to_json(const core::Workload& workload) {
  Json json = {{"name", workload.name},     {"variant", workload.variant}, {"in_order", workload.in_order},
               {"traced", workload.traced}, {"changes", workload.changes}, {"sampled", workload.sampled},
               {"dims", Json::array()},     {"tensors", Json::array()},    {"types", Json::array()},
               {"initial", Json::array()}};
  for (const auto& [name, size] : workload.dims.items()) json["dims"].push_back({name, size});
  for (const runs::TensorInfo& info : workload.tensors) json["tensors"].push_back(runs::to_json(info));
  for (const Type type : workload.types) json["types"].push_back(static_cast<int>(type));
  for (const core::Bytes& bytes : workload.initial) json["initial"].push_back(bytes.size());
  return json;
}

core::Workload workload_from(const Json& json) {
  core::Workload workload;
  json.at("name").get_to(workload.name);
  json.at("variant").get_to(workload.variant);
  json.at("in_order").get_to(workload.in_order);
  json.at("traced").get_to(workload.traced);
  json.at("changes").get_to(workload.changes);
  json.at("sampled").get_to(workload.sampled);
  for (const Json& size : json.at("dims"))
    workload.dims.add(size.at(0).get<std::string>(), size.at(1).get<std::int64_t>());
  for (const Json& info : json.at("tensors")) workload.tensors.push_back(runs::tensor_from_json(info));
  for (const Json& type : json.at("types")) workload.types.push_back(static_cast<Type>(type.get<int>()));
  for (const Json& bytes : json.at("initial")) workload.initial.emplace_back(bytes.get<std::size_t>());
  return workload;
}

}  // namespace workbook::apart
