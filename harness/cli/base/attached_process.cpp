#include "cli/base/attached_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "cli/base/errors.h"
#include "cli/base/process_watch.h"

namespace workbook::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<pid_t> attached{0};

void pass_on(int number) {
  if (const pid_t child = attached.load(); child > 0) kill(child, number);
}

/// The terminal sends Ctrl-C to the program as well as to us, and we wait for what it does about it. What is
/// sent to us alone is passed on.
class Signals {
 public:
  Signals() {
    struct sigaction ignore {
    }, forward{};
    ignore.sa_handler = SIG_IGN;
    forward.sa_handler = pass_on;
    forward.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < std::size(kNumbers); ++i)
      sigaction(kNumbers[i], i < 2 ? &ignore : &forward, &before_[i]);
  }
  ~Signals() {
    for (std::size_t i = 0; i < std::size(kNumbers); ++i) sigaction(kNumbers[i], &before_[i], nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// In the child: as a program finds them that a shell started.
  void give_to_child() const {
    for (std::size_t i = 0; i < std::size(kNumbers); ++i)
      signal(kNumbers[i], before_[i].sa_handler == SIG_IGN ? SIG_IGN : SIG_DFL);
  }

 private:
  static constexpr int kNumbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(kNumbers)]{};
};

int supervise(pid_t child, const ProcessLimits& limits, Clock::time_point start, TimeWatch& time,
              ProcessResult& result) {
  using std::chrono::milliseconds;
  Clock::time_point kill_at{};
  int status = 0;
  ProgressLine line(limits);
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (bool alone = false; !result.out_of_memory && out_of_memory(child, limits, alone)) {
      result.out_of_memory = true;
      kill(child, SIGKILL);
    }
    if (!result.timed_out && time.is_over(child)) {
      kill(child, SIGTERM);
      result.timed_out = true;
      kill_at = Clock::now() + limits.grace;
    }
    if (result.timed_out && Clock::now() > kill_at) kill(child, SIGKILL);
    line.look();
    // Short at first: most programs end at once, and nobody should wait for us.
    const auto elapsed = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    std::this_thread::sleep_for(std::clamp(elapsed / 20, milliseconds(1), milliseconds(20)));
  }
  no_longer_watched(child);
  return status;
}

}  // namespace

ProcessResult run_attached(const std::vector<std::string>& command,
                           const std::vector<std::pair<std::string, std::string>>& environment,
                           const ProcessLimits& limits, const std::function<void()>& on_start) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0)
    throw HarnessError(std::string("no pipe: ") + std::strerror(errno) + ".");
  std::fflush(nullptr);  // what we have printed comes before what it prints

  ProcessResult result;
  TimeWatch time(limits);
  const auto start = Clock::now();
  const Signals signals;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    signals.give_to_child();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    execv(argv[0], argv.data());
    const int error = errno;
    (void)!write(failure[1], &error, sizeof error);
    _exit(127);
  }
  close(failure[1]);
  int error = child < 0 ? errno : 0;
  const bool started = child > 0 && read(failure[0], &error, sizeof error) != sizeof error;
  close(failure[0]);
  if (!started) {
    if (child > 0) waitpid(child, nullptr, 0);
    throw HarnessError(command[0] + " cannot be started: " + std::strerror(error) + ".");
  }
  on_start();
  attached = child;
  const int status = supervise(child, limits, start, time, result);
  attached = 0;
  result.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

void become(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  throw HarnessError(command[0] + " cannot be started: " + std::strerror(errno) + ".");
}

}  // namespace workbook::cli
