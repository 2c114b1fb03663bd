// `mutants N`: plausible mistakes, each of which must be rejected with the diagnosis that a learner should
// read. A mutant opens with "// expect: TEXT" (part of a diagnosis, or a class of finding) and "// variant:
// NAME".
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/errors.h"
#include "cli/execute.h"
#include "cli/format.h"
#include "cli/parallel.h"
#include "cli/terminal.h"
#include "cli/text.h"
#include "cli/verdict.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

struct Result {
  std::string name, variant, expected, verdict, saw;
  bool ok = false;
};

std::string header_field(const std::string& text, const std::string& field) {
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("//")) break;
    const std::string prefix = "// " + field + ": ";
    if (line.starts_with(prefix)) return std::string(trimmed(line.substr(prefix.size())));
  }
  return "";
}

/// Everything a learner could read about what is wrong.
std::vector<std::string> symptoms(const runs::RunRecord& record) {
  std::vector<std::string> seen;
  for (const runs::CaseResult& result : record.cases)
    if (!result.diagnosis.empty()) seen.push_back(result.diagnosis);
  for (const runs::Finding& finding : record.findings)
    if (finding.severity == "error") seen.push_back(finding.klass + ": " + finding.message);
  if (!record.detail.empty()) seen.push_back(record.detail);
  return seen;
}

Result judge(const Project& project, const Puzzle& puzzle, const std::filesystem::path& file,
             std::size_t worker) {
  Result result;
  RunRequest request;
  request.puzzle = &puzzle;
  request.backend = "sim";
  request.source = source_from(file.stem().string(), file);
  request.source.workplace = fmt::format("mutants-{}", worker);
  request.timed = request.eager = false;
  result.name = request.source.origin;
  result.expected = header_field(request.source.text, "expect");
  result.variant = header_field(request.source.text, "variant");
  if (result.expected.empty())
    throw HarnessError(project.shown(file) + " says no '// expect: ...' in its opening lines.");
  request.variant = result.variant.empty() ? &puzzle.first_variant() : &variant_of(puzzle, result.variant);
  const RunOutcome outcome = execute(project, request);
  result.verdict = outcome.record.verdict;
  const std::vector<std::string> seen = symptoms(outcome.record);
  for (const std::string& symptom : seen) result.ok |= symptom.find(result.expected) != std::string::npos;
  const int status = runs::exit_status(result.verdict);
  result.ok = result.ok && (status == kWrong || status == kCrashed);
  result.saw = seen.empty() ? "" : seen.front();
  return result;
}

}  // namespace

int mutants_command(const Project& project, const std::string& word, bool json) {
  const Puzzle& puzzle = project.puzzle(word);
  const std::vector<std::filesystem::path> files = puzzle.mutants();
  if (files.empty()) throw UsageError(project.shown(puzzle.folder) + " has no mutants.");
  project.prepare_state();
  std::vector<Result> results(files.size());
  parallel(files.size(), worker_count(),
           [&](std::size_t i, std::size_t worker) { results[i] = judge(project, puzzle, files[i], worker); });

  runs::Json list = runs::Json::array();
  Table table({"mutant", "variant", "verdict", "", "diagnosis"});
  for (const std::size_t column : {1, 2, 3, 4}) table.left(column);
  std::string details;
  int bad = 0;
  for (const Result& r : results) {
    bad += !r.ok;
    table.row({r.name, "--" + r.variant, r.verdict, r.ok ? "ok" : "BAD", r.ok ? r.expected : "see below"});
    if (!r.ok)
      details += fmt::format("{}: {}\n  expected: {}\n  got:      {}, {}\n", paint(Colour::bad, r.name),
                             r.verdict == "correct" ? "survived" : "another diagnosis", r.expected, r.verdict,
                             r.saw.empty() ? "no diagnosis" : r.saw);
    list.push_back({{"mutant", r.name},
                    {"variant", r.variant},
                    {"verdict", r.verdict},
                    {"expected", r.expected},
                    {"got", r.saw},
                    {"ok", r.ok}});
  }
  print(json ? runs::dump(list, 1) + '\n'
             : table.text("") + '\n' + details +
                   fmt::format("{} of {} mutants rejected with their diagnosis.\n",
                               results.size() - static_cast<std::size_t>(bad), results.size()));
  return bad > 0 ? kWrong : kCorrect;
}

}  // namespace workbook::cli
