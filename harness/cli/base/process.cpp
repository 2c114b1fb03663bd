#include "cli/base/process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "cli/base/errors.h"
#include "cli/base/process_watch.h"

namespace workbook::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Process groups that run now: fixed slots, so that a signal handler can walk them.
std::array<std::atomic<pid_t>, 64> running{};

class Registered {
 public:
  explicit Registered(pid_t group) {
    for (auto& slot : running) {
      pid_t free = 0;
      if (slot.compare_exchange_strong(free, group)) {
        slot_ = &slot;
        return;
      }
    }
  }
  ~Registered() {
    if (slot_) slot_->store(0);
  }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;

 private:
  std::atomic<pid_t>* slot_ = nullptr;
};

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void reset(int fd = -1) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

void limit(int resource, std::size_t bytes) {
  if (bytes == 0) return;
  const rlimit value{bytes, bytes};
  setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

// Between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* argv, const char* folder, int output, int failure,
                         const ProcessLimits& limits, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent died before the line above
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_CPU, static_cast<std::size_t>(limits.processor.count()));
  limit(RLIMIT_AS, limits.address_bytes);
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);  // files that another thread has open just now
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (chdir(folder) == 0) execvp(argv[0], argv);
  const int error = errno;
  (void)!write(failure, &error, sizeof error);
  _exit(127);
}

/// Reads what is there; false at the end of the output.
bool drain(int fd, ProcessResult& result, std::size_t most) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(fd, buffer.data(), buffer.size());
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  const std::size_t room = most - std::min(most, result.output.size());
  result.output.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
  result.output_cut |= static_cast<std::size_t>(got) > room;
  return got > 0;
}

bool ended(pid_t child, int& status, bool wait) {
  return waitpid(child, &status, wait ? 0 : WNOHANG) == child;
}

/// Reads the output until the child has ended; enforces the limits.
int supervise(pid_t child, int output, const ProcessLimits& limits, TimeWatch& time, ProcessResult& result) {
  Clock::time_point kill_at{};
  int status = 0;
  bool open = true;
  ProgressLine line(limits);
  while (!ended(child, status, false)) {
    if (limits.cancel && *limits.cancel) kill(-child, SIGKILL);
    if (bool alone = false; !result.out_of_memory && out_of_memory(child, limits, alone)) {
      result.out_of_memory = true;
      result.memory_shared = !alone;
      kill(-child, SIGKILL);
    }
    if (!result.timed_out && time.is_over(child)) {
      tell_to_end(child, limits);
      result.timed_out = true;
      kill_at = Clock::now() + limits.grace;
    }
    if (result.timed_out && Clock::now() > kill_at) kill(-child, SIGKILL);
    line.look();
    const int wait_ms = open ? 20 : 1;  // a grandchild may hold the pipe open, so the child is asked as well
    pollfd waiting{output, POLLIN, 0};
    if (poll(&waiting, open ? 1 : 0, wait_ms) > 0) open = drain(output, result, limits.output_bytes);
  }
  no_longer_watched(child);
  kill(-child, SIGKILL);  // what it forked and left behind
  for (pollfd rest{output, POLLIN, 0}; open && poll(&rest, 1, 0) > 0;)
    open = drain(output, result, limits.output_bytes);
  return status;
}

}  // namespace

bool ProcessResult::killed_by_others() const {
  if (timed_out || out_of_memory) return false;
  if (signal == SIGKILL || signal == SIGTERM) return true;
  for (const char* words :
       {"Killed signal terminated program", "Terminated signal terminated program"})  // g++
    if (output.find(words) != std::string::npos) return true;
  return false;
}

ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          const ProcessLimits& limits) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  int ends[2], failure_ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw HarnessError(std::string("no pipe: ") + std::strerror(errno) + ".");
  const Descriptor output(ends[0]);
  Descriptor output_write(ends[1]);
  if (pipe2(failure_ends, O_CLOEXEC) != 0)
    throw HarnessError(std::string("no pipe: ") + std::strerror(errno) + ".");
  const Descriptor failure(failure_ends[0]);
  Descriptor failure_write(failure_ends[1]);

  ProcessResult result;
  TimeWatch time(limits);
  const auto start = Clock::now();
  const std::string where = folder.string();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw HarnessError(command[0] + " cannot be started: " + std::strerror(errno) + ".");
  if (child == 0) become(argv.data(), where.c_str(), output_write.get(), failure_write.get(), limits, parent);
  setpgid(child, child);  // both sides do it, whoever comes first
  const Registered registered(child);
  output_write.reset();
  failure_write.reset();
  fcntl(output.get(), F_SETFL, O_NONBLOCK);

  int error = 0;
  if (read(failure.get(), &error, sizeof error) == sizeof error) {  // ends when exec succeeds
    int ignored = 0;
    ended(child, ignored, true);
    throw HarnessError(command[0] + " cannot be started: " + std::strerror(error) + ".");
  }
  const int status = supervise(child, output.get(), limits, time, result);
  result.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (limits.family && result.exit_code > 128) {
    result.signal = result.exit_code - 128;
    result.exit_code = -1;
  }
  return result;
}

void kill_all_processes() noexcept {
  for (auto& slot : running)
    if (const pid_t group = slot.load(); group > 0) kill(-group, SIGKILL);
}

}  // namespace workbook::cli
