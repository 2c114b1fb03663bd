#include "cli/project/declaration.h"

#include <stdexcept>

#include "runs/json.h"

namespace workbook::cli {
namespace {

runs::Sizes sizes_of(const runs::Json& json) {
  runs::Sizes sizes;
  for (const auto& [name, size] : json.items()) sizes.emplace_back(name, size.get<std::int64_t>());
  return sizes;
}

VariantInfo variant_of(const runs::Json& json) {
  VariantInfo variant;
  json.at("name").get_to(variant.name);
  json.at("title").get_to(variant.title);
  json.at("summary").get_to(variant.summary);
  json.at("task").get_to(variant.task);
  json.at("file").get_to(variant.file);
  json.at("regions").get_to(variant.regions);
  json.at("required").get_to(variant.required);
  variant.begins = json.value("begins", "");
  variant.given = json.value("given", false);
  if (const auto program = json.find("program"); program != json.end()) {
    ProgramInfo& info = variant.program.emplace();
    program->at("arguments").get_to(info.arguments);
    info.sources = program->value("sources", info.sources);
    program->at("prints").get_to(info.prints);
    program->at("findings").get_to(info.findings);
    program->at("status").get_to(info.status);
    if (const auto calls = program->find("calls"); calls != program->end())
      for (const runs::Json& rule : *calls)
        info.calls.push_back({rule.at("pattern"), rule.at("wanted"), rule.at("says")});
    if (const auto listing = program->find("listing"); listing != program->end())
      for (const runs::Json& rule : *listing)
        info.listing.push_back(
            {rule.at("fact"), rule.at("value"), rule.at("source"), rule.at("wanted"), rule.at("says")});
    if (const auto fresh = program->find("fresh"); fresh != program->end())
      for (const runs::Json& each : *fresh)
        info.fresh.push_back({each.at("find"), each.at("put"), each.at("least"), each.at("most")});
    info.fresh_arguments = program->value("fresh_arguments", info.fresh_arguments);
    info.results = program->value("results", "");
    for (const auto& [question, answer] : program->at("answers").items())
      info.answers.emplace_back(question, answer.get<std::string>());
  }
  return variant;
}

}  // namespace

Declaration read_declaration(std::string_view text) {
  try {
    const runs::Json json = runs::parse_json(text);
    Declaration declaration;
    json.at("number").get_to(declaration.number);
    json.at("title").get_to(declaration.title);
    json.at("part").get_to(declaration.part);
    json.at("summary").get_to(declaration.summary);
    declaration.builds_on = json.value("builds_on", declaration.builds_on);
    declaration.tensor_program = json.value("tensor_program", "");
    for (const runs::Json& task : json.at("tasks"))
      declaration.tasks.push_back(
          {task.at("name"), sizes_of(task.at("teaching")), sizes_of(task.at("bench"))});
    for (const runs::Json& variant : json.at("variants")) declaration.variants.push_back(variant_of(variant));
    json.at("faults").get_to(declaration.faults);
    return declaration;
  } catch (const runs::Json::exception& error) {
    throw std::runtime_error(std::string("what it declares cannot be read: ") + error.what());
  }
}

}  // namespace workbook::cli
