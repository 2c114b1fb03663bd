#include "cli/base/build_key.h"

#include <algorithm>
#include <filesystem>

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

std::string build_key(const std::string& texts, const std::vector<std::string>& command,
                      const std::vector<std::string>& libraries) {
  std::string key = texts + joined(command, " ") + installed_version();
  for (const std::string& library : libraries) {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(library, error);
    key += '\n' + library + (error ? "" : ' ' + std::to_string(time.time_since_epoch().count()));
  }
  return runs::content_hash(key);
}

}  // namespace workbook::cli
