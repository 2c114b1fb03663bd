#include "model/repository.h"

#include <cstdlib>

namespace workbook::viewer {
namespace {

namespace fs = std::filesystem;

fs::path walk_up(const fs::path& from) {
  std::error_code error;
  for (fs::path folder = fs::absolute(from, error); !folder.empty(); folder = folder.parent_path()) {
    if (fs::is_directory(folder / "puzzles", error) && fs::exists(folder / "CMakeLists.txt", error))
      return folder;
    if (folder == folder.parent_path()) break;
  }
  return {};
}

}  // namespace

fs::path repository_around(const fs::path& from) {
  if (const char* root = std::getenv("WORKBOOK_ROOT"); root != nullptr && *root != '\0') return root;
  return walk_up(from);
}

fs::path find_repository() {
  if (const fs::path found = repository_around("."); !found.empty()) return found;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : walk_up(self.parent_path());
}

}  // namespace workbook::viewer
