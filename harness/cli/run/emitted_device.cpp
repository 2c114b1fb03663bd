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
#include "optimizer/plan/places.h"
#include "optimizer/schedule/emit.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr auto kCompilerLimit = std::chrono::minutes(20);  // no slow machine meets it
constexpr auto kRunLimit = std::chrono::minutes(5);
constexpr double kTimedShare = 0.25;  ///< of a GPU's memory, that the tensors of a timed plan fill
constexpr double kMostTimedUs = 2e5;  ///< modelled; two hundred calls a pass

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
  // Groups of warps multiply on Hopper by what no later GPU has: its own architecture.
  const std::string own = device.architecture == "sm_90" ? "a" : "";
  Words command = compile_command(Kind::cuda, device.architecture + own);
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

std::string untimed_words(const opt::Program& program, const opt::Scheduled& plan, double memory_gb) {
  const opt::Graph& graph = plan.plan.graph;
  const std::vector<opt::IndexSet> shapes = opt::shapes_of(graph, program.output_set());
  const auto bytes_of = [&](int node) {
    double bytes = opt::item_bytes(opt::storage_of(program, plan.plan, node));
    for (const int index : opt::members(shapes[opt::slot(node)]))
      bytes *= static_cast<double>(graph.indices[opt::slot(index)].real);
    return bytes;
  };
  double bytes = 0.0;
  for (std::size_t input = 0; input < graph.inputs.size(); ++input)
    if (graph.inputs[input].is_stored()) bytes += bytes_of(static_cast<int>(input));
  const std::vector<opt::Launch> launches = opt::launches_of(program, plan.plan);
  for (std::size_t k = 0; k < launches.size(); ++k)
    for (const int node : launches[k].writes) {
      const bool split = launches[k].is_split(graph, node);
      bytes += bytes_of(node) * (split ? plan.plan.kernels[k].cuts[opt::slot(launches[k].split)].grid : 1);
    }
  if (bytes > kTimedShare * memory_gb * 1e9)
    return fmt::format(
        "its tensors, with those between launches, are {:.3g} GB, more than a quarter of {:.3g} GB of memory",
        bytes / 1e9, memory_gb);
  if (plan.price.us > kMostTimedUs)
    return fmt::format("it is modelled {:.2g} s, too long for some hundred calls", plan.price.us / 1e6);
  return "";
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
