// `mutants N`: plausible mistakes, each of which must be rejected with the diagnosis that a learner should
// read. `--write` writes the kernels.cu of each instead, for whoever builds them without this program.
#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/project/errors.h"
#include "cli/run/execute.h"
#include "cli/report/format.h"
#include "cli/project/mutant.h"
#include "cli/run/parallel.h"
#include "cli/report/terminal.h"
#include "cli/report/text.h"
#include "cli/run/verdict.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

struct Result {
  std::string name, variant, expected, verdict, saw;
  bool ok = false;
};

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

Mutant load(const Project& project, const Puzzle& puzzle, const std::filesystem::path& file) {
  return read_mutant(project.shown(file), read_file(file), read_file(puzzle.solved_kernels()),
                     puzzle.variant_names());
}

/// Runs are recorded as of the solution's file, which the line numbers are closest to.
Result judge(const Project& project, const Puzzle& puzzle, const std::filesystem::path& file,
             std::size_t worker) {
  const Mutant mutant = load(project, puzzle, file);
  Result result;
  RunRequest request;
  request.puzzle = &puzzle;
  request.backend = "sim";
  request.source = {file.stem().string(), puzzle.solved_kernels(), mutant.kernels,
                    fmt::format("mutants-{}", worker)};
  request.timed = request.eager = false;
  result.name = request.source.origin;
  result.expected = mutant.expect;
  result.variant = mutant.variant;
  request.variant = &variant_of(puzzle, mutant.variant);
  const RunOutcome outcome = execute(project, request);
  result.verdict = outcome.record.verdict;
  const std::vector<std::string> seen = symptoms(outcome.record);
  for (const std::string& symptom : seen) result.ok |= symptom.find(result.expected) != std::string::npos;
  const int status = runs::exit_status(result.verdict);
  result.ok = result.ok && (status == kWrong || status == kCrashed);
  result.saw = seen.empty() ? "" : seen.front();
  return result;
}

int write_mutants(const Project& project, const Puzzle& puzzle, const std::filesystem::path& folder) {
  for (const std::filesystem::path& file : puzzle.mutants()) {
    const Mutant mutant = load(project, puzzle, file);
    write_file(
        folder / (file.stem().string() + ".cu"),
        fmt::format("// expect: {}\n// variant: {}\n{}", mutant.expect, mutant.variant, mutant.kernels));
  }
  return kCorrect;
}

}  // namespace

int mutants_command(const Project& project, const std::string& word, const std::string& write_to, bool json) {
  const Puzzle& puzzle = project.puzzle(word);
  const std::vector<std::filesystem::path> files = puzzle.mutants();
  if (files.empty()) throw UsageError(project.shown(puzzle.folder) + " has no mutants.");
  if (!write_to.empty()) return write_mutants(project, puzzle, write_to);
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
