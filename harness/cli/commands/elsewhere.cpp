#include "cli/commands/elsewhere.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"

namespace workbook::cli {

void go_on_in(const char* program, char** argv) {
  std::filesystem::path next = std::filesystem::read_symlink("/proc/self/exe").replace_filename(program);
  if (!build::kInstalled && std::getenv("WORKBOOK_LAUNCHED") != nullptr) {
    next = std::filesystem::path(build::kSourceDir) / "bin/workbook";
    setenv("WORKBOOK_PART", program, 1);
  }
  execv(next.c_str(), argv);
  throw HarnessError("What this verb needs cannot be started: " + next.string() +
                     (build::kInstalled ? ". Install the workbook again."
                                        : ". `bin/workbook` builds it, or cmake/build.sh with the target " +
                                              std::string(program) + "."));
}

}  // namespace workbook::cli
