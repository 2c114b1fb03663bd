#include "cli/grade/course_confinement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <memory>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/grade/host_code.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFile = std::size_t{512} << 20;
constexpr auto kGrace = std::chrono::seconds(10);

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

struct Release {
  void operator()(void* filter) const { seccomp_release(filter); }
};

}  // namespace

std::size_t CourseConfinement::memory_bytes() const {
  return static_cast<std::size_t>(limits_.memory_mb) << 20;
}

ProcessLimits CourseConfinement::limits(Of what) const {
  const bool compiles = what == Of::compiler;
  const auto seconds = std::chrono::seconds(compiles ? limits_.compile_s : limits_.run_s);
  ProcessLimits out;
  out.wall = 2 * seconds;  // of which a processor's is half: base/process.h
  out.grace = kGrace;
  out.memory_bytes = memory_bytes();
  out.file_bytes = kMostFile;
  out.family = true;
  out.processor = 2 * seconds;
  if (compiles) out.address_bytes = memory_bytes();  // the simulator reserves far more than it uses
  return out;
}

std::string CourseConfinement::refuses(const fs::path& object, const std::vector<fs::path>& beside) const {
  return limits_.host_code ? "" : refused_object(object, beside);
}

std::string CourseConfinement::words() const {
  return fmt::format("{} s of a processor or {} MB of memory", limits_.compile_s, limits_.memory_mb);
}

void write_call_filter(const fs::path& file, bool uses_device) {
  const std::unique_ptr<void, Release> filter(seccomp_init(SCMP_ACT_ALLOW));
  bool good = filter != nullptr;
  const auto refuse = [&](const char* name, int error, auto... arguments) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR) return;  // not known to this library: newer than it
    good = good && seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error)), call,
                                    sizeof...(arguments), arguments...) == 0;
  };
  for (const char* name : kRefusedCalls) refuse(name, EPERM);
  // The driver of a GPU wants a local one, and there is nobody in the sandbox to reach by it.
  if (uses_device)
    refuse("socket", EPERM, scmp_arg_cmp{0, SCMP_CMP_NE, AF_UNIX, 0});
  else
    refuse("socket", EPERM);
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

}  // namespace workbook::cli
