#include "runs/whole_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace workbook::runs {

void write_whole(const std::filesystem::path& file, std::string_view text) {
  const auto fail = [&](const std::string& why) {
    throw std::runtime_error(file.string() + " cannot be written: " + why + ".");
  };
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  const std::filesystem::path draft = file.string() + ".new";
  std::ofstream out(draft, std::ios::binary);
  out << text;
  out.close();
  if (!out) fail(std::strerror(errno));
  std::error_code error;
  std::filesystem::rename(draft, file, error);
  if (error) fail(error.message());
}

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file.string() + " cannot be read: " + std::strerror(errno) + ".");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace workbook::runs
