// `mutants N`: plausible mistakes, each of which must be rejected with the diagnosis that a learner should
// read. `--write` writes the kernels.cu of each instead, for whoever builds them without this program.
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
#include "runs/json.h"

namespace workbook::cli {
namespace {

/// Everything a learner could read about what is wrong.
std::vector<std::string> symptoms(const runs::RunRecord& record) {
  std::vector<std::string> seen;
  for (const runs::CaseResult& result : record.cases)
    if (!result.diagnosis.empty()) seen.push_back(result.diagnosis);
  for (const runs::Finding& finding : record.findings)
    if (finding.severity == runs::Severity::error) seen.push_back(finding.klass + ": " + finding.message);
  if (!record.detail.empty()) seen.push_back(record.detail);
  if (!record.learner_output.empty()) seen.push_back(record.learner_output);  // programs judge themselves
  return seen;
}

Mutant load(const Project& project, const Puzzle& puzzle, const std::filesystem::path& file) {
  // Which file it is an edit of is known from its variant.
  const auto read = [&](const std::string& of) {
    return read_mutant(project.shown(file), read_file(file), read_file(puzzle.solution / of),
                       puzzle.variant_names());
  };
  const std::string named = variant_named_in(read_file(file));
  return read(named.empty() ? puzzle.first_variant().file : variant_of(puzzle, named).file);
}

/// The entry of fingerprints.json for what the run probed.
std::string fingerprint_of(const std::string& probes, const std::string& name, const Mutant& mutant) {
  if (probes.empty()) return "";
  runs::Json entry = runs::parse_json(probes).at("mutants").at(0);
  entry["mutant"] = name;
  entry["says"] = mutant.expect;
  if (!mutant.regions.empty()) entry["regions"] = mutant.regions;
  return runs::dump(entry);
}

/// All of them, or every fault at once and none run: a run takes minutes.
std::vector<Mutant> load_all(const Project& project, const Puzzle& puzzle) {
  std::vector<Mutant> mutants;
  std::string faults;
  for (const std::filesystem::path& file : puzzle.mutants()) {
    try {
      mutants.push_back(load(project, puzzle, file));
    } catch (const HarnessError& error) {
      faults += (faults.empty() ? "" : "\n") + std::string(error.what());
    }
  }
  if (!faults.empty()) throw HarnessError(faults);
  return mutants;
}

/// Runs are recorded as of the solution's file, which the line numbers are closest to.
JudgedMutant judge(const Project& project, const Puzzle& puzzle, const std::filesystem::path& file,
                   const Mutant& mutant, std::size_t worker) {
  JudgedMutant result;
  RunRequest request;
  request.puzzle = &puzzle;
  request.backend = "sim";
  request.variant = &variant_of(puzzle, mutant.variant);
  request.source = {file.stem().string(), puzzle.solved_file(*request.variant), mutant.kernels,
                    fmt::format("mutants-{}", worker), mutant.variant};
  request.traced = request.timed = request.eager = false;
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
  const auto text = read_file_if_any(puzzle.folder / "mutants" / "fingerprints.json");
  if (!text) return kept;
  const runs::Json json = runs::parse_json(*text);
  for (const runs::Json& entry : json.at("mutants")) kept[entry.at("mutant")] = entry;
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
  if (mutant.verdict == "correct") return "it survived";
  if (!mutant.told) return "it was told something else";
  if (!mutant.says) return "";
  const auto found = kept.find(mutant.name);
  if (found == kept.end() || mutant.fingerprint.empty() ||
      !same_fingerprint(found->second, runs::parse_json(mutant.fingerprint)))
    return "its fingerprint is not what fingerprints.json says";
  return "";
}

int write_mutants(const Project& project, const Puzzle& puzzle, const std::filesystem::path& folder) {
  const std::vector<std::filesystem::path> files = puzzle.mutants();
  const std::vector<Mutant> mutants = load_all(project, puzzle);
  for (std::size_t i = 0; i < files.size(); ++i)
    write_file(folder / (files[i].stem().string() + ".cu"),
               fmt::format("// expect: {}\n// variant: {}\n{}", mutants[i].expect, mutants[i].variant,
                           mutants[i].kernels));
  return kCorrect;
}

}  // namespace

std::vector<JudgedMutant> judge_mutants(const Project& project, const Puzzle& puzzle) {
  const std::vector<std::filesystem::path> files = puzzle.mutants();
  const std::vector<Mutant> mutants = load_all(project, puzzle);
  std::vector<JudgedMutant> judged(files.size());
  std::mutex mutex;
  std::size_t done = 0;
  const auto say = [&] { say_progress(fmt::format("  {} of {} mutants judged", done, files.size())); };
  say();
  parallel(files.size(), worker_count(), [&](std::size_t i, std::size_t worker) {
    judged[i] = judge(project, puzzle, files[i], mutants[i], worker);
    const std::lock_guard lock(mutex);
    ++done;
    say();
  });
  say_progress("");
  return judged;
}

int mutants_command(const Project& project, const std::string& word, const std::string& write_to, bool json) {
  const Puzzle& puzzle = project.puzzle(word);
  if (puzzle.mutants().empty()) throw UsageError(project.shown(puzzle.folder) + " has no mutants.");
  if (!write_to.empty()) return write_mutants(project, puzzle, write_to);
  project.prepare_state();
  const std::map<std::string, runs::Json> kept = kept_fingerprints(puzzle);
  const std::vector<JudgedMutant> judged = judge_mutants(project, puzzle);

  runs::Json list = runs::Json::array();
  Table table({"mutant", "variant", "verdict", ""});
  for (const std::size_t column : {1, 2, 3}) table.left(column);
  std::string details;
  std::size_t good = 0, bad = 0;
  for (const JudgedMutant& m : judged) {
    const std::string fault = fault_of(m, kept);
    ++(fault.empty() ? good : bad);
    table.row({m.name, "--" + m.variant, m.verdict, fault.empty() ? "ok" : "BAD"});
    if (!fault.empty())
      details += fmt::format("{}: {}\n  expected: {}\n  got:      {}, {}\n", paint(Colour::bad, m.name),
                             fault, m.expected, m.verdict, m.saw.empty() ? "no diagnosis" : m.saw);
    list.push_back({{"mutant", m.name},
                    {"variant", m.variant},
                    {"verdict", m.verdict},
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
