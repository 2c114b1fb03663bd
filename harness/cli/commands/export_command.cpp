// `export` and `import`.
#include <fmt/format.h>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/progress.h"
#include "cli/report/export.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

/// "22" is a run here, where most commands take a puzzle's number: whoever means that is told.
void say_whose(const Project& project, const runs::Store& store, std::int64_t id) {
  const Puzzle* meant = id < 100 ? project.puzzle_of(static_cast<int>(id)) : nullptr;
  const std::string other =
      meant ? fmt::format(" The runs of puzzle {}: `workbook export p{}`.", id, id) : std::string();
  if (!store.has(id))
    throw UsageError(
        fmt::format("There is no run {} on record: `workbook history` lists them.{}", id, other));
  if (!meant) return;
  if (const int puzzle = store.load(id).puzzle; puzzle != meant->number)
    print_error(fitted(fmt::format("Run {} is one of puzzle {:02}.{}\n", id, puzzle, other)));
}

/// The numbers of the runs that `words` ask for.
std::vector<std::int64_t> runs_named(const Project& project, const runs::Store& store,
                                     const std::vector<std::string>& words) {
  std::vector<std::int64_t> ids;
  const auto add_all = [&](const runs::RunFilter& filter) {
    for (const runs::RunHeader& header : store.list(filter)) ids.push_back(header.id);
  };
  if (words.empty()) add_all({});
  for (const std::string& word : words) {
    if (word.size() < 18 && word.find_first_not_of("0123456789") == std::string::npos) {
      ids.push_back(std::atoll(word.c_str()));
      say_whose(project, store, ids.back());
      continue;
    }
    runs::RunFilter filter;
    filter.puzzle = project.puzzle(word).number;
    const std::size_t before = ids.size();
    add_all(filter);
    if (ids.size() == before)
      throw UsageError(fmt::format("No run of puzzle {} is on record.", *filter.puzzle));
  }
  return ids;
}

}  // namespace

int export_command(const Project& project, const std::vector<std::string>& words, const std::string& format,
                   const std::string& out) {
  const auto store = records(project);
  if (!store) throw UsageError("Nothing is on record yet: there is nothing to export.");
  std::vector<runs::StoredRun> runs;
  for (const std::int64_t id : runs_named(project, *store, words))
    runs.push_back({store->load(id), store->trace(id)});
  const bool trace = format == "trace" || format == "chrome";
  if (format != "json" && format != "csv" && !trace)
    throw UsageError("There is no format '" + format + "'." + did_you_mean(format, {"json", "csv", "trace"}) +
                     " There are: json, csv, trace.");
  if (format == "json" && !out.empty()) {
    write_runs(out, runs);
  } else {
    const std::string text = format == "csv" ? launches_csv(runs)
                             : trace         ? chrome_trace(runs)
                                             : runs_json(runs);
    if (out.empty())
      print(text);
    else
      write_file(out, text);
  }
  if (!out.empty())
    print(fmt::format("{} written to {}\n", count_text(static_cast<std::int64_t>(runs.size()), "run"), out));
  return kCorrect;
}

int import_command(const Project& project, const std::vector<std::string>& files) {
  std::vector<runs::StoredRun> runs;
  for (const std::string& file : files) {
    try {
      for (runs::StoredRun& run : runs::read_runs(file)) runs.push_back(std::move(run));
    } catch (const std::runtime_error& error) {
      throw UsageError(error.what());
    }
  }
  project.prepare_state();
  runs::Store store = open_store(project);
  for (const runs::StoredRun& run : runs) store.add(run);
  print(fmt::format("{} added to the record\n", count_text(static_cast<std::int64_t>(runs.size()), "run")));
  return kCorrect;
}

}  // namespace workbook::cli
