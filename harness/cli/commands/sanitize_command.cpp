// `sanitize`: memory errors, races and the like in a puzzle's kernels. compute-sanitizer looks where there is
// a GPU, the simulator where there is none; the words for what to look for are compute-sanitizer's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/process.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/compile/toolchain.h"
#include "cli/report/format.h"
#include "cli/report/report.h"
#include "cli/run/execute.h"
#include "cli/run/phase.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using runs::FindingClass;

/// compute-sanitizer's tools, and which of the simulator's findings are theirs.
const std::map<std::string, std::vector<FindingClass>> kTools = {
    {"memcheck",
     {FindingClass::oob_global, FindingClass::oob_shared, FindingClass::oob_local,
      FindingClass::use_after_free, FindingClass::double_free, FindingClass::misaligned,
      FindingClass::host_deref, FindingClass::leak, FindingClass::canary}},
    {"racecheck",
     {FindingClass::race_shared, FindingClass::race_global, FindingClass::stream_race,
      FindingClass::copy_not_waited}},
    {"initcheck", {FindingClass::uninit_global, FindingClass::uninit_shared}},
    {"synccheck",
     {FindingClass::divergent_barrier, FindingClass::barrier_count, FindingClass::barrier_phase,
      FindingClass::barrier_exit, FindingClass::barrier_deadlock, FindingClass::bad_warp_mask,
      FindingClass::infinite_loop}}};

int does_not_compile(const std::string& diagnostics) {
  print_error(diagnostics);
  return kDoesNotCompile;
}

int on_gpu(const Project& project, const RunRequest& request, const std::string& sanitizer,
           const std::string& tool) {
  const fs::path folder = build_folder(project, *request.puzzle, request.source);
  const FileLock lock(folder / "lock");
  const Build build =
      build_child(project, *request.puzzle, request.source, Kind::cuda, request.device.architecture, nullptr);
  if (!build.ok()) return does_not_compile(build.diagnostics);
  const fs::path out = folder / "out" / "sanitize";
  fs::create_directories(out);
  const ProcessResult result =
      run_process({sanitizer, "--tool", tool, "--error-exitcode", "1", build.child.string(), "--variant",
                   request.variant->name, "--phase", "check", "--out", out.string()},
                  project.root(), {.wall = request.limit, .memory_bytes = most_memory()});
  print(result.output);
  if (result.timed_out)
    throw Failure(kCrashed, fmt::format("No end after {} s; --timeout allows more.",
                                        std::chrono::duration<double>(request.limit).count()));
  return result.exit_code == 0 ? kCorrect : kWrong;
}

int on_simulator(const Project& project, RunRequest request, const std::string& tool, bool json) {
  request.timed = false;
  request.backend = runs::Backend::sim;
  RunOutcome outcome = execute(project, request);
  runs::RunRecord& record = outcome.record;
  if (record.verdict == runs::Verdict::does_not_compile) return does_not_compile(outcome.diagnostics);
  if (!tool.empty()) {
    const std::vector<FindingClass>& wanted = kTools.at(tool);
    std::erase_if(record.findings, [&](const runs::Finding& f) {
      return std::find(wanted.begin(), wanted.end(), f.klass) == wanted.end();
    });
  }
  std::erase_if(record.findings, [](const runs::Finding& f) { return f.severity == runs::Severity::advice; });
  const bool found = !record.findings.empty();
  const bool ended = record.verdict == runs::Verdict::crashed || record.verdict == runs::Verdict::timed_out;
  if (json) {
    runs::Json findings = runs::Json::array();
    for (const runs::Finding& finding : record.findings) findings.push_back(runs::to_json(finding));
    print(runs::dump({{"engine", "simulator"}, {"tool", tool}, {"findings", findings}}, 1) + '\n');
  } else {
    print(findings_report(project, record, ""));
    if (ended) print("The kernels did not come to their end: " + record.detail + ".\n");
    print(found
              ? count_text(static_cast<std::int64_t>(record.findings.size()), "finding") +
                    " of the simulator.\n"
              : "The simulator finds nothing" + (tool.empty() ? "" : " that " + tool + " looks for") + ".\n");
  }
  return ended ? kCrashed : found ? kWrong : kCorrect;
}

}  // namespace

int sanitize_command(const Project& project, const RunOptions& options, const std::string& tool_or_variant) {
  RunOptions rest = options;
  std::string tool = tool_or_variant;
  const Puzzle& puzzle = rest.puzzle.empty() ? project.current() : project.puzzle(rest.puzzle);
  if (!tool.empty() && !kTools.contains(tool)) {  // `sanitize 22 fused`
    std::vector<std::string> known = puzzle.variant_names();
    for (const auto& [name, classes] : kTools) known.push_back(name);
    if (!puzzle.find_variant(tool))
      throw UsageError("There is no tool or variant '" + tool + "'." + did_you_mean(tool, known) +
                       " There are: " + joined(known, ", ") + ".");
    rest.words.push_back(tool);
    tool.clear();
  }
  RunRequest request =
      request_of(project, puzzle, rest, learner_source(project, puzzle, chosen_variant(puzzle, rest.words)));
  const std::string sanitizer =
      request.backend == runs::Backend::cuda ? find_tool("compute-sanitizer", "", "/usr/local/cuda/bin") : "";
  if (sanitizer.empty()) return on_simulator(project, request, tool, options.json);
  return on_gpu(project, request, sanitizer, tool.empty() ? "memcheck" : tool);
}

}  // namespace workbook::cli
