// The runs the viewer can show: the learner's store, watched for new rows, and imported files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/loaded_run.h"
#include "runs/fusion.h"
#include "runs/listing.h"
#include "runs/store.h"

namespace workbook::viewer {

/// What `workbook optimize` left about a program.
struct FusionFile {
  std::string program;
  std::shared_ptr<const runs::FusionRecord> record;  ///< null: it cannot be read
  std::string problem;                               ///< then why, a sentence
};

class Library {
 public:
  /// Uses a store; one that does not exist yet is waited for. Throws runs::StoreError when it is damaged.
  void open_store(const std::filesystem::path& file);
  /// Adds the runs, or the plans, of an exported file. Throws std::runtime_error with a sentence.
  void import(const std::filesystem::path& file);
  /// Adds runs as something to compare with: they are never chosen by themselves.
  void offer(std::vector<runs::StoredRun> runs);
  bool is_offered(std::int64_t id) const { return id < 0 && -id > own_ && -id <= own_ + offered_; }
  /// Adds one run made in memory.
  void add(runs::StoredRun run);

  /// The newest sweep of the puzzle in the store, else the one made in memory; null: there is none, or it
  /// cannot be read (then problem() says why).
  std::shared_ptr<const runs::Sweep> sweep(int puzzle);
  /// Adds one sweep made in memory.
  void add(runs::Sweep sweep);

  /// Of the programs that were optimised: those beside the store, newest first, then those made in memory.
  const std::vector<FusionFile>& fusions() const { return fusions_; }
  /// Adds the plans of a program made in memory.
  void add(runs::FusionRecord record);

  /// The listings of this very source, SASS before PTX, newer architectures first.
  std::vector<std::shared_ptr<const runs::ListingRecord>> listings(const runs::RunRecord& run) const;
  /// Whether the puzzle has listings at all, of whatever source.
  bool is_listed(int puzzle) const;
  /// Adds a listing made in memory.
  void add(runs::ListingRecord record);

  /// Lists only runs of this origin ("solution"); empty: all.
  void show_only(const std::string& origin);
  /// Looks for new runs, plans and listings; true when there is something to draw anew. Cheap: call it often.
  bool poll();
  int version() const { return version_; }  ///< changes with the list
  const std::string& problem() const {
    return problem_;
  }  ///< why the store cannot be read now; empty when it can

  /// Newest first, the store's before imported ones. Imported runs have ids below zero.
  const std::vector<runs::RunHeader>& headers() const { return headers_; }
  const runs::RunHeader* header(std::int64_t id) const;
  /// The id of the newest run of the store; 0: there is none.
  std::int64_t newest_own() const;
  /// Whether all that there is was offered, or nothing is there.
  bool only_offered() const;
  /// The run called `id` on the command line: the store's, else the imported one that had this id.
  std::optional<std::int64_t> resolve(std::int64_t id) const;
  /// Nothing when there is no such run or it cannot be read (then problem() says why).
  std::shared_ptr<const LoadedRun> run(std::int64_t id);

 private:
  /// The JSON files of a folder beside the store: when each was written, and how long it is.
  using Seen = std::map<std::filesystem::path, std::pair<std::filesystem::file_time_type, std::uintmax_t>>;

  void list();
  Seen files_beside_store(const char* folder) const;
  bool poll_fusions();
  bool poll_listings();

  std::filesystem::path store_file_;
  std::unique_ptr<runs::Store> store_;
  std::int64_t stamp_ = -1;
  int version_ = 0;
  std::string problem_, origin_;
  std::vector<runs::StoredRun> imported_;
  std::int64_t own_ = 0, offered_ = 0;  ///< of imported_: those before the offered ones, and these
  std::vector<runs::RunHeader> headers_;
  std::map<std::int64_t, std::shared_ptr<const LoadedRun>> loaded_;
  std::vector<FusionFile> fusions_, made_fusions_;
  std::vector<std::shared_ptr<const runs::ListingRecord>> listings_, made_listings_;
  Seen fusions_seen_, listings_seen_;  ///< what `fusions_` and `listings_` were read from
  std::map<int, std::shared_ptr<const runs::Sweep>> sweeps_, made_sweeps_;  ///< by puzzle; null: none
};

/// "#12": what a run is called on screen.
std::string run_tag(std::int64_t id);

}  // namespace workbook::viewer
