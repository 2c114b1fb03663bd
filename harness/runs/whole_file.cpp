#include "runs/whole_file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace workbook::runs {

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file.string() + " cannot be read: " + std::strerror(errno) + ".");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_whole(const std::filesystem::path& file, std::string_view text) {
  std::error_code error, ignored;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ignored);
  // Threads of one process may write one file, too: what both builds of a puzzle link with.
  static std::atomic<unsigned> drafts{0};
  const std::filesystem::path draft =
      file.string() + ".new-" + std::to_string(getpid()) + "-" + std::to_string(drafts++);
  errno = 0;
  std::ofstream out(draft, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    error = std::error_code(errno, std::generic_category());
  } else {
    std::filesystem::rename(draft, file, error);
    if (!error) return;
  }
  std::filesystem::remove(draft, ignored);
  throw std::runtime_error(file.string() + " cannot be written: " + error.message() + ".");
}

}  // namespace workbook::runs
