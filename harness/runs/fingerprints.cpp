#include "runs/fingerprints.h"

#include <map>
#include <stdexcept>

namespace workbook::runs {
namespace {

/// {"tensor": "y", "shape": [2], "at": [0, 1], "got": [..]} to [number of its place, values ...].
class Places {
 public:
  Json packed(const Json& tensors) {
    Json all = Json::array();
    for (const Json& probes : tensors) {
      Json one = {number_of({probes.at("tensor"), probes.at("shape"), probes.at("at")})};
      for (const Json& value : probes.at("got")) one.push_back(value);
      all.push_back(std::move(one));
    }
    return all;
  }
  std::string text() const {
    std::string text;
    for (const std::string& place : places_) text += (text.empty() ? "\n" : ",\n") + place;
    return text;
  }

 private:
  std::size_t number_of(const Json& place) {
    const auto [known, fresh] = numbers_.try_emplace(dump(place), places_.size());
    if (fresh) places_.push_back(known->first);
    return known->second;
  }

  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> places_;
};

/// Takes the values out of `tensors`: every mutant's run reads the whole file.
Json unpacked(Json& tensors, const Json& places) {
  Json all = Json::array();
  for (Json& one : tensors) {
    const Json& place = places.at(one.at(0).get<std::size_t>());
    Json got = Json::array();
    for (std::size_t i = 1; i < one.size(); ++i) got.push_back(std::move(one.at(i)));
    all.push_back(
        {{"tensor", place.at(0)}, {"shape", place.at(1)}, {"at", place.at(2)}, {"got", std::move(got)}});
  }
  return all;
}

}  // namespace

std::string packed_fingerprints(const Json& mutants) {
  Places places;
  std::string lines;
  for (Json entry : mutants) {
    entry["tensors"] = places.packed(entry.at("tensors"));
    if (entry.contains("elsewhere"))
      for (Json& further : entry.at("elsewhere")) further["tensors"] = places.packed(further.at("tensors"));
    lines += (lines.empty() ? "\n" : ",\n") + dump(entry);
  }
  return "{\"places\": [" + places.text() + "\n],\n\"mutants\": [" + lines + "\n]}\n";
}

Json unpacked_fingerprints(const std::string& text) {
  try {
    Json file = parse_json(text);
    Json mutants = std::move(file.at("mutants"));
    const Json& places = file.at("places");
    for (Json& entry : mutants) {
      entry["tensors"] = unpacked(entry.at("tensors"), places);
      if (entry.contains("elsewhere"))
        for (Json& further : entry.at("elsewhere"))
          further["tensors"] = unpacked(further.at("tensors"), places);
    }
    return mutants;
  } catch (const Json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace workbook::runs
