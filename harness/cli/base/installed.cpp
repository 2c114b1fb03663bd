#include "cli/base/installed.h"

#include <unistd.h>

#include <deque>
#include <filesystem>
#include <string>

#include "cli/base/text.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestCompiler = 12, kNewestCompiler = 20;

/// Empty: not installed.
const std::string& home() {
  static const std::string folder = [] {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path above = program.parent_path().parent_path();
    // No build folder has this file.
    return !error && fs::is_regular_file(above / "installed", error) ? above.string() : std::string();
  }();
  return folder;
}

/// 11 where /usr/bin/g++ is a link to g++-11; 0 where its name does not say.
int version_of_system_compiler() {
  std::error_code error;
  const std::string name = fs::read_symlink("/usr/bin/g++", error).filename().string();
  const std::size_t dash = name.rfind('-');
  return error || dash == name.npos ? 0 : std::atoi(name.c_str() + dash + 1);
}

}  // namespace

std::string installed_version() {
  static const std::string version =
      home().empty() ? "" : read_file_if_any(home() + "/installed").value_or("");
  return version;
}

bool is_installed() { return !home().empty(); }

const char* in_installed(const char* text) {
  static std::deque<std::string> kept;
  return kept.emplace_back(replaced(text, "%home%", home())).c_str();
}

const char* installed_compiler() {
  static std::string compiler = "/usr/bin/g++";
  const int version = version_of_system_compiler();
  if (access(compiler.c_str(), X_OK) == 0 && (version == 0 || version >= kOldestCompiler))
    return compiler.c_str();
  for (int newer = kNewestCompiler; newer >= kOldestCompiler; --newer)
    if (const std::string other = "/usr/bin/g++-" + std::to_string(newer); access(other.c_str(), X_OK) == 0)
      return (compiler = other).c_str();
  return compiler.c_str();
}

const char* installed_linker() { return access("/usr/bin/ld.gold", X_OK) == 0 ? "-fuse-ld=gold" : ""; }

}  // namespace workbook::cli
