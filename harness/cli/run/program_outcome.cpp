#include "cli/run/program_outcome.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/run/phase.h"
#include "runs/json_text.h"

namespace workbook::cli {
namespace {

void show_typed(runs::SourceLine& at, const StagedProgram& staged) { at.file = staged.shown(at.file); }

void show_typed(runs::ProgramReport& report, const StagedProgram& staged) {
  for (runs::Finding& finding : report.findings) {
    show_typed(finding.at, staged);
    if (finding.other) show_typed(*finding.other, staged);
  }
  for (runs::KernelTotals& kernel : report.kernels)
    for (runs::SiteCounters& site : kernel.counters.sites) show_typed(site.at, staged);
  if (report.at) show_typed(*report.at, staged);
}

std::string trouble_of(const ProgramRun& run, const SimOptions& options) {
  const ProcessResult& process = run.process;
  if (process.out_of_memory) return "The program took nearly all memory of this machine and was ended.";
  if (process.timed_out)
    return fmt::format("The program had not ended after {} s and was stopped; --timeout allows more.",
                       options.timeout_s);
  if (process.signal == 0 || process.signal == SIGINT) return "";
  if (run.report.ended_by.find(' ') != std::string::npos)
    return "The program crashed: " + run.report.ended_by;
  return "The program crashed: " + signal_words(process.signal) + ".";
}

}  // namespace

std::int64_t ProgramRun::count(runs::Severity severity) const {
  return std::count_if(report.findings.begin(), report.findings.end(),
                       [&](const runs::Finding& finding) { return finding.severity == severity; });
}

int ProgramRun::exit_status() const {
  if (!trouble.empty()) return kCrashed;
  if (process.signal != 0) return 128 + process.signal;
  return count(runs::Severity::error) > 0 ? static_cast<int>(kWrong) : process.exit_code;
}

ProgramRun read_program_run(const std::filesystem::path& report, const ProcessResult& process,
                            const StagedProgram& staged, const SimOptions& options) {
  ProgramRun run;
  run.process = process;
  if (const auto text = read_file_if_any(report)) {
    try {
      run.report = runs::parse_program_report(*text);
      run.reported = true;
    } catch (const std::runtime_error& error) {
      throw HarnessError(std::string("What the program reported cannot be read: ") + error.what() + ".");
    }
  }
  show_typed(run.report, staged);
  run.trouble = trouble_of(run, options);
  return run;
}

}  // namespace workbook::cli
