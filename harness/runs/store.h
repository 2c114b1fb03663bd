// The learner's runs in one SQLite file (.workbook/runs.sqlite): WAL, one transaction a run, schema
// versioned. The file is never trusted: a damaged, newer or foreign one throws StoreError and stays as it is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "runs/record.h"
#include "runs/sweep.h"
#include "runs/trace.h"

namespace workbook::runs {

/// A file that cannot be used; what() is a sentence with the path and what to do.
struct StoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file that no waiting and no permission would mend: damaged, of another program, or of a newer workbook.
struct UnusableError : StoreError {
  using StoreError::StoreError;
};

/// What lists show of a run: cheap to read for thousands of them.
struct RunHeader {
  std::int64_t id = 0;
  std::string started_at;
  double elapsed_ms = 0.0;
  int puzzle = 0;
  std::string puzzle_name, puzzle_title, variant, origin;
  Backend backend = Backend::none;
  std::string device, source_hash;
  Verdict verdict = Verdict::none;
};

/// Empty fields match everything.
struct RunFilter {
  std::optional<int> puzzle;
  std::optional<std::string> variant, origin;
  std::optional<Backend> backend;
  std::optional<Verdict> verdict;
  std::int64_t newer_than = 0;  ///< runs with a larger id only
};

/// A run with its trace, as it is stored, exported and imported.
struct StoredRun {
  RunRecord record;
  std::optional<Trace> trace;
};

class Store {
 public:
  enum class Mode { read_only, read_write };

  /// read_write creates a missing file (and its folder); read_only throws when there is none: ask
  /// `exists` first.
  Store(const std::filesystem::path& file, Mode mode);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  static bool exists(const std::filesystem::path& file);
  /// Throws StoreError when the file is there and cannot be used. Opens nothing for writing.
  static void check(const std::filesystem::path& file);

  /// Records a run and gives it its id (record.id is ignored). Durable when it returns.
  std::int64_t add(const RunRecord& record, const Trace* trace = nullptr);
  std::int64_t add(const StoredRun& run) { return add(run.record, run.trace ? &*run.trace : nullptr); }

  std::vector<RunHeader> list(const RunFilter& filter = {}, std::int64_t limit = -1) const;  ///< newest first
  std::optional<RunHeader> newest(const RunFilter& filter) const;
  bool has(std::int64_t id) const;
  RunRecord load(std::int64_t id) const;      ///< throws StoreError when there is no such run
  std::string source(std::int64_t id) const;  ///< load(id).source, and much cheaper; empty: no such run
  std::optional<Trace> trace(std::int64_t id) const;  ///< nothing when the run has none

  /// Records a sweep, or what it has come to: one without an id gets one, one with its id is replaced.
  void save(Sweep& sweep);
  /// Nothing when the puzzle was never swept. Throws StoreError when it cannot be read.
  std::optional<Sweep> newest_sweep(int puzzle) const;

  /// Differs from an earlier value when another connection has recorded a run since: cheap enough for
  /// every frame of the viewer.
  std::int64_t change_stamp() const;

 private:
  struct Connection;
  std::unique_ptr<Connection> db_;
  std::string file_;
};

/// The record for those who cannot wait for a damaged one to be moved away: `file`, or where that is unusable
/// the first file beside it ("runs-2.sqlite", "runs-3.sqlite" ...) that is not; read_write creates it.
/// `trouble` gets the sentence about `file`, which stays as it is. Nothing when there is nothing to read.
/// Other StoreErrors (locked, not writable) are thrown.
std::optional<Store> open_record(const std::filesystem::path& file, Store::Mode mode, std::string& trouble);

/// Runs as a JSON file that can be committed and sent: {"format": "workbook runs", "version": 1, ...}.
/// `read_runs` also takes a single bare record, as `workbook run --json` prints it.
/// Both throw std::runtime_error with a sentence that names the file.
void write_runs(const std::filesystem::path& file, const std::vector<StoredRun>& runs);
std::vector<StoredRun> read_runs(const std::filesystem::path& file);

/// The hash that `source_hash` carries: 16 hex digits, for telling sources apart, not for security.
std::string content_hash(std::string_view text);

}  // namespace workbook::runs
