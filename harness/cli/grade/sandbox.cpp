#include "cli/grade/sandbox.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/simulator_toolchain.h"
#include "cli/compile/toolchain.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kNobody = "65534";
constexpr std::size_t kConfining = std::size_t{64} << 20;  // what confines a program takes memory, too
constexpr int kMostProcesses = 64;                         // and threads, beside two a processor

/// Where control groups are mounted.
fs::path hierarchies() {
  const char* chosen = std::getenv("WORKBOOK_CGROUPS");
  return chosen != nullptr ? chosen : "/sys/fs/cgroup";
}

bool is_link(const fs::path& path) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(path, error));
}

/// The system's programs and libraries, read-only.
void add_system(Words& words) {
  append(words, {"--ro-bind", "/usr", "/usr"});
  for (const char* folder : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
    std::error_code error;
    if (is_link(folder))
      append(words, {"--symlink", fs::read_symlink(folder).string(), folder});
    else if (fs::exists(folder, error))
      append(words, {"--ro-bind", folder, folder});
  }
  for (const char* path : {"/etc/alternatives", "/etc/ld.so.cache"})
    append(words, {"--ro-bind-try", path, path});
}

/// The GPUs. Which of them a cluster has given stays as it is.
void add_devices(Words& words) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/dev", error))
    if (entry.path().filename().string().starts_with("nvidia"))
      append(words, {"--dev-bind", entry.path().string(), entry.path().string()});
  if (const char* chosen = std::getenv("CUDA_VISIBLE_DEVICES"))
    append(words, {"--setenv", "CUDA_VISIBLE_DEVICES", chosen});
}

/// Where the compiler is installed, if not with the system: the folder that its `bin` lies in, and that holds
/// nothing but what was installed with it.
fs::path compiler_folder() {
  std::error_code error;
  const fs::path compiler = fs::canonical(build::kCxx, error);
  if (error || compiler.string().starts_with("/usr/")) return {};
  const fs::path folder = compiler.parent_path().parent_path();
  if (compiler.parent_path().filename() == "bin" && folder.has_relative_path())
    for (const char* own : {"lib/gcc", "lib64/gcc", "libexec/gcc", "lib/clang"})
      if (fs::is_directory(folder / own, error)) return folder;
  throw HarnessError(fmt::format(
      "The compiler {} is neither the system's nor in a folder of its own (a bin beside its lib/gcc), so that "
      "a sandbox cannot hold it and nothing else. Build the workbook with another (CXX=...), or use "
      "--unconfined where you trust every submission.",
      build::kCxx));
}

void add_libraries(Words& words, const std::vector<fs::path>& folders) {
  std::string path;
  for (const fs::path& folder : folders) {
    if (!folder.string().starts_with("/usr/")) append(words, {"--ro-bind", folder.string(), folder.string()});
    path += (path.empty() ? "" : ":") + folder.string();
  }
  if (!path.empty()) append(words, {"--setenv", "LD_LIBRARY_PATH", path});
}

}  // namespace

Sandbox::Sandbox(const fs::path& state, const CourseLimits& limits)
    : CourseConfinement(limits),
      groups_(
          std::make_unique<ControlGroups>(hierarchies(), read_file_if_any("/proc/self/cgroup").value_or(""))),
      bwrap_(find_tool("bwrap", "")),
      compiler_(compiler_folder()),
      filter_(state / "grade" / "calls.bpf"),
      device_filter_(state / "grade" / "device-calls.bpf") {
  if (bwrap_.empty())
    throw HarnessError(
        "Submissions are compiled and run in a sandbox, for which bubblewrap is missing: `sudo apt-get install "
        "bubblewrap`. --unconfined does without, where you trust every one of them.");
  write_call_filter(filter_);
  write_call_filter(device_filter_, true);
  for (const Of what : {Of::compiler, Of::program}) {
    const ProcessResult tried = run_process(around(what, {"true"}, "/", {}), "/", this->limits(what));
    if (!tried.ok())
      throw HarnessError(
          "bubblewrap cannot make a sandbox here: " + std::string(trimmed(tried.output)) +
          " User namespaces may be forbidden (sysctl kernel.unprivileged_userns_clone, or a container's "
          "rules). --unconfined does without, where you trust every submission.");
  }
}

Words Sandbox::around(Of what, const Words& command, const fs::path& folder,
                      const Reachable& reachable) const {
  Words words;
  // Each start needs the filter opened anew: bubblewrap reads it from where the descriptor stands.
  if (what != Of::compiler)
    words = {"sh",
             "-c",
             "exec 9<\"$0\"; exec \"$@\"",
             (what == Of::program ? filter_ : device_filter_).string(),
             bwrap_,
             "--seccomp",
             "9"};
  else
    words = {bwrap_};
  append(words, {"--unshare-all",
                 "--unshare-user",
                 "--disable-userns",
                 "--uid",
                 kNobody,
                 "--gid",
                 kNobody,
                 "--die-with-parent",
                 "--hostname",
                 "workbook",
                 "--clearenv",
                 "--setenv",
                 "PATH",
                 compiler_.empty() ? "/usr/bin:/bin" : (compiler_ / "bin").string() + ":/usr/bin:/bin",
                 "--setenv",
                 "LANG",
                 "C.UTF-8",
                 "--setenv",
                 "HOME",
                 "/tmp"});
  add_system(words);
  append(words, {"--proc", "/proc", "--dev", "/dev", "--size", what == Of::compiler ? "536870912" : "1048576",
                 "--tmpfs", "/tmp", "--dir", folder.string()});
  if (what == Of::device_program) add_devices(words);
  std::vector<fs::path> libraries = reachable.libraries;
  if (!compiler_.empty()) {
    append(words, {"--ro-bind", compiler_.string(), compiler_.string()});
    std::error_code error;
    for (const char* own : {"lib64", "lib"})
      if (fs::is_directory(compiler_ / own, error)) libraries.push_back(compiler_ / own);
  }
  add_libraries(words, libraries);
  for (const fs::path& path : reachable.read)
    if (!path.string().starts_with("/usr/")) append(words, {"--ro-bind", path.string(), path.string()});
  for (const fs::path& path : reachable.write) append(words, {"--bind", path.string(), path.string()});
  append(words, {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", folder.string()});
  append(words, command);
  const auto threads = static_cast<int>(std::thread::hardware_concurrency());
  return groups_->around(
      words, {.memory_bytes = memory_bytes() + kConfining, .processes = kMostProcesses + 2 * threads});
}

bool Sandbox::failed(const std::string& output) const { return output.starts_with("bwrap: "); }

Words Sandbox::missing() const {
  Words sentences;
  if (!groups_->usable())
    sentences.emplace_back(
        "Memory and threads of submissions are watched from outside, many times a second, and not bounded: there is "
        "no control group that this user may divide. `systemd-run --user --scope -p Delegate=yes workbook grade ...` "
        "gives one where systemd runs.");
  if (geteuid() == 0)
    sentences.emplace_back(
        "Grading runs as root. A user of its own would be one wall more around submissions.");
  return sentences;
}

}  // namespace workbook::cli
