#include "cli/base/user_cache.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace workbook::cli {

std::filesystem::path user_cache() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return std::filesystem::path(cache) / "workbook";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::filesystem::path(home) / ".cache" / "workbook";
  return "/tmp/workbook-" + std::to_string(geteuid());
}

}  // namespace workbook::cli
