// In place of programs run beside the viewer, which a page cannot have: each start says so.
#include <stdexcept>

#include "session/task.h"

namespace workbook::viewer {
namespace {
[[noreturn]] void refuse() {
  throw std::runtime_error(
      "This page shows runs that were recorded. To run puzzles yourself: make viewer, in your copy of the "
      "workbook.");
}
}  // namespace

Task::~Task() = default;
void Task::start(const std::vector<std::string>&, const std::filesystem::path&,
                 const std::vector<std::pair<std::string, std::string>>&) {
  refuse();
}
bool Task::poll() { return false; }
void Task::cancel() {}
bool Task::wait(std::chrono::milliseconds) { return true; }
double Task::elapsed_s() const { return 0; }
void start_detached(const std::vector<std::string>&, const std::filesystem::path&) { refuse(); }

}  // namespace workbook::viewer
