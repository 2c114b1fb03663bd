#include "cli/base/build_key.h"

#include <algorithm>
#include <filesystem>

#include "cli/base/build_config.h"
#include "cli/base/installed.h"
#include "cli/base/text.h"
#include "runs/store.h"

namespace workbook::cli {

std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(';'), list.size());
    if (end > 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

namespace {

namespace fs = std::filesystem;

std::string stamp_of(const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  return file.string() + ' ' + std::to_string(time.time_since_epoch().count()) + ' ' +
         std::to_string(fs::file_size(file, error)) + '\n';
}

bool is_header(const fs::path& file) {
  const fs::path end = file.extension();
  return end == ".h" || end == ".hpp" || end == ".cuh" || (end.empty() && fs::is_regular_file(file));
}

/// Of the workbook's own headers that the command's -I reach, in a checkout: those of a package change with
/// its version.
std::string header_stamps(const std::vector<std::string>& command) {
  std::string stamps;
  if (build::kInstalled) return stamps;
  const std::string ours = std::string("-I") + build::kSourceDir + "/harness/";
  for (const std::string& word : command) {
    if (!word.starts_with(ours)) continue;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(word.substr(2), none))
      if (is_header(entry.path())) stamps += stamp_of(entry.path());
  }
  return stamps;
}

}  // namespace

std::string build_key(const std::string& texts, const std::vector<std::string>& command,
                      const std::vector<std::string>& libraries) {
  std::string key = texts + joined(command, " ") + installed_version() + header_stamps(command);
  for (const std::string& library : libraries) key += stamp_of(library);
  return runs::content_hash(key);
}

}  // namespace workbook::cli
