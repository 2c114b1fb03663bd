#include "session/task.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace workbook::viewer {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOutput = 1 << 20, kKept = 3 << 18;
constexpr auto kGrace = std::chrono::seconds(1);

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

/// Ours, with some variables replaced: made before the fork, after which nothing may be allocated.
std::vector<std::string> merged(const std::vector<std::pair<std::string, std::string>>& extra) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : extra) replaced = replaced || text.starts_with(name + "=");
    if (!replaced) all.push_back(text);
  }
  for (const auto& [name, value] : extra) all.push_back(name + "=" + value);
  return all;
}

[[noreturn]] void fail(const std::string& program, int error) {
  throw std::runtime_error(program + " cannot be started: " + std::strerror(error));
}

// Dear ImGui and GLFW leave signals alone, but a shell may have started us with some ignored.
void default_signals() {
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(number, SIG_DFL);
}

[[noreturn]] void become(char* const* argv, char* const* environment, const char* folder, int failure) {
  if (chdir(folder) == 0) execvpe(argv[0], argv, environment);
  const int error = errno;
  (void)!write(failure, &error, sizeof error);
  _exit(127);
}

}  // namespace

Task::~Task() {
  if (running()) {
    kill_group(SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  if (pipe_ >= 0) close(pipe_);
}

void Task::start(const std::vector<std::string>& command, const std::filesystem::path& folder,
                 const std::vector<std::pair<std::string, std::string>>& environment) {
  if (running()) {
    kill_group(SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }
  if (pipe_ >= 0) close(pipe_);
  pipe_ = -1;
  output_.clear();
  escape_ = Escape::none;
  returned_ = cancelled_ = false;
  exit_code_ = -1;
  signal_ = 0;
  std::vector<std::string> words = command, variables = merged(environment);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  const std::string place = folder.string();
  int output[2], failure[2];
  if (pipe2(output, O_CLOEXEC) != 0) fail(command[0], errno);
  if (pipe2(failure, O_CLOEXEC) != 0) {
    const int error = errno;
    close(output[0]);
    close(output[1]);
    fail(command[0], error);
  }
  started_ = ended_ = Clock::now();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    default_signals();
    const int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    dup2(output[1], STDERR_FILENO);
    become(argv.data(), envp.data(), place.c_str(), failure[1]);
  }
  const int fork_error = errno;
  close(output[1]);
  close(failure[1]);
  int error = child < 0 ? fork_error : 0;
  const bool failed = child < 0 || read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  if (failed) {
    close(output[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    fail(command[0], error);
  }
  setpgid(child, child);  // whoever comes first, the child or we
  fcntl(output[0], F_SETFL, O_NONBLOCK);
  child_ = child;
  pipe_ = output[0];
}

void Task::take(const char* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const char c = bytes[i];
    if (escape_ == Escape::begun) {
      escape_ = c == '[' ? Escape::inside : Escape::none;
    } else if (escape_ == Escape::inside) {
      if (c >= '@' && c <= '~') escape_ = Escape::none;
    } else if (c == '\033') {
      escape_ = Escape::begun;
    } else if (c == '\r') {
      returned_ = true;
    } else {
      if (returned_ && c != '\n') output_.erase(output_.find_last_of('\n') + 1);  // npos + 1 is the start
      returned_ = false;
      output_ += c;
    }
  }
  if (output_.size() > kMostOutput) output_.erase(0, output_.size() - kKept);
}

bool Task::poll() {
  if (!running()) return false;
  std::array<char, 16384> buffer;
  bool news = false;
  // A program that prints without end must not keep the viewer from drawing: some at a time.
  for (int round = 0; round < 16; ++round) {
    const ssize_t got = read(pipe_, buffer.data(), buffer.size());
    if (got <= 0) break;
    take(buffer.data(), static_cast<std::size_t>(got));
    news = true;
  }
  if (cancelled_ && Clock::now() - cancelled_at_ > kGrace) kill_group(SIGKILL);
  int status = 0;
  if (waitpid(child_, &status, WNOHANG) != child_) return news;
  for (ssize_t got = 0; (got = read(pipe_, buffer.data(), buffer.size())) > 0;)
    take(buffer.data(), static_cast<std::size_t>(got));
  finish(status);
  return true;
}

void Task::finish(int status) {
  // What it may have left behind goes with it.
  ::kill(-child_, SIGKILL);
  child_ = 0;
  close(pipe_);
  pipe_ = -1;
  ended_ = Clock::now();
  if (WIFEXITED(status)) exit_code_ = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) signal_ = WTERMSIG(status);
}

void Task::cancel() {
  if (!running() || cancelled_) return;
  cancelled_ = true;
  cancelled_at_ = Clock::now();
  kill_group(SIGTERM);
}

void Task::kill_group(int number) { ::kill(-child_, number); }

bool Task::wait(std::chrono::milliseconds limit) {
  const auto end = Clock::now() + limit;
  while (running() && Clock::now() < end) {
    poll();
    if (running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return !running();
}

double Task::elapsed_s() const {
  return std::chrono::duration<double>((running() ? Clock::now() : ended_) - started_).count();
}

void start_detached(const std::vector<std::string>& command, const std::filesystem::path& folder) {
  std::vector<std::string> words = command, variables = merged({});
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  const std::string place = folder.string();
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) fail(command[0], errno);
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() != 0) _exit(0);  // its parent is then init: nobody has to wait for it
    default_signals();
    become(argv.data(), envp.data(), place.c_str(), failure[1]);
  }
  int error = errno;
  close(failure[1]);
  if (child > 0) waitpid(child, nullptr, 0);
  const bool failed = child < 0 || read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  if (failed) fail(command[0], error);
}

}  // namespace workbook::viewer
