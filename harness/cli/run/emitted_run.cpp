#include "cli/run/emitted_run.h"

#include <fmt/format.h>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/program_build.h"
#include "cli/run/phase.h"
#include "cli/run/program_outcome.h"
#include "optimizer/schedule/emit.h"
#include "runs/store.h"
#include "sim/engine/program_variables.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kEmittedLimit = std::chrono::minutes(5);  // of a processor; no slow machine meets it

std::string trouble_of(const ProgramRun& run, const EmittedRun& emitted) {
  if (!run.trouble.empty()) return run.trouble;
  for (const runs::Finding& finding : run.report.findings)
    if (finding.severity != runs::Severity::advice)
      return fmt::format("{}:{}: {}", finding.at.file, finding.at.line, finding.message);
  if (run.process.exit_code != 0) return "it ends early: " + run.process.output.substr(0, 200);
  if (emitted.verdict.wrong > 0)
    return fmt::format("{} of {} elements are wrong; {}", emitted.verdict.wrong, emitted.verdict.elements,
                       emitted.verdict.words);
  return "";
}

/// A run without trouble that may stand for the next one: its files, as long as they and what they came from
/// are the same.
class KeptRun {
 public:
  KeptRun(const fs::path& folder, std::string made_from)
      : folder_(folder), made_from_(std::move(made_from)) {}

  bool is_current() const { return read_file_if_any(file()) == hash(); }
  void keep() const { write_file(file(), hash()); }

 private:
  fs::path file() const { return folder_ / "run.key"; }
  std::string hash() const {
    std::string text = made_from_;
    for (const char* name : {"cases.bin", "results.bin", "report.json"})
      text += runs::content_hash(read_file_if_any(folder_ / name).value_or(""));
    return runs::content_hash(text);
  }
  fs::path folder_;
  std::string made_from_;
};

}  // namespace

EmittedRun run_emitted(const Project& project, const fs::path& folder, const opt::Program& program,
                       const opt::Plan& plan, const std::vector<opt::EmittedCase>& cases, bool reuse) {
  EmittedRun emitted;
  emitted.kernels = opt::emit(program, plan);
  emitted.check = opt::emit_check(program, plan);
  write_file(folder / "kernels.cu", emitted.kernels);
  write_file(folder / "check.cu", emitted.check);
  const fs::path data = folder / "cases.bin", results = folder / "results.bin",
                 report = folder / "report.json";
  write_file(data, opt::cases_file(plan.graph, cases));
  SimOptions options;
  options.files = {(folder / "check.cu").string()};
  options.standard = "c++20";
  // As nvcc compiles for sm_90a: groups of warps multiply, and the GPU copies by itself.
  if (std::any_of(plan.kernels.begin(), plan.kernels.end(),
                  [](const opt::Kernel& kernel) { return opt::by_groups(kernel.path); }))
    options.defines.emplace_back("-D__CUDA_ARCH_FEAT_SM90_ALL=1");
  ProgramBuild build = build_program(project, options);
  if (!build.ok()) {
    emitted.trouble = build.errors.empty()
                          ? "it does not compile: " + build.diagnostics.substr(0, 300)
                          : fmt::format("{}:{}: {}", build.errors.front().at.file,
                                        build.errors.front().at.line, build.errors.front().message);
    return emitted;
  }
  emitted.compiles = true;
  const KeptRun kept(folder, build.key);
  ProcessResult process;
  process.exit_code = 0;
  const bool known = reuse && kept.is_current();
  if (!known) {
    std::error_code ignored;
    fs::remove(results, ignored);
    fs::remove(report, ignored);
    const fs::path progress = folder / "progress.bin";
    const std::vector<std::string> command = {"env",
                                              fmt::format("{}={}", sim::kProgressVariable, progress.string()),
                                              fmt::format("{}={}", sim::kReportVariable, report.string()),
                                              build.program.string(),
                                              data.string(),
                                              results.string()};
    process = run_process(command, folder,
                          {.wall = kEmittedLimit, .progress = progress, .memory_bytes = most_memory()});
  }
  const ProgramRun run = read_program_run(report, process, build.staged, options);
  emitted.report = run.report;
  emitted.shapes = static_cast<int>(cases.size());
  for (const runs::Finding& finding : run.report.findings)
    emitted.findings += finding.severity != runs::Severity::advice;
  emitted.verdict = opt::judge_emitted(program, cases, read_file_if_any(results).value_or(""));
  emitted.trouble = trouble_of(run, emitted);
  if (reuse && !known && emitted.right()) kept.keep();
  return emitted;
}

}  // namespace workbook::cli
