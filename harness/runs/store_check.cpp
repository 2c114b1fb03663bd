#include "runs/store_check.h"

#include <array>
#include <fstream>
#include <string>
#include <system_error>

#include "runs/sqlite.h"

namespace workbook::runs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeaderBytes = 100;
constexpr std::uintmax_t kReadThroughBytes = 8 << 20;  // below it, checking every page takes milliseconds

using Header = std::array<unsigned char, kHeaderBytes>;

std::uint32_t big_endian(const Header& header, std::size_t at, int bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < bytes; ++i) value = value << 8 | header[at + static_cast<std::size_t>(i)];
  return value;
}

UnusableError damaged(const fs::path& file, const std::string& how) {
  return unusable(file, "is damaged (" + how + ")");
}

// Offsets: https://www.sqlite.org/fileformat.html, section 1.3.
bool shorter_than_it_says(const Header& header, std::uintmax_t size) {
  const std::uint32_t raw = big_endian(header, 16, 2);
  const std::uintmax_t page = raw == 1 ? 65536 : raw;
  return page == 0 || size % page != 0 || size / page < big_endian(header, 28, 4);
}

void check_contents(const fs::path& file, Database& db, bool read_through) {
  const std::int64_t application = db.number("PRAGMA application_id");
  if (application != kApplicationId) throw unusable(file, "is a database of another program");
  const std::int64_t version = db.number("PRAGMA user_version");
  if (version > kSchemaVersion)
    throw UnusableError(file.string() + " was written by a newer workbook (format " +
                        std::to_string(version) + ", this one knows " + std::to_string(kSchemaVersion) +
                        "). It is untouched. Update the workbook, or move the file away to start a new one.");
  if (version < 1) throw damaged(file, "it has no format version");
  if (read_through) {
    const std::string answer = db.text("PRAGMA quick_check(1)");
    if (answer != "ok") throw damaged(file, answer);
  }
  db.number("SELECT count(*) FROM (SELECT id FROM runs ORDER BY id DESC LIMIT 1)");
}

}  // namespace

UnusableError unusable(const fs::path& file, const std::string& why) {
  return UnusableError(file.string() + " " + why +
                       ". It is untouched. Move it away to start a new record:\n  mv '" + file.string() +
                       "' '" + file.string() + ".old'");
}

void check_runs_file(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) throw unusable(file, "is a folder, not a record of runs");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw StoreError(file.string() + " cannot be read. Check its permissions.");
  Header header{};
  in.read(reinterpret_cast<char*>(header.data()), kHeaderBytes);
  const std::uintmax_t size = fs::file_size(file, error);
  if (in.gcount() == 0) throw damaged(file, "it is empty");
  if (std::string(header.begin(), header.begin() + 16) != std::string("SQLite format 3\0", 16))
    throw unusable(file, "is not a record of runs");
  if (static_cast<std::size_t>(in.gcount()) < kHeaderBytes) throw damaged(file, "it is cut short");

  // A checkpoint killed half way leaves a file that is shorter than its header says, with the rest
  // still in the log: then only reading every page tells.
  const fs::path log = file.string() + "-wal";
  const bool log_has_pages = fs::exists(log, error) && fs::file_size(log, error) > 0;
  const bool too_short = shorter_than_it_says(header, size);
  if (too_short && !log_has_pages) throw damaged(file, "it is cut short");
  try {
    Database db(file, SQLITE_OPEN_READONLY);
    check_contents(file, db, too_short || size < kReadThroughBytes);
  } catch (const SqliteError& failure) {
    if (failure.code == SQLITE_CORRUPT || failure.code == SQLITE_NOTADB || failure.code == SQLITE_ERROR)
      throw damaged(file, failure.what());
    if (failure.code != SQLITE_CANTOPEN && failure.code != SQLITE_READONLY)
      throw StoreError(file.string() + " cannot be read: " + failure.what() + ".");
    // A folder that cannot be written has no room for the shared-memory file of WAL.
    Database db(file, SQLITE_OPEN_READONLY, true);
    check_contents(file, db, false);
  }
}

}  // namespace workbook::runs
