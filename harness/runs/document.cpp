#include "runs/document.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace workbook::runs {

bool is_document(const DocumentKind& kind, std::string_view text) {
  return text.starts_with("{\"format\":\"" + std::string(kind.format) + '"');
}

Json content_of(const DocumentKind& kind, std::string_view text) {
  const Json json = parse_json(text);
  if (!json.is_object() || !json.contains(kind.key) || json.value("format", Json()) != kind.format)
    throw std::runtime_error(kind.nothing);
  if (json.value("version", Json()) != kind.version)
    throw std::runtime_error("it was written by another version of the workbook");
  return json[kind.key];
}

void write_document(const std::filesystem::path& file, const DocumentKind& kind, const Json& content) {
  std::error_code error, ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  // Several may write one file: searches for the same program.
  static std::atomic<unsigned> drafts{0};
  const std::filesystem::path draft =
      file.string() + ".new-" + std::to_string(getpid()) + "-" + std::to_string(drafts++);
  std::ofstream out(draft, std::ios::binary);
  out << dump({{"format", kind.format}, {"version", kind.version}, {kind.key, content}}) << '\n';
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

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file.string() + " cannot be read: " + std::strerror(errno) + ".");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace workbook::runs
