#include "stage.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#if defined(__x86_64__) || defined(__aarch64__)
#include "fatal_signals.h"
#endif

namespace workbook::core {
namespace {

int file = -1;
const Backend* seen_backend = nullptr;
void (*words_at_end)() = nullptr;

const char* signal_name(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    case SIGILL:
      return "SIGILL";
    case SIGABRT:
      return "SIGABRT";
    default:
      return "SIGTERM";
  }
}

void add_line(const char* text) {
  if (file >= 0 && write(file, text, std::strlen(text)) < 0) return;
}

// Finding the line did not come to an end: the program ends by what it was lost to, not by the alarm.
volatile std::sig_atomic_t lost_to = 0;
void on_alarm(int) {
  ::signal(lost_to, SIG_DFL);
  raise(lost_to);
}

// The program is lost already: finding the line may allocate, and if that locks up, the alarm ends it; late,
// for a busy machine may just be slow.
void on_signal(int signal, siginfo_t* info, void* context) {
  if (lost_to != 0) {  // saying where it is lost fails, too
    ::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  lost_to = signal;
  if (seen_backend != nullptr) seen_backend->leave_kernel();
  ::signal(SIGALRM, on_alarm);
  alarm(60);
  char text[600];
  std::snprintf(text, sizeof text, "signal %s\n", signal_name(signal));
  add_line(text);
  if (seen_backend != nullptr) {
    const char* reason = signal == SIGSEGV ? seen_backend->crash_reason(info->si_addr) : "";
    if (*reason != '\0') {
      std::snprintf(text, sizeof text, "reason %.500s\n", reason);
      add_line(text);
    }
    const auto at = seen_backend->locate(interrupted_pc(context));
    if (at) {
      std::snprintf(text, sizeof text, "at %.500s:%d\n", at->file.c_str(), at->line);
      add_line(text);
    }
  }
  if (words_at_end != nullptr) words_at_end();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

Stage::Stage(const std::string& directory, const Backend* backend) {
  const std::string path = directory + "/stage.txt";
  file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC | O_APPEND, 0644);
  if (file < 0) throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
  seen_backend = backend;
  handle_fatal_signals(on_signal);
}

Stage::~Stage() {
  close(file);
  file = -1;
  seen_backend = nullptr;
  words_at_end = nullptr;
}

void Stage::add(const std::vector<std::string>& lines) {
  for (std::string line : lines) {
    std::replace(line.begin(), line.end(), '\n', ' ');
    add_line((line.substr(0, 500) + '\n').c_str());
  }
}

void Stage::set_last_words(void (*words)()) { words_at_end = words; }

void Stage::set(runs::PhaseKind phase, const std::string& what, const std::string& kernel) {
  const std::string text =
      std::string("phase ") + word_of(phase) + "\ncase " + what + "\nkernel " + kernel + "\n";
  if (ftruncate(file, 0) != 0 || write(file, text.data(), text.size()) < 0)
    throw std::runtime_error(std::string("cannot write stage.txt: ") + std::strerror(errno));
}

}  // namespace workbook::core
