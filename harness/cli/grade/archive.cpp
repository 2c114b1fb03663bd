#include "cli/grade/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "cli/project/answers.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array kEndings = {".zip",    ".tar", ".tar.gz",  ".tgz",
                                 ".tar.xz", ".txz", ".tar.bz2", ".tar.zst"};

constexpr std::size_t kMostPath = 4096;

std::string_view ending_of(std::string_view name) {
  std::string_view longest;
  for (const std::string_view ending : kEndings)
    if (name.size() > ending.size() && name.ends_with(ending) && ending.size() > longest.size())
      longest = ending;
  return longest;
}

struct Close {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Archive = std::unique_ptr<archive, Close>;

std::string trouble_of(archive* a) {
  const char* words = archive_error_string(a);
  return words != nullptr ? words : "it cannot be read";
}

/// Its text, within the limits; only counted where it is not wanted.
std::string contents(archive* a, const std::string& path, bool wanted, std::size_t& bytes,
                     const SubmissionLimits& limits) {
  std::string text;
  const void* block = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  for (;;) {
    const int status = archive_read_data_block(a, &block, &size, &offset);
    if (status == ARCHIVE_EOF) return text;
    if (status < ARCHIVE_WARN)
      throw std::runtime_error(fmt::format("the archive is damaged at '{}': {}", path, trouble_of(a)));
    bytes += size;
    if (bytes > limits.bytes)
      throw std::runtime_error(fmt::format("the archive holds more than {} MB", limits.bytes >> 20));
    if (!wanted) continue;
    if (text.size() + size > limits.source_bytes || offset != static_cast<la_int64_t>(text.size()))
      throw std::runtime_error(fmt::format("'{}' is larger than {} KB", path, limits.source_bytes >> 10));
    text.append(static_cast<const char*>(block), size);
  }
}

}  // namespace

bool is_archive(const fs::path& file) { return !ending_of(file.filename().string()).empty(); }

std::string without_archive_ending(const std::string& name) {
  return name.substr(0, name.size() - ending_of(name).size());
}

bool is_source(const fs::path& name) {
  const fs::path ending = name.extension();
  return ending == ".cu" || ending == ".cuh" || ending == ".h" || name.filename() == kAnswersFile;
}

std::map<std::string, std::string> read_archive(const fs::path& file, const SubmissionLimits& limits) {
  const Archive a(archive_read_new());
  archive_read_support_format_zip(a.get());
  archive_read_support_format_tar(a.get());
  archive_read_support_filter_gzip(a.get());
  archive_read_support_filter_xz(a.get());
  archive_read_support_filter_bzip2(a.get());
  archive_read_support_filter_zstd(a.get());
  if (archive_read_open_filename(a.get(), file.c_str(), 1 << 16) != ARCHIVE_OK)
    throw std::runtime_error("the archive cannot be read: " + trouble_of(a.get()));
  std::map<std::string, std::string> sources;
  std::size_t files = 0, bytes = 0;
  archive_entry* entry = nullptr;
  for (;;) {
    const int status = archive_read_next_header(a.get(), &entry);
    if (status == ARCHIVE_EOF) break;
    if (status < ARCHIVE_WARN) throw std::runtime_error("the archive is damaged: " + trouble_of(a.get()));
    if (++files > limits.files)
      throw std::runtime_error(fmt::format("the archive holds more than {} files", limits.files));
    const char* name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = archive_entry_pathname(entry);
    const std::string written = name != nullptr ? name : "";
    if (written.size() > kMostPath)
      throw std::runtime_error(fmt::format("the archive has a path of more than {} characters", kMostPath));
    const fs::path path = fs::path(written).lexically_normal();
    if (path.is_absolute() || (!path.empty() && *path.begin() == "..") ||
        written.find('\\') != std::string::npos || written.find('\0') != std::string::npos)
      throw std::runtime_error(fmt::format("the archive has a path that leads out of it: '{}'", written));
    if (archive_entry_is_encrypted(entry) != 0) throw std::runtime_error("the archive is encrypted");
    const bool plain = archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
    // Holes of a sparse file are no bytes that are read.
    if (plain && is_source(path) && archive_entry_size(entry) > static_cast<la_int64_t>(limits.source_bytes))
      throw std::runtime_error(fmt::format("'{}' is larger than {} KB", written, limits.source_bytes >> 10));
    std::string text = contents(a.get(), written, plain && is_source(path), bytes, limits);
    if (plain && is_source(path)) sources[path.string()] = std::move(text);
  }
  return sources;
}

}  // namespace workbook::cli
