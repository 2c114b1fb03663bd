#include "runs/store.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "runs/json_text.h"
#include "runs/sqlite.h"
#include "runs/store_check.h"

namespace workbook::runs {
namespace {

namespace fs = std::filesystem;

// Lists read only `runs`, whose rows are small; source, record and trace of a run lie in `details`.
constexpr const char* kSchema = R"(
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, started_at TEXT NOT NULL, elapsed_ms REAL NOT NULL, puzzle INTEGER NOT NULL,
    puzzle_name TEXT NOT NULL, puzzle_title TEXT NOT NULL, variant TEXT NOT NULL, origin TEXT NOT NULL,
    backend TEXT NOT NULL, device TEXT NOT NULL, verdict TEXT NOT NULL, source_hash TEXT NOT NULL);
  CREATE INDEX runs_by_puzzle ON runs (puzzle, variant, origin, backend, id);
  CREATE INDEX runs_by_source ON runs (source_hash);
  CREATE TABLE details (
    run INTEGER PRIMARY KEY REFERENCES runs (id), source TEXT NOT NULL, record TEXT NOT NULL, trace BLOB);
)";

// Came later, and is made when the first sweep is kept: programs that do not know it never look at it.
constexpr const char* kSweeps = R"(
  CREATE TABLE IF NOT EXISTS sweeps (
    id INTEGER PRIMARY KEY AUTOINCREMENT, started_at TEXT NOT NULL, puzzle INTEGER NOT NULL, record TEXT NOT NULL);
)";

constexpr const char* kHeaderColumns =
    "id, started_at, elapsed_ms, puzzle, puzzle_name, puzzle_title, variant, origin, backend, device, "
    "verdict, "
    "source_hash";

template <Worded Enum>
Enum word_in(const Statement& row, int column, std::int64_t run, const char* what) {
  const std::string word = row.bytes(column);
  if (const auto known = from_word<Enum>(word)) return *known;
  throw StoreError("run " + std::to_string(run) + " has the " + what + " '" + word +
                   "', which means nothing here");
}

RunHeader header_of(const Statement& row) {
  RunHeader header;
  header.id = row.number(0);
  header.started_at = row.bytes(1);
  header.elapsed_ms = row.real(2);
  header.puzzle = static_cast<int>(row.number(3));
  header.puzzle_name = row.bytes(4);
  header.puzzle_title = row.bytes(5);
  header.variant = row.bytes(6);
  header.origin = row.bytes(7);
  header.backend = word_in<Backend>(row, 8, header.id, "backend");
  header.device = row.bytes(9);
  header.verdict = word_in<Verdict>(row, 10, header.id, "verdict");
  header.source_hash = row.bytes(11);
  return header;
}

/// Drafts of processes that were killed while they created the file.
void remove_stale_drafts(const fs::path& file) {
  const std::string prefix = file.filename().string() + ".new-";
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const pid_t owner = std::atoi(name.c_str() + prefix.size());
    if (owner > 0 && kill(owner, 0) != 0 && errno == ESRCH) fs::remove(entry.path(), ignored);
  }
}

/// Creates the file whole under another name and then gives it its own, so that a file of that name is
/// always complete, whenever the process is killed. Of two processes that do this at once, one wins.
void create(const fs::path& file) {
  if (!file.parent_path().empty()) fs::create_directories(file.parent_path());
  remove_stale_drafts(file);
  const fs::path draft = file.string() + ".new-" + std::to_string(getpid());
  fs::remove(draft);
  {
    Database db(draft, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    db.execute("PRAGMA journal_mode = WAL");
    Transaction transaction(db);
    db.execute(kSchema);
    db.execute(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
    db.execute(("PRAGMA user_version = " + std::to_string(kSchemaVersion)).c_str());
    transaction.commit();
  }
  std::error_code exists;
  fs::create_hard_link(draft, file, exists);  // unlike a rename, never replaces another process's file
  if (exists && !fs::exists(file)) fs::rename(draft, file);  // a file system without hard links
  fs::remove(draft);
}

template <class Body>
auto explained(const std::string& file, Body&& body) {
  try {
    return body();
  } catch (const SqliteError& error) {
    if (error.code == SQLITE_CORRUPT || error.code == SQLITE_NOTADB)
      throw unusable(file, std::string("is damaged (") + error.what() + ")");
    if (error.code == SQLITE_BUSY || error.code == SQLITE_LOCKED)
      throw StoreError(file + " is locked by another program. Close it and run again.");
    if (error.code == SQLITE_READONLY || error.code == SQLITE_CANTOPEN)
      throw StoreError(file + " cannot be written (" + error.what() +
                       "). Make its folder writable, or set WORKBOOK_STATE to another folder.");
    throw StoreError(file + ": " + error.what() + ".");
  }
}

}  // namespace

struct Store::Connection {
  Connection(const fs::path& file, int flags, bool immutable) : db(file, flags, immutable) {}
  Database db;
};

Store::Store(const fs::path& file, Mode mode) : file_(file.string()) {
  explained(file_, [&] {
    if (mode == Mode::read_write) {
      try {
        if (!exists(file)) create(file);
      } catch (const fs::filesystem_error& error) {
        throw StoreError(file_ + " cannot be created (" + error.code().message() +
                         "). Make its folder writable, or set WORKBOOK_STATE to another folder.");
      }
    }
    check(file);
    if (mode == Mode::read_write) {
      if (access(file.c_str(), W_OK) != 0)
        throw StoreError(file_ + " cannot be written (" + std::strerror(errno) +
                         "). Make it writable, or set WORKBOOK_STATE to another folder.");
      db_ = std::make_unique<Connection>(file, SQLITE_OPEN_READWRITE, false);
      db_->db.execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
      return;
    }
    try {
      db_ = std::make_unique<Connection>(file, SQLITE_OPEN_READONLY, false);
      db_->db.number("SELECT max(id) FROM runs");
    } catch (const SqliteError& error) {
      if (error.code != SQLITE_CANTOPEN && error.code != SQLITE_READONLY) throw;
      db_ = std::make_unique<Connection>(file, SQLITE_OPEN_READONLY, true);
    }
  });
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

bool Store::exists(const fs::path& file) {
  std::error_code error;
  return fs::exists(fs::symlink_status(file, error));
}

void Store::check(const fs::path& file) {
  if (!exists(file)) throw StoreError(file.string() + " does not exist yet: nothing has been run.");
  explained(file.string(), [&] { check_runs_file(file); });
}

std::int64_t Store::add(const RunRecord& record, const Trace* trace) {
  RunRecord rest = record;
  rest.source.clear();  // has a column of its own
  rest.id = 0;          // given by the row
  const std::string json = json_text(rest);
  const std::string blob = trace ? compress(serialize(*trace)) : std::string();
  return explained(file_, [&] {
    Transaction transaction(db_->db);
    Statement(db_->db,
              "INSERT INTO runs (started_at, elapsed_ms, puzzle, puzzle_name, puzzle_title, variant, origin, "
              "backend, "
              "device, verdict, source_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(record.started_at)
        .bind(record.elapsed_ms)
        .bind(std::int64_t{record.puzzle})
        .bind(record.puzzle_name)
        .bind(record.puzzle_title)
        .bind(record.variant)
        .bind(record.origin)
        .bind(word_of(record.backend))
        .bind(record.device)
        .bind(word_of(record.verdict))
        .bind(record.source_hash)
        .step();
    const std::int64_t id = db_->db.last_id();
    Statement details(db_->db, "INSERT INTO details (run, source, record, trace) VALUES (?, ?, ?, ?)");
    details.bind(id).bind(record.source).bind(json);
    if (trace)
      details.bind_blob(blob);
    else
      details.bind_null();
    details.step();
    transaction.commit();
    return id;
  });
}

std::vector<RunHeader> Store::list(const RunFilter& filter, std::int64_t limit) const {
  std::string sql = std::string("SELECT ") + kHeaderColumns + " FROM runs WHERE id > ?";
  if (filter.puzzle) sql += " AND puzzle = ?";
  if (filter.variant) sql += " AND variant = ?";
  if (filter.origin) sql += " AND origin = ?";
  if (filter.backend) sql += " AND backend = ?";
  if (filter.verdict) sql += " AND verdict = ?";
  sql += " ORDER BY id DESC LIMIT ?";
  return explained(file_, [&] {
    Statement statement(db_->db, sql);
    statement.bind(filter.newer_than);
    if (filter.puzzle) statement.bind(std::int64_t{*filter.puzzle});
    for (const auto* text : {&filter.variant, &filter.origin})
      if (*text) statement.bind(**text);
    if (filter.backend) statement.bind(word_of(*filter.backend));
    if (filter.verdict) statement.bind(word_of(*filter.verdict));
    statement.bind(limit);
    std::vector<RunHeader> headers;
    while (statement.step()) headers.push_back(header_of(statement));
    return headers;
  });
}

std::optional<RunHeader> Store::newest(const RunFilter& filter) const {
  std::vector<RunHeader> headers = list(filter, 1);
  if (headers.empty()) return std::nullopt;
  return std::move(headers.front());
}

bool Store::has(std::int64_t id) const {
  return explained(file_,
                   [&] { return Statement(db_->db, "SELECT 1 FROM runs WHERE id = ?").bind(id).step(); });
}

RunRecord Store::load(std::int64_t id) const {
  return explained(file_, [&] {
    Statement statement(db_->db, "SELECT source, record FROM details WHERE run = ?");
    if (!statement.bind(id).step())
      throw StoreError("there is no run " + std::to_string(id) + " on record: `workbook history` lists them");
    try {
      RunRecord record = parse_run(statement.bytes(1));
      record.id = id;
      record.source = statement.bytes(0);
      return record;
    } catch (const StoreError&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw StoreError("run " + std::to_string(id) + " of " + file_ + " cannot be read: " + error.what());
    }
  });
}

std::string Store::source(std::int64_t id) const {
  return explained(file_, [&] {
    Statement statement(db_->db, "SELECT source FROM details WHERE run = ?");
    return statement.bind(id).step() ? std::string(statement.bytes(0)) : std::string();
  });
}

std::optional<Trace> Store::trace(std::int64_t id) const {
  return explained(file_, [&]() -> std::optional<Trace> {
    Statement statement(db_->db, "SELECT trace FROM details WHERE run = ?");
    if (!statement.bind(id).step() || statement.null(0)) return std::nullopt;
    try {
      return deserialize(decompress(statement.bytes(0)));
    } catch (const std::runtime_error& error) {
      throw StoreError("the trace of run " + std::to_string(id) + " of " + file_ +
                       " cannot be read: " + error.what());
    }
  });
}

void Store::save(Sweep& sweep) {
  Sweep rest = sweep;
  rest.id = 0;  // given by the row
  const std::string json = json_text(rest);
  explained(file_, [&] {
    Transaction transaction(db_->db);
    db_->db.execute(kSweeps);
    if (sweep.id == 0) {
      Statement(db_->db, "INSERT INTO sweeps (started_at, puzzle, record) VALUES (?, ?, ?)")
          .bind(sweep.started_at)
          .bind(std::int64_t{sweep.puzzle})
          .bind(json)
          .step();
      sweep.id = db_->db.last_id();
    } else {
      Statement(db_->db, "UPDATE sweeps SET record = ? WHERE id = ?").bind(json).bind(sweep.id).step();
    }
    transaction.commit();
  });
}

std::optional<Sweep> Store::newest_sweep(int puzzle) const {
  return explained(file_, [&]() -> std::optional<Sweep> {
    if (db_->db.number("SELECT count(*) FROM sqlite_master WHERE name = 'sweeps'") == 0) return std::nullopt;
    Statement statement(db_->db, "SELECT id, record FROM sweeps WHERE puzzle = ? ORDER BY id DESC LIMIT 1");
    if (!statement.bind(std::int64_t{puzzle}).step()) return std::nullopt;
    try {
      Sweep sweep = parse_sweep(statement.bytes(1));
      sweep.id = statement.number(0);
      return sweep;
    } catch (const std::runtime_error& error) {
      throw StoreError("the newest sweep of puzzle " + std::to_string(puzzle) + " in " + file_ +
                       " cannot be read: " + error.what());
    }
  });
}

std::int64_t Store::change_stamp() const {
  return explained(file_, [&] { return db_->db.number("PRAGMA data_version"); });
}

std::optional<Store> open_record(const fs::path& file, Store::Mode mode, std::string& trouble) {
  fs::path candidate = file;
  for (int number = 2;; ++number) {
    if (mode == Store::Mode::read_only && !Store::exists(candidate)) return std::nullopt;
    try {
      return Store(candidate, mode);
    } catch (const UnusableError& error) {
      if (trouble.empty()) trouble = error.what();
    }
    candidate = file;
    candidate.replace_filename(file.stem().string() + "-" + std::to_string(number) +
                               file.extension().string());
  }
}

std::string content_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) hex[i] = kDigits[hash & 15];
  return hex;
}

}  // namespace workbook::runs
