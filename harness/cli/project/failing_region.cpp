#include "cli/project/failing_region.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "cli/project/regions.h"
#include "runs/fingerprints.h"

namespace workbook::cli {
namespace {

bool has(const VariantInfo& variant, const std::string& region) {
  return std::find(variant.regions.begin(), variant.regions.end(), region) != variant.regions.end();
}

/// What the mutant whose sentence was said changes.
std::string region_of_mistake(const runs::RunRecord& record, const VariantInfo& variant,
                              std::string_view fingerprints) {
  try {
    const runs::Json mutants = runs::unpacked_fingerprints(std::string(fingerprints));
    for (const runs::CaseResult& result : record.cases) {
      if (result.diagnosis.empty()) continue;
      for (const runs::Json& entry : mutants)
        if (result.diagnosis.find(entry.at("says").get<std::string>()) != std::string::npos)
          for (const runs::Json& region : entry.value("regions", runs::Json::array()))
            if (has(variant, region)) return region;
      return "";  // the first wrong case is the one that is told
    }
  } catch (const std::exception&) {  // what `run` says of the file is enough
  }
  return "";
}

/// Places in the order in which they are believed.
std::vector<runs::SourceLine> places_of(const runs::RunRecord& record) {
  std::vector<runs::SourceLine> places;
  const auto add = [&](const std::optional<runs::SourceLine>& at) {
    if (at) places.push_back(*at);
  };
  add(record.at);
  for (const runs::Finding& finding : record.findings)
    if (finding.severity == runs::Severity::error) {
      add(finding.at);
      add(finding.called_from);
      add(finding.other);
    }
  for (const runs::CaseResult& result : record.cases)
    for (const runs::Check& check : result.checks)
      if (check.first_wrong) {
        add(check.first_wrong->at);
        add(check.first_wrong->called_from);
      }
  return places;
}

}  // namespace

std::string failing_region(const runs::RunRecord& record, const VariantInfo& variant,
                           std::string_view fingerprints) {
  if (std::string known = region_of_mistake(record, variant, fingerprints); !known.empty()) return known;
  std::vector<Region> regions;
  try {
    regions = find_regions(record.source);
  } catch (const std::runtime_error&) {
    return "";
  }
  for (const runs::SourceLine& at : places_of(record)) {
    if (!at.file.ends_with(variant.file)) continue;
    for (const Region& region : regions)
      if (region.first_line <= at.line && at.line <= region.last_line && has(variant, region.name))
        return region.name;
  }
  return "";
}

std::string likeliest_region(const VariantInfo& variant, const std::vector<VariantInfo>& all,
                             const std::vector<std::string>& solved) {
  const auto first_beside = [&](auto counts) {
    for (const std::string& region : variant.regions)
      if (std::none_of(all.begin(), all.end(), [&](const VariantInfo& other) {
            return other.name != variant.name && counts(other) && has(other, region);
          }))
        return region;
    return std::string();
  };
  const auto is_solved = [&](const VariantInfo& other) {
    return std::find(solved.begin(), solved.end(), other.name) != solved.end();
  };
  for (std::string region :
       {solved.empty() ? "" : first_beside(is_solved), first_beside([](const VariantInfo&) { return true; })})
    if (!region.empty()) return region;
  return variant.regions.empty() ? "" : variant.regions.front();
}

}  // namespace workbook::cli
