// `doctor`: what this machine has, and what that lets the learner do.
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <thread>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/viewer_path.h"
#include "cli/compile/device.h"
#include "cli/compile/toolchain.h"
#include "cli/project/progress.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

struct Item {
  std::string name, state, words;  ///< state: "ok", "missing" (nothing is lost), "broken"
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Item compiler() {
  try {
    const ProcessResult result =
        run_process({build::kCxx, "--version"}, "/", {.wall = std::chrono::seconds(10)});
    if (result.ok()) return {"C++ compiler", "ok", first_line(result.output)};
  } catch (const HarnessError&) {
  }
  return {"C++ compiler", "broken",
          std::string(build::kCxx) + (build::kInstalled ? " does not run: install g++ 12 or newer"
                                                        : " does not run: install g++ and build again")};
}

Item simulator() {
  if (build::kSimLibraries.empty()) return {"simulator", "broken", "not built: build the workbook again"};
  return {"simulator", "ok",
          fmt::format("kernels run on this CPU ({})",
                      std::thread::hardware_concurrency() == 1
                          ? "1 core"
                          : fmt::format("{} cores", std::thread::hardware_concurrency()))};
}

Item gpu() {
  const Device device = find_device();
  if (device.usable)
    return {"GPU", "ok", device.name + " (" + device.architecture + "), used unless --backend sim"};
  return {"GPU", "missing", device.reason + " Kernels run on the simulator; times are modelled."};
}

Item nvcc() {
  const std::string path = find_nvcc();
  if (path.empty()) return {"nvcc", "missing", "not on PATH; only GPUs need it"};
  const ProcessResult result = run_process({path, "--version"}, "/", {.wall = std::chrono::seconds(10)});
  std::string version;
  for (const std::string& line : lines_of(result.output))
    if (line.find("release") != std::string::npos) version = line.substr(line.find("release"));
  return {"nvcc", "ok", path + (version.empty() ? "" : ", " + version)};
}

Item record(const Project& project) {
  if (!runs::Store::exists(project.runs_file()))
    return {"run records", "ok", "none yet; they go to " + project.shown(project.runs_file())};
  try {
    const runs::Store store(project.runs_file(), runs::Store::Mode::read_only);
    return {"run records", "ok",
            fmt::format("{} in {}", store.list().size(), project.shown(project.runs_file()))};
  } catch (const runs::StoreError& error) {
    return {"run records", "broken", error.what()};
  }
}

Item state(const Project& project) {
  try {
    project.prepare_state();
    return {"state folder", "ok", project.shown(project.state())};
  } catch (const HarnessError& error) {
    return {"state folder", "broken", error.what()};
  }
}

Item puzzles(const Project& project) {
  std::string faults;
  for (const Puzzle& puzzle : project.puzzles())
    if (!puzzle.fault.empty()) faults += (faults.empty() ? "" : "; ") + puzzle.name + ": " + puzzle.fault;
  if (!faults.empty()) return {"puzzles", "broken", faults};
  return {"puzzles", "ok",
          fmt::format("{} in {}", project.puzzles().size(), (project.given() / "puzzles").string())};
}

Item viewer(const Project& project) {
  const auto path = viewer_program();
  return path.empty()
             ? Item{"viewer", "missing",
                    build::kInstalled ? "installed without it" : "not built yet: `make viewer` builds it"}
             : Item{"viewer", "ok", build::kInstalled ? path.string() : project.shown(path)};
}

}  // namespace

int doctor_command(const Project& project, bool json) {
  utsname machine{};
  uname(&machine);
  const std::vector<Item> items = {
      {"workbook", "ok", fmt::format("{} on {} {}", build::kVersion, machine.sysname, machine.machine)},
      puzzles(project),
      compiler(),
      simulator(),
      gpu(),
      nvcc(),
      state(project),
      record(project),
      viewer(project)};
  bool broken = false;
  runs::Json list = runs::Json::array();
  std::string out;
  for (const Item& item : items) {
    broken |= item.state == "broken";
    const Colour colour = item.state == "ok"        ? Colour::good
                          : item.state == "missing" ? Colour::dim
                                                    : Colour::bad;
    out += fmt::format("{}  {:<13} {}\n", paint(colour, fmt::format("{:<7}", item.state)), item.name,
                       wrapped(item.words, 96, std::string(23, ' ')));
    list.push_back({{"name", item.name}, {"state", item.state}, {"words", item.words}});
  }
  out += broken ? paint(Colour::bad, "\nSomething is broken: see above.\n")
                : paint(Colour::good, "\nReady") +
                      fmt::format(": `workbook run {}`.\n", project.current().number);
  print(json ? runs::dump(list, 1) + '\n' : fitted(out));
  return broken ? kHarnessFault : kCorrect;
}

}  // namespace workbook::cli
