#include "cli/base/process_watch.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/base/terminal.h"
#include "sim/engine/program_variables.h"

namespace workbook::cli {
namespace {

constexpr std::uint64_t kMostWork = std::uint64_t{1} << 37;  ///< basic blocks (sim/engine/progress.h)
constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
constexpr int kMostIdle = 3;  ///< times the limit

/// The process and all that it has started, itself first.
std::vector<pid_t> family_of(pid_t process) {
  std::vector<pid_t> family = {process};
  for (std::size_t i = 0; i < family.size(); ++i) {
    std::error_code error;
    const std::string tasks = "/proc/" + std::to_string(family[i]) + "/task";
    for (std::filesystem::directory_iterator task(tasks, error), end; !error && task != end;
         task.increment(error)) {
      std::ifstream children(task->path() / "children");
      for (pid_t child = 0; children >> child;) family.push_back(child);
    }
  }
  return family;
}

/// Bytes of memory that a process holds; 0 when it has gone.
std::size_t resident_bytes(pid_t process) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  std::ifstream statm("/proc/" + std::to_string(process) + "/statm");
  std::size_t total = 0, resident = 0;
  return statm >> total >> resident ? resident * page : 0;
}

/// Processor time that a process and its threads have had; `waited`: and its children that have ended.
std::chrono::milliseconds processor_time(pid_t process, bool waited) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t end = text.rfind(')');  // the name before it may hold anything
  if (end == std::string::npos) return {};
  std::istringstream fields(text.substr(end + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  long long user = 0, system = 0, of_children = 0, system_of_children = 0;
  fields >> user >> system >> of_children >> system_of_children;
  const long long all = user + system + (waited ? of_children + system_of_children : 0);
  return std::chrono::milliseconds(all * 1000 / sysconf(_SC_CLK_TCK));
}

std::chrono::milliseconds processor_time(pid_t process, const ProcessLimits& limits) {
  if (!limits.family) return processor_time(process, false);
  std::chrono::milliseconds all{0};
  for (const pid_t each : family_of(process)) all += processor_time(each, true);
  return all;
}

/// Whether a thread of the process runs, or would if it had a processor.
bool wants_processor(pid_t process) {
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", error)) {
    std::ifstream stat(task.path() / "stat");
    std::string text;
    std::getline(stat, text);
    const std::size_t end = text.rfind(')');
    if (end != std::string::npos && end + 2 < text.size() && (text[end + 2] == 'R' || text[end + 2] == 'D'))
      return true;
  }
  return false;
}

bool wants_processor(pid_t process, const ProcessLimits& limits) {
  if (!limits.family) return wants_processor(process);
  const std::vector<pid_t> family = family_of(process);
  return std::any_of(family.begin(), family.end(), [](pid_t each) { return wants_processor(each); });
}

/// How long threads of the process wanted a processor that others had: the one that did longest, but no time
/// in which it was another thread of the process.
std::chrono::nanoseconds kept_waiting(pid_t process, std::chrono::milliseconds had) {
  long long longest = 0;
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", error)) {
    std::ifstream stat(task.path() / "schedstat");
    long long run = 0, waited = 0;
    if (stat >> run >> waited) longest = std::max(longest, waited - (had.count() * 1'000'000 - run));
  }
  return std::chrono::nanoseconds(longest);
}

/// What the processes hold that are watched now, for they share the machine's memory.
std::mutex held_mutex;
std::map<pid_t, std::size_t> held;

}  // namespace

bool out_of_memory(pid_t process, const ProcessLimits& limits, bool& alone) {
  if (limits.memory_bytes == 0) return false;
  if (limits.family) {
    std::size_t all = 0;
    for (const pid_t each : family_of(process)) all += resident_bytes(each);
    alone = all > limits.memory_bytes;
    return alone;
  }
  const std::size_t mine = resident_bytes(process);
  const std::lock_guard lock(held_mutex);
  held[process] = mine;
  std::size_t all = 0, most = 0;
  for (const auto& [pid, bytes] : held) all += bytes, most = std::max(most, bytes);
  alone = mine > limits.memory_bytes;
  return all > limits.memory_bytes && mine == most;
}

void no_longer_watched(pid_t process) {
  const std::lock_guard lock(held_mutex);
  held.erase(process);
}

TimeWatch::TimeWatch(const ProcessLimits& limits) : limits_(limits) {
  if (limits.progress.empty()) return;
  const sim::ProgressNote none;
  std::ofstream(limits.progress, std::ios::binary).write(reinterpret_cast<const char*>(&none), sizeof none);
}

// What counts its work is ended by the count alone, however fast the machine is. Else processor time decides,
// of which a busy machine gives little; and a process that neither works nor would is given longer, for it
// may be at work elsewhere.
bool TimeWatch::is_over(pid_t process) {
  if (limits_.wall.count() <= 0) return false;
  const auto now = Clock::now();
  if (now - looked_ > kBetweenLooks) {
    looked_ = now;
    ++looks_;
    at_work_ += wants_processor(process, limits_);
  }
  const auto elapsed = now - since_;
  if (elapsed <= limits_.wall) return false;
  std::uint64_t count = seen_;
  if (!limits_.progress.empty())
    std::ifstream(limits_.progress, std::ios::binary).read(reinterpret_cast<char*>(&count), sizeof count);
  if (count > kMostWork) return true;
  if (count != seen_) {
    seen_ = count;
    since_ = now;
    used_before_ = processor_time(process, limits_);
    looks_ = at_work_ = 0;
    return false;
  }
  const std::chrono::milliseconds used = processor_time(process, limits_);
  if (limits_.waiting_counts) return elapsed - kept_waiting(process, used) > limits_.wall;
  if (2 * (used - used_before_) > limits_.wall) return true;
  return elapsed > kMostIdle * limits_.wall && 4 * at_work_ < looks_;
}

void tell_to_end(pid_t process, const ProcessLimits& limits) {
  constexpr std::size_t kConfining = 2;  // bubblewrap, and the first process within
  if (!limits.family) {
    kill(-process, SIGTERM);
    return;
  }
  const std::vector<pid_t> family = family_of(process);
  for (std::size_t i = kConfining; i < family.size(); ++i) kill(family[i], SIGTERM);
}

ProgressLine::~ProgressLine() {
  if (shown_) say_progress("");
}

void ProgressLine::look() {
  const auto now = Clock::now();
  if (limits_.shown.empty() || now < next_) return;
  next_ = now + std::chrono::seconds(1);
  sim::ProgressNote note;
  std::ifstream(limits_.shown, std::ios::binary).read(reinterpret_cast<char*>(&note), sizeof note);
  if (note.blocks == 0) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - start_).count();
  note.kernel[sizeof note.kernel - 1] = '\0';
  const std::string text = fmt::format("  {} of {} block{} done after {} s: ", note.ended, note.blocks,
                                       note.blocks == 1 ? "" : "s", seconds);
  say_progress(text + std::string(note.kernel).substr(0, 79 - text.size()));
  shown_ = true;
}

}  // namespace workbook::cli
