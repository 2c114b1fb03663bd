#include "cli/run/emitted_device.h"

#include <fmt/format.h>

#include <future>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/simulator_toolchain.h"
#include "cli/compile/toolchain.h"
#include "cli/run/phase.h"
#include "optimizer/emit.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr auto kCompilerLimit = std::chrono::minutes(20);  // no slow machine meets it
constexpr auto kRunLimit = std::chrono::minutes(5);

/// The first line that is worth showing.
std::string first_words(const std::string& output) {
  for (const std::string& line : lines_of(output))
    if (!trimmed(line).empty()) return std::string(trimmed(line)).substr(0, 300);
  return "without a word";
}

std::string ended_words(const ProcessResult& process) {
  if (process.timed_out) return "no end after 5 minutes";
  if (process.signal != 0) return signal_words(process.signal);
  return first_words(process.output);
}

/// Compiles folder/NAME.cu, which includes the kernels. The compiler's words when that fails, else nothing.
std::string compiled(const Project& project, const Device& device, const fs::path& folder,
                     const std::string& name, const std::string& kernels, const std::string& text,
                     const Words& libraries) {
  const fs::path program = folder / name, source = folder / (name + ".cu");
  Words command = compile_command(Kind::cuda, device.architecture);
  command.push_back(std::string("-I") + build::kSourceDir + "/harness");
  const std::string key = build_key(kernels + '\0' + text, command, libraries);
  std::error_code error;
  const fs::path key_file = folder / (name + ".key");
  if (read_file_if_any(key_file) == key && fs::exists(program, error)) return "";
  fs::remove(key_file, error);
  write_file(source, text);
  append(command, {source.string(), "-o", program.string()});
  append(command, libraries);
  const ProcessResult made = run_process(command, project.root(), {.wall = kCompilerLimit});
  if (!made.ok()) return first_words(made.output);
  write_file(key_file, key);
  return "";
}

}  // namespace

DeviceRun judge_on_device(const Project& project, const Device& device, const fs::path& folder,
                          const opt::Program& program, const opt::Plan& plan,
                          const std::vector<opt::EmittedCase>& cases) {
  DeviceRun run;
  run.device = device.name;
  const std::string kernels = opt::emit(program, plan);
  auto check = std::async(std::launch::async, [&] {
    return compiled(project, device, folder, "device_check", kernels, opt::emit_check(program, plan), {});
  });
  std::string words = compiled(project, device, folder, "device_time", kernels,
                               opt::emit_timing(program, plan), split_list(build::kCudaTimingLibraries));
  if (const std::string of_check = check.get(); !of_check.empty()) words = of_check;
  if (!words.empty()) {
    run.trouble = "nvcc does not compile it: " + words;
    return run;
  }
  const fs::path results = folder / "device_results.bin";
  std::error_code ignored;
  fs::remove(results, ignored);
  const ProcessResult process =
      run_process({(folder / "device_check").string(), (folder / "cases.bin").string(), results.string()},
                  folder, {.wall = kRunLimit});
  if (!process.ok()) {
    run.trouble = "it ends early: " + ended_words(process);
    return run;
  }
  const opt::EmittedVerdict verdict =
      opt::judge_emitted(program, cases, read_file_if_any(results).value_or(""));
  run.wrong = verdict.wrong > 0;
  if (run.wrong)
    run.trouble =
        fmt::format("{} of {} elements are wrong; {}", verdict.wrong, verdict.elements, verdict.words);
  return run;
}

void time_on_device(const fs::path& folder, DeviceRun& run) {
  if (!run.trouble.empty()) return;
  const fs::path file = folder / "device_times.json";
  std::error_code ignored;
  fs::remove(file, ignored);
  const ProcessResult process =
      run_process({(folder / "device_time").string(), file.string()}, folder, {.wall = kRunLimit});
  if (!process.ok()) {
    run.trouble = "it ends early: " + ended_words(process);
    return;
  }
  try {
    const runs::Json times = runs::parse_json(read_file_if_any(file).value_or(""));
    const auto cold_us = times.at("cold_us").get<std::vector<double>>();
    if (cold_us.empty()) run.trouble = "there are no samples; " + times.at("note").get<std::string>();
    run.cold_us.insert(run.cold_us.end(), cold_us.begin(), cold_us.end());
  } catch (const std::exception& bad) {  // of JSON, or of ours
    run.trouble = std::string("its times cannot be read: ") + bad.what();
  }
}

}  // namespace workbook::cli
