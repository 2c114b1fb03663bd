#include "cli/grade/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <thread>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/compile/simulator_toolchain.h"
#include "cli/compile/toolchain.h"
#include "cli/grade/host_code.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kNobody = "65534";
constexpr std::size_t kMostFile = std::size_t{512} << 20;
constexpr std::size_t kConfining = std::size_t{64} << 20;  // what confines a program takes memory, too
constexpr int kMostProcesses = 64;                         // and threads, beside two a processor
constexpr auto kSandboxGrace = std::chrono::seconds(10);

/// What no kernel and nothing of the simulator calls: processes beside its own, memory that is nobody's, the
/// network, other processes' memory, and doors into the kernel.
constexpr std::array kRefusedCalls = {"fork",
                                      "vfork",
                                      "execveat",
                                      "ptrace",
                                      "process_vm_readv",
                                      "process_vm_writev",
                                      "process_madvise",
                                      "kcmp",
                                      "pidfd_open",
                                      "pidfd_getfd",
                                      "pidfd_send_signal",
                                      "socket",
                                      "socketpair",
                                      "bpf",
                                      "perf_event_open",
                                      "userfaultfd",
                                      "keyctl",
                                      "add_key",
                                      "request_key",
                                      "io_uring_setup",
                                      "io_uring_enter",
                                      "io_uring_register",
                                      "mount",
                                      "umount2",
                                      "fsopen",
                                      "fsmount",
                                      "move_mount",
                                      "open_tree",
                                      "mount_setattr",
                                      "unshare",
                                      "setns",
                                      "pivot_root",
                                      "chroot",
                                      "memfd_create",
                                      "memfd_secret",
                                      "shmget",
                                      "msgget",
                                      "semget",
                                      "mq_open",
                                      "inotify_init",
                                      "inotify_init1",
                                      "fanotify_init",
                                      "mknod",
                                      "mknodat",
                                      "link",
                                      "linkat",
                                      "symlink",
                                      "symlinkat",
                                      "personality",
                                      "quotactl",
                                      "swapon",
                                      "syslog"};

std::size_t memory_bytes(const CourseLimits& limits) {
  return static_cast<std::size_t>(limits.memory_mb) << 20;
}

/// Where control groups are mounted.
fs::path hierarchies() {
  const char* chosen = std::getenv("WORKBOOK_CGROUPS");
  return chosen != nullptr ? chosen : "/sys/fs/cgroup";
}

struct Release {
  void operator()(void* filter) const { seccomp_release(filter); }
};

}  // namespace

void write_call_filter(const fs::path& file) {
  const std::unique_ptr<void, Release> filter(seccomp_init(SCMP_ACT_ALLOW));
  bool good = filter != nullptr;
  const auto refuse = [&](const char* name, int error, auto... arguments) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR) return;  // not known to this library: newer than it
    good = good && seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error)), call,
                                    sizeof...(arguments), arguments...) == 0;
  };
  for (const char* name : kRefusedCalls) refuse(name, EPERM);
  // Threads are the simulator's, too. The newer call hides its flags in memory: the library then takes the
  // older.
  refuse("clone3", ENOSYS);
  refuse("clone", EPERM, scmp_arg_cmp{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0});
  fs::create_directories(file.parent_path());
  const fs::path draft = file.string() + ".new-" + std::to_string(getpid());
  const int out = open(draft.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  good = good && out >= 0 && seccomp_export_bpf(filter.get(), out) == 0;
  if (out >= 0) close(out);
  if (!good)
    throw HarnessError("The sandbox's filter of system calls cannot be written to " + file.string() + ".");
  fs::rename(draft, file);
}

ProcessLimits confined_limits(const CourseLimits& limits, Confinement::Of what) {
  const bool compiles = what == Confinement::Of::compiler;
  const std::size_t memory = memory_bytes(limits);
  const auto seconds = std::chrono::seconds(compiles ? limits.compile_s : limits.run_s);
  ProcessLimits out;
  out.wall = 2 * seconds;  // of which a processor's is half: base/process.h
  out.grace = kSandboxGrace;
  out.memory_bytes = memory;
  out.file_bytes = kMostFile;
  out.family = true;
  out.processor = 2 * seconds;
  if (compiles) out.address_bytes = memory;  // the simulator reserves far more than it uses
  return out;
}

std::string limit_words(const CourseLimits& limits) {
  return fmt::format("{} s of a processor or {} MB of memory", limits.compile_s, limits.memory_mb);
}

namespace {

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

}  // namespace

Sandbox::Sandbox(const fs::path& state, const CourseLimits& limits)
    : limits_(limits),
      groups_(
          std::make_unique<ControlGroups>(hierarchies(), read_file_if_any("/proc/self/cgroup").value_or(""))),
      bwrap_(find_tool("bwrap", "")),
      filter_(state / "grade" / "calls.bpf") {
  if (bwrap_.empty())
    throw HarnessError(
        "Submissions are compiled and run in a sandbox, for which bubblewrap is missing: `sudo apt-get install "
        "bubblewrap`. --unconfined does without, where you trust every one of them.");
  write_call_filter(filter_);
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
  if (what == Of::program)
    words = {"sh", "-c", "exec 9<\"$0\"; exec \"$@\"", filter_.string(), bwrap_, "--seccomp", "9"};
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
                 "/usr/bin:/bin",
                 "--setenv",
                 "LANG",
                 "C.UTF-8",
                 "--setenv",
                 "HOME",
                 "/tmp"});
  add_system(words);
  append(words, {"--proc", "/proc", "--dev", "/dev", "--size", what == Of::compiler ? "536870912" : "1048576",
                 "--tmpfs", "/tmp", "--dir", folder.string()});
  for (const fs::path& path : reachable.read)
    if (!path.string().starts_with("/usr/")) append(words, {"--ro-bind", path.string(), path.string()});
  for (const fs::path& path : reachable.write) append(words, {"--bind", path.string(), path.string()});
  append(words, {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", folder.string()});
  append(words, command);
  const auto threads = static_cast<int>(std::thread::hardware_concurrency());
  return groups_->around(
      words, {.memory_bytes = memory_bytes(limits_) + kConfining, .processes = kMostProcesses + 2 * threads});
}

ProcessLimits Sandbox::limits(Of what) const { return confined_limits(limits_, what); }

bool Sandbox::failed(const std::string& output) const { return output.starts_with("bwrap: "); }

std::string Sandbox::refuses(const fs::path& object, const std::vector<fs::path>& beside) const {
  return limits_.host_code ? "" : refused_object(object, beside);
}

std::string Sandbox::words() const { return limit_words(limits_); }

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
