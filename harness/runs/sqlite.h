// The little of SQLite that the store needs, with its lifetimes and errors in C++.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace workbook::runs {

/// Thrown with SQLite's own words and code; store.cpp turns it into a sentence about the file.
struct SqliteError : std::exception {
  SqliteError(int result, std::string words) : code(result), text(std::move(words)) {}
  const char* what() const noexcept override { return text.c_str(); }
  int code;
  std::string text;
};

class Statement;

class Database {
 public:
  /// `immutable` promises that nobody writes: the only way to read in a folder that cannot be written.
  Database(const std::filesystem::path& file, int flags, bool immutable = false);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const char* sql);
  std::int64_t number(const char* sql) const;
  std::string text(const char* sql) const;
  std::int64_t last_id() const { return sqlite3_last_insert_rowid(db_); }
  sqlite3* handle() const { return db_; }

 private:
  sqlite3* db_ = nullptr;
};

class Statement {
 public:
  Statement(const Database& db, std::string_view sql);
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind_blob(std::string_view bytes);
  Statement& bind_null();

  bool step();  ///< true while there is a row
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  double real(int column) const { return sqlite3_column_double(statement_, column); }
  bool null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  std::string bytes(int column) const;

 private:
  sqlite3* db_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  int next_ = 1;
};

/// Rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& db) : db_(db) { db_.execute("BEGIN IMMEDIATE"); }
  ~Transaction() {
    if (!done_) sqlite3_exec(db_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    db_.execute("COMMIT");
    done_ = true;
  }

 private:
  Database& db_;
  bool done_ = false;
};

}  // namespace workbook::runs
