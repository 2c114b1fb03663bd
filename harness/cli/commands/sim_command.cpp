// `workbook sim FILE.cu`: any CUDA program on the simulator. Its output is its own; ours comes after it, on
// standard error.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cli/base/attached_process.h"
#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/compile/program_build.h"
#include "cli/compile/sim_options.h"
#include "cli/report/program_report.h"
#include "cli/run/phase.h"
#include "runs/json.h"
#include "sim/engine/program_variables.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

int does_not_compile(const ProgramBuild& build, const SimOptions& options) {
  if (options.json) {
    runs::Json errors = runs::Json::array();
    for (const runs::CompileError& error : build.errors)
      errors.push_back({{"file", error.at.file},
                        {"line", error.at.line},
                        {"column", error.column},
                        {"message", error.message}});
    print(runs::dump({{"error", "It does not compile."}, {"exit", kDoesNotCompile}, {"errors", errors}}) +
          '\n');
  } else {
    print_error(build.diagnostics);
  }
  return kDoesNotCompile;
}

ProgramRun run_program(ProgramBuild& build, const SimOptions& options) {
  const fs::path report = build.program.parent_path() / ("report-" + std::to_string(getpid()) + ".json");
  const fs::path note = build.program.parent_path() / ("progress-" + std::to_string(getpid()) + ".bin");
  write_file(note, std::string(sizeof(sim::ProgressNote), '\0'));
  std::vector<std::string> command = {build.program.string()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  const ProcessLimits limits{.wall = std::chrono::milliseconds(std::lround(options.timeout_s * 1000.0)),
                             .grace = std::chrono::seconds(10),  // its report tells all it saw
                             .memory_bytes = most_memory(),
                             .waiting_counts = true,
                             .shown = options.json ? fs::path() : note};
  std::vector<std::pair<std::string, std::string>> environment = {{sim::kReportVariable, report.string()},
                                                                  {sim::kGpuVariable, options.gpu},
                                                                  {sim::kProgressVariable, note.string()}};
  if (options.sample_percent < 100.0)
    environment.emplace_back(sim::kSampleVariable, fmt::format("{}", options.sample_percent));
  const ProcessResult process = run_attached(command, environment, limits, [&] { build.lock.reset(); });
  ProgramRun run = read_program_run(report, process, build.staged, options);
  std::error_code ignored;
  fs::remove(report, ignored);
  fs::remove(note, ignored);
  return run;
}

}  // namespace

int sim_command(const Project& project, const std::vector<std::string>& words) {
  SimOptions options = read_sim_options(words);
  if (options.help) {
    print(sim_help());
    return kCorrect;
  }
  set_up_colour(STDERR_FILENO);
  project.prepare_state();
  if (!options.report.empty()) write_file(options.report, "");  // before the work, not after it
  ProgramBuild build = build_program(project, options);
  std::error_code ignored;
  if (!options.report.empty()) fs::remove(options.report, ignored);
  if (!build.ok()) return does_not_compile(build, options);
  if (!options.json) print_error(build.diagnostics);

  const ProgramRun run = run_program(build, options);
  const runs::Json json = program_report_json(run);
  if (!options.report.empty()) write_file(options.report, runs::dump(json, 1) + '\n');
  if (options.json)
    print(runs::dump(json) + '\n');
  else
    print_error(program_report_text(run, options));
  if (run.process.signal == SIGINT) {  // as the shell expects of what Ctrl-C ended
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
  }
  return run.exit_status();
}

}  // namespace workbook::cli
