// `mutants N`: plausible mistakes, each of which must be rejected with the diagnosis that a learner should
// read. `--write` writes the kernels.cu of each instead, for whoever builds them without this program;
// `--show` prints one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "cli/base/errors.h"
#include "cli/base/parallel.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/mutants.h"
#include "cli/project/mutant.h"
#include "cli/report/format.h"
#include "cli/run/execute.h"
#include "cli/run/verdict.h"
#include "runs/fingerprints.h"

namespace workbook::cli {
namespace {

/// Everything a learner could read about what is wrong.
std::vector<std::string> symptoms(const runs::RunRecord& record) {
  std::vector<std::string> seen;
  for (const runs::CaseResult& result : record.cases)
    if (!result.diagnosis.empty()) seen.push_back(result.diagnosis);
  for (const runs::Finding& finding : record.findings)
    if (finding.severity == runs::Severity::error)
      seen.push_back(std::string(runs::word_of(finding.klass)) + ": " + finding.message);
  if (!record.detail.empty()) seen.push_back(record.detail);
  if (!record.learner_output.empty()) seen.push_back(record.learner_output);  // programs judge themselves
  return seen;
}

/// The entry of fingerprints.json for what the run probed.
std::string fingerprint_of(const std::string& probes, const std::string& name, const Mutant& mutant) {
  if (probes.empty()) return "";
  runs::Json entry = runs::unpacked_fingerprints(probes).at(0);
  entry["mutant"] = name;
  entry["says"] = mutant.expect;
  if (!mutant.regions.empty()) entry["regions"] = mutant.regions;
  return runs::dump(entry);
}

/// All of them, or every fault at once and none run: a run takes minutes.
std::vector<Mutant> load_all(const Project& project, const Puzzle& puzzle,
                             const std::vector<WrittenMutant>& written) {
  std::vector<Mutant> mutants;
  std::string faults;
  for (const WrittenMutant& each : written) {
    try {
      mutants.push_back(read_mutant(project, puzzle, each));
    } catch (const HarnessError& error) {
      faults += (faults.empty() ? "" : "\n") + std::string(error.what());
    }
  }
  if (!faults.empty()) throw HarnessError(faults);
  return mutants;
}

/// Runs are recorded as of the solution's file, which the line numbers are closest to.
JudgedMutant judge(const Project& project, const Puzzle& puzzle, const std::string& name,
                   const Mutant& mutant, Compiled compiled, std::size_t worker) {
  JudgedMutant result;
  RunRequest request;
  request.puzzle = &puzzle;
  request.backend = runs::Backend::sim;
  request.variant = &variant_of(puzzle, mutant.variant);
  const std::filesystem::path solution = puzzle.solved_file(*request.variant);
  request.source = {name, solution, mutant.kernels, fmt::format("mutants-{}", worker), mutant.variant};
  if (compiled == Compiled::differences) request.source.edit_of = read_file(solution);
  request.traced = request.timed = request.eager = request.host_versions = false;
  request.probe = mutant.says;
  if (!mutant.says) request.until = mutant.expect;
  result.name = request.source.origin;
  result.variant = mutant.variant;
  result.expected = mutant.expect;
  result.says = mutant.says;
  const RunOutcome outcome = execute(project, request);
  result.verdict = outcome.record.verdict;
  const std::vector<std::string> seen = symptoms(outcome.record);
  for (const std::string& symptom : seen) result.told |= symptom.find(result.expected) != std::string::npos;
  const int status = runs::exit_status(result.verdict);
  result.told = result.told && (status == kWrong || status == kCrashed);
  result.saw = seen.empty() ? "" : seen.front();
  result.fingerprint = fingerprint_of(outcome.probes, result.name, mutant);
  return result;
}

/// The kept fingerprints, by mutant.
std::map<std::string, runs::Json> kept_fingerprints(const Puzzle& puzzle) {
  std::map<std::string, runs::Json> kept;
  const auto text = read_file_if_any(puzzle.fingerprints_file());
  if (!text) return kept;
  for (const runs::Json& entry : runs::unpacked_fingerprints(*text)) kept[entry.at("mutant")] = entry;
  return kept;
}

/// Up to what another compiler may round otherwise.
bool same_values(const runs::Json& a, const runs::Json& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is_number() || !b[i].is_number()) {
      if (a[i] != b[i]) return false;
      continue;
    }
    const double was = a[i].get<double>(), is = b[i].get<double>();
    if (!(std::abs(was - is) <= 1e-4 * std::max(1.0, std::abs(was)))) return false;
  }
  return true;
}

bool same_tensors(const runs::Json& kept, const runs::Json& fresh) {
  if (kept.size() != fresh.size()) return false;
  for (std::size_t t = 0; t < kept.size(); ++t) {
    const runs::Json &a = kept[t], &b = fresh[t];
    if (a.at("tensor") != b.at("tensor") || a.at("shape") != b.at("shape") || a.at("at") != b.at("at") ||
        !same_values(a.at("got"), b.at("got")))
      return false;
  }
  return true;
}

bool same_fingerprint(const runs::Json& kept, const runs::Json& fresh) {
  const runs::Json none;
  for (const char* part : {"says", "case", "spent", "regions"})
    if (kept.value(part, none) != fresh.value(part, none)) return false;
  if (!same_tensors(kept.at("tensors"), fresh.at("tensors"))) return false;
  // An entry that `derive` wrote before it kept more than the first wrong case is no worse than it was.
  if (!kept.contains("right") && !kept.contains("elsewhere")) return true;
  if (kept.value("right", none) != fresh.value("right", none)) return false;
  const runs::Json further = kept.value("elsewhere", none), now = fresh.value("elsewhere", none);
  if (further.size() != now.size()) return false;
  for (std::size_t i = 0; i < further.size(); ++i)
    if (further[i].at("case") != now[i].at("case") ||
        !same_tensors(further[i].at("tensors"), now[i].at("tensors")))
      return false;
  return true;
}

/// What is wrong with a judged mutant, in a sentence; empty when nothing is.
std::string fault_of(const JudgedMutant& mutant, const std::map<std::string, runs::Json>& kept) {
  if (mutant.verdict == runs::Verdict::correct) return "it survived";
  if (!mutant.told) return "it was told something else";
  if (!mutant.says) return "";
  const auto found = kept.find(mutant.name);
  if (found == kept.end() || mutant.fingerprint.empty() ||
      !same_fingerprint(found->second, runs::parse_json(mutant.fingerprint)))
    return "its fingerprint is not what fingerprints.json says";
  return "";
}

int write_mutants(const Project& project, const Puzzle& puzzle, const std::filesystem::path& folder) {
  const std::vector<WrittenMutant> written = mutants_of(project, puzzle);
  const std::vector<Mutant> mutants = load_all(project, puzzle, written);
  for (std::size_t i = 0; i < written.size(); ++i)
    write_file(folder / (written[i].name + ".cu"),
               fmt::format("// expect: {}\n// variant: {}\n{}", mutants[i].expect, mutants[i].variant,
                           mutants[i].kernels));
  return kCorrect;
}

/// One of them, for whoever reads it: what is said to whoever makes it, and the edit.
int show_mutant(const Project& project, const Puzzle& puzzle, const std::string& name) {
  const std::vector<WrittenMutant> all = mutants_of(project, puzzle);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const WrittenMutant& m) { return m.name == name; });
  if (found == all.end()) {
    std::vector<std::string> names;
    for (const WrittenMutant& each : all) names.push_back(each.name);
    throw UsageError(
        fmt::format("Puzzle {} has no mutant '{}'.{}", puzzle.number, name, did_you_mean(name, names)));
  }
  const Mutant mutant = read_mutant(project, puzzle, *found);
  print(fmt::format("{}, --{}\n{}:{}\n\n{}\n", paint(Colour::bold, name), mutant.variant,
                    project.shown(puzzle.mutants_file()), found->line,
                    fitted((mutant.says ? "Says: " : "Expects: ") + mutant.expect)));
  bool in_edit = false;
  for (const std::string& line : found->lines) {
    if (line.starts_with("```")) in_edit = !in_edit;
    if (!in_edit || line.starts_with("```")) continue;
    print((line.starts_with('-')   ? paint(Colour::bad, line)
           : line.starts_with('+') ? paint(Colour::good, line)
                                   : paint(Colour::dim, line)) +
          '\n');
  }
  return kCorrect;
}

}  // namespace

std::vector<JudgedMutant> judge_mutants(const Project& project, const Puzzle& puzzle, Compiled compiled) {
  const std::vector<WrittenMutant> written = mutants_of(project, puzzle);
  const std::vector<Mutant> mutants = load_all(project, puzzle, written);
  std::vector<JudgedMutant> judged(written.size());
  std::mutex mutex;
  std::size_t done = 0;
  const auto say = [&] { say_progress(fmt::format("  {} of {} mutants judged", done, written.size())); };
  say();
  parallel(written.size(), worker_count(), [&](std::size_t i, std::size_t worker) {
    judged[i] = judge(project, puzzle, written[i].name, mutants[i], compiled, worker);
    const std::lock_guard lock(mutex);
    ++done;
    say();
  });
  say_progress("");
  return judged;
}

int mutants_command(const Project& project, const std::string& word, const std::string& write_to,
                    const std::string& show, bool json) {
  const Puzzle& puzzle = project.puzzle(word);
  if (mutants_of(project, puzzle).empty())
    throw UsageError("There are no mutants in " + project.shown(puzzle.mutants_file()) + ".");
  if (!show.empty()) return show_mutant(project, puzzle, show);
  if (!write_to.empty()) return write_mutants(project, puzzle, write_to);
  project.prepare_state();
  const std::map<std::string, runs::Json> kept = kept_fingerprints(puzzle);
  const std::vector<JudgedMutant> judged = judge_mutants(project, puzzle, Compiled::differences);

  runs::Json list = runs::Json::array();
  Table table({"mutant", "variant", "verdict", ""});
  for (const std::size_t column : {1, 2, 3}) table.left(column);
  std::string details;
  std::size_t good = 0, bad = 0;
  for (const JudgedMutant& m : judged) {
    const std::string fault = fault_of(m, kept);
    ++(fault.empty() ? good : bad);
    table.row({m.name, "--" + m.variant, word_of(m.verdict), fault.empty() ? "ok" : "BAD"});
    if (!fault.empty())
      details += fmt::format("{}: {}\n  expected: {}\n  got:      {}, {}\n", paint(Colour::bad, m.name),
                             fault, m.expected, word_of(m.verdict), m.saw.empty() ? "no diagnosis" : m.saw);
    list.push_back({{"mutant", m.name},
                    {"variant", m.variant},
                    {"verdict", word_of(m.verdict)},
                    {"expected", m.expected},
                    {"got", m.saw},
                    {"ok", fault.empty()}});
  }
  for (const auto& [name, entry] : kept)
    if (std::none_of(judged.begin(), judged.end(),
                     [&, name = name](const JudgedMutant& m) { return m.says && m.name == name; })) {
      details += fmt::format("{}: fingerprints.json knows it, and there is no such mutant\n",
                             paint(Colour::bad, name));
      ++bad;
    }
  print(json ? runs::dump(list, 1) + '\n'
             : table.text("") + '\n' + details +
                   fmt::format("{} of {} mutants rejected with their diagnosis.\n", good, judged.size()));
  return bad > 0 ? kWrong : kCorrect;
}

}  // namespace workbook::cli
