#include "cli/run/phase.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/project/declared.h"
#include "runs/json_text.h"
#include "runs/pattern.h"
#include "sim/engine/program_variables.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostOutput = 64 << 10;
constexpr std::size_t kMostFile = std::size_t{2} << 30;
constexpr auto kGrace = std::chrono::seconds(30);  // to say where it was and what it had found
constexpr const char* kNoJudgement = "that is a limit of the workbook's own, and says nothing of the kernel";

/// The child's last words, a line each: "phase check", "case ragged", "kernel NAME", and from its signal
/// handler "reason WORDS" and "at FILE:LINE".
void read_stage(const fs::path& file, Phase& phase) {
  static const runs::Pattern kAt(R"(^at (.+):(\d+)$)");
  std::string name, kernel;
  for (const std::string& line : lines_of(read_file_if_any(file).value_or(""))) {
    if (const auto at = kAt.match(line)) phase.at = runs::SourceLine{(*at)[1], std::atoi((*at)[2].c_str())};
    if (line.starts_with("reason ")) phase.detail = line.substr(7);
    if (line.starts_with("case ")) name = line.substr(5);
    if (line.starts_with("kernel ")) kernel = line.substr(7);
  }
  if (!kernel.empty()) phase.detail += ", in " + kernel;
  if (!name.empty()) phase.detail += ", on '" + name + "'";
}

/// What a phase had found until it was ended; nothing where it could not say.
void read_partial_report(const fs::path& folder, Phase& phase) {
  const auto text = read_file_if_any(folder / "partial.json");
  if (!text) return;
  try {
    phase.report = runs::parse_run(*text);
  } catch (const std::runtime_error&) {
    phase.report = {};
  }
}

/// Phases that run beside others share the machine's memory. One that is ended for it, and would not have
/// been alone, runs again by itself.
ProcessResult run_within_memory(const std::vector<std::string>& command, const fs::path& folder,
                                const ProcessLimits& limits) {
  static std::shared_mutex memory;
  {
    const std::shared_lock with_others(memory);
    ProcessResult result = run_process(command, folder, limits);
    if (!result.out_of_memory || !result.memory_shared || (limits.cancel && *limits.cancel)) return result;
  }
  const std::unique_lock alone(memory);
  return run_process(command, folder, limits);
}

void read_report(const fs::path& folder, Phase& phase) {
  std::error_code error;
  if (!fs::exists(folder / "report.json", error)) {
    phase.ended = runs::Verdict::crashed;
    phase.detail = "it ended before the check was over, as if by exit()";
    read_stage(folder / "stage.txt", phase);
    return;
  }
  try {
    phase.report = runs::parse_run(read_file(folder / "report.json"));
    if (const auto bytes = read_file_if_any(folder / "trace.bin")) phase.trace = runs::deserialize(*bytes);
    phase.probes = read_file_if_any(folder / "probes.json").value_or("");
  } catch (const std::runtime_error& bad) {
    phase.ended = runs::Verdict::harness_error;
    phase.detail = std::string("the child's report cannot be read: ") + bad.what();
  }
}

void keep_to_sources_if_any(std::optional<runs::SourceLine>& at) {
  if (at) cli::keep_to_sources(*at);
  if (at && at->file.empty()) at.reset();
}

void keep_phase_to_sources(Phase& phase) {
  keep_to_sources_if_any(phase.at);
  for (runs::Finding& finding : phase.report.findings) {
    keep_to_sources(finding.at);
    keep_to_sources_if_any(finding.other);
    keep_to_sources_if_any(finding.called_from);
  }
  for (runs::CaseResult& result : phase.report.cases)
    for (runs::Check& check : result.checks) {
      if (!check.first_wrong) continue;
      keep_to_sources_if_any(check.first_wrong->at);
      keep_to_sources_if_any(check.first_wrong->called_from);
    }
}

/// The same of a stranger's program: the judge is another, and starts it confined. Its word that it makes
/// progress does not count, nor what it says of the request or the machine by its exit status.
Phase run_confined(const Confinement& by, const Project& project, const RunRequest& request,
                   const std::vector<std::string>& arguments, const fs::path& child, const fs::path& out,
                   const std::atomic<bool>* cancel) {
  std::vector<std::string> command = {judge_program(request.puzzle->folder, project.state()).string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back("--apart");
  const auto what =
      request.backend == runs::Backend::cuda ? Confinement::Of::device_program : Confinement::Of::program;
  Reachable reachable{{child}, {}};
  if (!request.device.driver.empty()) reachable.libraries.push_back(request.device.driver);
  for (const std::string& word : by.around(what, {child.string()}, project.root(), reachable))
    command.push_back(word);
  ProcessLimits limits = by.limits(what);
  limits.output_bytes = kMostOutput;
  limits.cancel = cancel;
  ProcessResult result = run_process(command, project.root(), limits);
  // No verdict comes of what ends all of a job's processes: there is no second run then. What a program does
  // to itself it does again.
  if (result.killed_by_others()) result = run_process(command, project.root(), limits);
  Phase phase = phase_of(result, out, limits.wall / 2, limits.memory_bytes);
  keep_phase_to_sources(phase);
  if (!result.ok() && by.failed(result.output)) {
    phase.ended = runs::Verdict::harness_error;
    phase.detail = trimmed(result.output);
  }
  phase.output = result.output;
  if (result.output_cut) phase.output += "\n... (cut at 64 KiB)\n";
  return phase;
}

}  // namespace

void keep_to_sources(runs::SourceLine& at) {
  if (at.file.starts_with('/') || at.file.starts_with("solutions") || at.file.find("..") != std::string::npos)
    at = {};
}

std::size_t most_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page <= 0) return 0;
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) / 4 * 3;
}

std::string signal_words(int number) {
  switch (number) {
    case SIGSEGV:
      return "it touched memory that is not its own (SIGSEGV)";
    case SIGBUS:
      return "it touched memory that is not there (SIGBUS)";
    case SIGFPE:
      return "it divided an integer by zero (SIGFPE)";
    case SIGABRT:
      return "it aborted (SIGABRT)";
    case SIGILL:
      return "it ran into an illegal instruction (SIGILL)";
    case SIGKILL:
      return "it was killed (SIGKILL), perhaps for want of memory";
    case SIGXFSZ:
      return "it wrote too large a file (SIGXFSZ)";
    default:
      return std::string("it was ended by ") + strsignal(number);
  }
}

Phase run_phase(const Project& project, const RunRequest& request, const fs::path& child,
                runs::PhaseKind kind, const fs::path& scratch, const std::atomic<bool>* cancel) {
  const std::string name = word_of(kind);
  const fs::path out = scratch / name;
  std::error_code error;
  fs::create_directories(out, error);
  if (error) throw HarnessError(out.string() + " cannot be written: " + error.message() + ".");
  const Confinement* const by = request.source.confined_by;
  const fs::path progress = out / "progress.bin";
  std::vector<std::string> command = {"env",
                                      fmt::format("{}={}", sim::kProgressVariable, progress.string()),
                                      child.string(),
                                      "--variant",
                                      request.variant->name,
                                      "--phase",
                                      name,
                                      "--out",
                                      out.string(),
                                      "--gpu",
                                      request.gpu};
  for (const std::string& size : request.sizes) command.insert(command.end(), {"--size", size});
  const fs::path fingerprints = request.puzzle->fingerprints_file();
  if (fs::exists(fingerprints, error))
    command.insert(command.end(), {"--fingerprints", fingerprints.string()});
  if (!request.traced) command.push_back("--no-trace");
  if (!request.host_versions) command.push_back("--no-host-versions");
  if (request.probe) command.push_back("--probe");
  if (!request.until.empty()) command.insert(command.end(), {"--until", request.until});
  if (request.seed != 0) command.insert(command.end(), {"--seed", std::to_string(request.seed)});
  for (const std::string& name_of_case : request.left_out)
    command.insert(command.end(), {"--leave-out", name_of_case});
  if (by != nullptr)
    return run_confined(*by, project, request, {command.begin() + 3, command.end()}, child, out, cancel);
  const ProcessLimits limits{.wall = request.limit,
                             .progress = progress,
                             .grace = kGrace,
                             .output_bytes = kMostOutput,
                             .memory_bytes = most_memory(),
                             .shown = request.tells && kind == runs::PhaseKind::check ? progress : fs::path(),
                             .file_bytes = kMostFile,
                             .cancel = cancel};
  const ProcessResult result = run_within_memory(command, project.root(), limits);
  if (result.exit_code == kNoDevice) throw NoDeviceError(std::string(trimmed(result.output)));
  if (result.exit_code == kUsage) throw UsageError(std::string(trimmed(result.output)));
  Phase phase = phase_of(result, out, request.limit);
  phase.output = result.output;
  if (result.output_cut) phase.output += "\n... (cut at 64 KiB)\n";
  return phase;
}

Phase phase_of(const ProcessResult& result, const fs::path& out, std::chrono::milliseconds limit,
               std::size_t memory) {
  Phase phase;
  phase.ran = true;
  if (result.ok()) {
    read_report(out, phase);
  } else if (result.exit_code == kHarnessFault) {
    phase.ended = runs::Verdict::harness_error;
    phase.detail = trimmed(result.output);
  } else if (result.out_of_memory) {
    phase.ended = runs::Verdict::crashed;
    phase.detail =
        memory > 0 ? fmt::format("it met the limit of memory, {} MB", memory >> 20)
                   : fmt::format(
                         "it met the limit of memory, {:.1f} GB: three quarters of what this machine has; {}",
                         static_cast<double>(most_memory()) / 1e9, kNoJudgement);
    read_stage(out / "stage.txt", phase);
  } else if (result.timed_out) {
    phase.ended = runs::Verdict::timed_out;
    const double seconds = std::chrono::duration<double>(limit).count();
    phase.detail = memory > 0 ? fmt::format("no end within {} s of a processor, or it only slept", seconds)
                              : fmt::format("no end after {} s", seconds);
    read_stage(out / "stage.txt", phase);
    if (memory == 0) phase.detail += fmt::format(": {}; --timeout allows more", kNoJudgement);
    read_partial_report(out, phase);
  } else {
    phase.ended = runs::Verdict::crashed;
    phase.detail = result.signal != 0
                       ? signal_words(result.signal)
                       : "it ended itself with exit status " + std::to_string(result.exit_code);
    read_stage(out / "stage.txt", phase);
    read_partial_report(out, phase);
  }
  return phase;
}

}  // namespace workbook::cli
