#include "runs/sqlite.h"

namespace workbook::runs {
namespace {

constexpr int kBusyMilliseconds = 5000;  // another `workbook run` may be committing

[[noreturn]] void fail(sqlite3* db, int code) {
  throw SqliteError(code, db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
}

std::string as_uri(const std::filesystem::path& file, bool immutable) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '?')
      uri += "%3f";
    else if (c == '#')
      uri += "%23";
    else if (c == '%')
      uri += "%25";
    else
      uri += c;
  }
  return uri + (immutable ? "?immutable=1" : "");
}

}  // namespace

Database::Database(const std::filesystem::path& file, int flags, bool immutable) {
  const int code = sqlite3_open_v2(as_uri(file, immutable).c_str(), &db_,
                                   flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) {
    const SqliteError error(code, db_ ? sqlite3_errmsg(db_) : sqlite3_errstr(code));
    sqlite3_close(db_);
    throw error;
  }
  sqlite3_extended_result_codes(db_, 0);
  sqlite3_busy_timeout(db_, kBusyMilliseconds);
}

Database::~Database() { sqlite3_close(db_); }

void Database::execute(const char* sql) {
  const int code = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(db_, code);
}

std::int64_t Database::number(const char* sql) const {
  Statement statement(*this, sql);
  return statement.step() ? statement.number(0) : 0;
}

std::string Database::text(const char* sql) const {
  Statement statement(*this, sql);
  return statement.step() ? statement.bytes(0) : "";
}

Statement::Statement(const Database& db, std::string_view sql) : db_(db.handle()) {
  const int code = sqlite3_prepare_v2(db_, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr);
  if (code != SQLITE_OK) fail(db_, code);
}

Statement& Statement::bind(std::int64_t value) {
  sqlite3_bind_int64(statement_, next_++, value);
  return *this;
}
Statement& Statement::bind(double value) {
  sqlite3_bind_double(statement_, next_++, value);
  return *this;
}
Statement& Statement::bind(std::string_view text) {
  sqlite3_bind_text64(statement_, next_++, text.data() ? text.data() : "", text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
  return *this;
}
Statement& Statement::bind_blob(std::string_view bytes) {
  sqlite3_bind_blob64(statement_, next_++, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  return *this;
}
Statement& Statement::bind_null() {
  sqlite3_bind_null(statement_, next_++);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  fail(db_, code);
}

std::string Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return data ? std::string(static_cast<const char*>(data), static_cast<std::size_t>(size)) : std::string();
}

}  // namespace workbook::runs
