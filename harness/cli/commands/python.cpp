#include "cli/commands/python.h"

#include <cstdlib>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/base/user_cache.h"

namespace workbook::cli {

namespace fs = std::filesystem;

fs::path python_work() {
  return build::kInstalled ? user_cache() / "python" : fs::path(build::kSourceDir) / "build/op";
}

std::string prepare_python(const std::string& wanted) {
  if (build::kInstalled) {
    setenv("WORKBOOK_PYTHON", python_work().c_str(), 1);
    setenv("CXX", build::kCxx, 0);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 0);
  }
  const std::string line =
      "'" + (fs::path(build::kSourceDir) / "harness/python/prepare.sh").string() + "' '" + wanted + "' 1>&2";
  if (std::system(line.c_str()) != 0) throw HarnessError("Python is not ready: the lines above say why.");
  return std::string(trimmed(read_file(python_work() / "python")));
}

}  // namespace workbook::cli
