#include "cli/run/process_watch.h"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace workbook::cli {
namespace {

/// Bytes of memory that a process holds; 0 when it has gone.
std::size_t resident_bytes(pid_t process) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  std::ifstream statm("/proc/" + std::to_string(process) + "/statm");
  std::size_t total = 0, resident = 0;
  return statm >> total >> resident ? resident * page : 0;
}

/// Processor time that a process and its threads have had.
std::chrono::milliseconds processor_time(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t end = text.rfind(')');  // the name before it may hold anything
  if (end == std::string::npos) return {};
  std::istringstream fields(text.substr(end + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  long long user = 0, system = 0;
  fields >> user >> system;
  return std::chrono::milliseconds((user + system) * 1000 / sysconf(_SC_CLK_TCK));
}

}  // namespace

bool out_of_memory(pid_t process, const ProcessLimits& limits) {
  return limits.memory_bytes > 0 && resident_bytes(process) > limits.memory_bytes;
}

bool out_of_time(pid_t process, const ProcessLimits& limits, std::chrono::steady_clock::time_point start) {
  if (limits.wall.count() <= 0) return false;
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return elapsed > limits.wall && (elapsed > 3 * limits.wall || 2 * processor_time(process) > limits.wall);
}

}  // namespace workbook::cli
