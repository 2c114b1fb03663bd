#include "cli/grade/mistake.h"

#include <map>

#include "cli/base/text.h"
#include "cli/project/mutant.h"

namespace workbook::cli {
namespace {

/// The mutants whose own sentence the diagnosis holds: of each sentence the first, of this variant where
/// there is one.
std::string mutants_that_say(const Project& project, const Puzzle& puzzle, const std::string& variant,
                             const std::string& diagnosis) {
  constexpr std::string_view kSays = "- says: ";
  std::map<std::string, std::string> names;  // by sentence
  const std::vector<WrittenMutant> all = mutants_of(project, puzzle);
  for (const bool own : {true, false})
    for (const WrittenMutant& written : all) {
      const std::string& of = written.variant.empty() ? puzzle.first_variant().name : written.variant;
      if ((of == variant) != own) continue;
      for (const std::string& line : written.lines)
        if (const std::string_view text = trimmed(line); text.starts_with(kSays)) {
          const std::string says(trimmed(text.substr(kSays.size())));
          if (diagnosis.find(says) != std::string::npos) names.try_emplace(says, written.name);
        }
    }
  std::string text;
  for (const auto& [says, name] : names) text += (text.empty() ? "" : " or ") + name;
  return text;
}

/// Then what came out tells less than how it ended.
bool is_cut_short(const runs::RunRecord& record) {
  return record.verdict == runs::Verdict::crashed || record.verdict == runs::Verdict::timed_out;
}

}  // namespace

Mistake mistake_of(const Project& project, const Puzzle& puzzle, const runs::RunRecord& record) {
  if (record.verdict == runs::Verdict::correct) return {};
  const std::string verdict = replaced(runs::word_of(record.verdict), "_", " ");
  for (const runs::CaseResult& result : record.cases) {
    if (result.diagnosis.empty() || is_cut_short(record)) continue;
    const std::string mutant = mutants_that_say(project, puzzle, record.variant, result.diagnosis);
    if (!mutant.empty()) return {mutant, result.diagnosis};
  }
  for (const runs::Finding& finding : record.findings)
    if (finding.severity == runs::Severity::error) return {runs::word_of(finding.klass), finding.message};
  for (const runs::CaseResult& result : record.cases)
    if (!result.diagnosis.empty()) return {verdict, result.diagnosis};
  return {verdict, record.detail.empty() ? "it is " + verdict : record.detail};
}

}  // namespace workbook::cli
