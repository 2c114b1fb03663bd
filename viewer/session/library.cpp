#include "session/library.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <tuple>

namespace workbook::viewer {
namespace {

// A list longer than anyone scrolls; older runs are still reached with --run.
constexpr std::int64_t kListed = 2000;

runs::RunHeader header_of(const runs::RunRecord& record, std::int64_t id) {
  return {id,
          record.started_at,
          record.elapsed_ms,
          record.puzzle,
          record.puzzle_name,
          record.puzzle_title,
          record.variant,
          record.origin,
          record.backend,
          record.device,
          record.source_hash,
          record.verdict};
}

const runs::Benchmark* teaching(const runs::RunRecord& record) {
  for (const runs::Benchmark& benchmark : record.benchmarks)
    if (benchmark.name == "teaching") return &benchmark;
  return nullptr;
}

std::shared_ptr<const LoadedRun> digest(runs::RunRecord record, std::optional<runs::Trace> trace) {
  auto loaded = std::make_shared<LoadedRun>();
  loaded->record = std::move(record);
  loaded->trace = std::move(trace);
  if (loaded->trace) loaded->accesses = AccessIndex(*loaded->trace, teaching(loaded->record));
  return loaded;
}

}  // namespace

void Library::open_store(const std::filesystem::path& file) {
  store_file_ = file;
  poll_fusions();
  poll_listings();
  if (runs::Store::exists(file)) store_ = std::make_unique<runs::Store>(file, runs::Store::Mode::read_only);
  list();
}

void Library::import(const std::filesystem::path& file) {
  std::string begin(64, '\0');
  std::ifstream(file, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (runs::is_fusion(begin)) return add(runs::read_fusion(file));
  if (runs::is_listing(begin)) return add(runs::read_listing(file));
  for (runs::StoredRun& run : runs::read_runs(file)) imported_.push_back(std::move(run));
  list();
}

void Library::offer(std::vector<runs::StoredRun> runs) {
  if (offered_ == 0) own_ = static_cast<std::int64_t>(imported_.size());
  offered_ += static_cast<std::int64_t>(runs.size());
  // The newest last, as a store would have it.
  std::stable_sort(runs.begin(), runs.end(),
                   [](const auto& a, const auto& b) { return a.record.started_at < b.record.started_at; });
  std::move(runs.begin(), runs.end(), std::back_inserter(imported_));
  list();
}

void Library::add(runs::StoredRun run) {
  imported_.push_back(std::move(run));
  list();
}

void Library::add(runs::Sweep sweep) {
  const int puzzle = sweep.puzzle;
  made_sweeps_[puzzle] = std::make_shared<runs::Sweep>(std::move(sweep));
  list();
}

void Library::add(runs::FusionRecord record) {
  const std::string program = record.program;
  made_fusions_.push_back({program, std::make_shared<const runs::FusionRecord>(std::move(record)), ""});
  fusions_.push_back(made_fusions_.back());
}

void Library::add(runs::ListingRecord record) {
  made_listings_.push_back(std::make_shared<const runs::ListingRecord>(std::move(record)));
  listings_.push_back(made_listings_.back());
}

std::vector<std::shared_ptr<const runs::ListingRecord>> Library::listings(const runs::RunRecord& run) const {
  std::vector<std::shared_ptr<const runs::ListingRecord>> found;
  for (const auto& each : listings_)
    if (each->puzzle == run.puzzle && each->source_hash == run.source_hash) found.push_back(each);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(b->form, b->architecture) < std::tie(a->form, a->architecture);
  });
  return found;
}

bool Library::is_listed(int puzzle) const {
  return std::any_of(listings_.begin(), listings_.end(),
                     [&](const auto& each) { return each->puzzle == puzzle; });
}

Library::Seen Library::files_beside_store(const char* folder) const {
  Seen seen;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(store_file_.parent_path() / folder, error))
    if (entry.path().extension() == ".json" && entry.is_regular_file(error))
      seen[entry.path()] = {entry.last_write_time(error), entry.file_size(error)};
  return seen;
}

// One that cannot be read is left out: the next `workbook sass` writes it anew.
bool Library::poll_listings() {
  Seen now = files_beside_store("listings");
  if (now == listings_seen_) return false;
  listings_seen_ = std::move(now);
  listings_ = made_listings_;
  for (const auto& [file, written] : listings_seen_) try {
      listings_.push_back(std::make_shared<const runs::ListingRecord>(runs::read_listing(file)));
    } catch (const std::runtime_error&) {
    }
  return true;
}

bool Library::poll_fusions() {
  Seen now = files_beside_store("optimize");
  if (now == fusions_seen_) return false;
  fusions_seen_ = std::move(now);
  std::vector<std::filesystem::path> files;
  for (const auto& [file, written] : fusions_seen_) files.push_back(file);
  std::stable_sort(files.begin(), files.end(), [&](const auto& a, const auto& b) {
    return fusions_seen_.at(a).first > fusions_seen_.at(b).first;
  });
  fusions_.clear();
  for (const std::filesystem::path& file : files) try {
      auto record = std::make_shared<const runs::FusionRecord>(runs::read_fusion(file));
      fusions_.push_back({record->program, std::move(record), ""});
    } catch (const std::runtime_error& problem) {
      fusions_.push_back({file.stem().string(), nullptr, problem.what()});
    }
  fusions_.insert(fusions_.end(), made_fusions_.begin(), made_fusions_.end());
  return true;
}

std::shared_ptr<const runs::Sweep> Library::sweep(int puzzle) {
  if (const auto found = sweeps_.find(puzzle); found != sweeps_.end()) return found->second;
  std::shared_ptr<const runs::Sweep>& sweep = sweeps_[puzzle];
  try {
    if (store_)
      if (auto stored = store_->newest_sweep(puzzle))
        sweep = std::make_shared<runs::Sweep>(*std::move(stored));
  } catch (const std::exception& error) {
    problem_ = error.what();
  }
  if (const auto made = made_sweeps_.find(puzzle); !sweep && made != made_sweeps_.end()) sweep = made->second;
  return sweep;
}

void Library::show_only(const std::string& origin) {
  origin_ = origin;
  list();
}

void Library::list() {
  headers_.clear();
  sweeps_.clear();
  if (store_) {
    headers_ = store_->list({}, kListed);
    stamp_ = store_->change_stamp();
  }
  for (std::size_t i = imported_.size(); i-- > 0;)
    headers_.push_back(header_of(imported_[i].record, -static_cast<std::int64_t>(i) - 1));
  if (!origin_.empty()) std::erase_if(headers_, [&](const auto& each) { return each.origin != origin_; });
  ++version_;
}

bool Library::poll() {
  if (store_file_.empty()) return false;
  const bool fusions = poll_fusions(), listings = poll_listings(), others = fusions || listings;
  try {
    if (!store_) {
      if (!runs::Store::exists(store_file_)) return others;
      store_ = std::make_unique<runs::Store>(store_file_, runs::Store::Mode::read_only);
    } else if (store_->change_stamp() == stamp_) {
      return others;
    }
    list();
    problem_.clear();
    return true;
  } catch (const std::exception& error) {
    // What is on screen stays; the next poll tries again.
    const bool news = problem_ != error.what();
    problem_ = error.what();
    return news || others;
  }
}

const runs::RunHeader* Library::header(std::int64_t id) const {
  const auto found =
      std::find_if(headers_.begin(), headers_.end(), [&](const auto& each) { return each.id == id; });
  return found == headers_.end() ? nullptr : &*found;
}

std::int64_t Library::newest_own() const {
  std::int64_t newest = 0;
  for (const runs::RunHeader& header : headers_) newest = std::max(newest, header.id);
  return newest;
}

bool Library::only_offered() const {
  return std::all_of(headers_.begin(), headers_.end(),
                     [&](const runs::RunHeader& each) { return is_offered(each.id); });
}

std::optional<std::int64_t> Library::resolve(std::int64_t id) const {
  if (header(id) != nullptr || (store_ && store_->has(id))) return id;
  for (std::size_t i = 0; i < imported_.size(); ++i)
    if (imported_[i].record.id == id) return -static_cast<std::int64_t>(i) - 1;
  return {};
}

std::shared_ptr<const LoadedRun> Library::run(std::int64_t id) {
  if (const auto found = loaded_.find(id); found != loaded_.end()) return found->second;
  std::shared_ptr<const LoadedRun> loaded;
  try {
    if (id < 0 && static_cast<std::size_t>(-id) <= imported_.size()) {
      const runs::StoredRun& run = imported_[static_cast<std::size_t>(-id - 1)];
      loaded = digest(run.record, run.trace);
    } else if (store_ && store_->has(id)) {
      loaded = digest(store_->load(id), store_->trace(id));
    }
  } catch (const std::exception& error) {
    problem_ = error.what();
  }
  if (loaded) loaded_[id] = loaded;
  return loaded;
}

std::string run_tag(std::int64_t id) {
  return id < 0 ? "import " + std::to_string(-id) : "#" + std::to_string(id);
}

}  // namespace workbook::viewer
