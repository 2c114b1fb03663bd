#include "fingerprint.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "runs/fingerprints.h"

namespace workbook::core {
namespace {

constexpr std::size_t kProbes = 64;

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

bool is_telling(const Probes& probes) {
  return std::any_of(probes.got.begin(), probes.got.end(), [](double value) { return !std::isnan(value); });
}

std::vector<std::size_t> probe_positions(const std::vector<std::int64_t>& shape,
                                         const std::vector<std::size_t>& wrong) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  std::set<std::size_t> chosen;
  if (count <= kProbes) {
    for (std::size_t i = 0; i < count; ++i) chosen.insert(i);
    return {chosen.begin(), chosen.end()};
  }
  // First and last of every dimension, the others at their first: then the far corner.
  std::size_t stride = 1;
  chosen.insert({0, count - 1});
  for (std::size_t d = shape.size(); d-- > 0;) {
    chosen.insert(stride * static_cast<std::size_t>(shape[d] - 1));
    stride *= static_cast<std::size_t>(shape[d]);
  }
  const std::size_t step = std::max<std::size_t>(1, wrong.size() / (kProbes / 2));
  for (std::size_t i = 0; i < wrong.size() && chosen.size() < kProbes * 3 / 4; i += step)
    chosen.insert(wrong[i]);
  for (std::size_t i = 1; chosen.size() < kProbes; ++i) chosen.insert(i * 0x9e3779b1u % count);
  return {chosen.begin(), chosen.end()};
}

std::vector<std::size_t> few_positions(std::size_t count, const std::vector<std::size_t>& wrong) {
  std::set<std::size_t> chosen = {0, count - 1};
  for (const std::size_t part : {0, 1, 2, 3})
    if (!wrong.empty()) chosen.insert(wrong[(wrong.size() - 1) * part / 3]);
  return {chosen.begin(), chosen.end()};
}

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

Likeness compare_probes(const Probes& probes, std::span<const double> values,
                        std::span<const double> expected, const Allowed& allowed) {
  double largest = 0.0, largest_expected = 0.0;
  for (const std::size_t position : probes.at) {
    if (position >= values.size()) return {};
    largest_expected = std::max(largest_expected, std::abs(expected[position]));
  }
  for (const double value : probes.got)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  // Two ways to compute a thing that is ten times too large are ten times as far apart.
  const double scale = largest_expected > 0.0 ? std::max(1.0, largest / largest_expected) : 1.0;
  Likeness likeness{true, false};
  for (std::size_t i = 0; i < probes.at.size() && likeness.same; ++i) {
    const double got = values[probes.at[i]], print = probes.got[i];
    likeness.wrong = likeness.wrong || !allowed.accepts(print, expected[probes.at[i]]);
    if (std::isfinite(print))  // the file keeps seven digits
      likeness.same = std::abs(got - print) <= scale * allowed.at(print) + 1e-6 * std::abs(print);
    else
      likeness.same = std::isnan(print) ? std::isnan(got) : got == print;
  }
  return likeness;
}

}  // namespace workbook::core
