#include "cli/run/program_run.h"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/edited_build.h"
#include "cli/compile/precompiled.h"
#include "cli/compile/program_build.h"
#include "cli/listing/facts.h"
#include "cli/project/answers.h"
#include "cli/run/counter_judge.h"
#include "cli/run/listing_judge.h"
#include "cli/run/phase.h"
#include "cli/run/program_outcome.h"
#include "cli/run/strangers_run.h"
#include "runs/timeline.h"
#include "sim/engine/program_variables.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

/// The source as it is judged (a mutant's lies in no file) beside the headers of the puzzle's folder, and the
/// program's further sources. Gives them all, the judged one first.
std::vector<std::string> lay_out(const fs::path& folder, const RunRequest& request) {
  for (const fs::path& header : request.puzzle->headers())
    write_file(folder / header.filename(), read_file(header));
  std::vector<std::string> sources = {(folder / request.source.file.filename()).string()};
  write_file(sources.front(), request.source.text);
  for (const std::string& given : request.variant->program->sources) {
    sources.push_back((folder / given).string());
    write_file(sources.back(), read_file(request.puzzle->folder / given));
  }
  return sources;
}

constexpr const char* kUnchanged = "unchanged.cu";

/// The same of a mutant whose difference can be compiled alone: a source more. Empty where it cannot.
std::vector<std::string> lay_out_edited(const fs::path& folder, const RunRequest& request) {
  const auto parts = edited_program_of(*request.puzzle, request.source);
  if (!parts) return {};
  std::vector<std::string> sources = lay_out(folder, request);
  write_file(sources.front(), parts->changed);
  sources.push_back((folder / kUnchanged).string());
  write_file(sources.back(), parts->unchanged);
  return sources;
}

/// What the program includes from elsewhere. For its mutants that is compiled once; a learner's first verdict
/// would wait for it.
std::string includes_of_all(const RunRequest& request) {
  std::vector<fs::path> files = request.puzzle->headers();
  files.push_back(request.source.file);
  for (const std::string& given : request.variant->program->sources)
    files.push_back(request.puzzle->folder / given);
  return angled_includes(files);
}

/// Paths below the copies in `folder` as the learner knows the files that were copied.
class Shown {
 public:
  Shown(const Project& project, const RunRequest& request, const fs::path& file)
      : copies_{{file.string(), project.shown(request.source.file)},
                {(file.parent_path() / kUnchanged).string(), project.shown(request.source.file)},
                {(file.parent_path() / "").string(),
                 (fs::path(project.shown(request.puzzle->folder)) / "").string()}} {}

  std::string text(std::string text) const {
    for (const auto& [copy, original] : copies_) text = replaced(text, copy, original);
    return text;
  }
  void place(runs::SourceLine& at) const { at.file = text(at.file); }

 private:
  std::vector<std::pair<std::string, std::string>> copies_;  ///< the learner's file may lie anywhere
};

/// One launch record a kernel, all its launches added up: what `workbook sim --counters` shows.
runs::Benchmark totals_of(const runs::ProgramReport& report) {
  runs::Benchmark benchmark;
  benchmark.name = "program";
  for (const runs::KernelTotals& kernel : report.kernels) {
    runs::LaunchRecord launch;
    launch.kernel = kernel.kernel;
    launch.grid = kernel.grid;
    launch.block = kernel.block;
    launch.shared_bytes = kernel.shared_bytes;
    launch.counters = kernel.counters;
    launch.modelled = kernel.modelled;
    launch.count = kernel.launches;
    benchmark.modelled_total_us += kernel.modelled_us();
    benchmark.launches.push_back(std::move(launch));
  }
  benchmark.calls = report.calls;
  benchmark.calls_left_out = report.calls_left_out;
  return benchmark;
}

/// Whether the program's calls hold what the rule describes. Matched as POSIX does, which needs no stack a
/// letter.
bool holds(const CallRule& rule, const std::string& calls) {
  regex_t pattern;
  if (regcomp(&pattern, rule.pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
    throw HarnessError("The pattern of calls '" + rule.pattern + "' is not a regular expression.");
  const bool found = regexec(&pattern, calls.c_str(), 0, nullptr, 0) == 0;
  regfree(&pattern);
  return found;
}

class Judge {
 public:
  Judge(const Project& project, const RunRequest& request, const ProgramRun& run, runs::RunRecord& record)
      : program_(*request.variant->program),
        project_(project),
        request_(request),
        run_(run),
        record_(record),
        calls_(runs::call_words(run.report.calls)),
        streams_(runs::stream_words(run.report.calls)) {}

  void judge() {
    if (run_.process.timed_out) return end(runs::Verdict::timed_out, run_.trouble);
    if (!run_.trouble.empty()) {
      record_.at = run_.report.at;
      return end(runs::Verdict::crashed, run_.trouble);
    }
    if (const auto* unwanted = unwanted_finding()) {
      record_.at = unwanted->at;
      return end(runs::Verdict::finding, missing_text());
    }
    for (const std::string& wanted : program_.findings)
      if (!has_finding(wanted))
        return end(runs::Verdict::wrong,
                   "it should show a finding of the class " + wanted + ", and shows none");
    for (const CallRule& rule : program_.calls)
      if (holds(rule, rule.pattern.find('@') == std::string::npos ? calls_ : streams_) != rule.wanted)
        return end(runs::Verdict::wrong, rule.says);
    if (const std::string missing = missing_text(); !missing.empty())
      return end(runs::Verdict::wrong, missing);
    if (run_.process.exit_code != program_.status)
      return end(runs::Verdict::wrong, fmt::format("it ends with exit status {} where {} is right",
                                                   run_.process.exit_code, program_.status));
    std::string judged_by;
    if (const std::string broken = broken_listing_rule(project_, request_, judged_by); !broken.empty())
      return end(runs::Verdict::wrong, broken + " (judged by " + judged_by + ')');
    if (!judged_by.empty()) record_.cases.front().engine += "; judged by " + judged_by;
    if (!open_questions(program_, answers()).empty()) {
      only_answers_wrong_ = true;
      return end(runs::Verdict::wrong, "");
    }
    const ProgramInfo asked =
        with_counted_answers(with_listed_answers(project_, request_), record_.benchmarks.front());
    const std::vector<std::string> wrong = wrong_answers(asked, answers());
    if (!wrong.empty())
      return end(runs::Verdict::wrong, std::string("the program is right. ") +
                                           (wrong.size() == 1 ? "An answer in answers.txt is wrong: "
                                                              : "These answers in answers.txt are wrong: ") +
                                           joined(wrong, ", ") +
                                           ". The questions stand at the top of the program, and " +
                                           where_for(wrong.front()));
    end(runs::Verdict::correct, "");
  }

  /// The program itself is right, and not every question is answered.
  bool only_answers_wrong() const { return only_answers_wrong_; }

  std::string answers() const {
    if (request_.answers) return *request_.answers;
    return read_file_if_any(request_.source.file.parent_path() / kAnswersFile).value_or("");
  }

 private:
  void end(runs::Verdict verdict, const std::string& detail) {
    record_.verdict = verdict;
    record_.detail = detail;
    record_.cases.front().diagnosis = detail;
  }

  /// Where to look for the answer to the first question that has a wrong one.
  std::string where_for(const std::string& question) const {
    for (const auto& [name, answer] : program_.answers)
      if (name == question && answer.starts_with(kListedAnswer))
        return "for '" + question + "' " + where_to_look(answer.substr(kListedAnswer.size()));
      else if (name == question && answer.starts_with(kCountedAnswer))
        return fmt::format("`workbook run {} --{} --counters` shows what is asked for in '{}'",
                           request_.puzzle->number, request_.variant->name, question);
    return "the hints lead to the answers";
  }

  bool is_wanted(const runs::Finding& finding) const {
    return std::find(program_.findings.begin(), program_.findings.end(), runs::word_of(finding.klass)) !=
           program_.findings.end();
  }

  const runs::Finding* unwanted_finding() const {
    for (const runs::Finding& finding : record_.findings)
      if (finding.severity == runs::Severity::error && !is_wanted(finding)) return &finding;
    return nullptr;
  }

  bool has_finding(const std::string& word) const {
    return std::any_of(record_.findings.begin(), record_.findings.end(),
                       [&](const runs::Finding& finding) { return runs::word_of(finding.klass) == word; });
  }

  /// About the first text that the output does not hold behind the one before it; empty: it holds all.
  std::string missing_text() const {
    const std::string& output = run_.process.output;
    std::string before;
    std::size_t from = 0;
    for (const std::string& text : program_.prints) {
      const std::size_t at = output.find(text, from);
      if (at == std::string::npos) {
        if (output.find(text) != std::string::npos)
          return fmt::format("its output holds '{}' only before '{}', and it belongs behind that", text,
                             before);
        const std::string instead = line_instead_of(text, from);
        return fmt::format("its output does not hold '{}'", text) +
               (instead.empty() ? "" : ", but '" + instead + "'");
      }
      from = at + text.size();
      before = text;
    }
    return "";
  }

  /// Of a text such as "x: right" the line with "x:" from there on, and what stands indented below it.
  std::string line_instead_of(const std::string& text, std::size_t from) const {
    const std::string key = text.substr(0, text.rfind(':') + 1);
    const std::size_t at = key.empty() ? std::string::npos : run_.process.output.find(key, from);
    if (at == std::string::npos) return "";
    const std::vector<std::string> lines = lines_of(run_.process.output.substr(at));
    std::string shown = lines.front();
    for (std::size_t i = 1; i < lines.size() && lines[i].starts_with("  "); ++i)
      shown += "; " + lines[i].substr(lines[i].find_first_not_of(' '));
    return shown;
  }

  const ProgramInfo& program_;
  const Project& project_;
  const RunRequest& request_;
  const ProgramRun& run_;
  runs::RunRecord& record_;
  std::string calls_, streams_;
  bool only_answers_wrong_ = false;
};

ProgramRun run_built(ProgramBuild& build, const RunRequest& request, const SimOptions& options) {
  const fs::path report = build.program.parent_path() / "puzzle-report.json";
  std::error_code ignored;
  fs::remove(report, ignored);
  const fs::path progress = build.program.parent_path() / "progress.bin";
  std::vector<std::string> command = {
      "env",
      fmt::format("{}={}", sim::kProgressVariable, progress.string()),
      fmt::format("{}={}", kPuzzleVariable, fs::absolute(request.puzzle->folder).string()),
      fmt::format("{}={}", sim::kReportVariable, report.string()),
      fmt::format("{}={}", sim::kGpuVariable, request.gpu),
      fmt::format("{}=1", sim::kWholeBlocksVariable),
      build.program.string()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  const ProcessResult process = run_process(command, build.program.parent_path(),
                                            {.wall = request.limit,
                                             .progress = progress,
                                             .memory_bytes = most_memory(),
                                             .shown = request.tells ? progress : fs::path()});
  return read_program_run(report, process, build.staged, options);
}

}  // namespace

void want_programs() {}

void run_program(const Project& project, const RunRequest& request, RunOutcome& outcome) {
  runs::RunRecord& record = outcome.record;
  SimOptions options;
  const fs::path folder = build_folder(project, *request.puzzle, request.source);
  options.arguments = request.variant->program->arguments;
  options.standard = "c++20";
  options.gpu = request.gpu;
  if (!request.source.edit_of.empty()) options.ahead = includes_of_all(request);
  const Confinement* const by = options.confined_by = request.source.confined_by;
  ProgramBuild build;
  options.files = lay_out_edited(folder / "program-edited", request);
  if (!options.files.empty()) {
    options.libraries = {"-Wl,-z,muldefs"};
    build = build_program(project, options);
  }
  if (!build.ok()) {
    options.libraries.clear();
    options.files = lay_out(folder / "program", request);
    build = build_program(project, options);
  }
  const fs::path file = options.files.front();
  const Shown shown(project, request, file);
  if (!build.ok()) {
    record.verdict = runs::Verdict::does_not_compile;
    record.compile_errors = build.errors;
    for (runs::CompileError& error : record.compile_errors) shown.place(error.at);
    record.at = record.compile_errors.front().at;
    record.detail = record.compile_errors.front().message;
    outcome.diagnostics = shown.text(build.diagnostics);
  } else {
    ProgramEnd& program = outcome.program.emplace();
    ProgramRun run = by == nullptr ? run_built(build, request, options)
                                   : run_strangers(*by, project, build, request, options, program);
    program.exit_code = run.process.exit_code;
    const auto place = [&](runs::SourceLine& at) {
      shown.place(at);
      if (by != nullptr) keep_to_sources(at);
    };
    for (runs::Finding& finding : run.report.findings) {
      place(finding.at);
      if (finding.other) place(*finding.other);
      if (finding.called_from) place(*finding.called_from);
    }
    for (runs::KernelTotals& kernel : run.report.kernels)
      for (runs::SiteCounters& site : kernel.counters.sites) shown.place(site.at);
    if (run.report.at) place(*run.report.at);
    record.findings = run.report.findings;
    record.device = run.report.gpu + " (modelled)";
    record.learner_output = run.process.output;
    record.benchmarks.push_back(totals_of(run.report));
    record.cases.push_back({"program", {}, "simulator, diagnosing", {}, "", {}});
    Judge judge(project, request, run, record);
    judge.judge();
    const std::vector<std::string> open = open_questions(*request.variant->program, judge.answers());
    if (judge.only_answers_wrong() && !open.empty()) {
      record.verdict = runs::Verdict::not_filled;
      record.detail = "an answer to: " + joined(open, ", ");
    }
  }
  outcome.warnings = build.ok() ? shown.text(build.diagnostics) : "";
}

}  // namespace workbook::cli
