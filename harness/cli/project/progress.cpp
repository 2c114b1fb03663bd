#include "cli/project/progress.h"

#include <algorithm>

#include "cli/report/text.h"

namespace workbook::cli {

std::optional<runs::Store> records(const Project& project) {
  if (!runs::Store::exists(project.runs_file())) return std::nullopt;
  return runs::Store(project.runs_file(), runs::Store::Mode::read_only);
}

bool Progress::done() const {
  return std::all_of(variants.begin(), variants.end(),
                     [](const VariantProgress& v) { return v.done || !v.variant->required; });
}

Progress progress_of(const Project&, const Puzzle& puzzle, const runs::Store* store) {
  Progress progress;
  progress.puzzle = &puzzle;
  for (const VariantInfo& variant : puzzle.declaration.variants) {
    VariantProgress entry;
    entry.variant = &variant;
    const std::string hash = runs::content_hash(read_file_if_any(puzzle.file(variant)).value_or(""));
    entry.state = "to do";
    runs::RunFilter filter;
    filter.puzzle = puzzle.number;
    filter.variant = variant.name;
    filter.origin = "learner";
    if (const auto newest = store ? store->newest(filter) : std::nullopt) {
      entry.state = newest->verdict;
      entry.done = newest->verdict == "correct";
      entry.changed = newest->source_hash != hash;
      entry.run = newest->id;
    }
    progress.variants.push_back(entry);
  }
  return progress;
}

std::optional<runs::RunRecord> correct_run(const runs::Store& store, const Puzzle& puzzle,
                                           const std::string& variant, const std::string& backend) {
  runs::RunFilter filter;
  filter.puzzle = puzzle.number;
  filter.variant = variant;
  filter.verdict = "correct";
  if (!backend.empty()) filter.backend = backend;
  for (const char* origin : {"learner", "solution"}) {
    filter.origin = origin;
    if (const auto found = store.newest(filter)) return store.load(found->id);
  }
  return std::nullopt;
}

bool ever_solved(const Puzzle& puzzle, const std::string& variant, const runs::Store* store) {
  runs::RunFilter filter;
  filter.puzzle = puzzle.number;
  filter.variant = variant;
  filter.origin = "learner";
  filter.verdict = "correct";
  return store && store->newest(filter);
}

}  // namespace workbook::cli
