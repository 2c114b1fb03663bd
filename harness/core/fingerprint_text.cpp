// The file of fingerprints, both ways.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "fingerprint.h"
#include "runs/fingerprints.h"

namespace workbook::core {
namespace {

/// What a float tells for certain, and no more: the file is read by people, too.
double shortened(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", value);
  return std::strtod(text, nullptr);
}

runs::Json one_to_json(const Probes& probes) {
  runs::Json got = runs::Json::array();
  for (const double value : probes.got)
    if (std::isfinite(value))
      got.push_back(shortened(value));
    else
      got.push_back(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
  return {{"tensor", probes.tensor}, {"shape", probes.shape}, {"at", probes.at}, {"got", got}};
}

runs::Json to_json(const std::vector<Probes>& tensors) {
  runs::Json json = runs::Json::array();
  for (const Probes& probes : tensors) json.push_back(one_to_json(probes));
  return json;
}

Probes probes_from(const runs::Json& json) {
  Probes probes{json.at("tensor"), json.at("shape"), json.at("at"), {}};
  for (const runs::Json& value : json.at("got"))
    probes.got.push_back(value.is_number() ? value.get<double>()
                                           : std::strtod(value.get<std::string>().c_str(), nullptr));
  if (probes.got.size() != probes.at.size()) throw std::runtime_error("positions and values are not as many");
  return probes;
}

std::vector<Probes> all_from(const runs::Json& json) {
  std::vector<Probes> tensors;
  for (const runs::Json& probes : json) tensors.push_back(probes_from(probes));
  return tensors;
}

Fingerprint fingerprint_from(const runs::Json& json) {
  Fingerprint print{json.at("mutant"),  json.at("says"), json.at("task"),
                    json.at("variant"), json.at("case"), all_from(json.at("tensors"))};
  const runs::Json none = runs::Json::array();
  if (const auto spent = json.find("spent"); spent != json.end())
    for (const auto& [name, value] : spent->items()) print.spent.emplace_back(name, value.get<double>());
  print.regions = json.value("regions", none);
  print.right = json.value("right", none);
  for (const runs::Json& further : json.value("elsewhere", none))
    print.elsewhere.push_back({further.at("case"), all_from(further.at("tensors"))});
  return print;
}

}  // namespace

std::vector<Fingerprint> read_fingerprints(const std::string& file) {
  std::vector<Fingerprint> all;
  if (file.empty() || !std::filesystem::exists(file)) return all;
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  try {
    for (const runs::Json& json : runs::unpacked_fingerprints(text.str()))
      all.push_back(fingerprint_from(json));
  } catch (const std::exception& error) {
    throw std::runtime_error(file + " cannot be read: " + error.what() +
                             ". `workbook derive NN` writes it anew.");
  }
  return all;
}

std::string to_text(const std::vector<Fingerprint>& fingerprints) {
  runs::Json all = runs::Json::array();
  for (const Fingerprint& print : fingerprints) {
    runs::Json json = {{"mutant", print.mutant}, {"says", print.says},
                       {"task", print.task},     {"variant", print.variant},
                       {"case", print.on_case},  {"tensors", to_json(print.tensors)}};
    for (const auto& [name, value] : print.spent) json["spent"][name] = value;
    if (!print.regions.empty()) json["regions"] = print.regions;
    if (!print.right.empty()) json["right"] = print.right;
    for (const CaseProbes& further : print.elsewhere)
      json["elsewhere"].push_back({{"case", further.on_case}, {"tensors", to_json(further.tensors)}});
    all.push_back(std::move(json));
  }
  return runs::packed_fingerprints(all);
}

}  // namespace workbook::core
