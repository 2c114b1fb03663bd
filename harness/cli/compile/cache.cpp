#include "cli/compile/cache.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "used";

}  // namespace

void mark_used(const fs::path& folder) {
  std::ofstream(folder / kMark) << "";
  std::error_code ignored;
  fs::last_write_time(folder / kMark, fs::file_time_type::clock::now(), ignored);
}

void prune(const fs::path& parent, std::string_view prefix, std::size_t keep, std::chrono::seconds age) {
  std::vector<std::pair<fs::file_time_type, fs::path>> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    std::error_code unknown;
    if (!entry.is_directory(unknown) || !entry.path().filename().string().starts_with(prefix)) continue;
    auto used = fs::last_write_time(entry.path() / kMark, unknown);
    if (unknown) used = fs::last_write_time(entry.path(), unknown);
    if (!unknown) folders.emplace_back(used, entry.path());
  }
  if (folders.size() <= keep) return;
  std::sort(folders.begin(), folders.end(), std::greater<>());
  const auto oldest = fs::file_time_type::clock::now() - age;
  for (std::size_t i = keep; i < folders.size(); ++i)
    if (folders[i].first < oldest) fs::remove_all(folders[i].second, error);
}

}  // namespace workbook::cli
