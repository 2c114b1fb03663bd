#include "cli/run/strangers_run.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstring>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "sim/engine/program_variables.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

/// What lies in the puzzle's folder and is no source: a program's data.
std::vector<fs::path> data_files(const Puzzle& puzzle) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(puzzle.folder, error))
    if (entry.path().extension() == ".safetensors" || entry.path().extension() == ".bin")
      files.push_back(entry.path());
  return files;
}

/// The arrays in a file of sim::kResultsVariable, as far as it is one.
std::vector<std::string> read_results(const fs::path& file) {
  std::vector<std::string> arrays;
  const std::string bytes = read_file_if_any(file).value_or("");
  std::uint64_t size = 0;
  for (std::size_t at = 0; at + sizeof size <= bytes.size(); at += sizeof size + size) {
    std::memcpy(&size, bytes.data() + at, sizeof size);
    if (size > bytes.size() - at - sizeof size) break;
    arrays.push_back(bytes.substr(at + sizeof size, size));
  }
  return arrays;
}

/// A stranger's report, which is anything at all.
ProgramRun read_strangers_run(const fs::path& report, const ProcessResult& process, const ProgramBuild& build,
                              const SimOptions& options, const ProcessLimits& limits) {
  constexpr std::uintmax_t kMostReport = std::uintmax_t{32} << 20;
  std::error_code error;
  if (const auto size = fs::file_size(report, error); error || size == 0 || size > kMostReport)
    fs::remove(report, error);
  ProgramRun run;
  try {
    run = read_program_run(report, process, build.staged, options);
  } catch (const HarnessError&) {
    run.process = process;
    run.trouble = "What the program reported of its kernels cannot be read.";
  }
  if (process.out_of_memory)
    run.trouble = fmt::format("It met the limit of memory, {} MB.", limits.memory_bytes >> 20);
  else if (process.timed_out)
    run.trouble = fmt::format("No end within {} s of a processor, or it only slept.",
                              std::chrono::duration<double>(limits.wall / 2).count());
  else if (run.trouble.empty() && !run.reported)
    run.trouble = "It ended before it could report what its kernels did.";
  return run;
}

}  // namespace

ProgramRun run_strangers(const Confinement& by, const Project& project, const ProgramBuild& build,
                         const RunRequest& request, const SimOptions& options, ProgramEnd& end) {
  const fs::path out = build.program.parent_path() / "out", report = out / "report.json",
                 results = out / "results.bin";
  std::error_code error;
  fs::remove_all(out, error);
  write_file(report, "");
  write_file(results, "");
  std::vector<std::string> command = {
      "env",
      fmt::format("{}={}", kPuzzleVariable, fs::absolute(request.puzzle->folder).string()),
      fmt::format("{}={}", sim::kReportVariable, report.string()),
      fmt::format("{}={}", sim::kResultsVariable, results.string()),
      fmt::format("{}={}", sim::kGpuVariable, request.gpu),
      fmt::format("{}=1", sim::kWholeBlocksVariable),
      build.program.string()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  Reachable reachable{data_files(*request.puzzle), {report, results}};
  reachable.read.push_back(build.program);
  ProcessLimits limits = by.limits(Confinement::Of::program);
  limits.output_bytes = 64 << 10;
  const ProcessResult process = run_process(
      by.around(Confinement::Of::program, command, project.root(), reachable), project.root(), limits);
  if (!process.ok() && by.failed(process.output))
    throw HarnessError("The program could not be started: " + process.output);
  ProgramRun run = read_strangers_run(report, process, build, options, limits);
  end.results = read_results(results);
  fs::remove_all(out, error);
  return run;
}

}  // namespace workbook::cli
